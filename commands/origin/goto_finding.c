/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/origin/goto_finding.h"

#include "commands/origin/find_origin.h"

#include <string.h>

static const struct sm_finding *first_violation(const struct sm_rule_instance *i, int64_t step)
{
    for (size_t k = 0; k < i->n_findings; k++)
        if (i->findings[k].violated && i->findings[k].tensor && i->findings[k].step == step)
            return &i->findings[k];
    return NULL;
}

static bool is_ill(struct sm_call *c, uint32_t tensor, uint16_t worker, struct sm_step step,
                   bool *fault, struct sm_err *err)
{
    struct sm_origin o = {0};
    *fault = false;
    sm_saved_values_init(c, step, SM_MODE_ANY, tensor, &o.saved);
    for (size_t i = 0; i < o.saved.n && !*fault; i++) {
        struct sm_saved_value_row *row = &o.saved.rows[i];
        enum sm_fault found;
        if (worker != SM_WORKER_ANY && row->worker != worker)
            continue;
        if (!sm_origin_judge(&o, row, row->n - 1, &found, err))
            return false;
        *fault = found != SM_FAULT_NONE;
    }
    return true;
}

bool sm_goto_finding_to(struct sm_call *c, const char *tensor_name, const char *worker_name,
                        int64_t step, struct sm_result *out, struct sm_err *err)
{
    struct sm_session *s = c->session;
    const struct sm_trial *t = sm_session_trial(s);
    uint32_t tensor = tensor_name
                          ? sm_names_find(sm_trial_names(t), tensor_name, strlen(tensor_name))
                          : SM_NAME_NONE;
    bool several = sm_trial_worker_count(t) > 1, fault;
    if (tensor == SM_NAME_NONE)
        return true;
    uint16_t worker = worker_name ? sm_trial_find_worker(t, worker_name) : SM_WORKER_ANY;
    if (!is_ill(c, tensor, worker, (struct sm_step){step}, &fault, err))
        return false;
    s->at.tensor = tensor;
    s->at.step = (struct sm_step){step};
    s->at.follow = false;
    s->at.worker = several ? worker : s->at.worker;
    sm_session_sync_variables(s);
    const char *name = sm_result_escape(out, tensor_name, strlen(tensor_name));
    if (fault)
        sm_result_dim(out, "Now at %s, step %lld. \"bt\" shows the origin.", name, (long long)step);
    else
        sm_result_dim(out, "Now at %s, step %lld. \"stat\" shows its statistics.", name,
                      (long long)step);
    return true;
}

bool sm_goto_finding(struct sm_call *c, const struct sm_rule_instance *i, int64_t step,
                     struct sm_result *out, struct sm_err *err)
{
    const struct sm_finding *f = first_violation(i, step);
    return !f || sm_goto_finding_to(c, f->tensor, f->worker, step, out, err);
}
