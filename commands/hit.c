#include "commands/hit.h"

#include "commands/break_action.h"
#include "commands/evaluate.h"
#include "commands/exec.h"
#include "commands/incident.h"
#include "commands/value_line.h"

#include <string.h>

enum { DIGITS = 3 };

/* ---- arriving ---- */

static void set_number(struct sm_session *s, const char *name, uint64_t n)
{
    struct sm_value v = {.type = SM_NUMBER, .is_int = true, .integer = (int64_t)n, .number = (double)n};
    sm_session_set_variable(s, name, &v);
}

/* Those that only print come last: they are not told. */
static void copy_hits(struct sm_call *c, struct sm_hit_report *r, const struct sm_hit *hits, size_t n, bool prints)
{
    for (size_t i = 0; i < n; i++) {
        const struct sm_breakpoint *b = sm_breakpoints_find(&c->session->breakpoints, hits[i].number);
        if ((b->type == SM_BREAK_PRINT) != prints)
            continue;
        r->hits[r->n] = hits[i];
        if (hits[i].why)
            r->hits[r->n].why = sm_arena_xstrndup(&c->arena, hits[i].why, strlen(hits[i].why));
        r->n++;
        r->stops += !prints;
    }
}

void sm_hit_arrive(struct sm_call *c, struct sm_hit_report *r, const struct sm_hit *hits, size_t n)
{
    struct sm_session *s = c->session;
    r->hits = sm_arena_xalloc(&c->arena, n * sizeof *r->hits);
    copy_hits(c, r, hits, n, false);
    copy_hits(c, r, hits, n, true);
    hits = r->hits;
    const struct sm_breakpoint *b = sm_breakpoints_find(&s->breakpoints, hits[0].number);
    if (hits[0].tensor != SM_NAME_NONE)
        s->at.tensor = hits[0].tensor;
    if (hits[0].worker != SM_WORKER_ANY && sm_trial_worker_count(sm_session_trial(s)) > 1)
        s->at.worker = hits[0].worker;
    s->breakpoints.stopped = hits[0].number;
    set_number(s, "_bpnum", hits[0].number);
    set_number(s, "_hits", b->hits);
    sm_stop_move(c, &r->stop, hits[0].step, false);
}

/* ---- telling ---- */

static void tell_place(const struct sm_trial *t, const struct sm_breakpoint *b, const struct sm_hit *hit, struct sm_str *out)
{
    sm_str_printf(out, "%s %u, ", sm_breakpoint_noun(b), b->number);
    sm_hunt_describe(t, b, hit, out);
    if (hit->why)
        sm_str_printf(out, "\n%s", hit->why);
}

static void fill_env(struct sm_call *c, const struct sm_hit *hit, struct sm_step step, struct sm_expr_env *env)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_names *names = sm_trial_names(t);
    sm_evaluate_env(c, env);
    env->step = step;
    env->step_by_step = true;
    env->of = NULL;
    if (hit->tensor == SM_NAME_NONE)
        return;
    env->of = sm_trial_find(t, sm_names_text(names, hit->tensor), sm_names_length(names, hit->tensor));
    env->worker = hit->worker;
}

/* What a part of the condition is worth at a step, or VOID. False with SM_ERR_WAIT: not known yet. */
static bool compute(struct sm_call *c, struct sm_text text, const struct sm_hit *hit, struct sm_step step, struct sm_value *out,
                    struct sm_err *err)
{
    struct sm_expr_env env;
    struct sm_expr *e;
    struct sm_err why = {0};
    double x;
    *out = (struct sm_value){0};
    fill_env(c, hit, step, &env);
    if (sm_expr_parse(text.p, text.n, &c->arena, &e, &why) && !sm_expr_eval(e, &env, out, &why) && why.code == SM_ERR_WAIT) {
        *err = why;
        return false;
    }
    if (out->type == SM_TENSOR && sm_value_as_number(out, &x)) {
        bool single = sm_dtype_info(out->tensor->dtype)->single;
        sm_value_clear(out);
        *out = (struct sm_value){.type = SM_NUMBER, .number = x, .single = single};
    }
    return true;
}

/* "norm($t) = 1.93e+04 > 1e3" */
static bool tell_condition(struct sm_call *c, const char *condition, const struct sm_hit *hit, struct sm_value *value,
                           struct sm_str *out, struct sm_err *err)
{
    struct sm_text left, rest;
    struct sm_expr *e;
    char number[32];
    bool compares = sm_expr_parse(condition, strlen(condition), &c->arena, &e, NULL) && sm_expr_comparison(e, &left, &rest);
    if (compares && !compute(c, left, hit, hit->step, value, err))
        return false;
    sm_str_addc(out, '\n');
    if (compares && value->type == SM_NUMBER) {
        sm_format_double(value->number, DIGITS, number);
        sm_str_add_escaped(out, left.p, left.n);
        sm_str_printf(out, " = %s ", number);
        sm_str_add_escaped(out, rest.p, rest.n);
        return true;
    }
    sm_value_clear(value);
    sm_str_add_escaped(out, condition, strlen(condition));
    return true;
}

