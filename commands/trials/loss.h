/* What a run is judged by first: its loss. */
#ifndef SM_LOSS_H
#define SM_LOSS_H

#include "commands/session/session.h"

/* The first tensor of the collection "losses" that has values, else the first one with "loss" in
 * its name. NULL: none. */
const struct sm_trial_tensor *sm_loss_tensor(const struct sm_trial *t);
/* Its newest value, of training where it was saved there. False: SM_ERR_WAIT, or SM_ERR_MISSING:
 * there is no such number. */
bool sm_loss_last(struct sm_session *s, struct sm_trial *t, double *out, struct sm_err *err);

#endif
