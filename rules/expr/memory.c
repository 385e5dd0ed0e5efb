/* SPDX-License-Identifier: Apache-2.0 */
/* Rolling functions over the series of names, kept from step to step. */
#include "rules/expr/ast.h"
#include "rules/expr/rolling.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

/* A rolling over the entries [0, next) of a tensor. */
struct sm_expr_kept {
    struct sm_rolling rolling;
    uint32_t tensor;
    uint16_t worker;
    enum sm_mode mode;
    bool has_spec;
    struct sm_series_spec spec;
    size_t next;
    struct sm_entry last;  /* entry next - 1 */
    size_t sessions, late; /* of the trial: sessions when it began, late steps that it knows */
};

/* A step that does not depend on the step at which the expression is evaluated: of a number that is
 * counted in a mode, the nearest to a number, the last before a time. */
struct sm_expr_found {
    uint32_t tensor;
    enum sm_mode mode;
    enum sm_step_kind kind;
    int64_t number;
    struct sm_step step;
    uint64_t version;      /* of the trial, when later steps may change it; 0: they do not */
    size_t sessions, late; /* of the trial at that time */
};
/* The statistics of the entries [0, next) of a tensor, of the steps from..to. */
struct sm_expr_over {
    uint32_t tensor;
    uint16_t worker;
    enum sm_mode mode;
    int64_t from, to;
    size_t next, sessions, late;
    struct sm_expr_measured measured;
};
enum { FOUND_KEPT = 8, OVER_KEPT = 8 };

static void free_kept(struct sm_expr_kept *k)
{
    sm_rolling_clear(&k->rolling);
    sm_free(k);
}

void sm_expr_memory_clear(struct sm_expr_memory *m)
{
    for (size_t i = 0; i < m->n; i++)
        free_kept(m->items[i]);
    sm_free(m->items);
    sm_free(m->found);
    sm_free(m->over);
    *m = (struct sm_expr_memory){0};
}

static bool is_for(const struct sm_expr_kept *k, const struct sm_place *l,
                   const struct sm_rolling *rolling)
{
    return k->tensor == l->tensor && k->worker == l->worker && k->mode == l->mode &&
           k->rolling.kind == rolling->kind && k->rolling.weight == rolling->weight &&
           k->rolling.size == rolling->size;
}

static struct sm_expr_kept *new_kept(const struct sm_place *l, const struct sm_rolling *rolling)
{
    struct sm_expr_kept *k = sm_alloc_zero(1, sizeof *k);
    if (k)
        *k = (struct sm_expr_kept){
            .rolling = *rolling, .tensor = l->tensor, .worker = l->worker, .mode = l->mode};
    return k;
}

/* Evaluations ask in the same order each time, so the search goes on where the last one ended.
 * NULL: no memory. */
static struct sm_expr_kept *kept_of(struct sm_expr_memory *m, const struct sm_place *l,
                                    const struct sm_rolling *rolling)
{
    for (size_t i = 0; i < m->n; i++) {
        struct sm_expr_kept *k = m->items[(m->next + i) % m->n];
        if (!is_for(k, l, rolling))
            continue;
        m->next = (m->next + i + 1) % m->n;
        return k;
    }
    struct sm_expr_kept *k = SM_VEC_ROOM(m->items, m->n, m->cap) ? new_kept(l, rolling) : NULL;
    if (k)
        m->items[m->n++] = k;
    return k;
}

/* Whether something was added to steps that the function has taken. */
static bool is_late(struct sm_expr_kept *k, const struct sm_trial *t)
{
    bool late = false;
    int64_t last = k->next ? sm_trial_part(t, k->last.part)->step.n : -1;
    for (; k->late < sm_trial_late_count(t); k->late++)
        late = late || sm_trial_late_step(t, k->late).n <= last;
    return late;
}

/* Whether the entries that the rolling function has taken are still the first ones of the tensor,
 * and none of their steps has got another. */
