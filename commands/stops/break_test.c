/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/break_test.h"
#include "commands/stops/stops.h"

#include "commands/stops/break_probe.h"
#include "reader/base/grow.h"

/* The conditions of one step that a worker computes. */
struct sm_break_test_batch {
    struct sm_job job;
    struct sm_break_test *test; /* NULL once the test is cleared */
    uint64_t *news;
    size_t n;
    struct computed {
        size_t probe;
        struct sm_bound *bound, *past, *condition;
        double tolerance;
        struct sm_probe_outcome out;
    } items[];
};

/* ---- conditions that a worker computes ---- */

static void drop_computed(struct computed *x)
{
    sm_bound_free(x->bound);
    sm_bound_free(x->past);
    sm_bound_free(x->condition);
    x->bound = x->past = x->condition = NULL;
}

/* Frees the bound expressions as soon as they are evaluated. */
static void batch_run(struct sm_job *job)
{
    struct sm_break_test_batch *x = (struct sm_break_test_batch *)job;
    for (size_t i = 0; i < x->n && !atomic_load(&job->cancelled); i++) {
        sm_probe_compute(x->items[i].bound, x->items[i].past, x->items[i].condition,
                         x->items[i].tolerance, &job->cancelled, &x->items[i].out);
        drop_computed(&x->items[i]);
    }
}

static void batch_done(struct sm_job *job)
{
    struct sm_break_test_batch *x = (struct sm_break_test_batch *)job;
    for (size_t i = 0; i < x->n; i++) {
        if (x->test)
            sm_probe_settle(x->test, &x->test->probes[x->items[i].probe], &x->items[i].out);
        drop_computed(&x->items[i]);
    }
    if (x->test) {
        x->test->batch = NULL;
        ++*x->news;
    }
    sm_free(x);
}

static double tolerance_of(const struct sm_break_test *test, const struct sm_probe *p)
{
    return sm_breakpoints_find(&sm_stops(test->session)->breakpoints, p->number)->tolerance;
}

static void start_batch(struct sm_break_test *test)
{
    size_t n = 0;
    for (size_t i = 0; i < test->n; i++)
        n += test->probes[i].bound != NULL;
    if (!n)
        return;
    struct sm_break_test_batch *x = test->batch =
        sm_xalloc_zero(1, sizeof *x + n * sizeof *x->items);
    x->job = (struct sm_job){.run = batch_run, .done = batch_done, .urgency = SM_URGENCY_ASKED};
    x->test = test;
    x->news = &test->session->news;
    for (size_t i = 0; i < test->n; i++) {
        if (!test->probes[i].bound)
            continue;
        x->items[x->n++] = (struct computed){.probe = i,
                                             .bound = test->probes[i].bound,
                                             .past = test->probes[i].past,
                                             .condition = test->probes[i].condition,
                                             .tolerance = tolerance_of(test, &test->probes[i])};
        test->probes[i].bound = test->probes[i].past = test->probes[i].condition = NULL;
    }
    sm_pool_submit(test->session->pool, &x->job);
}

/* ---- one step ---- */

static void add_probe(struct sm_break_test *test, const struct sm_breakpoint *b, uint32_t tensor,
                      uint16_t worker, uint16_t seq)
{
    bool pending = b->test || b->changing || b->kind == SM_BREAK_ERROR || b->kind == SM_BREAK_RULE;
    SM_GROW(test->probes, test->n, test->cap);
    test->probes[test->n++] = (struct sm_probe){.number = b->number,
                                                .tensor = tensor,
                                                .worker = worker,
                                                .seq = seq,
                                                .before = {-1},
                                                .state = pending ? SM_PROBE_PENDING : SM_PROBE_YES};
}

