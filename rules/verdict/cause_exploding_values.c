/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

#include "reader/analysis/trend.h"
#include "reader/base/mem.h"

#include <math.h>

/* Growth of the deviation from the first layers to the last. Trainings that learn have up to 40. */
static const double GROWTH = 1000, GROWTH_WITH_LOSS = 50;
static const double FAR = 5, VERY_FAR = 50; /* times the loss by chance */

static const double GRADIENT_GROWTH = 5, IN_BAND = 0.03;
enum { PAST = 6 }; /* points */

static bool counts(const struct sm_run_case *c, const struct sm_track *t, int64_t first)
{
    const struct sm_track_point *p = &t->points[0];
    return t->mode == c->mode && sm_signal_role_is_activation((enum sm_signal_role)t->role) &&
           p->step == first && p->std > 0 && !(p->zero >= 0.9f);
}

/* The last gradient before the loss jumps, if it is far above its usual norm while its weight still
 * moves as before: it grew by itself, as in a recurrent network. */
static bool grows_alone(const struct sm_run_case *c, const struct sm_track *weight, int64_t jump,
                        struct sm_bad_place *out)
{
    const struct sm_track *g = sm_gradient_track(c, weight);
    size_t k = g ? sm_point_at(g, jump) : 0, w = sm_point_at(weight, jump);
    if (k < PAST || w < 2 || !(sm_update_ratio(weight, w - 1) < IN_BAND))
        return false;
    double *v = sm_xalloc(k * sizeof *v);
    for (size_t i = 0; i + 1 < k; i++)
        v[i] = (double)g->points[i].l2;
    double usual = sm_median(v, k - 1);
    sm_free(v);
    *out = (struct sm_bad_place){g, &g->points[k - 1], g->points[k - 2].step};
    return (double)g->points[k - 1].l2 > GRADIENT_GROWTH * usual;
}

static void look_before_jump(const struct sm_run_case *c, struct sm_claim *out)
{
    size_t jump = sm_loss_jump(c);
    struct sm_bad_place p;
    for (size_t i = 0; jump && i < c->n_weights && !out->made; i++) {
        if (!grows_alone(c, c->weights[i], c->loss.track->points[jump].step, &p))
            continue;
        sm_claim_make(out, p.track, p.point->step, p.before);
        sm_claim_add(out, "series", p.track, p.point->step, (double)p.point->l2,
                     "norm of the gradient %.3g, far above its usual one, then the loss jumps",
                     (double)p.point->l2);
    }
}

/* Activations of the first step grow with the depth, or gradients grow at weights in band. */
static void look_for_exploding_values(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_signals *g = c->signals;
    const struct sm_track *least = NULL, *most = NULL;
    const struct sm_loss_level *l = &c->loss;
    for (size_t i = 0; i < g->n; i++) {
        const struct sm_track *t = &g->tracks[i];
        if (!counts(c, t, g->first_step))
            continue;
        least = !least || t->points[0].std < least->points[0].std ? t : least;
        most = !most || t->points[0].std > most->points[0].std ? t : most;
    }
    double growth = most ? (double)most->points[0].std / (double)least->points[0].std : 0;
    double far = l->n && !isnan(l->chance) ? l->first / l->chance : 0;
    if (growth > GROWTH || (growth > GROWTH_WITH_LOSS && far > FAR)) {
        sm_claim_make(out, most, g->first_step, -1);
        sm_claim_add(out, "stat", most, g->first_step, growth,
                     "std %.3g at the first step, %.3g times that of the first layers",
                     (double)most->points[0].std, growth);
    } else if (far > VERY_FAR) {
        sm_claim_make(out, l->track, g->first_step, -1);
        sm_claim_add(out, "series", l->track, g->first_step, far,
                     "the loss of the first steps is %.3g times that by chance", far);
    }
    if (!out->made)
        look_before_jump(c, out);
    if (out->made)
        sm_claim_add_loss(out, c);
}

const struct sm_cause sm_cause_exploding_values = {
    .id = "exploding_values",
    .title = "values that grow from layer to layer",
    .attempt = {"Normalise between layers, or clip the gradients",
                "Lower the scale of the initial weights"},
    .explains =
        "learning_rate_too_high non_finite_value saturated_activation labels_do_not_fit_inputs",
    .look = look_for_exploding_values,
};
