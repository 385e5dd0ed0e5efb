/* Several open trials: which one is meant, and making another one current. */
#ifndef SM_TRIALS_H
#define SM_TRIALS_H

#include "commands/session.h"

const char *sm_trials_name(const struct sm_session *s, size_t i);              /* its alias or its own */
/* By number, counted from 1, or by name. False: there is none. */
bool sm_trials_find(const struct sm_session *s, struct sm_text which, size_t *i);
/* Each trial keeps its own place; in one that was never current the tensor of the same name is, if there is one. */
void sm_trials_select(struct sm_session *s, size_t i);

#endif
