/* SPDX-License-Identifier: Apache-2.0 */
/* What names of columns and of JSON values say: which counts the steps, which is a metric. */
#ifndef SM_COLUMN_NAME_H
#define SM_COLUMN_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How well a name fits a counter of steps: a lower number fits better, 0: it is none. Letters count
 * without case; '_', '-', '.' and blanks are ignored. Of a name with '/' the last part counts,
 * after all whole names of that class: the odd numbers. */
enum sm_step_class {
    SM_STEP_OWN = 1,    /* _step: W&B's own */
    SM_STEP_GLOBAL = 2, /* global_step */
    SM_STEP_STEP = 4,   /* step, train_step */
    SM_STEP_ITERATION = 6,
    SM_STEP_UPDATE = 8, /* num_updates */
    SM_STEP_BATCH = 10,
    SM_STEP_EPOCH = 12,
    SM_STEP_TIMESTEP = 14,
    SM_STEP_SAMPLES = 16, /* tokens, samples */
    SM_STEP_INDEX = 18,   /* index, Unnamed: 0 */
};
unsigned sm_step_rank(const char *name, size_t n);
/* Whether a value of such a column can be a step. */
bool sm_step_value(double v, int64_t *step);

/* Whether a name has a word that only metrics of trainings have: loss, accuracy, lr ... */
bool sm_is_metric_name(const char *name, size_t n);
/* Whether the name of a file (without its folder) is one that loggers give: metrics.csv,
 * results.csv, train_log.txt ... */
bool sm_is_metrics_file(const char *name, size_t n);

/* Whether a value of that name is a time: seconds, or milliseconds, since 1970. */
bool sm_is_time(const char *name, size_t n, double v, double *seconds);

#endif
