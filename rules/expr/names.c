/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the record of a name: the tensor, the step written after @, and the worker. */
#include "rules/expr/ast.h"

#include "reader/analysis/similar_tensor.h"
#include "reader/nearest.h"

#include <inttypes.h>
#include <string.h>

static bool is_previous(const struct sm_ast *e)
{
    return e->type == SM_AST_VARIABLE && sm_text_is(e->text, "prev");
}

bool sm_expr_is_condition_tensor(const struct sm_ast *e, const struct sm_expr_env *env)
{
    return env->of && !env->subject && e->type == SM_AST_VARIABLE &&
           (sm_text_is(e->text, "t") || is_previous(e));
}

bool sm_expr_is_subject(const struct sm_ast *e, const struct sm_expr_env *env)
{
    return env->subject && e->type == SM_AST_NAME && !e->quoted && sm_text_is(e->text, "x") &&
           e->place.kind == SM_STEP_CURRENT && e->place.mode == SM_MODE_ANY && !e->place.worker.n;
}

const struct sm_trial_tensor *sm_expr_find(const struct sm_ast *name, const struct sm_expr_env *env)
{
    if (sm_expr_is_condition_tensor(name, env))
        return env->of;
    if (sm_expr_is_subject(name, env))
        return NULL;
    return env->trial ? sm_trial_find(env->trial, name->text.p, name->text.n) : NULL;
}

static bool set_no_tensor(const struct sm_ast *e, const struct sm_expr_env *env, struct sm_err *err)
{
    if (!env->trial) {
        sm_err_set(err, SM_ERR_USAGE,
                   "no trial is open, so there is no tensor \"%.*s\" at column %zu", (int)e->text.n,
                   e->text.p, e->column);
        return sm_err_kind(err, SM_ERR_IS_NO_TRIAL);
    }
    const char *near = sm_similar_tensor(env->trial, e->text);
    sm_err_set(err, SM_ERR_MISSING, "No tensor \"%.*s\".%s%s%s", (int)e->text.n, e->text.p,
               near ? " Did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    return sm_err_kind(err, SM_ERR_IS_NO_TENSOR);
}

static enum sm_mode mode_of_step(const struct sm_trial *t, struct sm_step step)
{
    size_t i = sm_trial_step_at(t, step);
    return i < sm_trial_step_count(t) ? (enum sm_mode)sm_trial_step(t, i)->mode : SM_MODE_ANY;
}

/* The mode in which steps of the name are counted; ANY for global steps. For $t and $prev it is the
 * mode of the current step. */
static enum sm_mode mode_of_name(const struct sm_ast *e, const struct sm_expr_env *env)
{
    if (sm_expr_is_condition_tensor(e, env))
        return mode_of_step(env->trial, env->step);
    enum sm_mode mode = e->place.mode != SM_MODE_ANY ? e->place.mode : env->mode;
    return mode == SM_MODE_GLOBAL ? SM_MODE_ANY : mode;
}

bool sm_expr_find_tensor(const struct sm_ast *e, struct sm_expr_env *env, struct sm_place *l,
                         struct sm_err *err)
{
    const struct sm_trial_tensor *x = sm_expr_find(e, env);
    if (!x)
        return set_no_tensor(e, env, err);
    *l = (struct sm_place){.trial = env->trial,
                           .tensor = x->name,
                           .worker = env->worker,
                           .mode = mode_of_name(e, env),
                           .step = env->step};
    return !e->place.worker.n || sm_place_find_worker(env->trial, e->place.worker, &l->worker, err);
}

/* ---- its step ---- */

/* The previous step of the same mode at which the same worker saved the tensor. */
static bool step_before(const struct sm_expr_env *env, struct sm_place *l)
{
    const struct sm_trial_tensor *x = sm_place_tensor(l);
    size_t here, end;
    if (!sm_trial_entries_at(env->trial, x, env->step, &here, &end))
        return false;
    for (size_t i = here; i-- > 0;) {
        const struct sm_part *p = sm_tensor_part(env->trial, x, i);
        bool mine = l->worker == SM_WORKER_ANY || p->worker == l->worker;
        if (p->replaced || !mine || (l->mode != SM_MODE_ANY && p->mode != l->mode))
            continue;
        l->step = p->step;
        return true;
    }
    return false;
}

/* False if there is no such step. */
static bool resolve_step(const struct sm_ast *e, const struct sm_expr_env *env, struct sm_place *l)
{
    struct sm_step step;
    if (is_previous(e))
        return step_before(env, l);
    enum sm_step_kind kind = e->place.kind;
    bool same = kind == SM_STEP_NEAREST || kind == SM_STEP_AGO ||
                (kind == SM_STEP_NUMBER && l->mode != SM_MODE_ANY);
    if (same && env->memory ? !sm_expr_same_step(env, l, kind, e->place.n, &step)
                            : !sm_place_find_step(l, kind, e->place.n, &step))
        return false;
    l->step = step;
    return true;
}

/* ---- messages for missing values ---- */

static bool set_no_step(const struct sm_ast *e, struct sm_expr_env *env, struct sm_value *out)
{
    int n = (int)e->text.n;
    const char *mode = sm_mode_name((int)mode_of_name(e, env));
    if (is_previous(e))
        return sm_expr_unavailable(env, out, "it was not saved before");
    if (e->place.kind == SM_STEP_NUMBER)
        return sm_expr_unavailable(env, out, "there is no step %s %" PRId64, mode, e->place.n);
    if (e->place.kind == SM_STEP_RELATIVE)
        return sm_expr_unavailable(env, out, "%.*s has no step %+" PRId64 " from here", n,
                                   e->text.p, e->place.n);
    return sm_expr_unavailable(env, out, "%.*s was not saved yet", n, e->text.p);
}

static bool set_not_saved(const struct sm_ast *e, struct sm_expr_env *env, const struct sm_place *l,
                          struct sm_value *out)
{
    struct sm_nearest near;
    struct sm_str steps = {0};
    sm_nearest_find(env->trial, sm_place_tensor(l), SM_MODE_ANY, SM_WORKER_ANY, l->step.n, &near);
    sm_nearest_format(&near, &steps);
    sm_expr_unavailable(env, out, "%.*s was not saved at step %" PRId64 " (nearest %s)",
                        (int)e->text.n, e->text.p, l->step.n, sm_str_text(&steps));
    sm_str_clear(&steps);
    return true;
}

int sm_expr_locate(const struct sm_ast *e, struct sm_expr_env *env, struct sm_place *l,
                   struct sm_value *out, struct sm_err *err)
{
    size_t from, to;
    if (!sm_expr_find_tensor(e, env, l, err))
        return -1;
    if (!resolve_step(e, env, l)) {
        l->step.n = -1;
        set_no_step(e, env, out);
    } else if (!sm_trial_entries_at(env->trial, sm_place_tensor(l), l->step, &from, &to)) {
        set_not_saved(e, env, l, out);
    } else {
        return 1;
    }
    return 0;
}

bool sm_expr_no_payload(const struct sm_ast *e, struct sm_expr_env *env, const struct sm_place *l,
                        struct sm_value *out)
{
    const char *worker = l->worker != SM_WORKER_ANY ? sm_trial_worker(env->trial, l->worker) : NULL;
    struct sm_place any = *l;
    any.worker = SM_WORKER_ANY;
    struct sm_entry value = worker ? sm_place_find_value(&any) : sm_entry_none();
    if (sm_entry_exists(&value))
        return sm_expr_unavailable(env, out, "%.*s was not saved by %s at step %" PRId64,
                                   (int)e->text.n, e->text.p, worker, l->step.n);
    return sm_expr_unavailable(
        env, out, "%.*s has no value at step %" PRId64 ", only reductions or its shape",
        (int)e->text.n, e->text.p, l->step.n);
}

/* ---- series ---- */

/* Keeps the points from place->n to place->to, counted in steps of the mode if there is one. */
static void keep_span(struct sm_series *s, const struct sm_expr_place *place, enum sm_mode mode)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->n && place->kind == SM_STEP_ALL; i++) {
        int64_t n = mode != SM_MODE_ANY ? s->points[i].mode_step.n : s->points[i].step.n;
        if (n >= place->n && n <= place->to)
            s->points[kept++] = s->points[i];
    }
    s->n = place->kind == SM_STEP_ALL ? kept : s->n;
}

