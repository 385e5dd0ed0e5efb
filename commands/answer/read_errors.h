/* SPDX-License-Identifier: Apache-2.0 */
/* Counts unreadable items of a listing. A damaged item does not stop the command: it is counted,
 * and the output reports the count. */
#ifndef SM_READ_ERRORS_H
#define SM_READ_ERRORS_H

#include "commands/answer/result.h"
#include "reader/trial.h"

struct sm_read_errors {
    size_t n;
    struct sm_err first;
};
/* Counts err if it means that an item of the trial is damaged or cannot be read, and returns true:
 * continue with the next item. Returns false for other errors, and for SM_ERR_WAIT. */
bool sm_read_errors_add(struct sm_read_errors *u, const struct sm_err *err);
/* Reports how many of `all` items could not be read. Returns false with the first error if none of
 * them could be read. */
bool sm_read_errors_report(const struct sm_read_errors *u, size_t all, struct sm_result *out,
                           struct sm_err *err);

/* The same for tensors to which a condition or a search does not apply: strings, complex numbers,
 * another shape. Zero at first. */
struct sm_skipped {
    size_t n;
    struct sm_err first; /* prefixed with the name of the tensor */
};
/* Counts err if it is about this tensor, and returns true: continue with the next one. */
bool sm_skipped_add(struct sm_skipped *k, const char *name, const struct sm_err *err);
/* Reports how many of `all` tensors were skipped. Returns false with the first error if all were.
 */
bool sm_skipped_report(const struct sm_skipped *k, size_t all, struct sm_result *out,
                       struct sm_err *err);

/* The same for series: steps without a point because their data could not be read. */
struct sm_read_errors_steps {
    size_t steps, series;
    struct sm_step first;
    const char *name; /* of the first incomplete series; NULL if there is only one series */
};
void sm_read_errors_steps_add(struct sm_read_errors_steps *u, const char *name, size_t steps,
                              struct sm_step first);
void sm_read_errors_steps_report(const struct sm_read_errors_steps *u, struct sm_result *out);

#endif
