/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about labels and predictions. */
#include "rules/builtin/classes.h"
#include "rules/builtin/rule_list.h"

#include <math.h>
#include <stdlib.h>

static const struct sm_rule_item *first_item(struct sm_rule_at *x, size_t pick)
{
    if (x->picks[pick].n > 1)
        sm_rule_skip(x, "several tensors match; only the first by name is used");
    return x->picks[pick].n ? &x->picks[pick].items[0] : NULL;
}

/* ---- counts by class ---- */

struct class_count {
    double label;
    uint64_t seen, wrong, predicted, hit;
};
struct counts {
    struct class_count *items; /* by label */
    size_t n;
    uint64_t total;
    bool many; /* too many: these labels are not classes */
};

static int compare_labels(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the labels and leaves out repeated ones. Returns how many stay. */
static size_t sort_labels(double *labels, size_t n)
{
    size_t kept = 0;
    qsort(labels, n, sizeof *labels, compare_labels);
    for (size_t i = 0; i < n; i++)
        if (!kept || labels[i] != labels[kept - 1])
            labels[kept++] = labels[i];
    return kept;
}

/* Adds the classes that are new, in one pass. labels: sorted, different. */
static void add_classes(struct counts *c, const double *labels, size_t n)
{
    struct class_count *items = sm_xalloc((c->n + n + 1) * sizeof *items);
    size_t k = 0, to = 0;
    for (size_t i = 0; i < n; i++) {
        while (k < c->n && c->items[k].label < labels[i])
            items[to++] = c->items[k++];
        if (k == c->n || c->items[k].label != labels[i])
            items[to++] = (struct class_count){.label = labels[i]};
    }
    while (k < c->n)
        items[to++] = c->items[k++];
    sm_free(c->items);
    c->items = items;
    c->n = to;
    c->many = c->many || to > SM_CLASSES_LIMIT;
}

/* Adds the classes of the labels and predictions of a step. */
static void add_step_classes(struct counts *c, const struct sm_step_classes *k)
{
    double *labels = sm_xalloc((2 * k->n_cells + 1) * sizeof *labels);
    size_t n = 0;
    for (size_t i = 0; i < k->n_cells; i++) {
        labels[n++] = k->cells[i].label;
        if (!isnan(k->cells[i].predicted))
            labels[n++] = k->cells[i].predicted;
    }
    n = n ? sort_labels(labels, n) : 0;
    add_classes(c, labels, n);
    sm_free(labels);
}

/* The class has been added before. */
static struct class_count *class_count_of(struct counts *c, double label)
{
    size_t from = 0, to = c->n;
    while (to - from > 1) {
        size_t middle = from + (to - from) / 2;
        if (c->items[middle].label <= label)
            from = middle;
        else
            to = middle;
    }
    return &c->items[from];
}

/* False if there are too many classes to be classes. */
static bool count_classes(struct sm_rule_at *x, struct counts *c, const struct sm_step_classes *k)
{
    if (!c->many)
        add_step_classes(c, k);
    if (c->many) {
        sm_rule_skip(x, "too many different labels: they are not classes");
        return false;
    }
    for (size_t i = 0; i < k->n_cells; i++) {
        const struct sm_class_cell *cell = &k->cells[i];
        struct class_count *count = class_count_of(c, cell->label);
        uint64_t n = (uint64_t)cell->count;
        bool hit = cell->predicted == cell->label;
        count->seen += n;
        c->total += n;
        if (!k->predicted)
            continue;
        count->wrong += hit ? 0 : n;
        count->hit += hit ? n : 0;
        if (!isnan(cell->predicted))
            class_count_of(c, cell->predicted)->predicted += n;
    }
    return true;
}

static void clear_counts(void *state)
{
    sm_free(((struct counts *)state)->items);
}

/* Size of the largest class over the smallest; 0 with less than two classes. classes: the expected
 * number of classes (inf if one is missing), 0 if unknown. */
static double imbalance(const struct counts *c, size_t classes)
{
    uint64_t most = 0, least = UINT64_MAX;
    size_t seen = 0;
    for (size_t i = 0; i < c->n; i++) {
        if (!c->items[i].seen)
            continue;
        most = c->items[i].seen > most ? c->items[i].seen : most;
        least = c->items[i].seen < least ? c->items[i].seen : least;
        seen++;
    }
    if (classes && seen < classes)
        return seen ? (double)INFINITY : 0;
    return seen < 2 ? 0 : (double)most / (double)least;
}

static void format_counts(const struct counts *c, struct sm_str *out)
{
    enum { SHOWN = 20 };
    size_t shown = 0;
    for (size_t i = 0; i < c->n && shown < SHOWN; i++)
        if (c->items[i].seen && ++shown)
            sm_str_printf(out, "%s%g:%llu", shown > 1 ? " " : "", c->items[i].label,
                          (unsigned long long)c->items[i].seen);
    if (c->n > SHOWN)
        sm_str_add(out, " ...");
}

static void note_imbalance(struct sm_rule_at *x, const struct sm_rule_item *it, double limit,
                           size_t classes)
{
    const struct counts *c = x->state;
    double ratio = imbalance(c, classes);
    struct sm_str text = {0};
    format_counts(c, &text);
    if (ratio > 0)
        sm_rule_note(x, it, ratio, limit, ratio > limit, "class counts %s, ratio %.1f, limit %g",
                     sm_str_text(&text), ratio, limit);
    sm_str_clear(&text);
}

/* ---- ClassImbalance ---- */

enum {
    IMBALANCE_RATIO,
    IMBALANCE_WRONG,
    IMBALANCE_SAMPLES,
    IMBALANCE_ARGMAX,
    IMBALANCE_LABELS,
    IMBALANCE_PREDICTIONS
};

static void judge_class_imbalance(struct sm_rule_at *x)
{
    const struct sm_rule_item *labels = first_item(x, 0);
    struct sm_step_classes k;
    struct counts *c = x->state;
    double limit = x->p[IMBALANCE_WRONG].number;
    if (!sm_step_classes_read(x, labels, first_item(x, 1), x->p[IMBALANCE_ARGMAX].number != 0,
                              SM_CLASSES_LIMIT, &k))
        return;
    if (!count_classes(x, c, &k) || (double)c->total < x->p[IMBALANCE_SAMPLES].number)
        return;
    note_imbalance(x, labels, x->p[IMBALANCE_RATIO].number, 0);
    for (size_t i = 0; i < c->n; i++) {
        const struct class_count *count = &c->items[i];
        uint64_t judged = count->wrong + count->hit;
        double share = count->seen ? (double)count->wrong / (double)count->seen : 0;
        if (judged)
            sm_rule_note(x, labels, share, limit, share > limit,
                         "class %g: %.1f%% of %llu mispredicted, limit %g%%%s", count->label,
                         100 * share, (unsigned long long)count->seen, 100 * limit,
                         k.argmax ? " (largest score taken)" : "");
    }
}

static const struct sm_rule_param imbalance_params[] = {
    {.name = "threshold_imbalance",
     .type = SM_RULE_NUMBER,
     .initial = "10",
     .max = INFINITY,
     .help = "largest class over smallest class"},
    {.name = "threshold_misprediction",
     .type = SM_RULE_NUMBER,
     .initial = "0.7",
     .max = 1,
     .help = "largest share of wrong predictions in a class"},
    {.name = "samples",
     .type = SM_RULE_INT,
     .initial = "500",
     .min = 1,
     .max = 1e15,
     .unit = "labels",
     .help = "labels needed before judging"},
    {.name = "argmax",
     .type = SM_RULE_BOOL,
     .initial = "False",
     .help = "predictions are scores: take the largest of the last axis"},
    {.name = "labels_regex",
     .type = SM_RULE_PATTERN,
     .initial = ".*labels",
     .help = "pattern of the labels"},
    {.name = "predictions_regex",
     .type = SM_RULE_PATTERN,
     .initial = ".*predictions",
     .help = "pattern of the predictions"},
    {0},
};
const struct sm_rule sm_rule_class_imbalance = {
    .name = "class_imbalance",
    .class_name = "ClassImbalance",
    .summary = "Classes are imbalanced, or one is mostly mispredicted",
    .fires =
        "after `samples` labels of all steps so far, the largest class is more than "
        "threshold_imbalance times the smallest one seen, or more than threshold_misprediction "
        "of a class is mispredicted. Values are rounded; of [n,k] scores for n labels the "
        "largest is taken",
    .advice = "Resample or weight the classes.",
    .saves = "labels and predictions: .*labels|.*predictions (500)",
    .automatic = "",
    .params = imbalance_params,
    .picks = {{.regex = "labels_regex"}, {.regex = "predictions_regex", .optional = true}},
    .state_size = sizeof(struct counts),
    .judge = judge_class_imbalance,
    .clear = clear_counts,
    .how_auto = &sm_auto_class_imbalance,
};

/* ---- DataImbalance ---- */

enum { DATA_RATIO, DATA_SAMPLES, DATA_LABELS, DATA_CLASSES };

static void judge_data_imbalance(struct sm_rule_at *x)
{
    const struct sm_rule_item *labels = first_item(x, 0);
    struct sm_step_classes k;
    struct counts *c = x->state;
    if (!sm_step_classes_read(x, labels, NULL, false, SM_CLASSES_LIMIT, &k))
        return;
    if (count_classes(x, c, &k) && (double)c->total >= x->p[DATA_SAMPLES].number)
        note_imbalance(x, labels, x->p[DATA_RATIO].number, (size_t)x->p[DATA_CLASSES].number);
}

static const struct sm_rule_param data_params[] = {
    {.name = "threshold",
     .type = SM_RULE_NUMBER,
     .initial = "10",
     .max = INFINITY,
     .help = "largest class over smallest class"},
    {.name = "samples",
     .type = SM_RULE_INT,
     .initial = "500",
     .min = 1,
     .max = 1e15,
     .unit = "labels",
     .help = "labels needed before judging"},
    {.name = "labels_regex",
     .type = SM_RULE_PATTERN,
     .initial = ".*labels",
     .help = "pattern of the labels"},
    {.name = "num_classes",
     .type = SM_RULE_INT,
     .min = 1,
     .max = 1e6,
     .unit = "classes",
     .help = "expected number of classes; the ratio is infinite while one has not been seen"},
    {0},
};
const struct sm_rule sm_rule_data_imbalance = {
    .name = "data_imbalance",
    .class_name = "DataImbalance",
    .group = SM_RULE_EXTRA,
    .summary = "The classes of the labels are imbalanced",
    .fires = "after `samples` labels the largest class is more than threshold times the smallest, "
             "or one of num_classes has not been seen",
    .advice = "Resample or weight the classes.",
    .saves = "labels",
    .params = data_params,
    .picks = {{.regex = "labels_regex"}},
    .state_size = sizeof(struct counts),
    .judge = judge_data_imbalance,
    .clear = clear_counts,
};

/* ---- PerClassQuality ---- */

enum { QUALITY_LABELS, QUALITY_PREDICTIONS, QUALITY_ARGMAX };

static void judge_quality(struct sm_rule_at *x)
{
    const struct sm_rule_item *labels = first_item(x, 0);
    struct sm_step_classes k;
    struct counts *c = x->state;
    if (!sm_step_classes_read(x, labels, first_item(x, 1), x->p[QUALITY_ARGMAX].number != 0,
                              SM_CLASSES_LIMIT, &k) ||
        !k.predicted || !count_classes(x, c, &k))
        return;
    for (size_t i = 0; i < c->n; i++) {
        const struct class_count *count = &c->items[i];
        double precision =
            count->predicted ? (double)count->hit / (double)count->predicted : (double)NAN;
        double recall = count->seen ? (double)count->hit / (double)count->seen : (double)NAN;
        sm_rule_note(x, labels, recall, 0, false,
                     "class %g: %llu labels, precision %.4g, recall %.4g", count->label,
                     (unsigned long long)count->seen, precision, recall);
    }
}

static const struct sm_rule_param quality_params[] = {
    {.name = "labels_regex",
     .type = SM_RULE_PATTERN,
     .initial = ".*labels",
     .help = "pattern of the labels"},
    {.name = "predictions_regex",
     .type = SM_RULE_PATTERN,
     .initial = ".*predictions",
     .help = "pattern of the predictions"},
    {.name = "argmax",
     .type = SM_RULE_BOOL,
     .initial = "False",
     .help = "predictions are scores: take the largest of the last axis"},
    {0},
};
const struct sm_rule sm_rule_per_class_quality = {
    .name = "per_class_quality",
    .class_name = "PerClassQuality",
    .group = SM_RULE_EXTRA,
    .summary = "Reports precision and recall of each class; never fires",
    .fires = "never; `rule explain` prints precision TP/(TP+FP) and recall TP/(TP+FN) of each "
             "class over all steps so far",
    .advice = "Check the classes with low recall.",
    .saves = "labels and predictions",
    .params = quality_params,
    .picks = {{.regex = "labels_regex"}, {.regex = "predictions_regex"}},
    .state_size = sizeof(struct counts),
    .judge = judge_quality,
    .clear = clear_counts,
};
