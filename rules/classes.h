/* Labels and predictions as numbers of classes. */
#ifndef SM_CLASSES_H
#define SM_CLASSES_H

#include "rules/rule.h"

enum sm_classes { SM_CLASSES_LABELS, SM_CLASSES_PREDICTIONS, SM_CLASSES_ARGMAX, SM_CLASSES_HEAD };
/* A measure of labels and predictions (or labels alone, twice). args: argmax asked for, predictions
 * given. Numbers: labels, predictions (0: they do not fit), whether the argmax was taken unasked,
 * then the classes of both. Values are rounded; one-hot labels and scores for each class give the
 * class of the largest. */
void sm_measure_classes(const struct sm_tensor *const *t, const double *args,
                        struct sm_numbers *out);

#endif
