/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

#include <math.h>

/* Of the faulty trainings that this was made for none learned more than 0.8 from a start near
 * chance. */
static const double LEARNED = 0.9, FAR = 3;

/* Nearly all is learned, from a loss that started near chance. */
static bool is_harmless(const struct sm_loss_level *l)
{
    return l->n && l->learned > LEARNED && l->first < FAR * l->chance;
}

/* An input far from mean 0 and deviation 1 at the first steps, and a loss that suffers. */
static void look_for_unnormalized_input(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_signals *g = c->signals;
    for (size_t i = 0; i < g->n && !is_harmless(&c->loss); i++) {
        const struct sm_track *t = &g->tracks[i];
        const struct sm_track_point *p = &t->points[0];
        if (t->role != SM_INPUT || t->mode != c->mode || t->integers || isnan(p->std))
            continue;
        double most = (double)p->own[SM_OWN_STD_MOST], offset = (double)p->own[SM_OWN_OFFSET];
        bool odd = p->std > 20 || most > 20 || p->abs_max < 0.05f || offset > 10 ||
                   fabs((double)p->mean) > 3 * (double)p->std;
        if (!odd)
            continue;
        sm_claim_make(out, t, p->step, -1);
        sm_claim_add(out, "stat", t, p->step, (double)p->std,
                     "mean %.4g, std %.4g, |x| at most %.4g at the first step", (double)p->mean,
                     (double)p->std, (double)p->abs_max);
        sm_claim_add_loss(out, c);
        return;
    }
}

const struct sm_cause sm_cause_unnormalized_input = {
    .id = "unnormalized_input",
    .title = "input that is not normalised",
    .attempt = {"Subtract the mean and divide by the standard deviation of each feature of the "
                "training data"},
    .explains = "poor_weight_scale learning_rate_too_high exploding_values dead_relu "
                "saturated_activation vanishing_gradients labels_do_not_fit_inputs",
    .look = look_for_unnormalized_input,
};
