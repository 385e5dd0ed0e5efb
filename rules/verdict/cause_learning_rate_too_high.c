/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/trend.h"
#include "rules/verdict/cause_list.h"
#include "rules/verdict/loss_runaway.h"

#include "reader/base/mem.h"

#include <math.h>

/* Median over the weights of |change| / |weight| by step; trainings that learn have up to 0.08. */
static const double LARGE = 0.1;
/* The same where the loss rises. */
static const double LARGE_AND_RISING = 0.03;

struct rate_onset {
    const struct sm_track *track;
    size_t at; /* point */
    double ratio;
};

/* The median of the ratios of all weights that were saved at the step of point k of the first. */
static double median_ratio(const struct sm_run_case *c, int64_t step)
{
    double *v = sm_xalloc((c->n_weights + 1) * sizeof *v);
    size_t n = 0;
    for (size_t i = 0; i < c->n_weights; i++) {
        const struct sm_track *t = c->weights[i];
        size_t k = sm_point_at(t, step);
        double r = k < t->n && t->points[k].step == step ? sm_update_ratio(t, k) : (double)NAN;
        if (!isnan(r) && t->points[k - 1].l2 > 0)
            v[n++] = r;
    }
    double m = sm_median(v, n);
    sm_free(v);
    return m;
}

/* The loss ends above where it began. */
static bool is_rising(const struct sm_loss_level *l)
{
    return l->n >= 10 && l->end > 1.1 * l->start;
}

static bool find_large(const struct sm_run_case *c, double large, struct rate_onset *out)
{
    const struct sm_track *t = c->n_weights ? c->weights[0] : NULL;
    for (size_t k = 1; t && k < t->n; k++) {
        double r = median_ratio(c, t->points[k].step);
        if (r > large) {
            *out = (struct rate_onset){t, k, r};
            return true;
        }
    }
    return false;
}

/* The loss is worse after the step than just before it, or nothing is learned at all. */
static bool suffers(const struct sm_run_case *c, int64_t step)
{
    const struct sm_loss_level *l = &c->loss;
    double before = (double)INFINITY;
    for (size_t i = 0; l->track && i < l->track->n && l->track->points[i].step < step; i++)
        before = fmin(before, (double)l->track->points[i].mean);
    return !l->track || (l->learned < 0.5 && sm_had_chance(c)) || l->end > 2 * before;
}

/* Numbers of the loss alone say so, too. */
static void claim_runaway(const struct sm_run_case *c, struct sm_claim *out)
{
    struct sm_loss_runaway away = sm_loss_runaway(c);
    if (!away.at)
        return;
    const struct sm_track_point *p = &c->loss.track->points[away.at];
    sm_claim_make(out, c->loss.track, p->step, p[-1].step);
    sm_claim_add(out, "series", c->loss.track, p->step, (double)p->mean,
                 "the loss had fallen to %.4g, rises from here on, and reaches %.4g", away.low,
                 away.end);
}

/* Large updates, or a loss that runs away, after a start in band. */
static void look_for_learning_rate_too_high(const struct sm_run_case *c, struct sm_claim *out)
{
    struct rate_onset o;
    double large = LARGE;
    size_t jump = sm_loss_jump(c);
    const struct sm_track_point *p = jump ? &c->loss.track->points[jump] : NULL;
    bool found = find_large(c, large, &o);
    if (!found && !p && is_rising(&c->loss))
        found = find_large(c, large = LARGE_AND_RISING, &o);
    if (found && suffers(c, o.track->points[o.at].step)) {
        const struct sm_track_point *w = &o.track->points[o.at];
        bool first = !p || w->step <= p->step;
        sm_claim_make(out, o.track, first ? w->step : p->step,
                      first ? o.track->points[o.at - 1].step : p[-1].step);
        sm_claim_add(out, "series", o.track, w->step, o.ratio,
                     "update / weight %.3g by step, median of %zu weights; %g is much", o.ratio,
                     c->n_weights, large);
    } else if (p) {
        sm_claim_make(out, c->loss.track, p->step, p[-1].step);
    } else {
        claim_runaway(c, out);
    }
    if (p)
        sm_claim_add(out, "series", c->loss.track, p->step, (double)p->mean,
                     "the loss jumps from %.4g to %.4g", (double)p[-1].mean, (double)p->mean);
    if (out->made)
        sm_claim_add_loss(out, c);
}

const struct sm_cause sm_cause_learning_rate_too_high = {
    .id = "learning_rate_too_high",
    .title = "learning rate too high",
    .attempt = {"Lower the learning rate by 3 to 10 times, or warm it up",
                "Clip the gradients by their norm"},
    .explains = "exploding_values dead_relu saturated_activation vanishing_gradients "
                "non_finite_value labels_do_not_fit_inputs overfitting",
    .look = look_for_learning_rate_too_high,
};
