/* Where the entries of tensors lie at one step, looked up once for all rules. */
#ifndef SM_RULE_ENTRIES_H
#define SM_RULE_ENTRIES_H

#include "reader/trial.h"

struct sm_rule_entry_range {
    uint64_t stamp;
    size_t from, to;
};
struct sm_rule_entries { /* zeroed at first */
    struct sm_step step;
    uint64_t stamp;                    /* of what is known of this step; 0: nothing */
    struct sm_rule_entry_range *items; /* by name id */
    size_t n;
};
void sm_rule_entries_forget(struct sm_rule_entries *p); /* the trial may have changed */
void sm_rule_entries_clear(struct sm_rule_entries *p);
/* As sm_trial_entries_at. */
bool sm_rule_entries_at(struct sm_rule_entries *p, const struct sm_trial *t,
                        const struct sm_trial_tensor *x, struct sm_step step, size_t *from,
                        size_t *to);

#endif