static bool continues(struct sm_expr_kept *k, const struct sm_trial *t,
                      const struct sm_trial_tensor *x, size_t end)
{
    if (is_late(k, t) || k->sessions != sm_trial_session_count(t) || k->next > end)
        return false;
    struct sm_entry last = k->next ? sm_tensor_entry(t, x, k->next - 1) : sm_entry_none();
    if (!sm_entry_exists(&last))
        return true;
    return last.part == k->last.part && last.offset == k->last.offset &&
           last.value == k->last.value &&
           (k->next == x->n_entries ||
            sm_tensor_part(t, x, k->next)->step.n != sm_trial_part(t, last.part)->step.n);
}

static void begin_again(struct sm_expr_kept *k, const struct sm_trial *t)
{
    sm_rolling_clear(&k->rolling);
    k->next = 0;
    k->has_spec = false;
    k->sessions = sm_trial_session_count(t);
    k->late = sm_trial_late_count(t);
}

static bool choose_spec(struct sm_expr_kept *k, struct sm_expr_env *env,
                        const struct sm_trial_tensor *x, struct sm_err *err)
{
    if (!k->has_spec && !sm_series_default(env->fetch, env->trial, x, &k->spec, err))
        return false;
    k->spec.mode = k->mode;
    k->spec.worker = k->worker;
    return k->has_spec = true;
}

static bool add_points(struct sm_rolling *rolling, const struct sm_series *s, struct sm_err *err)
{
    for (size_t i = 0; i < s->n; i++)
        if (!sm_rolling_add(rolling, s->points[i].step.n, s->points[i].value))
            return sm_err_set(err, SM_ERR_MEMORY, "no memory for a window of steps");
    return true;
}

/* Takes the entries up to `end`. False: waiting, or an error. */
static bool take_entries(struct sm_expr_kept *k, struct sm_expr_env *env,
                         const struct sm_trial_tensor *x, size_t end, struct sm_err *err)
{
    struct sm_series s = {0};
    if (env->memory)
        env->memory->n_entries += end - k->next;
    bool ok = choose_spec(k, env, x, err) &&
              sm_series_read_entries(env->fetch, env->trial, &k->spec, k->next, end, &s, err);
    if (ok && !env->ahead && k->next < end) {
        ok = add_points(&k->rolling, &s, err);
        k->next = end;
        k->last = sm_tensor_entry(env->trial, x, end - 1);
    }
    sm_series_clear(&s);
    return ok;
}

static bool roll_to_step(struct sm_expr_kept *k, struct sm_expr_env *env,
                         const struct sm_trial_tensor *x, struct sm_err *err)
{
    size_t from, end = x->n_entries;
    if (env->step.n >= 0)
        sm_trial_entries_at(env->trial, x, env->step, &from, &end);
    if (!continues(k, env->trial, x, end))
        begin_again(k, env->trial);
    return take_entries(k, env, x, end, err);
}

bool sm_expr_rolling_number(const struct sm_ast *name, struct sm_expr_env *env,
                            const struct sm_rolling *rolling, const char *func,
                            struct sm_value *out, struct sm_err *err)
{
    struct sm_place l;
    double number;
    if (!sm_expr_find_tensor(name, env, &l, err))
        return false;
    struct sm_expr_kept *k =
        env->memory ? kept_of(env->memory, &l, rolling) : new_kept(&l, rolling);
    if (!k)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a series");
    bool ok = roll_to_step(k, env, sm_place_tensor(&l), err);
    bool missing = !ok && err->code == SM_ERR_MISSING;
    if (ok && sm_rolling_number(&k->rolling, &number))
        sm_value_number(out, number);
    else if (ok)
        sm_expr_unavailable(env, out, "%s needs more saved steps", func);
    else if (missing)
        sm_expr_unavailable(env, out, "%s", err->msg);
    if (!env->memory)
        free_kept(k);
    return ok || missing;
}

/* ---- numbered steps ---- */

static bool is_still(const struct sm_expr_found *f, const struct sm_place *l,
                     enum sm_step_kind kind, int64_t n)
{
    return f->tensor == l->tensor && f->mode == l->mode && f->kind == kind && f->number == n &&
           (!f->version || f->version == sm_trial_version(l->trial)) &&
           f->sessions == sm_trial_session_count(l->trial) &&
           f->late == sm_trial_late_count(l->trial);
}

