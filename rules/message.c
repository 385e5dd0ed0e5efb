/* The messages of findings and the reasons of statuses. */
#include "rules/private.h"

#include <string.h>

void sm_rule_message(const struct sm_rules *r, const struct sm_rule_instance *i,
                     const struct sm_finding *f, struct sm_str *out)
{
    sm_str_printf(out, "%s %s at step %lld", i->name, f->violated ? "fired" : "checked",
                  (long long)f->step);
    if (f->mode != SM_MODE_ANY && f->mode != SM_MODE_GLOBAL)
        sm_str_printf(out, " (%s %lld)", sm_mode_name((int)f->mode), (long long)f->mode_step);
    if (f->worker && sm_trial_worker_count(r->trial) > 1)
        sm_str_printf(out, " worker %s", f->worker);
    sm_str_add(out, ": ");
    if (f->tensor) {
        sm_str_add_escaped(out, f->tensor, strlen(f->tensor));
        sm_str_add(out, ": ");
    }
    sm_str_add_escaped(out, f->text, strlen(f->text));
    if (i->fell_back)
        sm_str_add(out, " (fallback pattern)");
}

static const struct sm_finding *first_violation(const struct sm_rule_instance *i)
{
    for (size_t k = 0; k < i->n_findings; k++)
        if (i->findings[k].violated)
            return &i->findings[k];
    return NULL;
}

/* The number of workers is unknown, so no step is known to be complete. */
static bool workers_unknown(const struct sm_trial *t)
{
    return sm_trial_step_count(t) && sm_trial_num_workers(t) < 0;
}

void sm_rule_reason(const struct sm_rules *r, const struct sm_rule_instance *i, struct sm_str *out)
{
    const struct sm_finding *f = first_violation(i);
    if (i->reason) {
        sm_str_add(out, i->reason);
    } else if (f) {
        sm_str_printf(out,
                      "RuleEvaluationConditionMet: Evaluation of the rule %s at step %lld resulted "
                      "in the condition being met. ",
                      i->rule->class_name, (long long)f->step);
        sm_rule_message(r, i, f, out);
    } else if (i->status == SM_RULE_IN_PROGRESS && !i->own->begun && workers_unknown(r->trial)) {
        sm_str_add(out, "waiting for a collections file with the number of workers");
    } else if (!i->own->begun && i->own->n_needs && i->status == SM_RULE_NO_ISSUES) {
        sm_str_add(out, "no step was judged; this result means nothing");
    } else if (!i->matched && i->own->n_needs && i->status != SM_RULE_IN_PROGRESS) {
        struct sm_str names = {0};
        bool some = sm_rule_similar(i, r->trial, &names);
        sm_str_printf(out, "0 tensors matched; this result means nothing%s%s",
                      some ? ". Similar: " : "", sm_str_text(&names));
        sm_str_clear(&names);
    } else if (!i->datapoints && i->status == SM_RULE_NO_ISSUES && i->skips[0].why) {
        sm_str_printf(out, "nothing was judged: %s", i->skips[0].why);
    }
}
