/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

/* All rows, or all columns, of a weight are equal at the first step, and not zero. */
static void look_for_symmetric_initialization(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_track *found = NULL;
    size_t alike = 0;
    for (size_t i = 0; i < c->n_weights; i++) {
        const struct sm_track_point *p = &c->weights[i]->points[0];
        if (p->own[SM_OWN_ALIKE] != 1 || p->l2 == 0 || !c->weights[i]->begins)
            continue;
        found = found ? found : c->weights[i];
        alike++;
    }
    if (!found)
        return;
    sm_claim_make(out, found, found->points[0].step, -1);
    sm_claim_add(out, "tensor", found, found->points[0].step, 1,
                 "%zu of %zu weights have equal rows at the first step", alike, c->n_weights);
    sm_claim_add_loss(out, c);
}

const struct sm_cause sm_cause_symmetric_initialization = {
    .id = "symmetric_initialization",
    .title = "units that start equal",
    .attempt = {"Initialise the weights randomly; units with equal weights get equal gradients and "
                "stay equal"},
    .explains = "poor_weight_scale vanishing_gradients dead_relu labels_do_not_fit_inputs "
                "learning_rate_too_low",
    .look = look_for_symmetric_initialization,
};
