/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/session_problems.h"

#include "commands/judge/session_rules.h"

static void add_findings(const struct sm_rule_instance *x, struct sm_trial_problems *out)
{
    for (size_t i = 0; i < x->n_findings; i++) {
        const struct sm_finding *f = &x->findings[i];
        if (f->violated)
            sm_trial_problems_add(out,
                                  (struct sm_trial_problem){.kind = SM_TRIAL_PROBLEM_RULE,
                                                            .step = f->step,
                                                            .tensor = f->tensor ? f->tensor : "",
                                                            .rule = x->name,
                                                            .text = f->text});
    }
}

size_t sm_session_problems_read(struct sm_session *s, struct sm_trial_problems *out)
{
    const struct sm_rules *r = sm_session_rules_at(s, s->current);
    size_t waiting = sm_trial_problems_read(sm_session_trial(s), s->fetch, sm_session_step(s),
                                            s->at.worker, out);
    for (size_t i = 0; r && i < sm_rules_count(r); i++)
        add_findings(sm_rules_item(r, i), out);
    return waiting;
}
