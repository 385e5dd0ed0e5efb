/* SPDX-License-Identifier: Apache-2.0 */
/* What a command says when it shows the value of one worker and there are several: which one it is,
 * and that another has NaN or infinities. */
#ifndef SM_OTHER_WORKERS_H
#define SM_OTHER_WORKERS_H

#include "commands/language/cmd.h"
#include "reader/fetch/series.h"
#include "reader/trial_place.h"

/* After the value of a place, `shown`, in text: a line if no worker was chosen and another worker's
 * value at the step has NaN or infinities, or would be too much to read. Other formats get nothing.
 * False: SM_ERR_WAIT. */
bool sm_other_workers_note(struct sm_call *c, struct sm_result *out, const struct sm_place *p,
                           const struct sm_entry *shown, struct sm_err *err);
/* The same after a series of a trial; it always says whose values they are. */
bool sm_other_workers_note_series(struct sm_call *c, struct sm_result *out, struct sm_trial *t,
                                  const struct sm_series_spec *spec, struct sm_err *err);
/* The same for the k-th of n curves. */
bool sm_other_workers_note_curve(struct sm_call *c, struct sm_result *out, struct sm_trial *t,
                                 const struct sm_series_spec *spec, size_t k, size_t n,
                                 struct sm_err *err);

/* A value in a list. */
struct sm_listed_value {
    const struct sm_trial_tensor *tensor;
    struct sm_entry entry;
};
/* The same after a list of values, each of the first worker that has it. */
bool sm_other_workers_note_list(struct sm_call *c, struct sm_result *out, struct sm_trial *t,
                                const struct sm_listed_value *values, size_t n, struct sm_err *err);

#endif
