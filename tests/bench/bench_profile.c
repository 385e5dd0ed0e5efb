/* SPDX-License-Identifier: Apache-2.0 */
/* A profiler's tree: a day of one node with 32 cores and 8 GPUs. How long it takes to open, on one
 * core and by the program, what it holds in memory, what a look for news costs, and how long a key
 * takes in its panes until all numbers stand. Floor of the rows: memchr over the same bytes; of
 * news and keys: the same of an hour. */
#include "reader/base/mem.h"
#include "reader/profile/profile.h"
#include "tests/bench/bench.h"
#include "tests/bench/profile_tree.h"
#include "tests/bench/pty.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { ROUNDS = 5, ROWS = 200000, DAY_S = 86400, BEATS = 5, COLUMNS = 200, LINES = 60 };
#define QUIET_SECONDS 0.15

/* ---- rows in memory ---- */

static char *make_rows(size_t *n)
{
    struct sm_str s = {0};
    for (int i = 0; i < ROWS; i++)
        sm_str_printf(
            &s,
            "{\"Type\":\"cpu\",\"Name\":\"cpu%d\",\"Dimension\":\"CPUUtilization\",\"Value\":%d."
            "%02d,\"NodeId\":\"algo-1\",\"Timestamp\":%d.2321954}\n",
            i % 32, i % 97, i % 100, 1591748109 + i / 64);
    *n = s.len;
    return s.data;
}

static double count_lines(const char *p, size_t n)
{
    size_t lines = 0;
    double start = sm_bench_now();
    for (const char *at = p, *end = p + n; (at = memchr(at, '\n', (size_t)(end - at))); at++)
        lines++;
    return lines ? sm_bench_now() - start : 0;
}

static double read_rows(const char *p, size_t n)
{
    struct sm_metric_store store = {.names = sm_names_new()};
    struct sm_metric_batch batch = {0};
    struct sm_metric_merge at = {0};
    struct sm_names *names = store.names;
    size_t work = SIZE_MAX;
    bool done;
    double start = sm_bench_now();
    sm_metric_lines_read(&batch, p, n, "algo-1");
    sm_metric_store_merge(&store, &batch, &at, &work, &done);
    double took = sm_bench_now() - start;
    sm_metric_batch_clear(&batch);
    sm_metric_store_clear(&store);
    sm_names_free(names);
    return took;
}

static void measure_rows(void)
{
    double rows[ROUNDS], floors[ROUNDS];
    size_t n;
    char *p = make_rows(&n);
    for (int i = 0; i < ROUNDS; i++) {
        floors[i] = count_lines(p, n) * 1e9 / ROWS;
        rows[i] = read_rows(p, n) * 1e9 / ROWS;
    }
    sm_free(p);
    sm_bench_report(&(struct sm_bench_figure){"profile_row_ns", sm_bench_median(rows, ROUNDS),
                                              sm_bench_median(floors, ROUNDS),
                                              SM_BENCH_VALUE_AT_MOST, 1000});
}

/* ---- a whole tree ---- */

static bool write_tree(char path[512], const char *name, long seconds)
{
    struct sm_bench_profile x = {
        .nodes = 1, .cores = 32, .gpus = 8, .seconds = seconds, .interval_ms = 500, .step_ms = 500};
    snprintf(path, 512, "%s/%s", sm_bench_path("SCRATCH"), name);
    return sm_bench_profile_write(path, &x);
}

static bool measure_program(const char *path, double rows)
{
    struct rusage use;
    double start = sm_bench_now();
    if (!sm_bench_run_program("profile summary", path, &use))
        return false;
    double took = sm_bench_now() - start, mib = (double)use.ru_maxrss / 1024;
    sm_bench_report(&(struct sm_bench_figure){"profile_open_s", took * 17e6 / rows, 0,
                                              SM_BENCH_VALUE_AT_MOST, 20});
    sm_bench_report(&(struct sm_bench_figure){"profile_open_mib", mib * 17e6 / rows, 0,
                                              SM_BENCH_VALUE_AT_MOST, 600});
    return true;
}

static void settle(struct sm_profile *p, struct sm_pool *pool)
{
    do {
        sm_pool_wait(pool);
        while (sm_pool_collect(pool, 1))
            ;
        sm_profile_pump(p);
    } while (sm_pool_pending(pool) || !sm_profile_is_read(p));
}

/* A look at the files when one line was added. */
static double beat_ms(struct sm_profile *p, struct sm_pool *pool, const char *path, long seconds,
                      int i)
{
    char file[1024];
    double start;
    snprintf(file, sizeof file, "%s/system/incremental/bench/%ld.algo-1.json", path,
             1600000020 + seconds);
    FILE *f = fopen(file, "ab");
    if (!f)
        return -1;
    fprintf(f,
            "{\"Type\":\"cpu\",\"Name\":\"cpu0\",\"Dimension\":\"CPUUtilization\",\"Value\":1,"
            "\"NodeId\":"
            "\"algo-1\",\"Timestamp\":%ld.5}\n",
            1600000020 + seconds + i);
    fclose(f);
    start = sm_bench_now();
    sm_profile_refresh(p);
    settle(p, pool);
    return (sm_bench_now() - start) * 1e3;
}

