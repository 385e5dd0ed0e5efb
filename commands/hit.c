#include "commands/hit.h"

#include "commands/describe.h"
#include "commands/evaluate.h"

#include <string.h>

enum { DIGITS = 3 };

/* ---- arriving ---- */

static void set_number(struct sm_session *s, const char *name, uint64_t n)
{
    struct sm_value v = {.type = SM_NUMBER, .is_int = true, .integer = (int64_t)n, .number = (double)n};
    sm_session_set_variable(s, name, &v);
}

void sm_hit_arrive(struct sm_call *c, struct sm_hit_report *r, const struct sm_hit *hits, size_t n)
{
    struct sm_session *s = c->session;
    const struct sm_breakpoint *b = sm_breakpoints_find(&s->breakpoints, hits[0].number);
    r->hits = sm_arena_xalloc(&c->arena, n * sizeof *r->hits);
    memcpy(r->hits, hits, n * sizeof *hits);
    for (r->n = 0; r->n < n; r->n++)
        if (hits[r->n].why)
            r->hits[r->n].why = sm_arena_xstrndup(&c->arena, hits[r->n].why, strlen(hits[r->n].why));
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

static const char *noun_of(const struct sm_breakpoint *b)
{
    return b->temporary ? "Temporary breakpoint" : "Breakpoint";
}

static void tell_tensor(const struct sm_trial *t, const struct sm_hit *hit, struct sm_str *out)
{
    const struct sm_names *names = sm_trial_names(t);
    sm_str_add_escaped(out, sm_names_text(names, hit->tensor), sm_names_length(names, hit->tensor));
    sm_str_add(out, " at ");
}

static void tell_place(const struct sm_trial *t, const struct sm_breakpoint *b, const struct sm_hit *hit, struct sm_str *out)
{
    size_t i = sm_trial_step_at(t, hit->step);
    const struct sm_trial_step *s = i < sm_trial_step_count(t) ? sm_trial_step(t, i) : NULL;
    sm_str_printf(out, "%s %u, ", noun_of(b), b->number);
    if (b->kind == SM_BREAK_END)
        sm_str_add(out, "end of the job at ");
    if (b->kind == SM_BREAK_STALL)
        sm_str_add(out, "nothing new since ");
    if (hit->tensor != SM_NAME_NONE)
        tell_tensor(t, hit, out);
    sm_describe_step(out, hit->step, s ? (enum sm_mode)s->mode : SM_MODE_ANY, s ? s->mode_step : (struct sm_mode_step){0});
    if (hit->worker != SM_WORKER_ANY) {
        const char *worker = sm_trial_worker(t, hit->worker);
        sm_str_add(out, ", ");
        sm_str_add_escaped(out, worker, strlen(worker));
    }
    if (hit->more)
        sm_str_printf(out, " (and %zu more)", hit->more);
    if (hit->why)
        sm_str_printf(out, "\n%s", hit->why);
}

/* What stands left of the comparison, as a number. False with SM_ERR_WAIT: not known yet. */
static bool compute_left(struct sm_call *c, struct sm_text left, const struct sm_hit *hit, struct sm_value *out, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    const struct sm_names *names = sm_trial_names(t);
    struct sm_expr_env env;
    struct sm_expr *e;
    struct sm_err why = {0};
    *out = (struct sm_value){0};
    sm_evaluate_env(c, &env);
    env.step = hit->step;
    env.step_by_step = true;
    if (hit->tensor != SM_NAME_NONE) {
        env.of = sm_trial_find(t, sm_names_text(names, hit->tensor), sm_names_length(names, hit->tensor));
        env.worker = hit->worker;
    }
    if (sm_expr_parse(left.p, left.n, &c->arena, &e, &why) && !sm_expr_eval(e, &env, out, &why) && why.code == SM_ERR_WAIT) {
        *err = why;
        return false;
    }
    double x;
    if (out->type != SM_NUMBER && sm_value_as_number(out, &x)) {
        sm_value_clear(out);
        *out = (struct sm_value){.type = SM_NUMBER, .number = x};
    }
    return true;
}

/* "norm($t) = 1.93e+04 > 1e3" */
static bool tell_condition(struct sm_call *c, const struct sm_breakpoint *b, const struct sm_hit *hit, struct sm_value *value,
                           struct sm_str *out, struct sm_err *err)
{
    struct sm_text left, rest;
    char number[32];
    bool compares = sm_expr_comparison(b->test, &left, &rest);
    if (compares && !compute_left(c, left, hit, value, err))
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
    sm_str_add_escaped(out, b->condition, strlen(b->condition));
    return true;
}

static bool tell(struct sm_call *c, struct sm_hit_report *r, struct sm_err *err)
{
    for (; r->told < r->n; r->told++) {
        const struct sm_hit *hit = &r->hits[r->told];
        const struct sm_breakpoint *b = sm_breakpoints_find(&c->session->breakpoints, hit->number);
        struct sm_str text = {0};
        struct sm_value value = {0};
        tell_place(sm_session_trial(c->session), b, hit, &text);
        bool ok = !b->test || tell_condition(c, b, hit, &value, &text, err);
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
    if (r->told < r->n && !tell(c, r, err))
        return false;
    if (!sm_stop_show(c, &r->stop, out, err))
        return false;
    add_keys(r, out);
    out->verdict = c->session->settings.values[SM_SET_BATCH_EXIT].b;
    return true;
}
