/* SPDX-License-Identifier: Apache-2.0 */
/* Problems of a trial: counted, listed by `info errors` with file and offset; they never stop the
 * rest. */
#ifndef SM_PROBLEM_H
#define SM_PROBLEM_H

#include "reader/base/err.h"

#include <stddef.h>
#include <stdint.h>

enum { SM_PROBLEMS_KEPT = 1000 }; /* further ones are only counted */
struct sm_problem {
    char *file;     /* relative to the trial; escape it for display */
    int64_t offset; /* -1: the whole file */
    enum sm_err_code code;
    char *message;
    uint64_t times;        /* occurrences */
    int64_t first_seen_us; /* wall clock */
};
struct sm_problems {
    struct sm_problem *items;
    size_t n, cap;
    uint64_t total;
};
/* Never fails; without memory it only counts. */
void sm_problems_add(struct sm_problems *p, const char *file, int64_t offset,
                     const struct sm_err *err);
void sm_problems_clear(struct sm_problems *p);

#endif
