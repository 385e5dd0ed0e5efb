/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

#include "reader/analysis/trend.h"
#include "reader/base/mem.h"

#include <math.h>

static const double RISING = 1.64; /* standard deviations */
static const double SHARE = 0.05;  /* of the loss at the start */
static const double WORSE = 0.1;   /* above the best EVAL loss */

/* By the test of Mann and Kendall, from the best value on. */
static bool rises(const struct sm_track *t, size_t best)
{
    double *v = sm_xalloc((t->n - best) * sizeof *v);
    size_t n = 0;
    for (size_t i = best; i < t->n; i++)
        if (isfinite((double)t->points[i].mean))
            v[n++] = (double)t->points[i].mean;
    bool yes = sm_trend_z(v, n) > RISING;
    sm_free(v);
    return yes;
}

/* The EVAL loss was best long ago and rises, the TRAIN loss falls. */
static void look_for_overfitting(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_loss_level *l = &c->loss, *e = &c->eval;
    if (!e->track || e->n < 4 || e->end < e->best + SHARE * fmax(l->start, e->start) ||
        e->end < e->best + 3 * e->noise || !l->n || e->end < e->best * (1 + WORSE) ||
        !(l->learned > 0.1))
        return;
    const struct sm_track *t = e->track;
    size_t best = 0;
    while (best + 1 < t->n && t->points[best].step != e->best_step)
        best++;
    if (t->n - best < 3 || !rises(t, best))
        return;
    int64_t since = t->points[best + 1].step;
    sm_claim_make(out, t, since, t->points[best].step);
    sm_claim_add(out, "series", t, e->best_step, e->best, "EVAL loss best, %.4g, at step %lld",
                 e->best, (long long)e->best_step);
    sm_claim_add(out, "series", t, t->points[t->n - 1].step, e->end,
                 "EVAL loss %.4g at the end, TRAIN loss %.4g", e->end, l->end);
}

const struct sm_cause sm_cause_overfitting = {
    .id = "overfitting",
    .title = "overfitting",
    .attempt = {"Stop at the best EVAL loss",
                "Use more data or augmentation, weight decay, dropout, or a smaller network"},
    .explains = "",
    .last_resort = 1,
    .look = look_for_overfitting,
};
