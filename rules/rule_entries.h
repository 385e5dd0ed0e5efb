/* Where the entries of tensors lie at one step, looked up once for all rules. */
#ifndef SM_RULE_PLACE_H
#define SM_RULE_PLACE_H

#include "reader/trial.h"

struct sm_placed {
    uint64_t stamp;
    size_t from, to;
};
struct sm_places { /* zeroed at first */
    struct sm_step step;
    uint64_t stamp; /* of what is known of this step; 0: nothing */
    struct sm_placed *items; /* by name id */
    size_t n;
};
void sm_places_forget(struct sm_places *p); /* the trial may have changed */
void sm_places_clear(struct sm_places *p);
/* As sm_trial_entries_at. */
bool sm_places_at(struct sm_places *p, const struct sm_trial *t, const struct sm_trial_tensor *x, struct sm_step step, size_t *from,
                  size_t *to);

#endif
