/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

#include "rules/builtin/net_layers.h"

/* Bitwise unchanged over all saved steps, of at least 3. */
static bool is_still(const struct sm_track *t)
{
    for (size_t i = 1; i < t->n; i++)
        if (t->points[i].own[SM_OWN_CHANGE] != 0)
            return false;
    return t->n > 2;
}

/* The second matrix of a low-rank adapter starts at zero, and moves with the first step that trains
 * it: zero at two saved steps, of which one came later, says that it is not trained. */
static bool is_left_at_zero(const struct sm_run_case *c, const struct sm_track *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->points[i].l2 != 0)
            return false;
    return t->n > 1 && t->points[t->n - 1].number > 1 &&
           sm_starts_at_zero(sm_track_name(c->signals, t));
}

static bool has_gradient(const struct sm_run_case *c, const struct sm_track *t)
{
    const struct sm_track *g = sm_gradient_track(c, t);
    return g && g->points[g->n / 2].l2 > 0;
}

/* Whether the values look as before any training. */
static bool is_fresh(const struct sm_track *t)
{
    const struct sm_track_point *p = &t->points[0];
    return sm_is_spread_evenly(t->size, (double)p->abs_max, (double)p->std);
}

/* No weight changes, and not because of the learning rate: one above zero was logged, or there is
 * no loss that would say that little is learned. */
static bool are_all_left_out(const struct sm_run_case *c)
{
    return sm_rate_is_logged(c) || !c->loss.track;
}

/* A weight that never changes while others do. If these are the first layers they may be frozen on
 * purpose: then only if they have gradients, which the optimizer ignores, if all look as before any
 * training, or if little is learned. */
static void look_for_layer_not_trained(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_track *found = NULL, *first = NULL, *zero = NULL;
    size_t still = 0, moving = 0;
    bool forgotten = false, fresh = true;
    for (size_t i = 0; i < c->n_weights; i++) {
        bool z = is_left_at_zero(c, c->weights[i]), s = z || is_still(c->weights[i]);
        still += s;
        moving += !s;
        forgotten = forgotten || (s && has_gradient(c, c->weights[i]));
        fresh = fresh && (!s || is_fresh(c->weights[i]));
        first = s && !first ? c->weights[i] : first;
        zero = z && !zero ? c->weights[i] : zero;
        found = s && moving && !found ? c->weights[i] : found;
    }
    if (!moving && still && are_all_left_out(c))
        found = first;
    if (!found && moving &&
        (forgotten || (fresh && sm_had_chance(c)) || (c->loss.learned < 0.3 && sm_had_chance(c))))
        found = first;
    found = found ? found : zero;
    if (!found || (c->bad.track && !forgotten)) /* it explains no NaN, which is what matters */
        return;
    sm_claim_make(out, found, found->points[0].step, -1);
    sm_claim_add(out, "series", found, found->points[found->n - 1].step, 0,
                 "%s over %zu saved steps; so %zu of %zu weights",
                 is_left_at_zero(c, found) ? "all zero, as it starts," : "unchanged", found->n,
                 still, c->n_weights);
    if (!sm_gradient_track(c, found))
        sm_claim_add(out, "tensors", found, -1, 0, "no gradient of it was saved%s",
                     is_fresh(found) ? ", and its values are spread evenly, as before any training"
                                     : "");
    sm_claim_add_loss(out, c);
}

const struct sm_cause sm_cause_layer_not_trained = {
    .id = "layer_not_trained",
    .title = "a layer that is not trained",
    .attempt = {"Check that the optimizer has the parameter, requires_grad, and that no detach() "
                "or no_grad() cuts the graph"},
    .explains = "learning_rate_too_low labels_do_not_fit_inputs",
    .look = look_for_layer_not_trained,
};
