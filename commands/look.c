#include "commands/look.h"

#include "commands/evaluate.h"
#include "commands/grow.h"

/* A condition is computed at once when it looks at no more elements than this. */
enum { AT_ONCE = 64 };

/* The conditions that look at more. */
struct sm_look_batch {
    struct sm_job job;
    struct sm_look *look;                /* NULL: nobody wants it any more */
    uint64_t *news;
    size_t n;
    struct computed {
        size_t probe;
        struct sm_bound *bound;
        bool ok, holds;
        struct sm_err err;
    } items[];
};

/* ---- one condition ---- */

static void settle(struct sm_probe *p, bool ok, bool holds, const struct sm_err *err)
{
    p->state = !ok ? SM_PROBE_FAILED : holds ? SM_PROBE_YES : SM_PROBE_NO;
    if (ok)
        return;
    p->why = sm_xstrdup(err->msg);
    p->code = err->code;
}

static bool compute(const struct sm_bound *bound, const atomic_bool *stop, bool *holds, struct sm_err *err)
{
    struct sm_arena arena = {0};
    struct sm_value v;
    bool ok = sm_expr_eval_bound(bound, &arena, stop, &v, err);
    *holds = ok && sm_expr_is_true(&v);
    if (ok)
        sm_value_clear(&v);
    sm_arena_clear(&arena);
    return ok;
}

static void fill_env(struct sm_look *l, const struct sm_probe *p, struct sm_arena *arena, struct sm_expr_env *env)
{
    const struct sm_names *names = sm_trial_names(l->trial);
    sm_evaluate_session_env(l->session, arena, env);
    env->step = l->step;
    env->step_by_step = true;
    env->of = NULL;
    if (p->tensor == SM_NAME_NONE)
        return;
    env->of = sm_trial_find(l->trial, sm_names_text(names, p->tensor), sm_names_length(names, p->tensor));
    env->worker = p->worker;
}

static void ask_light(const struct sm_expr *test, struct sm_expr_env *env, struct sm_probe *p)
{
    struct sm_value v;
    struct sm_err err = {0};
    bool ok = sm_expr_eval_light(test, env, &v, &err);
    if (ok || err.code != SM_ERR_WAIT)
        settle(p, ok, ok && sm_expr_is_true(&v), &err);
    if (ok)
        sm_value_clear(&v);
}

static void ask_bound(const struct sm_expr *test, struct sm_expr_env *env, struct sm_probe *p)
{
    struct sm_err err = {0};
    bool holds;
    if (!sm_expr_bind(test, env, &p->bound, &err)) {
        if (err.code != SM_ERR_WAIT)
            settle(p, false, false, &err);
        return;
    }
    p->state = SM_PROBE_BOUND;
    if (sm_bound_elements(p->bound) > AT_ONCE)
        return;
    bool ok = compute(p->bound, NULL, &holds, &err);
    settle(p, ok, holds, &err);
    sm_bound_free(p->bound);
    p->bound = NULL;
}

/* A value that cannot be read, or whose checksum is wrong. */
static void ask_health(struct sm_look *l, struct sm_probe *p)
{
    const struct sm_names *names = sm_trial_names(l->trial);
    const struct sm_trial_tensor *x = sm_trial_find(l->trial, sm_names_text(names, p->tensor), sm_names_length(names, p->tensor));
    const struct sm_entry *e = sm_trial_entry(l->trial, x, l->step, p->worker, SM_ENTRY_VALUE, SM_REDUCE_NONE);
    const struct sm_facts *facts;
    struct sm_err err = {0};
    bool ok = !e || sm_fetch_stats(l->session->fetch, l->trial, e, &facts, &err);
    if (!ok && err.code == SM_ERR_WAIT)
        return;
    bool damaged = ok && e && facts->crc == SM_CRC_BAD;
    p->state = !ok || damaged ? SM_PROBE_YES : SM_PROBE_NO;
    if (p->state == SM_PROBE_YES)
        p->why = sm_xstrdup(ok ? "the payload's checksum is wrong" : err.msg);
}

/* ---- the conditions of a step that take longer ---- */

static void batch_run(struct sm_job *job)
{
    struct sm_look_batch *x = (struct sm_look_batch *)job;
    for (size_t i = 0; i < x->n && !atomic_load(&job->cancelled); i++)
        x->items[i].ok = compute(x->items[i].bound, &job->cancelled, &x->items[i].holds, &x->items[i].err);
}

static void batch_done(struct sm_job *job)
{
    struct sm_look_batch *x = (struct sm_look_batch *)job;
    for (size_t i = 0; i < x->n; i++) {
        if (x->look)
            settle(&x->look->probes[x->items[i].probe], x->items[i].ok, x->items[i].holds, &x->items[i].err);
        sm_bound_free(x->items[i].bound);
    }
    if (x->look) {
        x->look->batch = NULL;
        ++*x->news;
    }
    sm_free(x);
}

