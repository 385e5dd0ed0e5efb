/* SPDX-License-Identifier: Apache-2.0 */
/* Other trials that a rule compares with, opened by their paths. */
#ifndef SM_OTHERS_H
#define SM_OTHERS_H

#include "rules/rule.h"

struct sm_others { /* initially zero; part of a rule's state */
    struct sm_trial **trials;
    struct sm_source **sources;
    size_t n;
    bool opened;
    struct sm_fetch *fetch;
};
/* Opens the trials of a parameter with paths and reads their index files. False while they are
 * being read (the rule is asked again), or if there is no trial at a path, which ends the rule. */
bool sm_others_open(struct sm_rule_at *x, struct sm_others *o, const struct sm_rule_value *paths);
void sm_others_clear(struct sm_others *o);

#endif
