/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

#include <math.h>

enum { REPLICA_TOLERANCE = 1000 }; /* 1 in this: what another order of summing may make */

static bool is_apart(const struct sm_track_point *p)
{
    return (double)p->own[SM_OWN_APART] * REPLICA_TOLERANCE >= 1;
}

/* The first value that is another one than that of the first worker; n if there is none. Of files
 * of ranks, which may have parts of one model, only after a value that was the same: parts never
 * are, unless all elements of both are equal. */
static size_t first_apart(const struct sm_track *t)
{
    bool known = !t->ranks;
    for (size_t k = 0; k < t->n; k++) {
        const struct sm_track_point *p = &t->points[k];
        if (known && is_apart(p))
            return k;
        known = known || (!isnan(p->own[SM_OWN_APART]) && !is_apart(p) && p->std > 0);
    }
    return t->n;
}

/* A parameter of a worker is another one than that of the first worker. */
static void look_for_worker_diverged(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_signals *g = c->signals;
    const struct sm_track *found = NULL;
    size_t at = 0;
    for (size_t i = 0; i < g->n; i++) {
        const struct sm_track *t = &g->tracks[i];
        if (!sm_signal_role_is_parameter((enum sm_signal_role)t->role) || t->role == SM_SCALE)
            continue;
        size_t k = first_apart(t);
        if (k < t->n && (!found || t->points[k].step < found->points[at].step)) {
            found = t;
            at = k;
        }
    }
    if (!found)
        return;
    const struct sm_track_point *p = &found->points[at], *end = &found->points[found->n - 1];
    sm_claim_make(out, found, p->step, at ? found->points[at - 1].step : -1);
    sm_claim_add(out, "diff", found, p->step, (double)p->own[SM_OWN_APART],
                 "differs from that of the first worker by %.3g %% of its norm",
                 100 * (double)p->own[SM_OWN_APART]);
    if (end != p && !isnan(end->own[SM_OWN_APART]))
        sm_claim_add(out, "diff", found, end->step, (double)end->own[SM_OWN_APART],
                     "by %.3g %% at the end", 100 * (double)end->own[SM_OWN_APART]);
}

const struct sm_cause sm_cause_worker_diverged = {
    .id = "worker_diverged",
    .title = "replicas of the model differ",
    .attempt = {"Average the gradients of all workers (DistributedDataParallel) and start from the "
                "same weights",
                "Do not change parameters of one worker only"},
    .explains = "*",
    .look = look_for_worker_diverged,
};
