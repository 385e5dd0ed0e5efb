/* SPDX-License-Identifier: Apache-2.0 */
/* The loss of a trial. */
#ifndef SM_LOSS_H
#define SM_LOSS_H

#include "commands/session/session.h"

/* The first tensor of the collection "losses" that has values, else the first one with "loss" in
 * its name. Returns NULL if there is none. */
const struct sm_trial_tensor *sm_loss_tensor(const struct sm_trial *t);
/* The newest value of that tensor, or of that series if the trial is asleep; of mode TRAIN if it
 * was saved in that mode. Returns false with SM_ERR_WAIT, or with SM_ERR_MISSING if there is no
 * such number. */
bool sm_loss_last(struct sm_session *s, struct sm_trial *t, double *out, struct sm_err *err);

#endif
