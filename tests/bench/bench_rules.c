/* Every rule that fits judges a trial of 1,000 steps with 200 tensors, against reading the same
 * payloads once with their statistics, step by step, as many steps ahead. Then live: from a step on
 * disk until all of them have judged it; the slowest step counts. Rules go on after they have
 * fired, so none gets off early. */
#include "reader/base/clock.h"
#include "rules/run.h"
#include "tests/bench/bench.h"
#include "tests/bench/generate.h"

#include <poll.h>
#include <stdio.h>

enum {
    STEPS = 1000,
    TENSORS = 200,
    ELEMENTS = 1024,
    ROUNDS = 3,
    THREADS = 2,
    AHEAD = 8,
    CACHE_BYTES = 256 << 20
};
enum { LIVE_STEPS = 20, PATIENCE_MS = 5000, BUDGET_US = 1000000, HEARTBEAT_US = 1000000 };

/* ---- the trials ---- */

/* Weights, gradients and the outputs of ReLUs by turns, and one loss. */
static struct sm_bench_generator *new_generator(const char *dir, struct sm_err *err)
{
    struct sm_bench_generator *g = sm_bench_generator_new(dir, 0, 1, TENSORS, ELEMENTS, err);
    char name[64];
    for (long i = 2; g && i < TENSORS; i += 3) {
        snprintf(name, sizeof name, "Net_relu%ld_relu_output_0", i);
        sm_bench_generator_rename(g, i, name, ELEMENTS);
    }
    if (g)
        sm_bench_generator_rename(g, 0, "CrossEntropyLoss_output_0", 1);
    return g;
}

static bool write_steps(struct sm_bench_generator *g, long from, long to, struct sm_err *err)
{
    bool ok = true;
    for (long s = from; ok && s < to; s++)
        ok = sm_bench_generator_step(g, s, err);
    return ok;
}

/* ---- the parts that both sides share ---- */

/* Background work, as the program's rules are: nothing that they ask for is kept for them. */
static struct sm_fetch *new_fetch(struct sm_bench_trial *t)
{
    struct sm_err err;
    struct sm_fetch *f = sm_fetch_new(t->pool, CACHE_BYTES, &err);
    if (f)
        sm_fetch_aside(f, true);
    return f;
}

/* What was asked goes to the workers, what they have answered is merged. */
static void take_answers(struct sm_bench_trial *t, struct sm_fetch *f)
{
    sm_fetch_flush(f);
    if (sm_pool_pending(t->pool))
        sm_pool_wait(t->pool);
    sm_pool_collect(t->pool, SIZE_MAX);
    sm_fetch_pump(f);
}

/* ---- the floor ---- */

/* False: not all is known yet. */
static bool ask_step(struct sm_fetch *f, struct sm_trial *t, size_t step, bool *failed)
{
    bool all = true;
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const struct sm_facts *facts;
        struct sm_err err = {0};
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        if (sm_fetch_stats(f, t, &x->entries[step], &facts, &err))
            continue;
        all = false;
        *failed = *failed || err.code != SM_ERR_WAIT;
    }
    return all;
}

static bool read_statistics(struct sm_bench_trial *t)
{
    struct sm_fetch *f = new_fetch(t);
    bool failed = !f;
    size_t asked = 0;
    for (size_t step = 0; !failed && step < STEPS; step++) {
        for (; asked < STEPS && asked <= step + AHEAD; asked++)
            ask_step(f, t->trial, asked, &failed);
        while (!ask_step(f, t->trial, step, &failed) && !failed)
            take_answers(t, f);
    }
    sm_fetch_free(f);
    return !failed;
}

/* ---- rules ---- */

/* As `rule auto` does. Nothing has been read when the first step is looked at, so no rule has ended
 * yet. */
static bool attach_all(struct sm_rules *r)
{
    sm_rules_auto(r, true);
    sm_rules_pump(r, true, 0);
    for (size_t i = 0; i < sm_rules_count(r); i++)
        sm_rules_item(r, i)->continues = true;
    return sm_rules_count(r) > 0 && !sm_rules_fired(r);
}

static bool judged_all(const struct sm_rules *r)
{
    uint64_t datapoints = 0;
    bool ok = true;
    for (size_t i = 0; i < sm_rules_count(r); i++) {
        ok = ok && sm_rules_item(r, i)->status != SM_RULE_ERROR;
        datapoints += sm_rules_item(r, i)->datapoints;
    }
    return ok && datapoints >= STEPS;
}

static bool judge(struct sm_bench_trial *t)
{
    struct sm_fetch *f = new_fetch(t);
    struct sm_rules *r = sm_rules_new(t->trial, f, t->pool);
    bool ok = attach_all(r);
    while (!sm_rules_settled(r)) {
        sm_rules_pump(r, true, BUDGET_US);
        if (!sm_rules_settled(r) && !sm_rules_busy(r))
            take_answers(t, f);
    }
    ok = judged_all(r) && ok;
    sm_rules_free(r);
    while (sm_pool_pending(t->pool))
        take_answers(t, f);
    sm_fetch_free(f);
    return ok;
}

