/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

#include <math.h>

static const double NEAR = 0.03; /* of chance */
static const double RISES = 0.1; /* a loss that rises by this share is not at chance */

enum { EVALUATIONS = 8, FEW = 30 };

/* A loss of few points that falls by far more than it varies is learned, if slowly. */
static bool is_falling(const struct sm_loss_level *l)
{
    return l->n < FEW && l->start - l->end > 4 * l->noise;
}

/* The TRAIN loss stays at chance although gradients flow and weights move; or it falls and EVAL
 * stays there. Of losses alone nobody can say what chance is. */
static void look_for_labels_do_not_fit_inputs(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_loss_level *l = &c->loss, *e = &c->eval;
    /* by its name: it may have been logged first when TRAIN had already learned */
    bool by_mode = e->track && e->track->mode == SM_MODE_EVAL;
    bool at_chance = l->n >= 10 && l->learned < NEAR && l->learned > -RISES && !is_falling(l),
         never_below = e->n >= EVALUATIONS && e->best > l->reference,
         only_train =
             by_mode && (never_below || (e->n >= 3 && l->learned > 0.1 &&
                                         e->best + 2 * e->noise > l->reference * (1 - NEAR)));
    bool chance_is_known = !isnan(l->chance) || !sm_has_numbers_alone(c);
    if ((!at_chance && !only_train) || !chance_is_known || !sm_had_chance(c))
        return;
    sm_claim_make(out, l->track, l->track->points[0].step, -1);
    sm_claim_add_loss(out, c);
    if (only_train)
        sm_claim_add(out, "series", e->track, e->track->points[e->track->n - 1].step, e->end,
                     "EVAL loss %.4g at the start, %.4g at the end", e->start, e->end);
}

const struct sm_cause sm_cause_labels_do_not_fit_inputs = {
    .id = "labels_do_not_fit_inputs",
    .title = "labels that do not fit the inputs",
    .attempt = {"Check that each label belongs to its input: joins, sorting, shuffling of one "
                "without the other"},
    .explains = "",
    .last_resort = 2,
    .look = look_for_labels_do_not_fit_inputs,
};
