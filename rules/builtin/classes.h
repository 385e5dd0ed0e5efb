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

struct sm_step_classes {
    const double *labels, *predictions; /* predictions is NULL if there are none, or no match */
    size_t n;
    bool argmax; /* taken without being requested */
};
/* The classes of a step; predictions may be NULL. *out is valid until the step has been judged.
 * False: waiting, or no labels at this step. */
bool sm_step_classes_read(struct sm_rule_at *x, const struct sm_rule_item *labels,
                          const struct sm_rule_item *predictions, bool argmax_requested,
                          struct sm_step_classes *out);

#endif
