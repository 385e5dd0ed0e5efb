/* SPDX-License-Identifier: Apache-2.0 */
/* Runs with the same value of a key of the configuration, such as repetitions with other seeds. */
#ifndef SM_RUN_GROUP_H
#define SM_RUN_GROUP_H

#include "commands/runs/run_value.h"

/* Numbers of the runs that have them and are finite; NaN without any. */
struct sm_run_spread {
    size_t n;
    double mean, std, lo, hi; /* std: of a sample, 0 of one run */
};
struct sm_run_group {
    const char *value; /* as a person reads it, not escaped; NULL: runs without the key */
    size_t n; /* runs, without sessions of hyperparameters that have no value of the metric */
    struct sm_run_spread newest, best;
    size_t not_finite; /* runs whose newest number is NaN or infinite */
    size_t diverged;   /* those, and runs far above where they were: not in the spreads */
    const struct sm_run_row *top; /* the best run that has not diverged; NULL: none is known */
};
/* The groups of the rows, in the natural order of their values, those without the key last. *of, if
 * not NULL, gets the group of each row. All in the arena. */
size_t sm_run_groups(const struct sm_session *s, const struct sm_run_table *t, const char *key,
                     struct sm_arena *arena, struct sm_run_group **out, size_t **of);

/* Whether the run is not in the numbers of its group, because its metric has diverged. */
bool sm_run_left_out(const struct sm_run_table *t, const struct sm_run_row *row);

#endif
