/* SPDX-License-Identifier: Apache-2.0 */
/* The list of open trials: names, the baseline, and selecting the current trial. */
#ifndef SM_TRIAL_LIST_H
#define SM_TRIAL_LIST_H

#include "commands/session/session.h"

const char *sm_trials_name(const struct sm_session *s, size_t i); /* the alias, or the name of the
                                                                     trial */
/* The index of an open trial; t must be open. */
size_t sm_trials_index(const struct sm_session *s, const struct sm_trial *t);
/* Finds a trial by name, or by number from 1, and wakes it if it sleeps (sm_trial_wake). Returns
 * false if there is none. */
bool sm_trials_find(const struct sm_session *s, struct sm_text which, size_t *i);
/* The same for a command. Without it err says so: SM_ERR_WAIT while a run is still read, as its
 * logger may call it so, else SM_ERR_MISSING. */
bool sm_trials_named(const struct sm_session *s, struct sm_text which, size_t *i,
                     struct sm_err *err);
/* Appends a label that is unique in a chart: the escaped name, preceded by the number if several
 * trials have this name. Returns the text of out. */
const char *sm_trials_label(const struct sm_session *s, size_t i, struct sm_str *out);
/* True if it is drawn when several trials are. The current trial always is. */
bool sm_trials_shown(const struct sm_session *s, size_t i);
/* Hides a trial when several are drawn, or shows it. What is drawn is woken (sm_trial_wake). */
void sm_trials_hide(struct sm_session *s, size_t i, bool hidden);
/* Leaves a trial out of the table of runs and of charts, or puts it back. */
void sm_trials_unlist(struct sm_session *s, size_t i, bool unlisted);
/* Wakes the trials that are drawn, and gives each a style (struct sm_open_trial) that no other has,
 * the least that is free; those that have one keep it. Called when it changes which trials are
 * drawn. */
void sm_trials_restyle(struct sm_session *s);
/* The index of the baseline. Returns false if there is none. */
bool sm_trials_baseline(const struct sm_session *s, size_t *i);
/* Makes trial i the baseline, or removes the baseline if i is the baseline. Appends the new state
 * ("the baseline is NAME") to out and returns its text. */
const char *sm_trials_toggle_baseline(struct sm_session *s, size_t i, struct sm_str *out);
/* The two trials to compare: the baseline and the current trial. Without a different baseline, the
 * current trial and the first other trial that is shown. Returns false if there is no second trial.
 */
bool sm_trials_pair(const struct sm_session *s, size_t *a, size_t *b);
/* Makes trial i current, at the place where it was last current. If it was never current, the
 * tensor of the same name is selected if it exists. */
void sm_trials_select(struct sm_session *s, size_t i);
/* Moves a trial to an earlier place in the list; from >= to. */
void sm_trials_move(struct sm_session *s, size_t from, size_t to);

#endif
