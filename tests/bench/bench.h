/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by all benchmarks: a clock, medians, a trial opened by the library, and the report of a
 * figure.
 *
 * A figure is reported with a floor measured in the same run (a plain loop, read() of the same
 * bytes), because seconds alone depend more on the machine than on the program. Alternate the two
 * measurements and take medians. */
#ifndef SM_BENCH_H
#define SM_BENCH_H

#include "reader/trial.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

double sm_bench_now(void);                   /* monotonic clock, in seconds */
double sm_bench_median(double *x, size_t n); /* sorts x; n >= 1 */

/* The value of the variable BENCH_what, set by the Makefile: path of the program ("PROGRAM"), of a
 * generated trial ("STEPS", "PAYLOAD", "LARGE") or of a folder for temporary files ("SCRATCH").
 * Exits if it is not set. */
const char *sm_bench_path(const char *what);

/* Runs the program with -batch and one command, and discards its output. use: the resources it
 * used; may be NULL. */
struct rusage;
bool sm_bench_run_program(const char *command, const char *trial, struct rusage *use);

enum sm_bench_bar {
    SM_BENCH_VALUE_AT_MOST,
    SM_BENCH_RATIO_AT_MOST, /* of value to floor */
    SM_BENCH_RATIO_AT_LEAST,
};
struct sm_bench_figure {
    const char *name;    /* no blanks or quotes, ends with its unit: "stats_f32_gb_per_s" */
    double value, floor; /* in that unit; floor 0: none */
    enum sm_bench_bar kind;
    double bar;
};
/* Prints "name value floor ratio bar met|not met" and, if BENCH_JSON is the path of a file, appends
 * the same to it as a line with a JSON object. */
void sm_bench_report(const struct sm_bench_figure *f);

struct sm_bench_trial {
    struct sm_pool *pool;
    struct sm_trial *trial;
};
/* Opens a trial as the program does, without scanning it; heartbeat_us as in sm_trial_options.
 * Exits on errors. */
void sm_bench_open(struct sm_bench_trial *t, const char *path, unsigned threads, bool follow,
                   int64_t heartbeat_us);
/* Runs the first scan until all its results are merged. */
void sm_bench_scan(struct sm_bench_trial *t);
void sm_bench_close(struct sm_bench_trial *t);

#endif
