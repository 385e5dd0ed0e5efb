/* SPDX-License-Identifier: Apache-2.0 */
/* The condition of until and bisect at one step. */
#ifndef SM_STEP_CONDITION_H
#define SM_STEP_CONDITION_H

#include "commands/language/cmd.h"

/* UNAVAILABLE: not saved at that step, or it cannot be read. */
enum sm_step_answer { SM_STEP_UNKNOWN, SM_STEP_NO, SM_STEP_YES, SM_STEP_UNAVAILABLE };

/* The steps with a value that cannot be read: they are skipped and reported. Zero at first. */
struct sm_step_damage {
    size_t n;
    struct sm_step first;
    const char *why; /* in the call's arena; NULL if n is 0 */
};
/* Evaluates the call's raw text as a condition at a step. Steps that cannot be read are counted in
 * *damage. Returns false with SM_ERR_WAIT while values are being read, or with another error. */
bool sm_step_condition(struct sm_call *c, struct sm_step at, enum sm_step_answer *out,
                       struct sm_step_damage *damage, struct sm_err *err);
/* "Skipped step 4: ...", or "" if no step was skipped. */
const char *sm_step_damage_text(struct sm_arena *arena, const struct sm_step_damage *d);
/* Whether the step has the current mode; true for every step if no mode is current. */
bool sm_step_of_current_mode(const struct sm_session *s, const struct sm_trial_step *step);

#endif
