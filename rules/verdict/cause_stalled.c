/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

#include "reader/base/str.h"

/* Silent for much longer than between its steps, without an end marker. Runs of loggers that have
 * none may have ended. */
static void look_for_stalled(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_trial *t = c->signals->trial;
    size_t n = sm_trial_step_count(t);
    if (sm_trial_state(t) != SM_TRIAL_STALLED || !n || sm_trial_traits(t)->runs)
        return;
    const struct sm_trial_step *last = sm_trial_step(t, n - 1);
    int64_t silent_us = c->now_us - last->time_us;
    char silent[16];
    sm_format_duration(silent_us, silent);
    sm_claim_make(out, NULL, last->step.n, last->step.n);
    sm_claim_add(out, "info trial", NULL, last->step.n, (double)silent_us / 1e6,
                 "nothing new for %s, and no end marker", silent);
}

const struct sm_cause sm_cause_stalled = {
    .id = "stalled",
    .title = "a run that stopped writing",
    .attempt = {"Look at the job: is it still running, waiting for data, or killed?"},
    .explains = "",
    .look = look_for_stalled,
};
