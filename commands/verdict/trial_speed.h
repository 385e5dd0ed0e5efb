/* SPDX-License-Identifier: Apache-2.0 */
/* What holds up a trial that has a profile (rules/speed/speed.h): looked for again after news, and
 * in the answers of commands. */
#ifndef SM_TRIAL_SPEED_H
#define SM_TRIAL_SPEED_H

#include "commands/answer/result.h"
#include "reader/trial.h"
#include "rules/speed/speed.h"

/* Zero-initialised it is empty. */
struct sm_trial_speed {
    struct sm_speed_watch *watch;
    uint64_t version; /* of the profile that `speed` is of */
    bool known;
    struct sm_speed speed;
};
/* Of all that was read; begins to read the profile. NULL: there is none, or the first reading is
 * not done. Valid until the next call. */
const struct sm_speed *sm_trial_speed_find(struct sm_trial_speed *x, struct sm_trial *t);
void sm_trial_speed_clear(struct sm_trial_speed *x);

/* Lines for people: cause and onset, evidence with its commands, what to try, what is missing. */
void sm_speed_print(struct sm_result *out, const struct sm_speed *s);
/* Adds the keys since_ns, title, try, missing and looked_at of SM_SHAPE_SPEED to a map. */
void sm_speed_add_rest(struct sm_result *out, struct sm_node *map, const struct sm_speed *s);
/* Adds the list "evidence". */
void sm_speed_add_evidence(struct sm_result *out, struct sm_node *map, const struct sm_speed *s);
/* The map "performance": cause, since, evidence and the rest. */
void sm_speed_node(struct sm_result *out, struct sm_node *parent, const struct sm_speed *s);

#endif
