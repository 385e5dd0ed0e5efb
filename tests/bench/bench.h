/* What every benchmark needs: a clock, medians, a trial opened by the library, and one way to
 * report a figure.
 *
 * A figure stands beside a floor measured in the same run (a plain loop, read() of the same bytes),
 * because seconds alone say more about the machine than about the program. Alternate the two and
 * take medians. */
#ifndef SM_BENCH_H
#define SM_BENCH_H

#include "reader/trial.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

double sm_bench_now(void);                   /* seconds of a steady clock */
double sm_bench_median(double *x, size_t n); /* sorts x; n >= 1 */

/* Where the Makefile says that the program ("PROGRAM"), a generated trial ("STEPS", "PAYLOAD") or a
 * folder for what is written meanwhile ("SCRATCH") is: the variable BENCH_what. Ends the benchmark
 * when it is not set. */
const char *sm_bench_path(const char *what);

/* Runs the program with one command in a batch, its output thrown away. use: what it took (NULL:
 * not wanted). */
struct rusage;
bool sm_bench_run_program(const char *command, const char *trial, struct rusage *use);

enum sm_bench_bar {
    SM_BENCH_VALUE_AT_MOST,
    SM_BENCH_RATIO_AT_MOST, /* of value to floor */
    SM_BENCH_RATIO_AT_LEAST,
};
struct sm_bench_figure {
    const char *name;    /* no blanks or quotes, ends in its unit: "stats_f32_gb_per_s" */
    double value, floor; /* in that unit; floor 0: there is none */
    enum sm_bench_bar kind;
    double bar;
};
/* Prints "name value floor ratio bar met|not met" and, if BENCH_JSON names a file, appends the same
 * to it as one JSON object a line. */
void sm_bench_report(const struct sm_bench_figure *f);

struct sm_bench_trial {
    struct sm_pool *pool;
    struct sm_trial *trial;
};
/* Opens as the program does; heartbeat_us as in sm_trial_options. Not scanned yet. Ends the
 * benchmark on errors. */
void sm_bench_open(struct sm_bench_trial *t, const char *path, unsigned threads, bool follow,
                   int64_t heartbeat_us);
/* until the first scan has been merged and nothing is under way */
void sm_bench_scan(struct sm_bench_trial *t);
void sm_bench_close(struct sm_bench_trial *t);

#endif
