/* Cache of the entry ranges of tensors at one step, shared by all rules. */
#ifndef SM_RULE_ENTRIES_H
#define SM_RULE_ENTRIES_H

#include "reader/trial.h"

struct sm_rule_entry_range {
    uint64_t stamp;
    size_t from, to;
};
struct sm_rule_entries { /* initially zero */
    struct sm_step step;
    uint64_t stamp; /* ranges with this stamp are valid for the step; 0 if none are */
    struct sm_rule_entry_range *items; /* indexed by name id */
    size_t n;
};
/* Invalidates the cache after the trial may have changed. */
void sm_rule_entries_forget(struct sm_rule_entries *p);
void sm_rule_entries_clear(struct sm_rule_entries *p);
/* Like sm_trial_entries_at. */
bool sm_rule_entries_at(struct sm_rule_entries *p, const struct sm_trial *t,
                        const struct sm_trial_tensor *x, struct sm_step step, size_t *from,
                        size_t *to);

#endif
