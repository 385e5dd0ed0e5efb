/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

#include <math.h>

/* Of what He initialisation gives, sqrt(2 / n). The largest usual one has n inputs, the smallest n
 * outputs. */
static const double LEAST = 0.1, MOST = 4;

/* Below 1: too small by this factor; above 1: too large; 1: in band. */
static double oddness(const struct sm_track *t)
{
    double outputs = (double)t->outputs, inputs = sm_fan_in(t);
    double scale = sm_point_scale(t, &t->points[0]), low = scale / sqrt(2 / fmax(inputs, outputs)),
           high = scale / sqrt(2 / inputs);
    if (low > 0 && low < LEAST)
        return low;
    return high > MOST ? high : 1;
}

/* The loss starts far from chance, or is not learned. */
static bool suffers(const struct sm_run_case *c)
{
    const struct sm_loss_level *l = &c->loss;
    return !l->n || !(l->learned > 0.7) || l->start > 3 * l->chance || c->bad.track;
}

/* Weights far from the usual scale at the first step. */
static void look_for_poor_weight_scale(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_track *found = NULL;
    size_t odd = 0;
    double worst = 1;
    for (size_t i = 0; i < c->n_weights; i++) {
        double scale = oddness(c->weights[i]);
        if (scale == 1 || !c->weights[i]->begins)
            continue;
        odd++;
        if (!found || fabs(log(scale)) > fabs(log(worst))) {
            found = c->weights[i];
            worst = scale;
        }
    }
    if (!found || 3 * odd < c->n_weights || !suffers(c))
        return;
    sm_claim_make(out, found, found->points[0].step, -1);
    sm_claim_add(out, "stat", found, found->points[0].step, worst,
                 "std %.4g, %.3g times what He initialisation gives; so %zu of %zu weights",
                 sm_point_scale(found, &found->points[0]), worst, odd, c->n_weights);
    sm_claim_add_loss(out, c);
}

const struct sm_cause sm_cause_poor_weight_scale = {
    .id = "poor_weight_scale",
    .title = "weights that start too large or too small",
    .attempt =
        {"Use the initialisation of the activation: He for ReLU, Xavier for tanh and sigmoid"},
    .explains = "learning_rate_too_high exploding_values dead_relu saturated_activation "
                "vanishing_gradients labels_do_not_fit_inputs learning_rate_too_low",
    .look = look_for_poor_weight_scale,
};
