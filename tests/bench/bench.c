/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/bench/bench.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double sm_bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sm_bench_median(double *x, size_t n)
{
    qsort(x, n, sizeof *x, compare_doubles);
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

const char *sm_bench_path(const char *what)
{
    char name[64];
    snprintf(name, sizeof name, "BENCH_%s", what);
    const char *path = getenv(name);
    if (!path || !*path) {
        fprintf(stderr, "%s is not set: run make bench\n", name);
        exit(2);
    }
    return path;
}

bool sm_bench_run_program(const char *command, const char *trial, struct rusage *use)
{
    const char *program = sm_bench_path("PROGRAM");
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        execl(program, program, "-n", "-batch", "-ex", command, trial, (char *)NULL);
        _exit(127);
    }
    return pid > 0 && wait4(pid, &status, 0, use) == pid && status == 0;
}

/* ---- figures ---- */

static double ratio_of(const struct sm_bench_figure *f)
{
    return f->floor > 0 ? f->value / f->floor : NAN;
}

static bool is_met(const struct sm_bench_figure *f)
{
    switch (f->kind) {
    case SM_BENCH_VALUE_AT_MOST:
        return f->value <= f->bar;
    case SM_BENCH_RATIO_AT_MOST:
        return ratio_of(f) <= f->bar;
    case SM_BENCH_RATIO_AT_LEAST:
        return ratio_of(f) >= f->bar;
    }
    return false;
}

/* "<= 0.2", "<= 6x", ">= 0.5x" */
static void format_bar(const struct sm_bench_figure *f, char *out, size_t n)
{
    snprintf(out, n, "%s %.4g%s", f->kind == SM_BENCH_RATIO_AT_LEAST ? ">=" : "<=", f->bar,
             f->kind == SM_BENCH_VALUE_AT_MOST ? "" : "x");
}

static void append_json(const char *path, const struct sm_bench_figure *f, const char *bar)
{
    FILE *out = fopen(path, "a");
    if (!out) {
        perror(path);
        exit(2);
    }
    fprintf(out, "{\"name\": \"%s\", \"value\": %.9g, ", f->name, f->value);
    if (f->floor > 0)
        fprintf(out, "\"floor\": %.9g, \"ratio\": %.6g, ", f->floor, ratio_of(f));
    else
        fputs("\"floor\": null, \"ratio\": null, ", out);
    fprintf(out, "\"bar\": \"%s\", \"met\": %s}\n", bar, is_met(f) ? "true" : "false");
    fclose(out);
}

void sm_bench_report(const struct sm_bench_figure *f)
{
    char bar[32], floor[16] = "-", ratio[16] = "-";
    const char *json = getenv("BENCH_JSON");
    format_bar(f, bar, sizeof bar);
    if (f->floor > 0) {
        snprintf(floor, sizeof floor, "%.5g", f->floor);
        snprintf(ratio, sizeof ratio, "%.3f", ratio_of(f));
    }
    printf("%-32s %12.5g %12s %8s  %-10s %s\n", f->name, f->value, floor, ratio, bar,
           is_met(f) ? "met" : "not met");
    fflush(stdout);
    if (json && *json)
        append_json(json, f, bar);
}

/* ---- a trial ---- */

static void exit_with_error(const struct sm_err *err)
{
    fprintf(stderr, "%s\n", err->msg);
    exit(2);
}

void sm_bench_open(struct sm_bench_trial *t, const char *path, unsigned threads, bool follow,
                   int64_t heartbeat_us)
{
    struct sm_err err = {0};
    struct sm_trial_options o = {.follow = follow, .heartbeat_us = heartbeat_us};
    t->pool = sm_pool_new(threads, 0, &err);
    struct sm_source *dir = t->pool ? sm_source_dir_new(path, &err) : NULL;
    struct sm_source *source = dir ? sm_source_packed_new(dir, &err) : NULL;
    if (!source || !sm_trial_open(source, &o, t->pool, &t->trial, &err))
        exit_with_error(&err);
    sm_source_unref(dir);
    sm_source_unref(source);
}

void sm_bench_scan(struct sm_bench_trial *t)
{
    sm_trial_pump(t->trial);
    while (!sm_trial_scanned(t->trial) || sm_pool_pending(t->pool)) {
        sm_pool_wait(t->pool);
        sm_pool_collect(t->pool, SIZE_MAX);
        sm_trial_pump(t->trial);
    }
}

void sm_bench_close(struct sm_bench_trial *t)
{
    sm_trial_close(t->trial);
    sm_pool_free(t->pool);
}
