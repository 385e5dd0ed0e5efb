/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

#include <math.h>

/* Of the norm in the layer with the largest; trainings that learn have more than 0.02. */
static const double SHRINK = 3e-3;

/* The gradients of a layer are far smaller than those of another, and nothing is learned. */
static void look_for_vanishing_gradients(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_track *first = NULL;
    double least = 0, most = 0;
    for (size_t i = 0; i < c->n_weights; i++) {
        const struct sm_track *x = sm_gradient_track(c, c->weights[i]);
        double norm = x ? (double)x->points[0].l2 : 0; /* 0 behind a head that starts at zero */
        if (!(norm > 0))
            continue;
        if (!first || norm < least) {
            first = x;
            least = norm;
        }
        most = fmax(most, norm);
    }
    if (!first || c->n_weights < 4 || c->loss.learned > 0.3 || least > SHRINK * most)
        return;
    sm_claim_make(out, first, first->points[0].step, -1);
    sm_claim_add(out, "series", first, first->points[0].step, least,
                 "norm of the gradient %.3g, %.3g in the largest of %zu layers", least, most,
                 c->n_weights);
    sm_claim_add_loss(out, c);
}

const struct sm_cause sm_cause_vanishing_gradients = {
    .id = "vanishing_gradients",
    .title = "vanishing gradients",
    .attempt = {"Use ReLU or another activation that does not shrink gradients, normalisation "
                "between layers, or residual connections",
                "Use He or Xavier initialisation"},
    .explains = "learning_rate_too_low labels_do_not_fit_inputs layer_not_trained",
    .look = look_for_vanishing_gradients,
};
