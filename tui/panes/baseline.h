/* SPDX-License-Identifier: Apache-2.0 */
/* The difference between a tensor of the current trial and the same tensor of the baseline; used by
 * several panes. */
#ifndef SM_BASELINE_H
#define SM_BASELINE_H

#include "commands/session/session.h"

/* True if there is a baseline and it is not the current trial. */
bool sm_baseline_is_other(const struct sm_session *s);
/* The facts of the baseline's value at the step of `mine`, compared by the step within the mode if
 * both have modes, or the newest value before it. NULL if there is none, or if it is still being
 * read. */
const struct sm_facts *sm_baseline_facts(struct sm_session *s, const struct sm_trial_tensor *x,
                                         const struct sm_entry *mine);
/* Adds "+0.31": the difference of the means (of the values, for tensors of one number), or "=" if
 * all statistics are equal. Drops digits to fit into `room` columns. Returns false if one side has
 * no finite values. */
bool sm_baseline_text(const struct sm_facts *mine, const struct sm_facts *other, int room,
                      struct sm_str *out);
/* Adds the difference of two numbers: "+0.31", "-2e-05" or "=". */
void sm_baseline_add(struct sm_str *out, double mine, double other, int room);

#endif
