#include "commands/stops/break_test.h"
#include "commands/stops/stops.h"

#include "commands/place/evaluate.h"
#include "commands/stops/break_rule.h"
#include "reader/base/grow.h"

/* A condition is computed at once when it looks at no more elements than this. */
enum { AT_ONCE = 64 };

/* The conditions that look at more. */
struct sm_break_test_batch {
    struct sm_job job;
    struct sm_break_test *look; /* NULL: nobody wants it any more */
    uint64_t *news;
    size_t n;
    struct computed {
        size_t probe;
        struct sm_bound *bound, *past, *also;
        double tolerance;
        struct outcome {
            /* further: it was not there at the step before, another one decides */
            bool ok, holds, further;
            struct sm_err err;
        } out;
    } items[];
};

/* ---- one condition ---- */

static void settle(struct sm_break_test *l, struct sm_probe *p, const struct outcome *x)
{
    bool next = !x->holds && p->rest, again = next || (x->ok && x->further);
    p->state = again      ? SM_PROBE_ASKED
               : !x->ok   ? SM_PROBE_FAILED
               : x->holds ? SM_PROBE_YES
                          : SM_PROBE_NO;
    p->finding += next;
    p->rest -= next;
    l->bound = l->bound && !again;
    if (again || x->ok)
        return;
    sm_free(p->why);
    p->why = sm_xstrdup(x->err.msg);
    p->code = x->err.code;
}

static void compute_change(const struct sm_value *now, const struct sm_bound *past,
                           double tolerance, struct sm_arena *arena, const atomic_bool *stop,
                           struct outcome *x)
{
    struct sm_value before;
    x->ok = sm_expr_eval_bound(past, arena, stop, &before, &x->err);
    if (!x->ok)
        return;
    x->further = before.type == SM_UNAVAILABLE;
    x->holds = !x->further && sm_value_changes(now, &before, tolerance) > 0;
    sm_value_clear(&before);
}

/* The condition of what has changed. */
static void compute_also(const struct sm_bound *also, struct sm_arena *arena,
                         const atomic_bool *stop, struct outcome *x)
{
    struct sm_value v;
    x->ok = sm_expr_eval_bound(also, arena, stop, &v, &x->err);
    x->holds = x->ok && sm_expr_is_true(&v);
    if (x->ok)
        sm_value_clear(&v);
}

static void compute(const struct sm_bound *bound, const struct sm_bound *past,
                    const struct sm_bound *also, double tolerance, const atomic_bool *stop,
                    struct outcome *x)
{
    struct sm_arena arena = {0};
    struct sm_value v;
    *x = (struct outcome){0};
    x->ok = sm_expr_eval_bound(bound, &arena, stop, &v, &x->err);
    if (x->ok && past && v.type != SM_UNAVAILABLE)
        compute_change(&v, past, tolerance, &arena, stop, x);
    else
        x->holds = x->ok && !past && sm_expr_is_true(&v);
    if (x->holds && also)
        compute_also(also, &arena, stop, x);
    if (v.type != SM_VOID)
        sm_value_clear(&v);
    sm_arena_clear(&arena);
}

static void fill_env(struct sm_break_test *l, const struct sm_probe *p, struct sm_arena *arena,
                     struct sm_expr_env *env)
{
    sm_evaluate_session_env(l->session, arena, env);
    env->step = l->step;
    env->step_by_step = true;
    env->of = NULL;
    if (p->tensor == SM_NAME_NONE)
        return;
    env->of = sm_trial_tensor_of(l->trial, p->tensor);
    env->worker = p->worker;
}

static void fail(struct sm_break_test *l, struct sm_probe *p, const struct sm_err *err)
{
    struct outcome x = {.err = *err};
    if (err->code != SM_ERR_WAIT)
        settle(l, p, &x);
}

static void ask_light(struct sm_break_test *l, const struct sm_expr *test, struct sm_expr_env *env,
                      struct sm_probe *p)
{
    struct sm_value v;
    struct outcome x = {.ok = true};
    if (!sm_expr_eval_light(test, env, &v, &x.err)) {
        fail(l, p, &x.err);
        return;
    }
    x.holds = sm_expr_is_true(&v);
    sm_value_clear(&v);
    settle(l, p, &x);
}

static void drop_bound(struct sm_probe *p)
{
    sm_bound_free(p->bound);
    sm_bound_free(p->past);
    sm_bound_free(p->also);
    p->bound = p->past = p->also = NULL;
}

/* Little is computed at once. */
static void take_bound(struct sm_break_test *l, struct sm_probe *p, double tolerance)
{
    struct outcome x;
    p->state = SM_PROBE_BOUND;
    if (sm_bound_elements(p->bound) > AT_ONCE || (p->also && sm_bound_elements(p->also) > AT_ONCE))
        return;
    compute(p->bound, p->past, p->also, tolerance, NULL, &x);
    drop_bound(p);
    settle(l, p, &x);
}

