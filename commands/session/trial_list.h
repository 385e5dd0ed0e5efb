/* Several open trials: which one is meant, and making another one current. */
#ifndef SM_TRIAL_LIST_H
#define SM_TRIAL_LIST_H

#include "commands/session/session.h"

const char *sm_trials_name(const struct sm_session *s, size_t i); /* its alias or its own */
/* The index of an open trial. */
size_t sm_trials_index(const struct sm_session *s, const struct sm_trial *t);
/* By number, counted from 1, or by name. False: there is none. */
bool sm_trials_find(const struct sm_session *s, struct sm_text which, size_t *i);
/* What tells it apart on a chart: its name, with its number where another one has the same name. */
/* escaped, in out */
const char *sm_trials_label(const struct sm_session *s, size_t i, struct sm_str *out);
/* Is it drawn among the others? The current one always is. */
bool sm_trials_shown(const struct sm_session *s, size_t i);
/* The baseline's index. False: there is none. */
bool sm_trials_baseline(const struct sm_session *s, size_t *i);
/* Makes it the baseline; the one that is, is none any more. Returns what is now so: "the baseline
 * is NAME", in out. */
const char *sm_trials_toggle_baseline(struct sm_session *s, size_t i, struct sm_str *out);
/* The two that are compared: the baseline and the current one; where these are not two, the current
 * one and the first other that is shown. False: there are no two. */
bool sm_trials_pair(const struct sm_session *s, size_t *a, size_t *b);
/* Each trial keeps its own place; in one that was never current the tensor of the same name is, if
 * there is one. */
void sm_trials_select(struct sm_session *s, size_t i);

#endif
