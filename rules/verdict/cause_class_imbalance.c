/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/verdict/cause_list.h"

enum { RATIO = 10, LABELS_LEAST = 100 };

/* One label for each sample: the words of a text are not balanced. */
static bool is_of_samples(const struct sm_run_case *c, const struct sm_track *labels)
{
    for (size_t i = 0; i < c->signals->n; i++) {
        const struct sm_track *t = &c->signals->tracks[i];
        if (t->role == SM_INPUT && t->mode == labels->mode && t->dims[0] &&
            t->dims[0] != labels->dims[0])
            return false;
    }
    return true;
}

struct class_counts { /* by class; late: of the second half of the run */
    uint64_t seen[SM_CLASSES_MOST], late[SM_CLASSES_MOST], hit[SM_CLASSES_MOST], total;
    size_t most, least; /* classes */
};

static void count_classes(const struct sm_class_totals *k, struct class_counts *out)
{
    *out = (struct class_counts){0};
    for (size_t s = 0; s < k->n_spans; s++) {
        bool late = 2 * s >= k->n_spans;
        for (size_t i = 0; i < k->n; i++) {
            const uint32_t *counts = k->spans[s].counts[i];
            out->seen[i] += counts[SM_CLASS_SEEN];
            out->total += counts[SM_CLASS_SEEN];
            out->late[i] += late ? counts[SM_CLASS_SEEN] : 0;
            out->hit[i] += late ? counts[SM_CLASS_HIT] : 0;
        }
    }
    for (size_t i = 0; i < k->n; i++) {
        out->most = out->seen[i] > out->seen[out->most] ? i : out->most;
        if (out->seen[i] && (out->seen[i] < out->seen[out->least] || !out->seen[out->least]))
            out->least = i;
    }
}

static double recall_of(const struct class_counts *n, size_t class)
{
    return n->late[class] ? (double)n->hit[class] / (double)n->late[class] : 0;
}

static const struct sm_track *find_labels(const struct sm_run_case *c)
{
    for (size_t i = 0; i < c->signals->n; i++)
        if (c->signals->tracks[i].role == SM_LABELS &&
            c->signals->tracks[i].mode == c->signals->classes.mode)
            return &c->signals->tracks[i];
    return NULL;
}

/* A class is RATIO times rarer than another, and is rarely found in the second half of the run. */
static void look_for_class_imbalance(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_class_totals *k = &c->signals->classes;
    const struct sm_track *labels = find_labels(c);
    struct class_counts n;
    if (!labels || k->many || !k->predicted || k->n < 2 || !is_of_samples(c, labels) ||
        !sm_had_chance(c))
        return;
    count_classes(k, &n);
    double recall = recall_of(&n, n.least), of_most = recall_of(&n, n.most);
    if (n.total < LABELS_LEAST || n.seen[n.most] < RATIO * n.seen[n.least] || recall > of_most / 2)
        return;
    sm_claim_make(out, labels, labels->points[0].step, -1);
    sm_claim_add(out, "tensor", labels, labels->points[0].step,
                 (double)n.seen[n.most] / (double)n.seen[n.least],
                 "class %g: %llu of %llu labels; class %g: %llu", k->labels[n.most],
                 (unsigned long long)n.seen[n.most], (unsigned long long)n.total,
                 k->labels[n.least], (unsigned long long)n.seen[n.least]);
    sm_claim_add(out, "tensor", labels, labels->points[labels->n - 1].step, recall,
                 "recall of class %g %.0f %% in the second half, of class %g %.0f %%",
                 k->labels[n.least], 100 * recall, k->labels[n.most], 100 * of_most);
}

const struct sm_cause sm_cause_class_imbalance = {
    .id = "class_imbalance",
    .title = "imbalanced classes",
    .attempt = {"Weight the loss by class, or sample the rare classes more often",
                "Look at the recall of each class, not at accuracy"},
    .explains = "overfitting labels_do_not_fit_inputs",
    .look = look_for_class_imbalance,
};
