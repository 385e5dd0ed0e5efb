/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of NAME@all and NAME@0:40 over all elements of all these steps, from the statistics of
 * the records. A tensor that has one element at each step is such a series itself. */
#include "rules/expr/funcs.h"

#include <inttypes.h>

bool sm_expr_is_over_steps(const struct sm_ast *e, const struct sm_expr_env *env)
{
    return e->type == SM_AST_NAME && e->place.kind == SM_STEP_ALL && sm_expr_find(e, env);
}

bool sm_func_asks_statistic(const struct sm_ast *call, const struct sm_expr_env *env)
{
    return sm_func_asks_name(call, env) || sm_expr_is_over_steps(call->args[0], env);
}

/* Joins the statistics of a record to those of the earlier ones. Of elements of several types the
 * extremes are doubles. */
static void join(struct sm_expr_measured *m, const struct sm_facts *facts)
{
    if (m->dtype == SM_DTYPE_NONE) {
        m->dtype = facts->dtype;
        m->stats = facts->stats;
        return;
    }
    if (m->dtype != facts->dtype)
        m->dtype = SM_DTYPE_FLOAT64;
    sm_stats_join(&m->stats, &facts->stats, m->dtype);
}

/* Whether the name means this step: in its span, and of its mode. */
static bool is_meant(const struct sm_ast *name, const struct sm_place *l, const struct sm_part *p)
{
    int64_t n = l->mode != SM_MODE_ANY ? p->mode_step.n : p->step.n;
    return (l->mode == SM_MODE_ANY || p->mode == l->mode) && n >= name->place.n &&
           n <= name->place.to;
}

static struct sm_entry value_at(const struct sm_expr_env *env, const struct sm_place *l,
                                const struct sm_ast *name, struct sm_step step)
{
    struct sm_entry e = sm_trial_entry(env->trial, sm_place_tensor(l), step, l->worker,
                                       SM_ENTRY_VALUE, SM_REDUCE_NONE);
    return sm_entry_exists(&e) && is_meant(name, l, sm_trial_part(env->trial, e.part))
               ? e
               : sm_entry_none();
}

struct over_steps {
    struct sm_expr_env *env;
    struct sm_expr_measured *out;
    bool waiting;
    struct sm_err unreadable; /* of the last record that cannot be read */
};

static void leave_out(struct over_steps *o, const struct sm_entry *e, const struct sm_err *err)
{
    if (!o->out->unread++)
        o->out->first_unread = sm_trial_part(o->env->trial, e->part)->step;
    o->unreadable = *err;
}

/* False: an error that is not of one record. */
static bool add_record(struct over_steps *o, const struct sm_entry *e, struct sm_err *err)
{
    const struct sm_facts *facts;
    if (!sm_fetch_stats(o->env->fetch, o->env->trial, e, &facts, err)) {
        if (err->code == SM_ERR_WAIT)
            o->waiting = true;
        else
            leave_out(o, e, err);
        return err->code != SM_ERR_MEMORY;
    }
    if (!facts->has_stats || !sm_dtype_has_numbers(facts->dtype))
        return sm_err_set(err, SM_ERR_USAGE, "its elements are not numbers");
    join(o->out, facts);
    return true;
}

/* The entries [from, to) of the tensor, of each step one. False: an error that is not of one
 * record. */
static bool add_entries(struct over_steps *o, const struct sm_ast *name, const struct sm_place *l,
                        size_t from, size_t to, struct sm_err *err)
{
    const struct sm_trial_tensor *x = sm_place_tensor(l);
    int64_t before = INT64_MIN;
    for (size_t i = from; i < to; i++) {
        struct sm_step step = sm_tensor_part(o->env->trial, x, i)->step;
        struct sm_entry e = step.n != before ? value_at(o->env, l, name, step) : sm_entry_none();
        before = step.n;
        if (sm_entry_exists(&e) && !add_record(o, &e, err))
            return false;
    }
    return true;
}

/* The first entry of the last step, to which other workers may still add. */
static size_t last_step_of(const struct sm_trial *t, const struct sm_trial_tensor *x)
{
    size_t i = x->n_entries;
    while (i &&
           sm_tensor_part(t, x, i - 1)->step.n == sm_tensor_part(t, x, x->n_entries - 1)->step.n)
        i--;
    return i;
}

int sm_expr_measure_steps(const struct sm_ast *name, struct sm_expr_env *env,
                          struct sm_expr_measured *out, struct sm_value *none, struct sm_err *err)
{
    struct sm_place l;
    struct over_steps o = {.env = env, .out = out};
    *out = (struct sm_expr_measured){0};
    if (!sm_expr_find_tensor(name, env, &l, err))
        return -1;
    size_t from = sm_expr_recall_measured(name, env, &l, out);
    size_t last = last_step_of(env->trial, sm_place_tensor(&l));
    if (!add_entries(&o, name, &l, from, last, err))
        return -1;
    if (!o.waiting && !out->unread && last > from)
        sm_expr_keep_measured(name, env, &l, last, out);
    if (!add_entries(&o, name, &l, last, sm_place_tensor(&l)->n_entries, err))
        return -1;
    if (o.waiting)
        return sm_err_set(err, SM_ERR_WAIT, "reading values") ? 1 : -1;
    bool read = out->dtype != SM_DTYPE_NONE;
    if (!read && o.unreadable.code)
        *err = o.unreadable;
    if (read || o.unreadable.code)
        return read ? 1 : -1;
    sm_expr_unavailable(env, none, "%.*s has no value at these steps", (int)name->text.n,
                        name->text.p);
    return 0;
}

void sm_expr_leave_out(const struct sm_expr_measured *m, struct sm_value *out)
{
    out->unread = m->unread;
    out->first_unread = m->first_unread;
}

bool sm_value_is_means(const struct sm_value *v)
{
    return v->type == SM_SERIES && v->reduction && !v->rolled;
}

bool sm_expr_refuse_means(const struct sm_value *v, size_t column, struct sm_err *err)
{
    if (!sm_value_is_means(v))
        return true;
    return sm_expr_error(column, err,
                         "the tensor has several elements, and NAME@all is their %s at each step: "
                         "write max(NAME@all) for all of them, or \"series max(NAME)\" for a "
                         "number a step;",
                         v->reduction->key);
}
