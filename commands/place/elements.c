/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/place/elements.h"

#include "commands/place/describe.h"
#include "commands/place/evaluate.h"
#include "reader/base/grow.h"

#include <math.h>

bool sm_element_range_parse(const char *text, char **end, struct sm_exact *lo, struct sm_exact *hi)
{
    *lo = *hi = sm_exact_parse(text, end);
    if (*end == text)
        return false;
    if (**end == ':' || strncmp(*end, "..", 2) == 0) {
        const char *second = *end + (**end == ':' ? 1 : 2);
        *hi = sm_exact_parse(second, end);
        if (*end == second)
            *hi = sm_exact_real((double)INFINITY);
    }
    return true;
}

bool sm_element_filter_parse(struct sm_text text, struct sm_element_filter *out, struct sm_err *err)
{
    char *end;
    *out = (struct sm_element_filter){.what = SM_WANT_RANGE, .key = text.p};
    if (sm_text_is(text, "nan") || sm_text_is(text, "inf")) {
        out->what = text.p[0] == 'n' ? SM_WANT_NAN : SM_WANT_INF;
        return true;
    }
    return (sm_element_range_parse(text.p, &end, &out->lo, &out->hi) && !*end) ||
           sm_err_set(err, SM_ERR_USAGE,
                      "Invalid value \"%s\": expected a number, a range LO:HI, nan or inf.",
                      text.p);
}

bool sm_element_filter_where(struct sm_call *c, struct sm_text condition,
                             struct sm_element_filter *out, struct sm_err *err)
{
    *out = (struct sm_element_filter){.what = SM_WANT_WHERE, .key = condition.p};
    struct sm_expr_env env;
    struct sm_value element = {.type = SM_TENSOR};
    sm_evaluate_env(c, &env);
    env.subject = &element;
    return sm_expr_parse(condition.p, condition.n, &c->arena, &out->where, err) &&
           sm_expr_check_names(out->where, &env, err);
}

bool sm_elements_are_numbers(enum sm_dtype type, struct sm_err *err)
{
    const struct sm_dtype_info *info = sm_dtype_info(type);
    return (info->kind >= SM_KIND_FLOAT && info->kind <= SM_KIND_BOOL) ||
           sm_err_set(err, SM_ERR_USAGE, "elements of type %s are not ordered numbers", info->name);
}

bool sm_element_filter_may_match(const struct sm_element_filter *w, const struct sm_stats *s)
{
    switch (w->what) {
    case SM_WANT_NAN:
        return s->nan > 0;
    case SM_WANT_INF:
        return s->pos_inf + s->neg_inf > 0;
    case SM_WANT_RANGE:
        return s->pos_inf || s->neg_inf ||
               (s->finite && s->max >= w->lo.real && s->min <= w->hi.real);
    default:
        return true;
    }
}

/* ---- the elements themselves ---- */

static bool is_within(const struct sm_element_filter *w, const struct sm_exact *v)
{
    int low = sm_exact_compare(v, &w->lo), high = sm_exact_compare(v, &w->hi);
    return (low == 0 || low == 1) && high <= 0;
}

static const uint8_t *element_at(const struct sm_tensor *t, uint64_t i)
{
    return t->data + i * sm_dtype_info(t->dtype)->size_bytes;
}

/* A complex element is NaN or infinite if one of its parts is, and in a range if it is real. */
static bool is_number_wanted(const struct sm_element_filter *w, const struct sm_tensor *t,
                             uint64_t i)
{
    const struct sm_exact v = sm_dtype_load_exact(t->dtype, element_at(t, i));
    double imaginary = sm_dtype_imag(t->dtype, element_at(t, i));
    return w->what == SM_WANT_NAN   ? isnan(v.real) || isnan(imaginary)
           : w->what == SM_WANT_INF ? isinf(v.real) || isinf(imaginary)
                                    : imaginary == 0 && is_within(w, &v);
}

static bool is_wanted(const struct sm_element_filter *w, const struct sm_value *condition,
                      const struct sm_tensor *x, uint64_t i)
{
    if (w->what != SM_WANT_WHERE)
        return is_number_wanted(w, x, i);
    if (condition->type != SM_TENSOR)
        return sm_expr_is_true(condition);
    const struct sm_tensor *truth = condition->tensor;
    double v = sm_dtype_load(truth->dtype, element_at(truth, i));
    return v != 0 && !isnan(v);
}

/* ---- the search, in a worker ---- */

enum { BLOCK = 1 << 16 };

struct search {
    struct sm_work work;
    struct sm_element_filter wanted;
    struct sm_tensor *x;         /* the tensor to search, a reference */
    struct sm_bound *condition;  /* of WHERE */
    uint64_t most, found, *hits; /* flat indexes of the first `most` */
    size_t n_hits, cap_hits;
    bool ok;
    struct sm_err err;
};

