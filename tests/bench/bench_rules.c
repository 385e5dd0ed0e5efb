/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates every rule that applies on a trial of 1,000 steps with 200 tensors. Floor: reads the
 * same payloads once with their statistics, step by step, with the same read-ahead. Then live: the
 * time from a step on disk until all rules have evaluated it; the slowest step counts. Rules
 * continue after they have fired, so that none stops early. */
#include "reader/base/clock.h"
#include "reader/source/watch.h"
#include "rules/builtin/rule_list.h"
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
enum { LIVE_STEPS = 20, TIMEOUT_MS = 5000, BUDGET_US = 1000000, HEARTBEAT_US = 1000000 };

/* ---- the trials ---- */

/* Weights, gradients and ReLU outputs alternate; one loss. */
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

/* ---- shared by measurement and floor ---- */

/* Reads in the background, as the rules of the program do: the values are not kept. */
static struct sm_fetch *new_fetch(struct sm_bench_trial *t)
{
    struct sm_err err;
    struct sm_fetch *f = sm_fetch_new(t->pool, CACHE_BYTES, &err);
    if (f)
        sm_fetch_set_background(f, true);
    return f;
}

/* Sends the requests to the worker threads and merges their results. */
static void collect_results(struct sm_bench_trial *t, struct sm_fetch *f)
{
    sm_fetch_flush(f);
    if (sm_pool_pending(t->pool))
        sm_pool_wait(t->pool);
    sm_pool_collect(t->pool, SIZE_MAX);
    sm_fetch_pump(f);
}

/* ---- the floor ---- */

/* False: not all statistics are known yet. */
static bool fetch_step_stats(struct sm_fetch *f, struct sm_trial *t, size_t step, bool *failed)
{
    bool all = true;
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const struct sm_facts *facts;
        struct sm_err err = {0};
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        if (sm_fetch_stats(f, t, (struct sm_entry[]){sm_tensor_entry(t, x, step)}, &facts, &err))
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
            fetch_step_stats(f, t->trial, asked, &failed);
        while (!fetch_step_stats(f, t->trial, step, &failed) && !failed)
            collect_results(t, f);
    }
    sm_fetch_free(f);
    return !failed;
}

/* ---- rules ---- */

/* Attaches rules as `rule auto` does. No value has been read yet, so no rule has fired or ended. */
static bool attach_all_rules(struct sm_rules *r)
{
    sm_rules_auto(r, sm_rule_table);
    sm_rules_pump(r, true, 0);
    for (size_t i = 0; i < sm_rules_count(r); i++)
        sm_rules_item(r, i)->continues = true;
    return sm_rules_count(r) > 0 && !sm_rules_fired(r);
}

static bool all_judged(const struct sm_rules *r)
{
    uint64_t datapoints = 0;
    bool ok = true;
    for (size_t i = 0; i < sm_rules_count(r); i++) {
        ok = ok && sm_rules_item(r, i)->status != SM_RULE_ERROR;
        datapoints += sm_rules_item(r, i)->datapoints;
    }
    return ok && datapoints >= STEPS;
}

static bool judge_trial(struct sm_bench_trial *t)
{
    struct sm_fetch *f = new_fetch(t);
    struct sm_rules *r = sm_rules_new(t->trial, f, t->pool);
    bool ok = attach_all_rules(r);
    while (!sm_rules_all_judged(r)) {
        sm_rules_pump(r, true, BUDGET_US);
        if (!sm_rules_all_judged(r) && !sm_rules_busy(r))
            collect_results(t, f);
    }
    ok = all_judged(r) && ok;
    sm_rules_free(r);
    while (sm_pool_pending(t->pool))
        collect_results(t, f);
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
        ok = judge_trial(&t) && ok;
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

/* One turn of the program's main loop: waits for changes until the next deadline. */
static void run_loop_once(struct sm_bench_trial *t, struct sm_fetch *f, struct sm_rules *r)
{
    struct pollfd p[] = {{.fd = sm_trial_fd(t->trial), .events = POLLIN},
                         {.fd = sm_pool_fd(t->pool), .events = POLLIN}};
    int64_t due = sm_trial_deadline_us(t->trial), own = sm_rules_deadline_us(r), left;
    left = (own < due ? own : due) - sm_clock_mono_us();
    sm_fetch_flush(f);
    if (!sm_rules_busy(r) && left > 0)
        poll(p, 2, left < 1000 * TIMEOUT_MS ? (int)(left / 1000) + 1 : TIMEOUT_MS);
    sm_pool_collect(t->pool, SIZE_MAX);
    bool changed = sm_fetch_pump(f);
    sm_watch_pump();
    changed = sm_trial_pump(t->trial) || changed;
    sm_rules_pump(r, changed, BUDGET_US);
}

/* Waits until all rules have evaluated the step. False: timeout. */
static bool wait_for_step(struct sm_bench_trial *t, struct sm_fetch *f, struct sm_rules *r,
                          size_t n_steps)
{
    int64_t end = sm_clock_mono_us() + 1000 * TIMEOUT_MS;
    while (!(sm_trial_step_count(t->trial) == n_steps &&
             sm_trial_step(t->trial, n_steps - 1)->complete && sm_rules_all_judged(r))) {
        if (sm_clock_mono_us() > end)
            return false;
        run_loop_once(t, f, r);
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
    bool ok = attach_all_rules(r) && wait_for_step(&t, f, r, 1);
    for (long s = 1; ok && s < LIVE_STEPS; s++) {
        ok = write_steps(g, s, s + 1, err);
        double start = sm_bench_now();
        ok = ok && wait_for_step(&t, f, r, (size_t)s + 1);
        times[s - 1] = 1e3 * (sm_bench_now() - start);
    }
    sm_rules_free(r);
    while (sm_pool_pending(t.pool))
        collect_results(&t, f);
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
