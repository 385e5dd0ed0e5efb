/* SPDX-License-Identifier: Apache-2.0 */
/* The rule Confusion: the confusion matrix of the predictions of a step. */
#include "rules/builtin/classes.h"
#include "rules/builtin/rule_list.h"

#include <stdlib.h>

enum {
    CONFUSION_CLASSES,
    CONFUSION_LABELS,
    CONFUSION_PREDICTIONS,
    CONFUSION_IN_LABELS,
    CONFUSION_IN_PREDICTIONS,
    CONFUSION_DIAG,
    CONFUSION_OFF
};
enum { CLASSES_MAX = SM_CLASSES_LIMIT };

/* Number of classes: the parameter, else one more than the largest class of the step. */
static size_t matrix_size(const struct sm_rule_at *x, const struct sm_step_classes *k)
{
    double most = -1;
    if (x->p[CONFUSION_CLASSES].set)
        return (size_t)x->p[CONFUSION_CLASSES].number;
    for (size_t i = 0; i < k->n_cells; i++) {
        most = k->cells[i].label > most ? k->cells[i].label : most;
        most = k->cells[i].predicted > most ? k->cells[i].predicted : most;
    }
    return most >= CLASSES_MAX ? CLASSES_MAX : (size_t)(most + 1);
}

static int by_prediction(const void *a, const void *b)
{
    const struct sm_class_cell *x = a, *y = b;
    if (x->predicted != y->predicted)
        return x->predicted > y->predicted ? 1 : -1;
    return (x->label > y->label) - (x->label < y->label);
}

/* The cells with classes below n, by predicted class, then by label. The caller frees them. */
static struct sm_class_cell *sort_cells(struct sm_rule_at *x, const struct sm_step_classes *k,
                                        size_t n, size_t *kept)
{
    struct sm_class_cell *cells = sm_xalloc((k->n_cells + 1) * sizeof *cells);
    *kept = 0;
    for (size_t i = 0; i < k->n_cells; i++) {
        double l = k->cells[i].label, p = k->cells[i].predicted;
        if (l >= 0 && l < (double)n && p >= 0 && p < (double)n)
            cells[(*kept)++] = k->cells[i];
        else
            sm_rule_skip(x, "classes out of range were ignored");
    }
    qsort(cells, *kept, sizeof *cells, by_prediction);
    return cells;
}

/* Judges the predictions of one class: n cells. */
static void judge_column(struct sm_rule_at *x, const struct sm_rule_item *it,
                         const struct sm_class_cell *cells, size_t n)
{
    double least = x->p[CONFUSION_DIAG].number, most = x->p[CONFUSION_OFF].number, sum = 0,
           right = 0, wrong = 0, p = cells[0].predicted, worst = p;
    for (size_t i = 0; i < n; i++) {
        sum += cells[i].count;
        if (cells[i].label == p)
            right = cells[i].count;
        else if (cells[i].count > wrong)
            wrong = cells[i].count, worst = cells[i].label;
    }
    double diagonal = right / sum, off = wrong / sum;
    bool low = diagonal < least;
    bool high = off > most;
    sm_rule_note(x, it, low ? diagonal : off, low ? least : most, low || high,
                 "predicted %.0f: %.1f%% right, at least %g%%; %.1f%% are truly %.0f, at most %g%% "
                 "(%.0f predictions)",
                 p, 100 * diagonal, 100 * least, 100 * off, worst, 100 * most, sum);
}

static void judge_confusion(struct sm_rule_at *x)
{
    const struct sm_rule_item *labels = x->picks[0].n ? &x->picks[0].items[0] : NULL;
    const struct sm_rule_item *predictions = x->picks[1].n ? &x->picks[1].items[0] : NULL;
    struct sm_step_classes k;
    size_t n;
    if (!predictions || !sm_step_classes_read(x, labels, predictions, false, CLASSES_MAX, &k) ||
        !k.predicted)
        return;
    struct sm_class_cell *cells = sort_cells(x, &k, matrix_size(x, &k), &n);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && cells[to].predicted == cells[from].predicted;)
            to++;
        judge_column(x, labels, cells + from, to - from);
    }
    sm_free(cells);
}

static const struct sm_rule_param confusion_params[] = {
    {.name = "category_no",
     .type = SM_RULE_INT,
     .min = 2,
     .max = CLASSES_MAX,
     .unit = "classes",
     .help = "size of the matrix; default: one more than the largest class"},
    {.name = "labels",
     .type = SM_RULE_TEXT,
     .initial = "labels",
     .help = "name of the tensor with the labels"},
    {.name = "predictions",
     .type = SM_RULE_TEXT,
     .initial = "predictions",
     .help = "name of the tensor with the predictions"},
    {.name = "labels_collection",
     .type = SM_RULE_NAMES,
     .initial = "labels",
     .help = "collections to use if there is no such tensor"},
    {.name = "predictions_collection",
     .type = SM_RULE_NAMES,
     .initial = "predictions",
     .help = "collections to use if there is no such tensor"},
    {.name = "min_diag",
     .type = SM_RULE_NUMBER,
     .initial = "0.9",
     .max = 1,
     .help = "smallest share of right predictions of a class"},
    {.name = "max_off_diag",
     .type = SM_RULE_NUMBER,
     .initial = "0.1",
     .max = 1,
     .help = "largest share of one other class among the predictions"},
    {0},
};
const struct sm_rule sm_rule_confusion = {
    .name = "confusion",
    .class_name = "Confusion",
    .summary = "Classes are confused with each other",
    .fires = "among a step's predictions of a class, the share of right ones is below min_diag, or "
             "the share of one other class is above max_off_diag",
    .advice = "Check the classes that are confused: labels, features, balance.",
    .saves = "labels and predictions (500)",
    .automatic = "",
    .params = confusion_params,
    .picks = {{.collections = "labels_collection", .exact = "labels"},
              {.collections = "predictions_collection", .exact = "predictions"}},
    .judge = judge_confusion,
    .how_auto = &sm_auto_confusion,
};