static void ask_bound(struct sm_break_test *l, const struct sm_expr *test, struct sm_expr_env *env,
                      struct sm_probe *p)
{
    struct sm_err err;
    if (!l->asked && !sm_expr_ask(test, env))
        return;
    if (sm_expr_bind(test, env, &p->bound, &err))
        take_bound(l, p, -1);
    else
        fail(l, p, &err);
}

/* The step before this one in the mode of the look's step. False: there is none. */
static bool step_before(const struct sm_break_test *l, struct sm_step *step)
{
    size_t here = sm_trial_step_at(l->trial, l->step);
    for (size_t i = sm_trial_step_at(l->trial, *step); i-- > 0;)
        if (sm_trial_step(l->trial, i)->mode == sm_trial_step(l->trial, here)->mode) {
            *step = sm_trial_step(l->trial, i)->step;
            return true;
        }
    return false;
}

/* What it is worth here and at the last step before at which it can be told. */
static void ask_change(struct sm_break_test *l, const struct sm_breakpoint *b,
                       struct sm_expr_env *env, struct sm_probe *p)
{
    struct sm_step before = p->before.n < 0 ? l->step : p->before;
    struct sm_err err = {0};
    while (p->state == SM_PROBE_ASKED) {
        if (!step_before(l, &before)) {
            settle(l, p, &(struct outcome){.ok = true});
            return;
        }
        env->step = l->step;
        bool ok = sm_expr_bind(b->changing, env, &p->bound, &err) &&
                  (!b->test || sm_expr_bind(b->test, env, &p->also, &err));
        env->step = before;
        ok = ok && sm_expr_bind(b->changing, env, &p->past, &err);
        if (!ok) {
            drop_bound(p);
            fail(l, p, &err);
            return;
        }
        p->before = before;
        take_bound(l, p, b->tolerance);
    }
}