static void start_batch(struct sm_look *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        n += l->probes[i].bound != NULL;
    if (!n)
        return;
    struct sm_look_batch *x = l->batch = sm_xalloc_zero(1, sizeof *x + n * sizeof *x->items);
    x->job = (struct sm_job){.run = batch_run, .done = batch_done, .urgency = 1};
    x->look = l;
    x->news = &l->session->news;
    for (size_t i = 0; i < l->n; i++) {
        if (!l->probes[i].bound)
            continue;
        x->items[x->n++] = (struct computed){.probe = i, .bound = l->probes[i].bound};
        l->probes[i].bound = NULL;
    }
    sm_pool_submit(l->session->pool, &x->job);
}

/* ---- one step ---- */

static void add_probe(struct sm_look *l, const struct sm_breakpoint *b, uint32_t tensor, uint16_t worker, uint16_t seq)
{
    bool asks = b->test || b->kind == SM_BREAK_ERROR;
    SM_GROW(l->probes, l->n, l->cap);
    l->probes[l->n++] =
        (struct sm_probe){.number = b->number, .tensor = tensor, .worker = worker, .seq = seq, .state = asks ? SM_PROBE_ASKED : SM_PROBE_YES};
}

/* One for each worker that saved something of the tensor. */
static void add_tensor(struct sm_look *l, const struct sm_breakpoint *b, const struct sm_trial_tensor *x)
{
    size_t from, to, first = l->n;
    if (!x || !sm_trial_entries_at(l->trial, x, l->step, &from, &to))
        return;
    for (size_t i = from; i < to; i++) {
        const struct sm_part *p = sm_trial_part(l->trial, x->entries[i].part);
        if (p->replaced)
            continue;
        if (l->n == first || l->probes[l->n - 1].worker != p->worker)
            add_probe(l, b, x->name, p->worker, x->entries[i].seq);
        l->bytes += x->entries[i].kind == SM_ENTRY_SHAPE ? 0 : x->entries[i].length;
    }
}

static void add_breakpoint(struct sm_look *l, struct sm_breakpoint *b, enum sm_mode mode)
{
    const struct sm_names *names = sm_trial_names(l->trial);
    if (!b->enabled || (b->mode != SM_MODE_ANY && b->mode != mode))
        return;
    if (b->kind == SM_BREAK_STEP)
        add_probe(l, b, SM_NAME_NONE, SM_WORKER_ANY, 0);
    if (b->kind != SM_BREAK_TENSORS && b->kind != SM_BREAK_ERROR)
        return;
    sm_breakpoint_select(b, l->session);
    for (size_t i = 0; i < b->n_tensors; i++)
        add_tensor(l, b,
                   sm_trial_find(l->trial, sm_names_text(names, b->tensors[i]), sm_names_length(names, b->tensors[i])));
}

void sm_look_begin(struct sm_look *l, struct sm_session *s, const struct sm_trial_step *step)
{
    *l = (struct sm_look){.session = s, .trial = sm_session_trial(s), .step = step->step};
    for (size_t i = 0; i < s->breakpoints.n; i++)
        add_breakpoint(l, s->breakpoints.items[i], (enum sm_mode)step->mode);
}

/* The probes from *i on of one breakpoint. False: one waits, and it is not the first time. */
static bool ask_some(struct sm_look *l, size_t *i)
{
    const struct sm_breakpoint *b = sm_breakpoints_find(&l->session->breakpoints, l->probes[*i].number);
    struct sm_arena arena = {0};
    struct sm_expr_env env;
    bool first = true, light = false, waits = false;
    for (; *i < l->n && l->probes[*i].number == b->number && !(waits && l->asked); ++*i) {
        struct sm_probe *p = &l->probes[*i];
        if (p->state != SM_PROBE_ASKED)
            continue;
        fill_env(l, p, &arena, &env);
        if (first)
            light = b->test && sm_expr_is_light(b->test, &env);
        first = false;
        if (b->kind == SM_BREAK_ERROR)
            ask_health(l, p);
        else
            (light ? ask_light : ask_bound)(b->test, &env, p);
        waits = waits || p->state == SM_PROBE_ASKED;
    }
    sm_arena_clear(&arena);
    return !waits;
}

bool sm_look_ask(struct sm_look *l)
{
    bool all = true;
    for (size_t i = 0; i < l->n && !l->bound && (all || !l->asked);)
        all = ask_some(l, &i) && all;
    if (all && !l->bound)
        start_batch(l);
    l->asked = true;
    l->bound = all;
    return all;
}

bool sm_look_decided(const struct sm_look *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->probes[i].state == SM_PROBE_ASKED || l->probes[i].state == SM_PROBE_BOUND)
            return false;
    return true;
}

void sm_look_clear(struct sm_look *l)
{
    if (l->batch) {
        l->batch->look = NULL;
        atomic_store(&l->batch->job.cancelled, true);
    }
    for (size_t i = 0; i < l->n; i++) {
        sm_bound_free(l->probes[i].bound);
        sm_free(l->probes[i].why);
    }
    sm_free(l->probes);
    *l = (struct sm_look){0};
}