/* "Old value = 0.5", "New value = 0.4" */
static bool tell_change(struct sm_call *c, struct sm_text text, const struct sm_hit *hit, struct sm_text past, struct sm_step before,
                        struct sm_value *value, struct sm_str *out, struct sm_err *err)
{
    struct sm_value old;
    if (!compute(c, past, hit, before, &old, err))
        return false;
    if (!compute(c, text, hit, hit->step, value, err)) {
        sm_value_clear(&old);
        return false;
    }
    sm_str_add(out, "\nOld value = ");
    sm_value_line(out, &old, NULL);
    sm_str_add(out, "\nNew value = ");
    sm_value_line(out, value, NULL);
    sm_value_clear(&old);
    if (value->type != SM_NUMBER)
        sm_value_clear(value);
    return true;
}

/* Of a tensor with one element the numbers say more than how many elements changed. */
static bool is_one_number(struct sm_call *c, const struct sm_hit *hit, struct sm_err *err, bool *one)
{
    struct sm_value size;
    if (!compute(c, SM_TEXT("size($t)"), hit, hit->step, &size, err))
        return false;
    *one = size.type == SM_NUMBER && size.integer == 1;
    return true;
}

/* Any change: not one that is too large, and not none. */
static bool is_change(const struct sm_breakpoint *b)
{
    return strncmp(b->watched, "-stuck", 6) != 0 && strncmp(b->watched, "-ratio", 6) != 0;
}

static bool tell_why(struct sm_call *c, const struct sm_breakpoint *b, const struct sm_hit *hit, struct sm_value *value,
                     struct sm_str *out, struct sm_err *err)
{
    bool one = false;
    if (b->rule && !b->condition)
        *value = (struct sm_value){.type = SM_NUMBER, .number = hit->value};
    if (b->changing)
        return tell_change(c, sm_text(b->where), hit, sm_text(b->where), hit->before, value, out, err);
    if (b->watched && strncmp(b->watched, "-dead", 5) == 0)
        return tell_condition(c, "zeros($t) == size($t)", hit, value, out, err);
    if (b->trigger && is_change(b) && !is_one_number(c, hit, err, &one))
        return false;
    if (one)
        return tell_change(c, SM_TEXT("$t"), hit, SM_TEXT("$prev"), hit->step, value, out, err);
    const char *text = b->trigger ? b->trigger : b->condition;
    return !text || tell_condition(c, text, hit, value, out, err);
}

/* What it was told to do, with the last one first: the lines are run in the order of the breakpoints. Those that only
 * print do so, and go on where nothing else stopped. */
static bool run_commands(struct sm_call *c, const struct sm_hit_report *r)
{
    bool silent = !r->stops;
    if (!r->stops)
        sm_exec_next(c->exec, r->back ? "reverse-continue" : "continue");
    for (size_t i = r->n; i-- > 0;) {
        const struct sm_breakpoint *b = sm_breakpoints_find(&c->session->breakpoints, r->hits[i].number);
        if (b->print)
            sm_exec_next(c->exec, sm_arena_xprintf(&c->arena, "printf %s", b->print));
        if (!b->commands || !b->commands->n)
            continue;
        sm_exec_body(c->exec, b->commands);
        silent = strcmp(b->commands->items[0].text, "silent") == 0;
    }
    return silent;
}

static bool tell(struct sm_call *c, struct sm_hit_report *r, struct sm_err *err)
{
    for (; r->told < r->stops; r->told++) {
        const struct sm_hit *hit = &r->hits[r->told];
        const struct sm_breakpoint *b = sm_breakpoints_find(&c->session->breakpoints, hit->number);
        struct sm_str text = {0};
        struct sm_value value = {0};
        tell_place(sm_session_trial(c->session), b, hit, &text);
        bool ok = tell_why(c, b, hit, &value, &text, err);
        if (ok)
            r->stop.headline =
                sm_arena_xprintf(&c->arena, "%s\n%s", r->stop.headline ? r->stop.headline : "", sm_str_text(&text));
        sm_str_clear(&text);
        if (!ok)
            return false;
        if (!r->told)
            r->value = value;
        else
            sm_value_clear(&value);
    }
    if (r->stops && !r->back)
        sm_break_act(c->session, &r->hits[0], &r->value, r->stop.headline + 1);
    r->stop.silent = run_commands(c, r);
    for (size_t i = 0; i < r->n; i++)
        sm_breakpoint_stopped(&c->session->breakpoints, r->hits[i].number);
    return true;
}

static void add_keys(const struct sm_hit_report *r, struct sm_result *out)
{
    sm_node_text(out, out->root, "reason", "breakpoint");
    sm_node_uint(out, out->root, "bkpt", r->hits[0].number);
    if (r->value.type == SM_NUMBER)
        sm_node_double(out, out->root, "value", r->value.number, r->value.single);
    else
        sm_node_null(out, out->root, "value");
}

bool sm_hit_show(struct sm_call *c, struct sm_hit_report *r, struct sm_result *out, struct sm_err *err)
{
    if (!r->over && !tell(c, r, err))
        return false;
    r->over = true;
    if (c->session->batch && c->session->incidents->running)
        return sm_err_set(err, SM_ERR_WAIT, "waiting for the stop action");
    if (!sm_stop_show(c, &r->stop, out, err))
        return false;
    if (r->stops)
        add_keys(r, out);
    else
        out->root = NULL;
    out->stopped = r->stops > 0;
    out->verdict = r->stops && c->session->settings.values[SM_SET_BATCH_EXIT].b;
    return true;
}
