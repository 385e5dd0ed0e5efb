/* SPDX-License-Identifier: Apache-2.0 */
/* For `explain` and `rule explain`: judges the steps by a rule again, to get all of its findings at
 * a step. */
#ifndef SM_RULE_EXPLAIN_H
#define SM_RULE_EXPLAIN_H

#include "commands/language/cmd.h"

/* State of the call; initially zero. */
struct sm_rule_explain {
    const struct sm_rule *rule;
    const struct sm_rule_instance *like; /* the attached instance, or NULL */
    bool leniently;                      /* without an instance: as `rule auto` judges */
    bool has_step;
    int64_t step;
    const struct sm_rule_instance *search; /* without a given step: runs until it fires */
    /* judges from the first step to `step`, and has all findings at `step` */
    const struct sm_rule_instance *shown;
};
/* Judges by an attached instance, or a rule with its defaults, from the first step to the given one
 * (NULL: the first at which it fires, else the newest at which it tests something). Returns true
 * when x->shown is done; false with SM_ERR_WAIT or an error. */
bool sm_rule_explain_judge(struct sm_call *c, struct sm_rule_explain *x, struct sm_text name,
                           const struct sm_word *step, struct sm_err *err);

#endif
