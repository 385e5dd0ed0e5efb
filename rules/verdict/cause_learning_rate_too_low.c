/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

#include <math.h>

/* Of a weight's norm, over the whole run. */
static const double SMALL = 0.05;

/* The sum of the changes between saves; NaN if none is known, as of saved statistics. */
static double whole_way(const struct sm_track *t)
{
    double way = (double)NAN;
    for (size_t i = 1; i < t->n; i++) {
        double change = (double)t->points[i].own[SM_OWN_CHANGE];
        if (!isnan(change))
            way = isnan(way) ? change : way + change;
    }
    return way;
}

/* No weight moves far, and the loss stays. */
static void look_for_learning_rate_too_low(const struct sm_run_case *c, struct sm_claim *out)
{
    double most = 0;
    const struct sm_track *found = NULL;
    for (size_t i = 0; i < c->n_weights; i++) {
        double way = whole_way(c->weights[i]);
        if (isnan(way) || (found && way <= most))
            continue;
        found = c->weights[i];
        most = way;
    }
    if (!found || most > SMALL || (most == 0 && sm_rate_is_logged(c)) || !(c->loss.learned < 0.1) ||
        c->loss.n < 10 || c->bad.track || !sm_had_chance(c))
        return;
    sm_claim_make(out, found, found->points[0].step, -1);
    sm_claim_add(out, "series", found, found->points[found->n - 1].step, most,
                 "%zu weights move by at most %.3g %% of their norm over all steps", c->n_weights,
                 100 * most);
    sm_claim_add_loss(out, c);
}

const struct sm_cause sm_cause_learning_rate_too_low = {
    .id = "learning_rate_too_low",
    .title = "learning rate too low",
    .attempt = {"Raise the learning rate by 10 to 100 times"},
    .explains = "labels_do_not_fit_inputs",
    .look = look_for_learning_rate_too_low,
};
