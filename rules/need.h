/* Which tensors a rule is about: collections and patterns made into tensor ids, kept up to date
 * with the trial. */
#ifndef SM_NEED_H
#define SM_NEED_H

#include "rules/rule.h"
#include "rules/rule_entries.h"

struct sm_need {
    const struct sm_rule_pick *pick;
    const struct sm_rule_value *collections, *regex, *exact; /* the parameters, or NULL */
    bool own; /* the pick's own collection takes part */
    bool chosen_by_person;
    void **codes; /* compiled patterns */
    size_t n_codes;
    void *fallback; /* compiled, or NULL */
    bool falls_back;
    uint32_t *ids; /* by name (bytes) */
    size_t n_ids, cap_ids;
    uint64_t key; /* of what the ids were made from; 0: nothing yet */
};
bool sm_need_init(struct sm_need *n, const struct sm_rule *rule, const struct sm_rule_pick *pick,
                  const struct sm_rule_value *values, struct sm_err *err);
void sm_need_clear(struct sm_need *n);
void sm_need_update(struct sm_need *n, struct sm_trial *t);
/* Before the first step is judged: a default pattern that matches nothing gives way to the
 * fallback. True: it has. */
bool sm_need_fall_back(struct sm_need *n, struct sm_trial *t);
/* A collection the person named that the trial does not have; NULL: all are there. */
const char *sm_need_missing(const struct sm_need *n, const struct sm_trial *t);

/* Tensors saved at the step, into items (grown). workers as in sm_rule_instance. Returns how many.
 */
size_t sm_need_items(const struct sm_need *n, struct sm_trial *t, struct sm_rule_entries *places,
                     struct sm_step step, const char *workers, struct sm_rule_item **items,
                     size_t *cap);

#endif
