#include "commands/elements.h"

#include "commands/describe.h"
#include "commands/evaluate.h"

#include <math.h>

bool sm_wanted_parse(struct sm_text text, struct sm_wanted *out, struct sm_err *err)
{
    char *end;
    *out = (struct sm_wanted){.what = SM_WANT_RANGE};
    if (sm_text_is(text, "nan") || sm_text_is(text, "inf")) {
        out->what = text.p[0] == 'n' ? SM_WANT_NAN : SM_WANT_INF;
        return true;
    }
    out->lo = out->hi = sm_parse_double(text.p, &end);
    if (end != text.p && (*end == ':' || strncmp(end, "..", 2) == 0)) {
        const char *second = end + (*end == ':' ? 1 : 2);
        out->hi = sm_parse_double(second, &end);
        if (end == second)
            out->hi = (double)INFINITY;
    }
    return (end != text.p && !*end) ||
           sm_err_set(err, SM_ERR_USAGE, "\"%s\" is no number, range LO:HI, nan or inf.", text.p);
}

bool sm_wanted_where(struct sm_call *c, struct sm_text condition, struct sm_wanted *out, struct sm_err *err)
{
    *out = (struct sm_wanted){.what = SM_WANT_WHERE};
    return sm_expr_parse(condition.p, condition.n, &c->arena, &out->where, err);
}

bool sm_wanted_possible(const struct sm_wanted *w, const struct sm_stats *s)
{
    switch (w->what) {
    case SM_WANT_NAN:
        return s->nan > 0;
    case SM_WANT_INF:
        return s->pos_inf + s->neg_inf > 0;
    case SM_WANT_RANGE:
        return s->pos_inf || s->neg_inf || (s->finite && s->max >= w->lo && s->min <= w->hi);
    default:
        return true;
    }
}

/* ---- the elements themselves ---- */

static bool is_number_wanted(const struct sm_wanted *w, double v)
{
    return w->what == SM_WANT_NAN ? isnan(v) : w->what == SM_WANT_INF ? isinf(v) : v >= w->lo && v <= w->hi;
}

static double number_at(const struct sm_tensor *t, uint64_t i)
{
    return sm_dtype_load(t->dtype, t->data + i * sm_dtype_info(t->dtype)->size_bytes);
}

/* What the condition is for each element, or for all of them. */
static bool evaluate_where(struct sm_call *c, const struct sm_wanted *w, struct sm_tensor *x, struct sm_step step,
                           struct sm_value *out, struct sm_err *err)
{
    struct sm_expr_env env;
    struct sm_value subject = {.type = SM_TENSOR, .tensor = x};
    sm_evaluate_env(c, &env);
    env.subject = &subject;
    env.step = step;
    if (!sm_expr_eval(w->where, &env, out, err))
        return false;
    if (out->type != SM_TENSOR || out->tensor->n == x->n)
        return true;
    sm_value_clear(out);
    return sm_err_set(err, SM_ERR_USAGE, "the condition must say something of each element x, such as x > 1e3");
}

static bool is_wanted(const struct sm_wanted *w, const struct sm_value *condition, const struct sm_tensor *x, uint64_t i)
{
    if (w->what != SM_WANT_WHERE)
        return is_number_wanted(w, number_at(x, i));
    if (condition->type != SM_TENSOR)
        return sm_expr_is_true(condition);
    double v = number_at(condition->tensor, i);
    return v != 0 && !isnan(v);
}

bool sm_elements_find(struct sm_call *c, const struct sm_wanted *w, struct sm_tensor *x, struct sm_step step,
                      struct sm_element_rows *rows, struct sm_err *err)
{
    struct sm_value condition = {0};
    if (!sm_dtype_info(x->dtype)->size_bytes)
        return true;
    if (w->what == SM_WANT_WHERE && !evaluate_where(c, w, x, step, &condition, err))
        return false;
    for (uint64_t i = 0; i < x->n; i++) {
        if (!is_wanted(w, &condition, x, i) || rows->found++ >= rows->most)
            continue;
        struct sm_node *row = sm_node_map(rows->out, rows->list, NULL);
        if (rows->place)
            rows->place(rows->out, row, rows->ctx);
        sm_describe_element(rows->out, row, x, i);
    }
    sm_value_clear(&condition);
    return true;
}
