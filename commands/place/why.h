/* SPDX-License-Identifier: Apache-2.0 */
/* Why a tensor has no value at a step: save interval, mode, worker, damage, or not saved at all;
 * and the nearest saved steps. */
#ifndef SM_WHY_H
#define SM_WHY_H

#include "commands/session/session.h"

enum sm_why_reason {
    SM_WHY_SAVED, /* it has a value */
    SM_WHY_REDUCTIONS,
    SM_WHY_SHAPE,  /* like REDUCTIONS: only this was saved */
    SM_WHY_WORKER, /* another worker has it */
    SM_WHY_INTERVAL,
    SM_WHY_MODE,    /* not saved in the mode of the step */
    SM_WHY_WITHOUT, /* the step was written without it */
    SM_WHY_DAMAGED, /* the step's index file cannot be read */
    SM_WHY_NO_STEP, /* nothing was saved at that step */
};
const char *sm_why_reason_name(enum sm_why_reason r); /* "saved", "reductions-only", ... */

/* One or two sentences ("No value of X at step 3950: collection gradients saves every 10 steps of
 * TRAIN, and step 3950 is EVAL 38. Nearest: 3940, 3960."). worker: ANY for all workers. */
enum sm_why_reason sm_why(const struct sm_trial *t, const struct sm_trial_tensor *x,
                          struct sm_step step, uint16_t worker, struct sm_str *out);
/* Sets SM_ERR_MISSING with that text for a place with a tensor. Returns false. */
bool sm_why_not_saved(const struct sm_place *p, struct sm_err *err);
/* Sets SM_ERR_MISSING: 'No tensor "conv0_wieght". Did you mean "conv0_weight"?' Returns false. */
bool sm_why_no_tensor(const struct sm_trial *t, struct sm_text name, struct sm_err *err);

/* "every 10 steps of TRAIN from step 20 before step 100", "steps 1, 5 of EVAL". */
void sm_why_save_rule(struct sm_str *out, const struct sm_save_rule *r, const char *mode);

#endif
