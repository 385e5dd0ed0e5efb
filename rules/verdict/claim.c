/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/claim.h"

#include <stdarg.h>
#include <stdio.h>

void sm_claim_make(struct sm_claim *out, const struct sm_track *track, int64_t since,
                   int64_t before)
{
    out->made = true;
    out->track = track;
    out->since = since;
    out->before = before;
}

void sm_claim_add(struct sm_claim *out, const char *command, const struct sm_track *track,
                  int64_t step, double value, const char *fmt, ...)
{
    va_list args;
    if (out->n_evidence == SM_EVIDENCE_MOST)
        return;
    struct sm_evidence *e = &out->evidence[out->n_evidence++];
    *e = (struct sm_evidence){.command = command, .track = track, .step = step, .value = value};
    va_start(args, fmt);
    vsnprintf(e->text, sizeof e->text, fmt, args);
    va_end(args);
}

void sm_claim_add_loss(struct sm_claim *out, const struct sm_run_case *c)
{
    const struct sm_loss_level *l = &c->loss;
    if (!l->track || !l->n)
        return;
    int64_t last = l->track->points[l->track->n - 1].step;
    if (l->chance == l->chance)
        sm_claim_add(out, "series", l->track, last, l->end,
                     "loss %.4g at the start, %.4g at the end, %.4g by chance", l->start, l->end,
                     l->chance);
    else
        sm_claim_add(out, "series", l->track, last, l->end,
                     "loss %.4g at the start, %.4g at the end", l->start, l->end);
}
