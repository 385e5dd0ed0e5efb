/* SPDX-License-Identifier: Apache-2.0 */
/* Labels and predictions of a step as class numbers. */
#ifndef SM_CLASSES_H
#define SM_CLASSES_H

#include "rules/rule.h"

enum sm_classes { SM_CLASSES_LABELS, SM_CLASSES_PREDICTIONS, SM_CLASSES_ARGMAX, SM_CLASSES_HEAD };
/* A measure of labels and predictions (or of the labels twice, without predictions).
 * args: argmax requested, predictions given. Numbers: count of labels, count of predictions (0 if
 * they do not match the labels), whether argmax was taken without being requested, then the classes
 * of the labels and of the predictions. Values are rounded; for one-hot labels and for scores per
 * class, the class is the index of the largest. */
void sm_measure_classes(const struct sm_tensor *const *t, const double *args,
                        struct sm_numbers *out);

/* How often a label was predicted as what: the classes of a step, counted by a worker thread. */
struct sm_class_cell {
    double label, predicted; /* NaN without predictions */
    double count;
};
struct sm_step_classes {
    const struct sm_class_cell *cells; /* each pair once */
    size_t n_cells;
    uint64_t n;      /* labels */
    bool predicted;  /* there are predictions, and they match the labels */
    bool argmax;     /* taken without being requested */
    bool fractions;  /* a label is not an integer */
    bool sequences;  /* more than one label for a sample: tokens or pixels */
    unsigned scores; /* how many classes the predictions have scores for, 0 if they are classes */
};
/* The classes of a step; predictions may be NULL. *out is valid until the step has been judged.
 * most: of more different labels and predictions nothing is counted. False: waiting, no labels at
 * this step, or too many to be classes (counted as skipped). */
enum { SM_CLASSES_LIMIT = 4096, SM_CLASSES_FEW = 50 };
bool sm_step_classes_read(struct sm_rule_at *x, const struct sm_rule_item *labels,
                          const struct sm_rule_item *predictions, bool argmax_requested,
                          size_t most, struct sm_step_classes *out);

#endif
