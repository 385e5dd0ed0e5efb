/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

#include <math.h>

/* More than half of a layer's units are saturated for every sample, for at least a
 * quarter of the run up to its end. */
static void look_for_saturated_activation(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_signals *g = c->signals;
    const struct sm_track *found = NULL;
    size_t from = 0;
    for (size_t i = 0; i < g->n; i++) {
        const struct sm_track *t = &g->tracks[i];
        size_t k = t->n;
        if (!(t->role == SM_TANH || t->role == SM_SIGMOID) || t->mode != c->mode)
            continue;
        while (k > 0 && (t->points[k - 1].own[SM_OWN_SATURATED] > 0.5f ||
                         t->points[k - 1].own[SM_OWN_SATURATED_ELEMENTS] > 0.8f))
            k--;
        if (4 * (t->n - k) < t->n || k == t->n ||
            (found && t->points[k].step >= found->points[from].step))
            continue;
        found = t;
        from = k;
    }
    if (!found || c->loss.learned > 0.9)
        return;
    const struct sm_track_point *p = &found->points[from];
    sm_claim_make(out, found, p->step, from ? found->points[from - 1].step : -1);
    sm_claim_add(out, "tensor", found, p->step, (double)p->own[SM_OWN_SATURATED],
                 "%.0f %% of the units are saturated for every sample",
                 100 * (double)p->own[SM_OWN_SATURATED]);
    sm_claim_add_loss(out, c);
}

const struct sm_cause sm_cause_saturated_activation = {
    .id = "saturated_activation",
    .title = "saturated activations",
    .attempt =
        {"Check the biases and the scale of the weights before the layer; normalise before it"},
    .explains = "layer_not_trained vanishing_gradients labels_do_not_fit_inputs "
                "learning_rate_too_low overfitting",
    .look = look_for_saturated_activation,
};