static bool bench_history(const char *path)
{
    struct sm_bench_trial t;
    double values[ROUNDS], floors[ROUNDS];
    sm_bench_open(&t, path, THREADS, false, 0);
    sm_bench_scan(&t);
    bool ok = read_statistics(&t);
    for (int i = 0; ok && i < ROUNDS; i++) {
        double start = sm_bench_now();
        ok = read_statistics(&t);
        double middle = sm_bench_now();
        ok = judge(&t) && ok;
        values[i] = sm_bench_now() - middle;
        floors[i] = middle - start;
    }
    sm_bench_close(&t);
    if (ok)
        sm_bench_report(
            &(struct sm_bench_figure){"rules_1000_steps_s", sm_bench_median(values, ROUNDS),
                                      sm_bench_median(floors, ROUNDS), SM_BENCH_RATIO_AT_MOST, 2});
    return ok;
}

/* ---- live ---- */

/* As the program's loop does: what is due without news is done in its time. */
static void turn(struct sm_bench_trial *t, struct sm_fetch *f, struct sm_rules *r)
{
    struct pollfd p[] = {{.fd = sm_trial_fd(t->trial), .events = POLLIN},
                         {.fd = sm_pool_fd(t->pool), .events = POLLIN}};
    int64_t due = sm_trial_deadline_us(t->trial), own = sm_rules_deadline_us(r), left;
    left = (own < due ? own : due) - sm_clock_mono_us();
    sm_fetch_flush(f);
    if (!sm_rules_busy(r) && left > 0)
        poll(p, 2, left < 1000 * PATIENCE_MS ? (int)(left / 1000) + 1 : PATIENCE_MS);
    sm_pool_collect(t->pool, SIZE_MAX);
    bool news = sm_fetch_pump(f);
    news = sm_trial_pump(t->trial) || news;
    sm_rules_pump(r, news, BUDGET_US);
}

/* False: it has not come for too long. */
static bool await_step(struct sm_bench_trial *t, struct sm_fetch *f, struct sm_rules *r,
                       size_t n_steps)
{
    int64_t end = sm_clock_mono_us() + 1000 * PATIENCE_MS;
    while (!(sm_trial_step_count(t->trial) == n_steps &&
             sm_trial_step(t->trial, n_steps - 1)->complete && sm_rules_settled(r))) {
        if (sm_clock_mono_us() > end)
            return false;
        turn(t, f, r);
    }
    return true;
}

static bool bench_live(struct sm_bench_generator *g, const char *path, struct sm_err *err)
{
    struct sm_bench_trial t;
    double times[LIVE_STEPS - 1];
    sm_bench_open(&t, path, THREADS, true, HEARTBEAT_US);
    sm_bench_scan(&t);
    struct sm_fetch *f = new_fetch(&t);
    struct sm_rules *r = sm_rules_new(t.trial, f, t.pool);
    bool ok = attach_all(r) && await_step(&t, f, r, 1);
    for (long s = 1; ok && s < LIVE_STEPS; s++) {
        ok = write_steps(g, s, s + 1, err);
        double start = sm_bench_now();
        ok = ok && await_step(&t, f, r, (size_t)s + 1);
        times[s - 1] = 1e3 * (sm_bench_now() - start);
    }
    sm_rules_free(r);
    while (sm_pool_pending(t.pool))
        take_answers(&t, f);
    sm_fetch_free(f);
    sm_bench_close(&t);
    if (ok) {
        sm_bench_median(times, LIVE_STEPS - 1); /* sorts */
        sm_bench_report(&(struct sm_bench_figure){"rules_live_slowest_ms", times[LIVE_STEPS - 2], 0,
                                                  SM_BENCH_VALUE_AT_MOST, 200});
    }
    return ok;
}

int main(void)
{
    struct sm_err err = {0};
    struct sm_str dir = {0}, live = {0};
    sm_str_printf(&dir, "%s/rules", sm_bench_path("SCRATCH"));
    sm_str_printf(&live, "%s/rules-live", sm_bench_path("SCRATCH"));
    struct sm_bench_generator *g = new_generator(sm_str_text(&dir), &err);
    bool ok = g && write_steps(g, 0, STEPS, &err) && sm_bench_generator_end_job(g, &err) &&
              bench_history(sm_str_text(&dir));
    sm_bench_generator_free(g);
    g = ok ? new_generator(sm_str_text(&live), &err) : NULL;
    ok = g && write_steps(g, 0, 1, &err) && bench_live(g, sm_str_text(&live), &err);
    sm_bench_generator_free(g);
    if (err.code)
        fprintf(stderr, "%s\n", err.msg);
    sm_str_clear(&dir);
    sm_str_clear(&live);
    return ok ? 0 : 1;
}
