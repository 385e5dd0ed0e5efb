/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

#include <math.h>

/* The labels of a step have far less entropy than those of all steps. */
static void look_for_data_not_shuffled(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_signals *g = c->signals;
    const struct sm_class_totals *k = &g->classes;
    double total = 0, all = 0, inside = 0, n = 0;
    const struct sm_track *labels = NULL;
    if (k->many || k->n < 2)
        return;
    for (size_t i = 0; i < g->n && !labels; i++)
        if (g->tracks[i].role == SM_LABELS && g->tracks[i].mode == c->mode)
            labels = &g->tracks[i];
    for (size_t i = 0; labels && i < labels->n; i++)
        if (!isnan(labels->points[i].own[SM_OWN_ENTROPY])) {
            inside += (double)labels->points[i].own[SM_OWN_ENTROPY];
            n++;
        }
    uint64_t seen[SM_CLASSES_MOST] = {0};
    for (size_t s = 0; s < k->n_spans; s++)
        for (size_t i = 0; i < k->n; i++)
            seen[i] += k->spans[s].counts[i][SM_CLASS_SEEN];
    for (size_t i = 0; i < k->n; i++)
        total += (double)seen[i];
    for (size_t i = 0; i < k->n; i++)
        all -= seen[i] ? (double)seen[i] / total * log((double)seen[i] / total) : 0;
    if (n < 5 || !labels || labels->size < 4 || inside / n > all / 2)
        return;
    sm_claim_make(out, labels, labels->points[0].step, -1);
    sm_claim_add(out, "tensor", labels, labels->points[0].step, inside / n,
                 "entropy of the labels %.3g in a step, %.3g over all steps", inside / n, all);
    sm_claim_add_loss(out, c);
}

const struct sm_cause sm_cause_data_not_shuffled = {
    .id = "data_not_shuffled",
    .title = "data that is not shuffled",
    .attempt = {"Shuffle the training data in each epoch (shuffle=True of the data loader)"},
    .explains = "labels_do_not_fit_inputs class_imbalance learning_rate_too_high overfitting",
    .look = look_for_data_not_shuffled,
};