static double measure_beats(const char *path, long seconds, uint64_t *rows, double *bytes)
{
    struct sm_err err;
    struct sm_pool *pool = sm_pool_new(1, 0, &err);
    struct sm_profile *p = sm_profile_new(path, pool, false, &err);
    char folder[1024];
    double beats[BEATS];
    settle(p, pool);
    snprintf(folder, sizeof folder, "mkdir -p %s/system/incremental/bench", path);
    bool ok = system(folder) == 0;
    for (int i = -2; i < BEATS && ok; i++)
        beats[i < 0 ? 0 : i] = beat_ms(p, pool, path, seconds, i);
    *rows = sm_profile_counts(p).rows;
    *bytes = (double)sm_metric_store_bytes(sm_profile_metrics(p));
    sm_profile_close(p);
    sm_pool_free(pool);
    return ok ? sm_bench_median(beats, BEATS) : -1;
}

/* ---- keys in the panes ---- */

/* The ms of the slowest of these keys, each until the last output that it leads to. */
static double slowest_key(struct sm_bench_pty *p, const char *keys)
{
    double slowest = 0;
    for (const char *k = keys; *k; k++) {
        const char key[] = {*k, '\0'};
        sm_bench_pty_wait_quiet(p, QUIET_SECONDS);
        double since = sm_bench_now(), last = since;
        sm_bench_pty_type(p, key);
        while (sm_bench_pty_read(p, QUIET_SECONDS))
            last = sm_bench_now();
        slowest = last - since > slowest ? last - since : slowest;
    }
    return 1e3 * slowest;
}

enum { MOVE, ZOOM, PROFILE_MOVE, PROFILE_ZOOM, KEY_KINDS };
struct key_times {
    double ms[KEY_KINDS];
};
/* In the layout system, and then with the strips of the layout profile in focus. */
static struct key_times key_times(const char *path)
{
    static const char moving[] = "hhhhhhlll", zooming[] = "++++++------";
    char *program = strdup(sm_bench_path("PROGRAM")), *tree = strdup(path);
    char options[][8] = {"-n", "--tui", "--wait"};
    char *command[] = {program, options[0], options[1], options[2], tree, NULL};
    struct key_times t = {0};
    struct sm_bench_pty p;
    sm_bench_pty_run(&p, command, COLUMNS, LINES);
    sm_bench_pty_wait_for(&p, "use of the machines", sm_bench_now());
    sm_bench_pty_wait_quiet(&p, 0.5);
    t.ms[MOVE] = slowest_key(&p, moving);
    t.ms[ZOOM] = slowest_key(&p, zooming);
    sm_bench_pty_type(&p, "T");
    sm_bench_pty_wait_quiet(&p, 0.5);
    sm_bench_pty_type(&p, ":focus usage\r");
    t.ms[PROFILE_MOVE] = slowest_key(&p, moving);
    t.ms[PROFILE_ZOOM] = slowest_key(&p, zooming);
    sm_bench_pty_stop(&p);
    free(program);
    free(tree);
    return t;
}

/* Else the title would say how old the newest data is, each second. */
static bool end_job(const char *path)
{
    char file[1024];
    snprintf(file, sizeof file, "%s/system/training_job_end.ts", path);
    FILE *f = fopen(file, "w");
    return f && fclose(f) == 0;
}

static void measure_keys(const char *day, const char *hour)
{
    static const char *const names[KEY_KINDS] = {
        [MOVE] = "profile_system_move_ms",
        [ZOOM] = "profile_system_zoom_ms",
        [PROFILE_MOVE] = "profile_phases_move_ms",
        [PROFILE_ZOOM] = "profile_phases_zoom_ms",
    };
    if (!end_job(day) || !end_job(hour))
        return;
    struct key_times floors = key_times(hour), times = key_times(day);
    for (int i = 0; i < KEY_KINDS; i++)
        sm_bench_report(&(struct sm_bench_figure){names[i], times.ms[i], floors.ms[i],
                                                  SM_BENCH_VALUE_AT_MOST, 60});
}

int main(void)
{
    char day[512], hour[512];
    uint64_t rows;
    double bytes, long_ms, short_ms;
    measure_rows();
    if (!write_tree(day, "day", DAY_S) || !write_tree(hour, "hour", DAY_S / 24))
        return 1;
    short_ms = measure_beats(hour, DAY_S / 24, &rows, &bytes);
    long_ms = measure_beats(day, DAY_S, &rows, &bytes);
    sm_bench_report(
        &(struct sm_bench_figure){"profile_beat_ms", long_ms, short_ms, SM_BENCH_RATIO_AT_MOST, 3});
    sm_bench_report(&(struct sm_bench_figure){"profile_sample_bytes", bytes / (double)rows, 12,
                                              SM_BENCH_VALUE_AT_MOST, 18});
    measure_keys(day, hour);
    return measure_program(day, (double)rows) && short_ms >= 0 && long_ms >= 0 ? 0 : 1;
}
