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

struct seen {
    const struct sm_track *first, *zero, *first_beside_moving; /* that does not change */
    size_t still, moving;
    bool forgotten; /* one has gradients */
    bool fresh;     /* all look as before any training */
};

static struct seen look_at_weights(const struct sm_run_case *c)
{
    struct seen x = {.fresh = true};
    for (size_t i = 0; i < c->n_weights; i++) {
        const struct sm_track *t = c->weights[i];
        bool zero = is_left_at_zero(c, t), still = zero || is_still(t);
        x.zero = zero && !x.zero ? t : x.zero;
        x.moving += !still;
        if (!still)
            continue;
        x.still++;
        x.forgotten = x.forgotten || has_gradient(c, t);
        x.fresh = x.fresh && is_fresh(t);
        x.first = x.first ? x.first : t;
        if (x.moving && !x.first_beside_moving)
            x.first_beside_moving = t;
    }
    return x;
}

/* The weight to name; NULL: none. */
static const struct sm_track *choose(const struct sm_run_case *c, const struct seen *x)
{
    if (x->first_beside_moving)
        return x->first_beside_moving;
    if (!x->moving)
        return x->still && are_all_left_out(c) ? x->first : x->zero;
    bool chance = sm_had_chance(c);
    bool wrong = x->forgotten || (chance && (x->fresh || c->loss.learned < 0.3));
    return wrong && x->first ? x->first : x->zero;
}

/* A weight that never changes while others do. If these are the first layers they may be frozen on
 * purpose: then only if they have gradients, which the optimizer ignores, if all look as before any
 * training, or if little is learned. */
static void look_for_layer_not_trained(const struct sm_run_case *c, struct sm_claim *out)
{
    struct seen x = look_at_weights(c);
    const struct sm_track *found = choose(c, &x);
    if (!found || (c->bad.track && !x.forgotten)) /* it explains no NaN, which is what matters */
        return;
    sm_claim_make(out, found, found->points[0].step, -1);
    sm_claim_add(out, "series", found, found->points[found->n - 1].step, 0,
                 "%s over %zu saved steps; so %zu of %zu weights",
                 is_left_at_zero(c, found) ? "all zero, as it starts," : "unchanged", found->n,
                 x.still, c->n_weights);
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
