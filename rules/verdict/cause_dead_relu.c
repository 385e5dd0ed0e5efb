/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

/* From the start; later: labels that cannot be learned also silence half of the units. */
static const float MOST_DEAD = 0.5f, NEARLY_ALL = 0.9f;

/* More than half of a layer's units are zero for every sample, for at least a
 * quarter of the run up to its end. */
static void look_for_dead_relu(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_signals *g = c->signals;
    const struct sm_track *found = NULL;
    size_t from = 0;
    for (size_t i = 0; i < g->n; i++) {
        const struct sm_track *t = &g->tracks[i];
        size_t k = t->n;
        if (t->role != SM_RELU || t->mode != c->mode)
            continue;
        while (k > 0 && t->points[k - 1].own[SM_OWN_DEAD] > MOST_DEAD)
            k--;
        if (4 * (t->n - k) < t->n || k == t->n ||
            (k > 0 && t->points[k].own[SM_OWN_DEAD] < NEARLY_ALL) ||
            (found && t->points[k].step >= found->points[from].step))
            continue;
        found = t;
        from = k;
    }
    if (!found || c->loss.learned > 0.5)
        return;
    const struct sm_track_point *p = &found->points[from];
    if (p->own[SM_OWN_DEAD] < NEARLY_ALL && !sm_had_chance(c))
        return;
    sm_claim_make(out, found, p->step, from ? found->points[from - 1].step : -1);
    sm_claim_add(out, "tensor", found, p->step, (double)p->own[SM_OWN_DEAD],
                 "%.0f %% of the units are zero for every sample",
                 100 * (double)p->own[SM_OWN_DEAD]);
    sm_claim_add_loss(out, c);
}

const struct sm_cause sm_cause_dead_relu = {
    .id = "dead_relu",
    .title = "dead ReLUs",
    .attempt = {"Check the biases and the scale of the weights before the layer; use leaky ReLU",
                "Lower the learning rate"},
    .explains = "layer_not_trained vanishing_gradients labels_do_not_fit_inputs "
                "learning_rate_too_low overfitting",
    .look = look_for_dead_relu,
};
