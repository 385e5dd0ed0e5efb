/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/break_hit_text.h"
#include "commands/stops/stops.h"

#include "commands/answer/typed_number.h"
#include "commands/answer/value_line.h"
#include "commands/language/tokens.h"
#include "commands/place/evaluate.h"
#include "commands/place/printf_format.h"

#include <stdio.h>
#include <string.h>

enum { DIGITS = 3 };

struct hit_context {
    struct sm_session *session;
    struct sm_arena *arena;
    const struct sm_break_hit *hit;
};

/* The current place with the step, tensor and worker of the hit. */
static struct sm_place hit_place(const struct sm_session *s, const struct sm_break_hit *hit)
{
    struct sm_place p = s->at;
    p.step = hit->place.step;
    p.follow = false;
    p.tensor = hit->place.tensor != SM_NAME_NONE ? hit->place.tensor : p.tensor;
    p.worker = hit->place.worker != SM_WORKER_ANY ? hit->place.worker : p.worker;
    return p;
}

/* The names in expressions at the hit, as in its condition. */
static void hit_env(struct sm_session *s, struct sm_arena *arena, const struct sm_break_hit *hit,
                    struct sm_expr_env *out)
{
    struct sm_place p = hit->place;
    p.mode = s->at.mode;
    if (p.tensor == SM_NAME_NONE)
        p.worker = s->at.worker;
    sm_evaluate_place_env(s, arena, &p, out);
    out->step_by_step = true;
    out->of = sm_place_tensor(&p);
}

/* ---- why it stopped ---- */

/* The value of a part of the condition at a step, or VOID. Returns false with SM_ERR_WAIT while
 * values are being read. */
static bool eval_at(const struct hit_context *x, struct sm_text text, struct sm_step step,
                    struct sm_value *out, struct sm_err *err)
{
    struct sm_expr_env env;
    struct sm_expr *e;
    struct sm_err why = {0};
    double number;
    *out = (struct sm_value){0};
    hit_env(x->session, x->arena, x->hit, &env);
    env.step = step;
    if (sm_expr_parse(text.p, text.n, x->arena, &e, &why) && !sm_expr_eval(e, &env, out, &why) &&
        why.code == SM_ERR_WAIT) {
        *err = why;
        return false;
    }
    if (out->type == SM_TENSOR && sm_value_as_number(out, &number)) {
        sm_value_simplify(out);
        out->type = SM_NUMBER; /* also a bool */
    }
    return true;
}

static void write_number(const struct sm_value *v, char out[SM_NUMBER_TEXT])
{
    static const struct sm_format whole = {.letter = 'd', .precision = -1};
    if (v->is_int || v->is_uint)
        sm_value_number_text(v, &whole, out);
    else
        sm_format_double(v->number, DIGITS, out);
}

/* Appends " = 0.5", the value of the right side, unless it is written as a number or the sign is
 * "==". */
static bool add_right(const struct hit_context *x, struct sm_text right, const char *sign,
                      struct sm_str *out, struct sm_err *err)
{
    struct sm_value v;
    double plain;
    char number[SM_NUMBER_TEXT];
    if (sm_number_double(right, &plain) || strncmp(sign, "==", 2) == 0)
        return true;
    if (!eval_at(x, right, x->hit->place.step, &v, err))
        return false;
    if (v.type == SM_NUMBER) {
        write_number(&v, number);
        sm_str_printf(out, " = %s", number);
    }
    sm_value_clear(&v);
    return true;
}

/* "norm($t) = 1.93e+04 > 1e3" */
static bool add_condition(const struct hit_context *x, const char *condition,
                          struct sm_value *value, struct sm_str *out, struct sm_err *err)
{
    struct sm_text left, rest;
    struct sm_expr *e;
    char number[SM_NUMBER_TEXT];
    bool compares = sm_expr_parse(condition, strlen(condition), x->arena, &e, NULL) &&
                    sm_expr_comparison(e, &left, &rest);
    if (compares && !eval_at(x, left, x->hit->place.step, value, err))
        return false;
    sm_str_addc(out, '\n');
    if (compares && value->type == SM_NUMBER) {
        size_t sign = rest.n > 1 && rest.p[1] == '=' ? 2 : 1;
        struct sm_text right = sm_reader_trim(rest.p + sign, rest.n - sign);
        write_number(value, number);
        sm_str_add_escaped(out, left.p, left.n);
        sm_str_printf(out, " = %s %.*s ", number, (int)sign, rest.p);
        sm_str_add_escaped(out, right.p, right.n);
        return add_right(x, right, rest.p, out, err);
    }
    sm_value_clear(value);
    sm_str_add_escaped(out, condition, strlen(condition));
    return true;
}

