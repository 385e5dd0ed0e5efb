/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about gradients: their size, and differences between layers. */
#include "rules/builtin/rule_list.h"

#include <math.h>

#define ABS_MEAN (SM_REDUCE_MEAN | SM_REDUCE_ABS)

/* ---- VanishingGradient ---- */

static void judge_vanishing(struct sm_rule_at *x)
{
    double limit = x->p[0].number, m;
    for (size_t i = 0; i < x->picks[0].n; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        if (sm_rule_reduction(x, it, ABS_MEAN, &m))
            sm_rule_note(x, it, m, limit, m < limit, "mean|g| = %.6g %s %g", m,
                         m < limit ? "<" : ">=", limit);
    }
}

static const struct sm_rule_param vanishing_params[] = {
    {.name = "threshold",
     .type = SM_RULE_NUMBER,
     .initial = "1e-7",
     .max = INFINITY,
     .help = "a gradient with a smaller mean absolute value is vanishing"},
    {0},
};
const struct sm_rule sm_rule_vanishing_gradient = {
    .name = "vanishing_gradient",
    .class_name = "VanishingGradient",
    .summary = "Gradients are so small that layers stop learning",
    .fires = "the mean of |g| of any tensor of collection gradients is below threshold",
    .advice = "Use another activation or initialisation, batch normalisation, residual "
              "connections, or a larger learning rate for early layers.",
    .saves = "gradients (500)",
    .automatic = "",
    .params = vanishing_params,
    .picks = {{.collection = "gradients"}},
    .judge = judge_vanishing,
    .how_auto = &sm_auto_vanishing_gradient,
};

/* ---- LargeGradient ---- */

/* args: limit. Numbers: elements with |g| above the limit, all elements. */
static void count_large(const struct sm_tensor *const *t, const double *args,
                        struct sm_numbers *out)
{
    struct sm_elements e = sm_elements(t[0]);
    double block[SM_BLOCK_ELEMENTS];
    uint64_t large = 0, at = 0;
    for (size_t n; (n = sm_elements_read(&e, at, block)) > 0; at += n)
        for (size_t i = 0; i < n; i++)
            large += fabs(block[i]) > args[0];
    if (sm_numbers_alloc(out, 2)) {
        out->v[0] = (double)large;
        out->v[1] = (double)e.n;
    }
}

static void judge_large(struct sm_rule_at *x)
{
    double limit = x->p[1].number, percent = x->p[2].number;
    for (size_t i = 0; i < x->picks[0].n; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        const struct sm_numbers *r;
        if (!sm_entry_exists(&it->value) ||
            !sm_rule_measure(x, count_large, &limit, 1, &it->value, 1, &r) || r->v[1] == 0)
            continue;
        double share = 100 * r->v[0] / r->v[1];
        sm_rule_note(x, it, share, percent, share > percent,
                     "%.4g%% of %.0f gradients larger than %g, limit %g%%", share, r->v[1], limit,
                     percent);
    }
}

static const struct sm_rule_param large_params[] = {
    {.name = "collection_names",
     .type = SM_RULE_NAMES,
     .initial = "gradients",
     .help = "collections to inspect"},
    {.name = "threshold",
     .type = SM_RULE_NUMBER,
     .initial = "10",
     .max = INFINITY,
     .help = "an element with a larger absolute value is large"},
    {.name = "percent",
     .type = SM_RULE_NUMBER,
     .initial = "1",
     .max = 100,
     .unit = "%",
     .help = "largest share of large elements in a tensor"},
    {0},
};
const struct sm_rule sm_rule_large_gradient = {
    .name = "large_gradient",
    .class_name = "LargeGradient",
    .group = SM_RULE_EXTRA,
    .summary = "Many elements of a gradient are very large",
    .fires = "more than percent of a tensor's elements have |g| > threshold",
    .advice = "Lower the learning rate, clip gradients or use another initialisation.",
    .saves = "gradients",
    .params = large_params,
    .picks = {{.collections = "collection_names"}},
    .judge = judge_large,
};

/* ---- GradientScale ---- */

static void judge_scale(struct sm_rule_at *x)
{
    const struct sm_rule_item *low = NULL, *high = NULL;
    double least = 0, most = 0, limit = x->p[1].number, m;
    for (size_t i = 0; i < x->picks[0].n; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        if (!sm_rule_reduction(x, it, ABS_MEAN, &m) || isnan(m))
            continue;
        if (!low || m < least)
            low = it, least = m;
        if (!high || m > most)
            high = it, most = m;
    }
    if (!low || low == high || most == 0)
        return;
    double ratio = least > 0 ? most / least : (double)INFINITY;
    sm_rule_note(x, high, ratio, limit, ratio > limit,
                 "mean|g| = %.4g is %.4g times that of %s (%.4g), limit %g", most, ratio, low->name,
                 least, limit);
}

static const struct sm_rule_param scale_params[] = {
    {.name = "collection_names",
     .type = SM_RULE_NAMES,
     .initial = "gradients",
     .help = "collections to inspect"},
    {.name = "max_ratio",
     .type = SM_RULE_NUMBER,
     .initial = "1e4",
     .max = INFINITY,
     .help = "largest mean |g| over the smallest"},
    {0},
};
const struct sm_rule sm_rule_gradient_scale = {
    .name = "gradient_scale",
    .class_name = "GradientScale",
    .group = SM_RULE_EXTRA,
    .summary = "Gradients of different layers differ by orders of magnitude",
    .fires = "the largest mean |g| of a step's gradients is more than max_ratio times the "
             "smallest; the ratio is infinite if the smallest is 0",
    .advice = "Use normalisation layers, another initialisation or a learning rate per layer.",
    .saves = "gradients",
    .params = scale_params,
    .picks = {{.collections = "collection_names"}},
    .judge = judge_scale,
};