static void keep_found(struct sm_expr_memory *m, const struct sm_expr_found *f)
{
    if (!m->found)
        m->found = sm_alloc_zero(FOUND_KEPT, sizeof *m->found);
    if (m->found)
        m->found[m->n_found++ % FOUND_KEPT] = *f;
}

/* Whether the number is that of the step, and the tensor was saved there: no later step is nearer.
 */
static bool is_exact(const struct sm_place *l, int64_t n, struct sm_step step)
{
    const struct sm_trial_step *s = sm_place_trial_step(l->trial, step);
    int64_t number = !s ? -1 : l->mode == SM_MODE_ANY ? s->step.n : s->mode_step.n;
    return number == n && (l->mode == SM_MODE_ANY || s->mode == l->mode) &&
           sm_place_is_saved(&(struct sm_place){
               .trial = l->trial, .tensor = l->tensor, .step = step, .worker = SM_WORKER_ANY});
}

bool sm_expr_same_step(const struct sm_expr_env *env, const struct sm_place *l,
                       enum sm_step_kind kind, int64_t n, struct sm_step *out)
{
    struct sm_expr_memory *m = env->memory;
    for (size_t i = 0; i < m->n_found && i < FOUND_KEPT; i++)
        if (is_still(&m->found[i], l, kind, n)) {
            *out = m->found[i].step;
            return true;
        }
    m->n_entries += sm_place_tensor(l)->n_entries;
    if (!sm_place_find_step(l, kind, n, out))
        return false;
    bool final = kind != SM_STEP_AGO && is_exact(l, n, *out);
    keep_found(m, &(struct sm_expr_found){
                      l->tensor, l->mode, kind, n, *out, final ? 0 : sm_trial_version(l->trial),
                      sm_trial_session_count(l->trial), sm_trial_late_count(l->trial)});
    return true;
}

/* ---- statistics over steps ---- */

static bool is_question(const struct sm_expr_over *o, const struct sm_ast *name,
                        const struct sm_place *l)
{
    return o->tensor == l->tensor && o->worker == l->worker && o->mode == l->mode &&
           o->from == name->place.n && o->to == name->place.to;
}

static struct sm_expr_over *over_of(const struct sm_expr_memory *m, const struct sm_ast *name,
                                    const struct sm_place *l)
{
    for (size_t i = 0; i < m->n_over && i < OVER_KEPT; i++)
        if (is_question(&m->over[i], name, l))
            return &m->over[i];
    return NULL;
}

size_t sm_expr_recall_measured(const struct sm_ast *name, const struct sm_expr_env *env,
                               const struct sm_place *l, struct sm_expr_measured *out)
{
    struct sm_expr_memory *m = env->memory;
    const struct sm_expr_over *o = m ? over_of(m, name, l) : NULL;
    size_t n = sm_place_tensor(l)->n_entries, next = 0;
    if (o && o->next <= n && o->sessions == sm_trial_session_count(l->trial) &&
        o->late == sm_trial_late_count(l->trial)) {
        next = o->next;
        *out = o->measured;
    }
    if (m)
        m->n_entries += n - next;
    return next;
}

void sm_expr_keep_measured(const struct sm_ast *name, const struct sm_expr_env *env,
                           const struct sm_place *l, size_t next, const struct sm_expr_measured *x)
{
    struct sm_expr_memory *m = env->memory;
    if (!m || env->ahead)
        return;
    if (!m->over)
        m->over = sm_alloc_zero(OVER_KEPT, sizeof *m->over);
    struct sm_expr_over *o = m->over ? over_of(m, name, l) : NULL;
    if (!o && m->over)
        o = &m->over[m->n_over++ % OVER_KEPT];
    if (o)
        *o = (struct sm_expr_over){.tensor = l->tensor,
                                   .worker = l->worker,
                                   .mode = l->mode,
                                   .from = name->place.n,
                                   .to = name->place.to,
                                   .next = next,
                                   .sessions = sm_trial_session_count(l->trial),
                                   .late = sm_trial_late_count(l->trial),
                                   .measured = *x};
}
