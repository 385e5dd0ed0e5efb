/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

#include "reader/analysis/workers.h"

/* Steps lack a worker that wrote earlier ones, and the job has ended or is silent. */
static void look_for_worker_lost(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_trial *t = c->signals->trial;
    struct sm_workers w = {0};
    sm_workers_read(t, &w);
    for (size_t i = 0; i < w.n && !out->made; i++) {
        const struct sm_worker_progress *p = &w.items[i];
        bool silent = sm_trial_state(t) == SM_TRIAL_STALLED || !sm_trial_is_followed(t);
        if (!(p->lost || (silent && p->behind > 1)) || p->last < 0)
            continue;
        const struct sm_track *track = NULL;
        for (size_t k = 0; k < c->signals->n && !track; k++)
            if (c->signals->tracks[k].worker == p->worker)
                track = &c->signals->tracks[k];
        sm_claim_make(out, track, p->last, p->last);
        sm_claim_add(out, "info workers", NULL, p->last, (double)p->behind,
                     "%s wrote nothing after step %lld: %zu steps lack it",
                     sm_trial_worker(t, p->worker), (long long)p->last, p->behind);
    }
    sm_workers_clear(&w);
}

const struct sm_cause sm_cause_worker_lost = {
    .id = "worker_lost",
    .title = "a worker that stopped",
    .attempt = {"Look at the log of that worker: out of memory, a lost node, an exception",
                "Restart from the last checkpoint"},
    .explains = "stalled",
    .look = look_for_worker_lost,
};
