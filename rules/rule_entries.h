/* SPDX-License-Identifier: Apache-2.0 */
/* Cache of the entry ranges of tensors at one step, shared by all rules. */
#ifndef SM_RULE_ENTRIES_H
#define SM_RULE_ENTRIES_H

#include "reader/trial.h"

struct sm_rule_entry_range {
    uint64_t stamp;
    size_t from, to;
};
/* Where the last search for an earlier value of a tensor ended: the next one goes on there. */
struct sm_rule_earlier {
    uint64_t stamp; /* as of a range */
    const struct sm_trial_tensor *tensor;
    uint16_t worker;
    enum sm_mode mode;
    int64_t number; /* the step found, counted in the mode */
    size_t at;      /* its entry */
};
struct sm_rule_entries { /* initially zero */
    struct sm_step step;
    uint64_t stamp; /* ranges with this stamp are valid for the step; 0 if none are */
    struct sm_rule_entry_range *items; /* indexed by name id */
    size_t n;
    struct sm_rule_earlier earlier;
    uint64_t looked_at; /* entries that the searches looked at, for tests */
};
/* Invalidates the cache after the trial may have changed. */
void sm_rule_entries_forget(struct sm_rule_entries *p);
void sm_rule_entries_clear(struct sm_rule_entries *p);
/* Like sm_trial_entries_at. */
bool sm_rule_entries_at(struct sm_rule_entries *p, const struct sm_trial *t,
                        const struct sm_trial_tensor *x, struct sm_step step, size_t *from,
                        size_t *to);

/* The newest value of the tensor and worker before the number `below`, counted in the mode (ANY and
 * GLOBAL: global steps), among the entries before those of `step`. None if there is none. Constant
 * time for global steps, and for each next one of a run of calls with the number of the last
 * answer. */
struct sm_entry sm_rule_entry_below(struct sm_rule_entries *p, const struct sm_trial *t,
                                    const struct sm_trial_tensor *x, uint16_t worker,
                                    struct sm_step step, enum sm_mode mode, int64_t below);

#endif