bool sm_expr_read_series(const struct sm_ast *e, struct sm_expr_env *env, bool up_to,
                         struct sm_value *out, struct sm_err *err)
{
    struct sm_place l;
    struct sm_series_spec spec;
    struct sm_series s = {0};
    if (!sm_expr_find_tensor(e, env, &l, err) ||
        !sm_series_default(env->fetch, env->trial, sm_place_tensor(&l), &spec, err))
        return false;
    spec.mode = l.mode;
    spec.worker = l.worker;
    if (!sm_series_read(env->fetch, env->trial, &spec, &s, err)) {
        sm_series_clear(&s);
        return err->code == SM_ERR_MISSING && sm_expr_unavailable(env, out, "%s", err->msg);
    }
    size_t whole = s.n;
    keep_span(&s, &e->place, l.mode);
    while (up_to && env->step.n >= 0 && s.n && s.points[s.n - 1].step.n > env->step.n)
        s.n--;
    *out = (struct sm_value){.type = SM_SERIES,
                             .points = s.points,
                             .n_points = s.n,
                             .reduction = spec.reduction,
                             .saved = spec.saved};
    if (s.several)
        out->reduction = sm_reduction_statistic(SM_REDUCE_MEAN);
    if (s.n == whole) { /* for part of a series it is not known how many unread steps it contains */
        out->unread = s.unread;
        out->first_unread = s.first_unread;
    }
    return true;
}
