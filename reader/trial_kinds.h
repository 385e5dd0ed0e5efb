/* SPDX-License-Identifier: Apache-2.0 */
/* The only list of kinds of trial, one line each: X(NAME), the record being sm_trial_kind_NAME
 * (reader/kind/trial_kind.h).
 *
 * Sources and paths are matched in this order. A new kind is a line before
 * `archive`, which takes every file that no other kind owns and reports what is wrong with it;
 * `smdebug` takes every other source. */
#ifndef SM_TRIAL_KINDS_H
#define SM_TRIAL_KINDS_H

#include "reader/kind/trial_kind.h"

#define SM_TRIAL_KINDS(X)                                                                          \
    X(profile)                                                                                     \
    X(profile_report)                                                                              \
    X(kineto)                                                                                      \
    X(cuda_snapshot)                                                                               \
    X(flight_recorder)                                                                             \
    X(tensorboard)                                                                                 \
    X(wandb)                                                                                       \
    X(mlflow)                                                                                      \
    X(trackio)                                                                                     \
    X(trainer_state)                                                                               \
    X(csv)                                                                                         \
    X(jsonl)                                                                                       \
    X(pipe)                                                                                        \
    X(log)                                                                                         \
    X(checkpoints)                                                                                 \
    X(archive)                                                                                     \
    X(smdebug)

#define SM_TRIAL_KIND_DECLARE(name) extern const struct sm_trial_kind sm_trial_kind_##name;
SM_TRIAL_KINDS(SM_TRIAL_KIND_DECLARE)

size_t sm_trial_kind_count(void);
const struct sm_trial_kind *sm_trial_kind_at(size_t i); /* in the order of the list */
/* The kind of the files that the source has now; if there are none yet, the last of the list. */
const struct sm_trial_kind *sm_trial_kind_of(struct sm_source *source);
/* What can be opened, in words. Appends. */
void sm_trial_kind_labels(struct sm_str *out);
/* Until a trial's files have been listed. */
const struct sm_trial_traits *sm_trial_default_traits(void);

/* The kind that owns a path; the last of the list for directories and what does not exist. */
const struct sm_trial_kind *sm_trial_kind_of_path(const char *path);
/* Opens the path or the address (address.h) of a trial: a file by the kind that owns it, else a
 * directory, which may not exist yet. NULL on error. */
struct sm_source *sm_source_of_path(const char *path, struct sm_err *err);

#endif
