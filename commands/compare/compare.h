/* SPDX-License-Identifier: Apache-2.0 */
/* Comparison of two trials, steps, modes or workers.
 *
 * Provides: the comparison of each tensor up to its first different step (compare_run.h), the
 * comparison that the dashboard shows (compare_live.h), the differences of two configurations
 * (config_diff.h), names of one model in another (name_pairs.h), exchanged layers
 * (compare_moved.h), why nothing could be compared (compare_nothing.h), operands that are paths
 * (compare_open.h), how far a tensor moved (update_measure.h); the commands diff and updates. */
#ifndef SM_COMPARE_H
#define SM_COMPARE_H

#include "commands/language/cmd.h"

/* Every command of the room. */
#define SM_COMPARE_COMMANDS(X) X(diff) X(updates)

SM_COMPARE_COMMANDS(SM_CMD_DECLARE)

struct sm_compare_live;
/* The state of the room in a session. */
struct sm_compare_state {
    struct sm_compare_live *differences; /* shown by the dashboard; NULL if none was requested */
};
extern const struct sm_state_kind sm_compare_state_kind;
extern const struct sm_feature sm_compare_feature;
struct sm_compare_state *sm_compare_state(const struct sm_session *s);

#endif
