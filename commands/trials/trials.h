/* SPDX-License-Identifier: Apache-2.0 */
/* Trials: opening and closing them, their contents, their damaged and missing parts.
 *
 * Provides: the check of every file (file_check.h), the findings of doctor (doctor.h), the loss of
 * a trial (loss.h); the commands open, close, trial, info, doctor, why, snapshot. */
#ifndef SM_TRIALS_H
#define SM_TRIALS_H

#include "commands/language/cmd.h"

/* Every command of the room. */
#define SM_TRIALS_COMMANDS(X)                                                                      \
    X(open)                                                                                        \
    X(close)                                                                                       \
    X(refresh)                                                                                     \
    X(doctor)                                                                                      \
    X(info)                                                                                        \
    X(info_collections)                                                                            \
    X(info_collection)                                                                             \
    X(info_environment)                                                                            \
    X(info_expr)                                                                                   \
    X(info_errors)                                                                                 \
    X(info_files)                                                                                  \
    X(info_session)                                                                                \
    X(info_memory)                                                                                 \
    X(info_settings)                                                                               \
    X(info_set)                                                                                    \
    X(info_problems)                                                                               \
    X(info_size)                                                                                   \
    X(info_steps)                                                                                  \
    X(info_modes)                                                                                  \
    X(info_workers)                                                                                \
    X(info_sessions)                                                                               \
    X(info_tensor)                                                                                 \
    X(info_location)                                                                               \
    X(whatis)                                                                                      \
    X(ptype)                                                                                       \
    X(info_trial)                                                                                  \
    X(snapshot)                                                                                    \
    X(snapshot_save)                                                                               \
    X(info_trials)                                                                                 \
    X(trial)                                                                                       \
    X(add_trial)                                                                                   \
    X(remove_trial)                                                                                \
    X(why)

SM_TRIALS_COMMANDS(SM_CMD_DECLARE)
/* Adds trial i of the session as a map: what `trial` lists, without the loss. text: for people, who
 * are shown that a run has failed. */
void sm_trial_node(struct sm_session *s, size_t i, bool text, struct sm_result *out,
                   struct sm_node *list);
/* Adds the list "parts": the kinds of which the run has data, its main kind first. */
void sm_trial_parts_node(struct sm_result *out, struct sm_node *map, const struct sm_trial *t);
/* Answers that the trial of this name was closed. */
void sm_trial_closed(struct sm_result *out, const char *name);
extern const struct sm_feature sm_trials_feature;

#endif