/* "Old value = 0.5", "New value = 0.4" */
static bool add_change(const struct hit_context *x, struct sm_text text, struct sm_text past,
                       struct sm_step before, struct sm_value *value, struct sm_str *out,
                       struct sm_err *err)
{
    struct sm_value old;
    if (!eval_at(x, past, before, &old, err))
        return false;
    if (!eval_at(x, text, x->hit->place.step, value, err)) {
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

/* A tensor with one element is reported with its values, not with the number of changed elements.
 */
static bool is_one_number(const struct hit_context *x, struct sm_err *err, bool *one)
{
    struct sm_value size;
    if (!eval_at(x, SM_TEXT("size($t)"), x->hit->place.step, &size, err))
        return false;
    *one = size.type == SM_NUMBER && size.integer == 1;
    return true;
}

/* Whether the watchpoint stops at any change: neither -stuck nor -ratio. */
static bool is_change(const struct sm_breakpoint *b)
{
    return strncmp(b->watched, "-stuck", 6) != 0 && strncmp(b->watched, "-ratio", 6) != 0;
}

static bool add_why(const struct hit_context *x, const struct sm_breakpoint *b,
                    struct sm_value *value, struct sm_str *out, struct sm_err *err)
{
    bool one = false;
    if (b->rule && !b->condition)
        *value = (struct sm_value){.type = SM_NUMBER, .number = x->hit->value};
    if (b->changing)
        return add_change(x, sm_text(b->where), sm_text(b->where), x->hit->before, value, out, err);
    if (b->watched && strncmp(b->watched, "-dead", 5) == 0)
        return add_condition(x, "zeros($t) == size($t)", value, out, err);
    if (b->trigger && is_change(b) && !is_one_number(x, err, &one))
        return false;
    if (one)
        return add_change(x, SM_TEXT("$t"), SM_TEXT("$prev"), x->hit->place.step, value, out, err);
    const char *text = b->trigger ? b->trigger : b->condition;
    return !text || add_condition(x, text, value, out, err);
}

bool sm_break_hit_why(struct sm_session *s, struct sm_arena *arena, const struct sm_break_hit *hit,
                      struct sm_value *value, struct sm_str *out, struct sm_err *err)
{
    const struct hit_context x = {s, arena, hit};
    size_t before = out->len;
    *value = (struct sm_value){0};
    if (hit->why)
        sm_str_printf(out, "\n%s", hit->why);
    if (add_why(&x, sm_breakpoints_find(&sm_stops(s)->breakpoints, hit->number), value, out, err))
        return true;
    sm_str_truncate(out, before);
    return false;
}

/* ---- dprintf ---- */

static bool eval_value(void *ctx, struct sm_text expr, struct sm_value *out, struct sm_err *err)
{
    const struct hit_context *x = ctx;
    struct sm_expr_env env;
    struct sm_expr *e;
    hit_env(x->session, x->arena, x->hit, &env);
    return sm_expr_parse(expr.p, expr.n, x->arena, &e, err) && sm_expr_eval(e, &env, out, err);
}

static bool format_print(struct hit_context *x, const char *print, struct sm_str *out,
                         struct sm_err *err)
{
    struct sm_session *s = x->session;
    struct sm_printf_format *p =
        sm_printf_format_new(x->arena, sm_text(print), "dprintf LOC,", err);
    struct sm_place at = hit_place(s, x->hit);
    if (!p)
        return false;
    sm_session_set_place_variables(s, &at);
    bool ok = sm_printf_format_line(p, eval_value, x, out, err);
    sm_session_sync_variables(s);
    return ok;
}

bool sm_break_hit_print(struct sm_session *s, struct sm_arena *arena,
                        const struct sm_break_hit *hit, struct sm_str *out, struct sm_err *err)
{
    struct hit_context x = {s, arena, hit};
    struct sm_breakpoint *b = sm_breakpoints_find(&sm_stops(s)->breakpoints, hit->number);
    struct sm_err why = {0};
    if (format_print(&x, b->print, out, &why))
        return true;
    if (why.code == SM_ERR_WAIT)
        return sm_err_set(err, SM_ERR_WAIT, "%s", why.msg);
    b->enabled = why.code == SM_ERR_MISSING;
    sm_str_printf(out, "Dprintf %u%s: %s", b->number, b->enabled ? "" : " is disabled", why.msg);
    return true;
}
