/* A rule is judged again, so that what it saw at a step can be told: for `explain` and `rule
 * explain`. */
#ifndef SM_RULE_EXPLAIN_H
#define SM_RULE_EXPLAIN_H

#include "commands/language/cmd.h"

/* Kept while the call waits; zero at first. */
struct sm_rule_explain {
    const struct sm_rule *rule;
    const struct sm_rule_instance *like; /* attached already, or NULL */
    bool has_step;
    int64_t step;
    const struct sm_rule_instance *search; /* runs until it fires, when nobody said at which step */
    /* from the beginning to the step: its findings there are all of them */
    const struct sm_rule_instance *shown;
};
/* An attached instance or a rule with its defaults, at a step (NULL: where it first fires, else the
 * newest), judged from the first step on. When it is true x->shown is done. False: SM_ERR_WAIT, or
 * what is wrong. */
bool sm_rule_explain_judge(struct sm_call *c, struct sm_rule_explain *x, struct sm_text name,
                           const struct sm_word *step, struct sm_err *err);

#endif
