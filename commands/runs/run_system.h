/* SPDX-License-Identifier: Apache-2.0 */
/* The metrics of the machine that a logger kept beside a run (sm_run_info.samples). */
#ifndef SM_RUN_SYSTEM_H
#define SM_RUN_SYSTEM_H

#include "reader/kind/run_info.h"

struct sm_run_system_row {
    const char *name;             /* of the info, not escaped */
    const double *times, *values; /* n each, as they came */
    size_t n;
    double newest;         /* NaN if n is 0 */
    double min, mean, max; /* of the finite ones; NaN without any */
    size_t not_finite;
};
/* Zero-initialised it is empty. */
struct sm_run_system {
    struct sm_run_system_row *rows; /* in natural order of names */
    size_t n;
    double *times, *values;
};
/* Valid as long as the info does not change. part: only names that have it, in any case of letters;
 * NULL: all. */
void sm_run_system_read(const struct sm_run_info *info, const char *part,
                        struct sm_run_system *out);
void sm_run_system_clear(struct sm_run_system *s);

#endif
