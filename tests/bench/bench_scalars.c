/* SPDX-License-Identifier: Apache-2.0 */
/* Measures scalars of TensorBoard: opening one run, the memory of a point, the first chart on the
 * screen; and many followed runs (BENCH_MANY, 200): first table and chart, a new point of one of
 * them, the cost of an idle screen. bench_scalars many: only these. Floor of opening: a loop in
 * another process that frames the same records and checks their checksums. */
#include "reader/format/tfrecord.h"
#include "tests/bench/bench.h"
#include "tests/bench/pty.h"
#include "tests/bench/scalars.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define BASE_BYTES     8e6
#define QUIET_SECONDS  0.5
#define SETTLE_SECONDS 10.0 /* messages have gone */
#define IDLE_SECONDS   5.0
enum { ROUNDS = 5, COLUMNS = 120, LINES = 40, PATH_BYTES = 4096 };
static const struct sm_bench_scalars one = {1, 20, 50000};

static bool write_runs(const char *dir, const struct sm_bench_scalars *s)
{
    struct sm_err err;
    bool ok = sm_bench_scalars_write("tensorboard", dir, s, &err);
    if (!ok)
        fprintf(stderr, "%s\n", err.msg);
    return ok;
}

/* ---- one run ---- */

/* Returns the bytes at the end that are no whole record. */
static size_t check_records(struct sm_bytes b)
{
    struct sm_bytes payload;
    enum sm_crc crc = SM_CRC_OK;
    while (sm_frame_parse(b, true, &payload, &crc, NULL) && crc == SM_CRC_OK) {
        b.p += payload.n + SM_FRAME_OVERHEAD;
        b.n -= payload.n + SM_FRAME_OVERHEAD;
    }
    return b.n;
}

static int check_file(const char *path)
{
    enum { CHUNK = 1 << 20 };
    uint8_t *buffer = malloc(2 * CHUNK);
    size_t left = 0, got;
    FILE *f = fopen(path, "r");
    if (!f || !buffer)
        return 1;
    (void)setvbuf(f, NULL, _IONBF, 0);
    while ((got = fread(buffer + left, 1, CHUNK, f)) > 0) {
        size_t n = left + got;
        left = check_records((struct sm_bytes){buffer, n});
        memmove(buffer, buffer + n - left, left);
    }
    fclose(f);
    free(buffer);
    return left != 0;
}

/* Seconds of the loop in a process of its own; -1: error. */
static double floor_of(const char *file)
{
    double began = sm_bench_now();
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        _exit(check_file(file));
    bool ok = pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
    return ok ? sm_bench_now() - began : -1;
}

static bool measure_open(const char *dir)
{
    char file[PATH_BYTES];
    double seconds[ROUNDS], floors[ROUNDS], points = (double)one.scalars * (double)one.steps;
    struct rusage use;
    sm_bench_scalars_file(dir, &one, 0, file, sizeof file);
    for (int i = 0; i < ROUNDS; i++) {
        double began = sm_bench_now();
        if (!sm_bench_run_program("tensors", dir, &use))
            return false;
        seconds[i] = sm_bench_now() - began;
        floors[i] = floor_of(file);
        if (floors[i] < 0)
            return false;
    }
    sm_bench_report(
        &(struct sm_bench_figure){"scalars_open_seconds", sm_bench_median(seconds, ROUNDS),
                                  sm_bench_median(floors, ROUNDS), SM_BENCH_RATIO_AT_MOST, 6});
    sm_bench_report(&(struct sm_bench_figure){
        "scalars_memory_bytes_a_point", (1024.0 * (double)use.ru_maxrss - BASE_BYTES) / points, 0,
        SM_BENCH_VALUE_AT_MOST, 24});
    return true;
}

static void start(struct sm_bench_pty *p, const char *dir)
{
    char program[PATH_BYTES], path[PATH_BYTES], options[][8] = {"-n", "--tui"};
    char *command[] = {program, options[0], options[1], path, NULL};
    snprintf(program, sizeof program, "%s", sm_bench_path("PROGRAM"));
    snprintf(path, sizeof path, "%s", dir);
    sm_bench_pty_run(p, command, COLUMNS, LINES);
}

static bool report_ms(const char *name, double seconds, double bar)
{
    if (seconds >= 0)
        sm_bench_report(
            &(struct sm_bench_figure){name, 1e3 * seconds, 0, SM_BENCH_VALUE_AT_MOST, bar});
    return seconds >= 0;
}