static bool evaluate_where(struct search *s, struct sm_arena *arena, struct sm_value *out)
{
    if (s->wanted.what != SM_WANT_WHERE)
        return true;
    if (!sm_expr_eval_bound(s->condition, arena, &s->work.job.cancelled, out, &s->err))
        return false;
    return out->type != SM_TENSOR || out->tensor->n == s->x->n ||
           sm_err_set(&s->err, SM_ERR_USAGE,
                      "the condition must have a value for each element x, such as x > 1e3");
}

static void search_elements(struct search *s, const struct sm_value *condition)
{
    for (uint64_t i = 0; i < s->x->n; i++) {
        if (i % BLOCK == 0 && atomic_load(&s->work.job.cancelled))
            return;
        if (!is_wanted(&s->wanted, condition, s->x, i) || s->found++ >= s->most)
            continue;
        SM_GROW(s->hits, s->n_hits, s->cap_hits);
        s->hits[s->n_hits++] = i;
    }
}

static void run_search(struct sm_work *w)
{
    struct search *s = (struct search *)w;
    struct sm_value condition = {0};
    struct sm_arena arena = {0};
    s->ok = evaluate_where(s, &arena, &condition);
    if (s->ok)
        search_elements(s, &condition);
    sm_value_clear(&condition);
    sm_arena_clear(&arena);
    sm_bound_free(s->condition);
    s->condition = NULL;
}

static void free_search(struct sm_work *w)
{
    struct search *s = (struct search *)w;
    sm_bound_free(s->condition);
    sm_tensor_unref(s->x);
    sm_free(s->hits);
    sm_free(s);
}

/* ---- results ---- */

static bool bind_where(struct sm_call *c, const struct sm_element_filter *w, struct sm_tensor *x,
                       struct sm_step step, struct sm_bound **out, struct sm_err *err)
{
    struct sm_expr_env env;
    struct sm_value subject = {.type = SM_TENSOR, .tensor = x};
    sm_evaluate_env(c, &env);
    env.subject = &subject;
    env.step = step;
    return sm_expr_bind(w->where, &env, out, err);
}

/* Starts the search, or finds it. Returns true when it is done; false with SM_ERR_WAIT, or if the
 * condition cannot be bound. */
static bool search(struct sm_call *c, const struct sm_element_filter *wanted, struct sm_tensor *x,
                   struct sm_step step, uint64_t most, struct search **out, struct sm_err *err)
{
    /* a slice is a new tensor at each run of the call; its parent stays the same */
    struct sm_tensor *of = x->parent ? x->parent : x;
    struct sm_work *w = sm_work_find(&c->works, wanted->key, of);
    struct sm_bound *condition = NULL;
    *out = (struct search *)w;
    if (w)
        return sm_work_check_done(w, err);
    if (wanted->what == SM_WANT_WHERE && !bind_where(c, wanted, x, step, &condition, err))
        return false;
    struct search *s = *out = sm_xalloc_zero(1, sizeof *s);
    s->work = (struct sm_work){.run = run_search,
                               .free = free_search,
                               .what = wanted->key,
                               .of = sm_tensor_ref(of),
                               .elements = x->n + (condition ? sm_bound_elements(condition) : 0)};
    s->wanted = *wanted;
    s->x = sm_tensor_ref(x);
    s->condition = condition;
    s->most = most;
    return sm_work_start(&c->works, &s->work, err);
}

bool sm_elements_search(struct sm_call *c, const struct sm_element_filter *w, struct sm_tensor *x,
                        struct sm_step step, uint64_t most, struct sm_element_hits *out,
                        struct sm_err *err)
{
    struct search *s;
    *out = (struct sm_element_hits){0};
    if (!sm_elements_are_numbers(x->dtype, err))
        return false;
    if (!search(c, w, x, step, most, &s, err))
        return false;
    *out = (struct sm_element_hits){s->hits, s->n_hits, s->found};
    if (!s->ok)
        *err = s->err;
    return s->ok;
}

bool sm_elements_find(struct sm_call *c, const struct sm_element_filter *w, struct sm_tensor *x,
                      struct sm_step step, struct sm_element_rows *rows, struct sm_err *err)
{
    struct sm_element_hits hits;
    if (!sm_elements_search(c, w, x, step, rows->most, &hits, err))
        return false;
    for (size_t i = 0; i < hits.n && rows->found + i < rows->most; i++) {
        struct sm_node *row = sm_node_map(rows->out, rows->list, NULL);
        if (rows->place)
            rows->place(rows->out, row, rows->ctx);
        sm_describe_element(rows->out, row, x, hits.at[i]);
    }
    rows->found += hits.found;
    return true;
}
