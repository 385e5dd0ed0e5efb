/* SPDX-License-Identifier: Apache-2.0 */
/* The tensors that a rule picks: collections and patterns resolved to tensor ids, updated as the
 * trial grows. */
#ifndef SM_NEED_H
#define SM_NEED_H

#include "rules/rule.h"
#include "rules/rule_entries.h"

struct sm_need {
    const struct sm_rule_pick *pick;
    const struct sm_rule_value *collections, *regex, *exact; /* the parameters, or NULL */
    bool own;            /* the collection of the pick is included */
    bool chosen_by_user; /* a collection or pattern parameter was given */
    void **codes;        /* compiled patterns */
    size_t n_codes;
    void *fallback, *fixed; /* compiled, or NULL */
    bool falls_back;
    uint32_t *ids; /* name ids, sorted by name (bytes) */
    size_t n_ids, cap_ids;
    uint64_t key;  /* identifies the names that the ids were made from; 0 if not computed */
    bool left_out; /* a value of another worker than the first was left out at some step */
};
bool sm_need_init(struct sm_need *n, const struct sm_rule *rule, const struct sm_rule_pick *pick,
                  const struct sm_rule_value *values, struct sm_err *err);
void sm_need_clear(struct sm_need *n);
void sm_need_update(struct sm_need *n, struct sm_trial *t);
/* Switches to the fallback pattern if the default matches nothing; called before the first step is
 * judged. True if it is now in use. */
bool sm_need_fall_back(struct sm_need *n, struct sm_trial *t);
/* The first collection named by the user that the trial does not have, or NULL. */
const char *sm_need_missing(const struct sm_need *n, const struct sm_trial *t);

/* Stores the tensors saved at the step in *items, which grows as needed; returns their number.
 * workers: as in sm_rule_instance. */
size_t sm_need_items(struct sm_need *n, struct sm_trial *t, struct sm_rule_entries *ranges,
                     struct sm_step step, const char *workers, struct sm_rule_item **items,
                     size_t *cap);

#endif
