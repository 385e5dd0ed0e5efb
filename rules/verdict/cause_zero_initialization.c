/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

#include "rules/builtin/net_layers.h"

#include <string.h>

/* Weights are zero at the first step and stay it: all that is before them gets no gradient. A last
 * layer that starts at zero moves with the first step. */
static void look_for_zero_initialization(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_track *found = NULL;
    size_t zero = 0, stay = 0;
    for (size_t i = 0; i < c->n_weights; i++) {
        const struct sm_track *t = c->weights[i];
        if (t->points[0].l2 != 0 || sm_starts_at_zero(sm_track_name(c->signals, t)))
            continue;
        bool stays = t->points[t->n - 1].l2 == 0 && t->n > 1;
        if (!stays && !t->begins)
            continue;
        zero++;
        stay += stays;
        found = found ? found : t;
    }
    if (!found || !(stay > 0 || zero > 1) || (zero < 2 && !stay) ||
        (!stay && c->loss.learned > 0.3) || (!stay && 2 * zero < c->n_weights))
        return;
    sm_claim_make(out, found, found->points[0].step, -1);
    sm_claim_add(out, "tensor", found, found->points[0].step, 0,
                 "%zu of %zu weights are all zero at the first step, %zu still at the last", zero,
                 c->n_weights, stay);
    sm_claim_add_loss(out, c);
}

const struct sm_cause sm_cause_zero_initialization = {
    .id = "zero_initialization",
    .title = "weights that start at zero",
    .attempt = {"Initialise the weights randomly (He for ReLU, Xavier for tanh); only biases, and "
                "the last layer of a branch, may start at zero"},
    .explains = "symmetric_initialization poor_weight_scale vanishing_gradients dead_relu "
                "labels_do_not_fit_inputs learning_rate_too_low layer_not_trained",
    .look = look_for_zero_initialization,
};
