#include "rules/verdict/cause_list.h"

#include <math.h>

enum { RATIO = 10, LABELS_LEAST = 100 };

/* One label for each sample: the words of a text are not balanced. */
static bool is_of_samples(const struct sm_run_case *c, const struct sm_track *labels)
{
    for (size_t i = 0; i < c->signals->n; i++) {
        const struct sm_track *t = &c->signals->tracks[i];
        if (t->role == SM_INPUT && t->mode == c->mode && t->dims[0] &&
            t->dims[0] != labels->dims[0])
            return false;
    }
    return true;
}

/* A class is RATIO times rarer than another, and is rarely found in the second half of the run. */
static void look_for_class_imbalance(const struct sm_run_case *c, struct sm_claim *out)
{
    const struct sm_class_totals *k = &c->signals->classes;
    uint64_t seen[SM_CLASSES_MOST] = {0}, late[SM_CLASSES_MOST] = {0}, hit[SM_CLASSES_MOST] = {0};
    uint64_t total = 0;
    size_t most = 0, least = 0;
    if (k->many || !k->predicted || k->n < 2)
        return;
    for (size_t s = 0; s < k->n_spans; s++)
        for (size_t i = 0; i < k->n; i++) {
            seen[i] += k->spans[s].counts[i][SM_CLASS_SEEN];
            total += k->spans[s].counts[i][SM_CLASS_SEEN];
            late[i] += 2 * s >= k->n_spans ? k->spans[s].counts[i][SM_CLASS_SEEN] : 0;
            hit[i] += 2 * s >= k->n_spans ? k->spans[s].counts[i][SM_CLASS_HIT] : 0;
        }
    for (size_t i = 0; i < k->n; i++) {
        most = seen[i] > seen[most] ? i : most;
        least = seen[i] && (seen[i] < seen[least] || !seen[least]) ? i : least;
    }
    double recall = late[least] ? (double)hit[least] / (double)late[least] : 0,
           recall_most = late[most] ? (double)hit[most] / (double)late[most] : 0;
    if (total < LABELS_LEAST || seen[most] < RATIO * seen[least] || recall > recall_most / 2)
        return;
    const struct sm_track *labels = NULL;
    for (size_t i = 0; i < c->signals->n && !labels; i++)
        if (c->signals->tracks[i].role == SM_LABELS && c->signals->tracks[i].mode == c->mode)
            labels = &c->signals->tracks[i];
    if (!labels || !is_of_samples(c, labels))
        return;
    sm_claim_make(out, labels, labels->points[0].step, -1);
    sm_claim_add(out, "tensor", labels, labels->points[0].step,
                 (double)seen[most] / (double)seen[least],
                 "class %g: %llu of %llu labels; class %g: %llu", k->labels[most],
                 (unsigned long long)seen[most], (unsigned long long)total, k->labels[least],
                 (unsigned long long)seen[least]);
    sm_claim_add(out, "tensor", labels, labels->points[labels->n - 1].step, recall,
                 "recall of class %g %.0f %% in the second half, of class %g %.0f %%",
                 k->labels[least], 100 * recall, k->labels[most], 100 * recall_most);
}

const struct sm_cause sm_cause_class_imbalance = {
    .id = "class_imbalance",
    .title = "imbalanced classes",
    .attempt = {"Weight the loss by class, or sample the rare classes more often",
                "Look at the recall of each class, not at accuracy"},
    .explains = "overfitting labels_do_not_fit_inputs",
    .look = look_for_class_imbalance,
};
