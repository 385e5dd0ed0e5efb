/* By how much a tensor of the current trial differs from the same one of the baseline: shared by
 * the panes. */
#ifndef SM_BASELINE_H
#define SM_BASELINE_H

#include "commands/session/session.h"

/* Is there a baseline beside the current trial? */
bool sm_baseline_is_other(const struct sm_session *s);
/* The facts of the baseline's value at the step of `mine`, the same step of its mode, or the newest
 * before it. NULL: it has none, or it is still being read. */
const struct sm_facts *sm_baseline_facts(struct sm_session *s, const struct sm_trial_tensor *x,
                                         const struct sm_entry *mine);
/* "+0.31", "=" where nothing that statistics show differs; of a number its difference, else that of
 * the mean. False: one of them has no such number. Digits give way where it is longer than room. */
bool sm_baseline_text(const struct sm_facts *mine, const struct sm_facts *other, int room,
                      struct sm_str *out);
/* The difference of two numbers: "+0.31", "-2e-05", "=". */
void sm_baseline_add(struct sm_str *out, double mine, double other, int room);

#endif
