/* SPDX-License-Identifier: Apache-2.0 */
/* Quality of predictions: confusion matrix and scores for classes, ROC curve for two classes with a
 * score, errors by label for numbers. Pure functions of arrays. */
#ifndef SM_QUALITY_H
#define SM_QUALITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- classes ---- */

enum { SM_CONFUSION_MAX = 256 };
/* Counts of pairs of a true and a predicted class. Pairs with a NaN are left out. */
struct sm_confusion {
    double *classes; /* n classes in ascending order: all that occur as label or prediction */
    uint64_t *cells; /* cells[t * n + p]: true class t, predicted as p */
    size_t n;
    uint64_t total;
};
/* False: more than SM_CONFUSION_MAX classes, or out of memory. */
bool sm_confusion_count(const double *labels, const double *predictions, size_t n,
                        struct sm_confusion *out);
void sm_confusion_clear(struct sm_confusion *c);

/* As defined by scikit-learn; 0 if the divisor is 0. */
struct sm_score {
    double precision, recall, f1;
    uint64_t support; /* number of labels of the class */
};
struct sm_score sm_class_score(const struct sm_confusion *c, size_t i);
enum sm_average { SM_AVERAGE_MICRO, SM_AVERAGE_MACRO, SM_AVERAGE_WEIGHTED /* by support */ };
struct sm_score sm_average_score(const struct sm_confusion *c, enum sm_average kind);
double sm_confusion_accuracy(const struct sm_confusion *c); /* NaN if there are no pairs */

/* ---- two classes by a score ---- */

struct sm_roc {
    /* n points from (0, 0) to (1, 1), one for each distinct score */
    double *false_rate, *true_rate;
    size_t n;
    double area;
};
/* Labels above 0.5 are positive; pairs with a NaN are left out. False: only positive or only
 * negative labels, or out of memory. */
bool sm_roc_curve(const double *labels, const double *scores, size_t n, struct sm_roc *out);
void sm_roc_clear(struct sm_roc *r);

/* ---- numbers ---- */

enum { SM_LABEL_BINS = 10 };
/* Mean |label - prediction| for the labels in each of SM_LABEL_BINS equal bins of lo..hi, the last
 * including hi; NaN for an empty bin. */
struct sm_bin_errors {
    double mean[SM_LABEL_BINS];
    uint64_t count[SM_LABEL_BINS];
};
void sm_bin_errors(const double *labels, const double *predictions, size_t n, double lo, double hi,
                   struct sm_bin_errors *out);

#endif