/* A value that cannot be read, or whose checksum is wrong. */
static void ask_health(struct sm_break_test *l, struct sm_probe *p)
{
    const struct sm_trial_tensor *x = sm_trial_tensor_of(l->trial, p->tensor);
    const struct sm_entry *e =
        sm_trial_entry(l->trial, x, l->step, p->worker, SM_ENTRY_VALUE, SM_REDUCE_NONE);
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

/* Where the rule fires its condition, if it has one, is looked at for each tensor that was found,
 * until it holds. */
static void ask_finding(struct sm_break_test *l, const struct sm_breakpoint *b,
                        struct sm_arena *arena, struct sm_probe *p)
{
    const struct sm_firing *f;
    size_t n;
    struct sm_expr_env env;
    struct sm_err err = {0};
    if (!sm_break_rule_at(b->rule, l->step, &f, &n, &err)) {
        fail(l, p, &err);
        return;
    }
    if (p->finding >= n) {
        p->state = SM_PROBE_NO;
        return;
    }
    f += p->finding;
    p->rest = n - 1 - p->finding;
    p->tensor = f->tensor;
    p->worker = f->worker;
    p->value = f->value;
    sm_free(p->why);
    p->why = sm_xstrdup(f->text);
    if (!b->test) {
        p->state = SM_PROBE_YES;
        return;
    }
    fill_env(l, p, arena, &env);
    (sm_expr_is_light(b->test, &env) ? ask_light : ask_bound)(l, b->test, &env, p);
}

static void ask_rule(struct sm_break_test *l, const struct sm_breakpoint *b, struct sm_arena *arena,
                     struct sm_probe *p)
{
    size_t finding;
    do {
        finding = p->finding;
        ask_finding(l, b, arena, p);
    } while (p->state == SM_PROBE_ASKED && p->finding > finding);
}

/* ---- the conditions of a step that take longer ---- */

static void drop_computed(struct computed *x)
{
    sm_bound_free(x->bound);
    sm_bound_free(x->past);
    sm_bound_free(x->also);
    x->bound = x->past = x->also = NULL;
}

/* What is not needed any more is freed where it was last looked at. */
static void batch_run(struct sm_job *job)
{
    struct sm_break_test_batch *x = (struct sm_break_test_batch *)job;
    for (size_t i = 0; i < x->n && !atomic_load(&job->cancelled); i++) {
        compute(x->items[i].bound, x->items[i].past, x->items[i].also, x->items[i].tolerance,
                &job->cancelled, &x->items[i].out);
        drop_computed(&x->items[i]);
    }
}

static void batch_done(struct sm_job *job)
{
    struct sm_break_test_batch *x = (struct sm_break_test_batch *)job;
    for (size_t i = 0; i < x->n; i++) {
        if (x->look)
            settle(x->look, &x->look->probes[x->items[i].probe], &x->items[i].out);
        drop_computed(&x->items[i]);
    }
    if (x->look) {
        x->look->batch = NULL;
        ++*x->news;
    }
    sm_free(x);
}

static double tolerance_of(const struct sm_break_test *l, const struct sm_probe *p)
{
    return sm_breakpoints_find(&sm_stops(l->session)->breakpoints, p->number)->tolerance;
}

static void start_batch(struct sm_break_test *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        n += l->probes[i].bound != NULL;
    if (!n)
        return;
    struct sm_break_test_batch *x = l->batch = sm_xalloc_zero(1, sizeof *x + n * sizeof *x->items);
    x->job = (struct sm_job){.run = batch_run, .done = batch_done, .urgency = SM_URGENCY_ASKED};
    x->look = l;
    x->news = &l->session->news;
    for (size_t i = 0; i < l->n; i++) {
        if (!l->probes[i].bound)
            continue;
        x->items[x->n++] = (struct computed){.probe = i,
                                             .bound = l->probes[i].bound,
                                             .past = l->probes[i].past,
                                             .also = l->probes[i].also,
                                             .tolerance = tolerance_of(l, &l->probes[i])};
        l->probes[i].bound = l->probes[i].past = l->probes[i].also = NULL;
    }
    sm_pool_submit(l->session->pool, &x->job);
}

/* ---- one step ---- */

static void add_probe(struct sm_break_test *l, const struct sm_breakpoint *b, uint32_t tensor,
                      uint16_t worker, uint16_t seq)
{
    bool asks = b->test || b->changing || b->kind == SM_BREAK_ERROR || b->kind == SM_BREAK_RULE;
    SM_GROW(l->probes, l->n, l->cap);
    l->probes[l->n++] = (struct sm_probe){.number = b->number,
                                          .tensor = tensor,
                                          .worker = worker,
                                          .seq = seq,
                                          .before = {-1},
                                          .state = asks ? SM_PROBE_ASKED : SM_PROBE_YES};
}

/* One for each worker that saved something of the tensor. */
static void add_tensor(struct sm_break_test *l, const struct sm_breakpoint *b,
                       const struct sm_trial_tensor *x)
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

static void add_breakpoint(struct sm_break_test *l, struct sm_breakpoint *b, enum sm_mode mode)
{
    if (!b->enabled || (b->mode != SM_MODE_ANY && b->mode != mode))
        return;
    if (b->kind == SM_BREAK_STEP || b->kind == SM_BREAK_RULE)
        add_probe(l, b, SM_NAME_NONE, SM_WORKER_ANY, 0);
    if (b->kind != SM_BREAK_TENSORS && b->kind != SM_BREAK_ERROR)
        return;
    sm_breakpoint_select(b, l->session);
    for (size_t i = 0; i < b->n_tensors; i++)
        add_tensor(l, b, sm_trial_tensor_of(l->trial, b->tensors[i]));
}

void sm_break_test_begin(struct sm_break_test *l, struct sm_session *s,
                         const struct sm_trial_step *step)
{
    *l = (struct sm_break_test){.session = s, .trial = sm_session_trial(s), .step = step->step};
    for (size_t i = 0; i < sm_stops(s)->breakpoints.n; i++)
        add_breakpoint(l, sm_stops(s)->breakpoints.items[i], (enum sm_mode)step->mode);
}

/* The probes from *i on of one breakpoint. False: one waits, and it is not the first time. */
static bool ask_some(struct sm_break_test *l, size_t *i)
{
    const struct sm_breakpoint *b =
        sm_breakpoints_find(&sm_stops(l->session)->breakpoints, l->probes[*i].number);
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
        else if (b->kind == SM_BREAK_RULE)
            ask_rule(l, b, &arena, p);
        else if (b->changing)
            ask_change(l, b, &env, p);
        else
            (light ? ask_light : ask_bound)(l, b->test, &env, p);
        waits = waits || p->state == SM_PROBE_ASKED;
    }
    sm_arena_clear(&arena);
    return !waits;
}

bool sm_break_test_ask(struct sm_break_test *l)
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

bool sm_break_test_decided(const struct sm_break_test *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->probes[i].state == SM_PROBE_ASKED || l->probes[i].state == SM_PROBE_BOUND)
            return false;
    return true;
}

void sm_break_test_clear(struct sm_break_test *l)
{
    if (l->batch) {
        l->batch->look = NULL;
        atomic_store(&l->batch->job.cancelled, true);
    }
    for (size_t i = 0; i < l->n; i++) {
        drop_bound(&l->probes[i]);
        sm_free(l->probes[i].why);
    }
    sm_free(l->probes);
    *l = (struct sm_break_test){0};
}