static bool measure_one(void)
{
    struct sm_str dir = {0};
    struct sm_bench_pty p;
    sm_str_printf(&dir, "%s/scalars", sm_bench_path("SCRATCH"));
    bool ok = write_runs(sm_str_text(&dir), &one) && measure_open(sm_str_text(&dir));
    if (ok) {
        double began = sm_bench_now();
        start(&p, sm_str_text(&dir));
        ok = report_ms("scalars_first_chart_ms", sm_bench_pty_wait_for_chart(&p, began), 200);
        sm_bench_pty_stop(&p);
    }
    sm_str_clear(&dir);
    return ok;
}

/* ---- many runs ---- */

/* Every digit differs from that of the number before, so that the program sends all digits. */
static const int values[] = {1111, 6234, 7345, 8456, 9567, 1678, 2789, 3891, 4912};
enum { VALUES = sizeof values / sizeof *values };

/* The slowest of the new points of a run that is in the table; -1: not seen. */
static double slowest_point(struct sm_bench_pty *p, const char *dir,
                            const struct sm_bench_scalars *s, long run)
{
    char file[PATH_BYTES], number[32];
    struct sm_err err;
    double slowest = 0;
    sm_bench_scalars_file(dir, s, run, file, sizeof file);
    for (int i = 0; i < VALUES && slowest >= 0; i++) {
        sm_bench_pty_wait_quiet(p, QUIET_SECONDS);
        sm_bench_pty_clear_text(p);
        snprintf(number, sizeof number, "%d", values[i]);
        if (!sm_bench_scalars_append(file, s->scalars, s->steps + i, values[i], &err))
            return -1;
        double seconds = sm_bench_pty_wait_for(p, number, sm_bench_now());
        slowest = seconds < 0 ? -1 : seconds > slowest ? seconds : slowest;
    }
    return slowest;
}

static void report_idle(struct sm_bench_pty *p)
{
    double cpu = sm_bench_pty_cpu(p);
    uint64_t bytes = p->bytes;
    sm_bench_pty_read_for(p, IDLE_SECONDS);
    sm_bench_report(&(struct sm_bench_figure){"runs_idle_cpu_percent",
                                              100 * (sm_bench_pty_cpu(p) - cpu) / IDLE_SECONDS, 0,
                                              SM_BENCH_VALUE_AT_MOST, 0.1});
    sm_bench_report(&(struct sm_bench_figure){"runs_idle_bytes", (double)(p->bytes - bytes), 0,
                                              SM_BENCH_VALUE_AT_MOST, 0});
}

static bool measure_screen(const char *dir, const struct sm_bench_scalars *s)
{
    enum { SHOWN = 3, ASLEEP = 11 }; /* runs: both are in the table, the charts have the first 8 */
    struct sm_bench_pty p;
    double began = sm_bench_now();
    start(&p, dir);
    bool ok = report_ms("runs_first_table_ms", sm_bench_pty_wait_for(&p, "run_0000", began), 300) &&
              report_ms("runs_first_chart_ms", sm_bench_pty_wait_for_chart(&p, began), 200);
    sm_bench_pty_wait_quiet(&p, SETTLE_SECONDS);
    if (ok)
        report_idle(&p);
    ok = ok && report_ms("runs_new_point_slowest_ms", slowest_point(&p, dir, s, SHOWN), 200) &&
         report_ms("runs_new_point_asleep_ms", slowest_point(&p, dir, s, ASLEEP), 200);
    sm_bench_pty_stop(&p);
    return ok;
}

static bool measure_many(void)
{
    const char *many = getenv("BENCH_MANY");
    struct sm_bench_scalars s = {many && atol(many) > 1 ? atol(many) : 200, 20, 50};
    struct sm_str dir = {0};
    sm_str_printf(&dir, "%s/runs", sm_bench_path("SCRATCH"));
    bool ok = write_runs(sm_str_text(&dir), &s) && measure_screen(sm_str_text(&dir), &s);
    sm_str_clear(&dir);
    return ok;
}

int main(int argc, char **argv)
{
    bool many = argc > 1 && strcmp(argv[1], "many") == 0;
    return (many || measure_one()) && measure_many() ? 0 : 1;
}
