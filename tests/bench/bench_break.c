/* SPDX-License-Identifier: Apache-2.0 */
/* Searches 1,000 steps with 200 tensors for a breakpoint that is never hit. Floor: reads the same
 * payloads once with their statistics, with the same read-ahead. Three conditions: about
 * statistics, about elements but decided by statistics, and one that needs each element. */
#include "commands/features.h"
#include "commands/stops/break_search.h"
#include "commands/stops/stops.h"
#include "tests/bench/bench.h"
#include "tests/bench/generate.h"

#include <stdio.h>

enum {
    STEPS = 1000,
    TENSORS = 200,
    ELEMENTS = 1024,
    ROUNDS = 3,
    THREADS = 2,
    AHEAD = 16,
    BUDGET_US = 1000000
};

static bool write_trial(const char *dir, struct sm_err *err)
{
    struct sm_bench_generator *g = sm_bench_generator_new(dir, 0, 1, TENSORS, ELEMENTS, err);
    bool ok = g;
    for (long s = 0; ok && s < STEPS; s++)
        ok = sm_bench_generator_step(g, s, err);
    ok = ok && sm_bench_generator_end_job(g, err);
    sm_bench_generator_free(g);
    return ok;
}

/* One turn of the program's main loop. */
static void run_loop_once(struct sm_pool *pool, struct sm_session *s)
{
    sm_fetch_flush(s->fetch);
    if (sm_pool_pending(pool))
        sm_pool_wait(pool);
    sm_session_pump(s);
}

/* A session in which no value has been read yet. */
static struct sm_session *new_session(struct sm_pool *pool, const char *dir, struct sm_err *err)
{
    struct sm_session *s = sm_session_new(pool, sm_command_features, err);
    s->open_options.follow = false;
    if (!sm_session_open(s, dir, NULL, true, err)) {
        sm_session_free(s);
        return NULL;
    }
    while (!sm_trial_scanned(sm_session_trial(s)) || sm_pool_pending(pool))
        run_loop_once(pool, s);
    return s;
}

static void free_session(struct sm_pool *pool, struct sm_session *s)
{
    sm_session_free(s);
    while (sm_pool_pending(pool)) {
        sm_pool_wait(pool);
        sm_pool_collect(pool, SIZE_MAX);
    }
}

/* ---- the floor ---- */

/* False: not all statistics are known yet. */
static bool fetch_step_stats(struct sm_session *s, size_t step, bool *failed)
{
    struct sm_trial *t = sm_session_trial(s);
    bool all = true;
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const struct sm_facts *facts;
        struct sm_err err = {0};
        if (sm_fetch_stats(s->fetch, t,
                           (struct sm_entry[]){sm_tensor_entry(t, sm_trial_tensor(t, i), step)},
                           &facts, &err))
            continue;
        all = false;
        *failed = *failed || err.code != SM_ERR_WAIT;
    }
    return all;
}

static double read_statistics(struct sm_pool *pool, const char *dir)
{
    struct sm_err err;
    struct sm_session *s = new_session(pool, dir, &err);
    bool failed = !s;
    size_t asked = 0;
    double start = sm_bench_now();
    if (s)
        sm_fetch_set_background(s->fetch, true);
    for (size_t step = 0; !failed && step < STEPS; step++) {
        for (; asked < STEPS && asked <= step + AHEAD; asked++)
            fetch_step_stats(s, asked, &failed);
        while (!fetch_step_stats(s, step, &failed) && !failed)
            run_loop_once(pool, s);
    }
    double took = sm_bench_now() - start;
    free_session(pool, s);
    return failed ? -1 : took;
}

/* ---- the search ---- */

static double search_history(struct sm_pool *pool, const char *dir, const char *condition)
{
    struct sm_err err;
    struct sm_session *s = new_session(pool, dir, &err);
    const struct sm_word all = {.text = SM_TEXT("*")};
    double took = -1;
    if (s && sm_breakpoint_condition(
                 sm_breakpoints_add(&sm_stops(s)->breakpoints, SM_BREAK_TENSORS, &all, 1),
                 sm_text(condition), &err)) {
        enum sm_break_search_result r;
        double start = sm_bench_now();
        struct sm_break_search *h = sm_break_search_new(s, (struct sm_step){-1}, false);
        while ((r = sm_break_search_run(h, BUDGET_US)) == SM_BREAK_SEARCH_WAITS ||
               r == SM_BREAK_SEARCH_BUSY)
            run_loop_once(pool, s);
        if (r == SM_BREAK_SEARCH_END && sm_break_search_decided(h) == STEPS &&
            !*sm_break_search_warnings(h))
            took = sm_bench_now() - start;
        sm_break_search_free(h);
    }
    free_session(pool, s);
    return took;
}

static bool bench_condition(struct sm_pool *pool, const char *dir, const char *name,
                            const char *condition)
{
    double values[ROUNDS], floors[ROUNDS];
    bool ok = read_statistics(pool, dir) > 0;
    for (int i = 0; ok && i < ROUNDS; i++) {
        floors[i] = read_statistics(pool, dir);
        values[i] = search_history(pool, dir, condition);
        ok = floors[i] > 0 && values[i] > 0;
    }
    if (ok)
        sm_bench_report(&(struct sm_bench_figure){name, sm_bench_median(values, ROUNDS),
                                                  sm_bench_median(floors, ROUNDS),
                                                  SM_BENCH_RATIO_AT_MOST, 1.5});
    return ok;
}

int main(void)
{
    struct sm_err err = {0};
    struct sm_str dir = {0};
    struct sm_pool *pool = sm_pool_new(THREADS, 0, &err);
    sm_str_printf(&dir, "%s/break", sm_bench_path("SCRATCH"));
    bool ok =
        pool && write_trial(sm_str_text(&dir), &err) &&
        bench_condition(pool, sm_str_text(&dir), "break_by_statistics_s", "norm($t) > 1e30") &&
        bench_condition(pool, sm_str_text(&dir), "break_by_extremes_s", "any($t > 1e30)") &&
        bench_condition(pool, sm_str_text(&dir), "break_by_elements_s", "count($t > 1e30) > 2");
    if (err.code)
        fprintf(stderr, "%s\n", err.msg);
    if (pool)
        sm_pool_free(pool);
    sm_str_clear(&dir);
    return ok ? 0 : 1;
}