/* Adds a probe for each worker that saved the tensor. */
static void add_tensor(struct sm_break_test *test, const struct sm_breakpoint *b,
                       const struct sm_trial_tensor *x)
{
    size_t from, to, first = test->n;
    if (!x || !sm_trial_entries_at(test->trial, x, test->step, &from, &to))
        return;
    for (size_t i = from; i < to; i++) {
        const struct sm_part *p = sm_tensor_part(test->trial, x, i);
        struct sm_entry e = sm_tensor_entry(test->trial, x, i);
        if (p->replaced)
            continue;
        if (test->n == first || test->probes[test->n - 1].worker != p->worker)
            add_probe(test, b, x->name, p->worker, e.seq);
        test->bytes += e.kind == SM_ENTRY_SHAPE ? 0 : e.length;
    }
}

static void add_breakpoint(struct sm_break_test *test, struct sm_breakpoint *b, enum sm_mode mode)
{
    if (!b->enabled || (b->mode != SM_MODE_ANY && b->mode != mode))
        return;
    if (b->kind == SM_BREAK_STEP || b->kind == SM_BREAK_RULE)
        add_probe(test, b, SM_NAME_NONE, SM_WORKER_ANY, 0);
    if (b->kind != SM_BREAK_TENSORS && b->kind != SM_BREAK_ERROR)
        return;
    sm_breakpoint_select(b, test->session);
    for (size_t i = 0; i < b->n_tensors; i++)
        add_tensor(test, b, sm_trial_tensor_of(test->trial, b->tensors[i]));
}

void sm_break_test_begin(struct sm_break_test *test, struct sm_session *s,
                         const struct sm_trial_step *step)
{
    *test = (struct sm_break_test){.session = s, .trial = sm_session_trial(s), .step = step->step};
    for (size_t i = 0; i < sm_stops(s)->breakpoints.n; i++)
        add_breakpoint(test, sm_stops(s)->breakpoints.items[i], (enum sm_mode)step->mode);
}

/* Tests the pending probes of one breakpoint; *i moves to the next breakpoint. Returns false if a
 * probe waits for values; stops at the first such probe unless this is the first call. */
static bool test_probes(struct sm_break_test *test, size_t *i)
{
    const struct sm_breakpoint *b =
        sm_breakpoints_find(&sm_stops(test->session)->breakpoints, test->probes[*i].number);
    struct sm_arena arena = {0};
    struct sm_expr_env env;
    bool first = true, light = false, waits = false;
    for (; *i < test->n && test->probes[*i].number == b->number && !(waits && test->started);
         ++*i) {
        struct sm_probe *p = &test->probes[*i];
        if (p->state != SM_PROBE_PENDING)
            continue;
        sm_probe_env(test, p, &arena, &env);
        if (first)
            light = b->test && sm_expr_needs_stats_only(b->test, &env);
        first = false;
        sm_probe_test(test, b, light, &arena, &env, p);
        waits = waits || p->state == SM_PROBE_PENDING;
    }
    sm_arena_clear(&arena);
    return !waits;
}

bool sm_break_test_advance(struct sm_break_test *test)
{
    bool all = true;
    for (size_t i = 0; i < test->n && !test->bound && (all || !test->started);)
        all = test_probes(test, &i) && all;
    if (all && !test->bound)
        start_batch(test);
    test->started = true;
    test->bound = all;
    return all;
}

bool sm_break_test_decided(const struct sm_break_test *test)
{
    for (size_t i = 0; i < test->n; i++)
        if (test->probes[i].state == SM_PROBE_PENDING || test->probes[i].state == SM_PROBE_BOUND)
            return false;
    return true;
}

void sm_break_test_clear(struct sm_break_test *test)
{
    if (test->batch) {
        test->batch->test = NULL;
        atomic_store(&test->batch->job.cancelled, true);
    }
    for (size_t i = 0; i < test->n; i++) {
        sm_probe_drop_bound(&test->probes[i]);
        sm_free(test->probes[i].why);
    }
    sm_free(test->probes);
    *test = (struct sm_break_test){0};
}
