/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/report_xgb.h"

#include <math.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { CLASSES_SHOWN = 12, CURVE_ROWS = 14 };

static const char *class_name(struct sm_result *out, double class)
{
    char text[32];
    sm_format_double(class, 6, text);
    return sm_arena_xstrndup(&out->arena, text, strlen(text));
}

static void add_histogram(struct sm_call *c, struct sm_result *out, struct sm_node *map,
                          const struct sm_histogram *h)
{
    struct sm_print_options o;
    sm_session_print_options(c->session, &o);
    struct sm_node *edges = sm_node_list(out, map, "edges"),
                   *counts = sm_node_list(out, map, "counts");
    for (size_t i = 0; i <= h->bins; i++)
        sm_node_double(out, edges, NULL, h->edges[i], false);
    for (size_t i = 0; i < h->bins; i++)
        sm_node_uint(out, counts, NULL, h->counts[i]);
    sm_hist_rows(sm_result_grid(out, 1, 1), h->edges, h->counts, h->bins, 40, o.glyphs);
}

/* ---- labels ---- */

static void add_class_counts(struct sm_call *c, struct sm_result *out, struct sm_node *map,
                             const struct sm_confusion *k)
{
    struct sm_bar *bars = sm_arena_xalloc(&out->arena, (k->n + 1) * sizeof *bars);
    struct sm_node *list = sm_node_list(out, map, "classes");
    for (size_t i = 0; i < k->n; i++) {
        uint64_t n = k->cells[i * k->n + i];
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_double(out, row, "class", k->classes[i], false);
        sm_node_uint(out, row, "count", n);
        bars[i] = (struct sm_bar){.label = class_name(out, k->classes[i]), .v = (double)n};
        bars[i].number = sm_arena_xprintf(&out->arena, "%llu  %.1f%%", (unsigned long long)n,
                                          100 * (double)n / (double)k->total);
    }
    sm_report_bars(c, out, bars, k->n);
}

void sm_report_labels(struct sm_call *c, struct sm_result *out, struct sm_node *root,
                      const struct sm_xgb *x)
{
    if (!x->n)
        return;
    const struct sm_xgb_step *s = x->steps[x->n - 1];
    struct sm_node *map = sm_node_map(out, root, "labels");
    sm_node_int(out, map, "step", s->step.n);
    sm_report_title(out, s->classes.n ? "True labels" : "Distribution of the true labels");
    if (s->classes.n)
        add_class_counts(c, out, map, &s->classes);
    else if (s->labels.bins)
        add_histogram(c, out, map, &s->labels);
}

/* ---- the confusion matrix and what follows from it ---- */

static void add_matrix(struct sm_result *out, struct sm_node *root, const struct sm_confusion *k)
{
    struct sm_node *map = sm_node_map(out, root, "confusion");
    struct sm_node *classes = sm_node_list(out, map, "classes"),
                   *rows = sm_node_list(out, map, "counts"), *shown = sm_node_list(out, NULL, NULL);
    size_t most = k->n < CLASSES_SHOWN ? k->n : CLASSES_SHOWN;
    struct sm_column *columns = sm_arena_xalloc(&out->arena, (most + 1) * sizeof *columns);
    columns[0] = (struct sm_column){.key = "class", .header = "TRUE\\PREDICTED"};
    for (size_t t = 0; t < k->n; t++) {
        struct sm_node *row = sm_node_list(out, rows, NULL),
                       *line = t < most ? sm_node_map(out, shown, NULL) : NULL;
        const char *name = class_name(out, k->classes[t]);
        sm_node_double(out, classes, NULL, k->classes[t], false);
        if (line) {
            sm_node_text(out, line, "class", name);
            columns[t + 1] =
                (struct sm_column){.key = name, .header = name, .format = SM_COL_NUMBER};
        }
        for (size_t p = 0; p < k->n; p++) {
            sm_node_uint(out, row, NULL, k->cells[t * k->n + p]);
            if (line && p < most)
                sm_node_uint(out, line, class_name(out, k->classes[p]), k->cells[t * k->n + p]);
        }
    }
    sm_report_title(out, "Confusion matrix of the newest step");
    sm_result_table(out, shown, columns, most + 1);
    if (most < k->n)
        sm_result_dim(out, "%zu more classes; -json has all of them.", k->n - most);
}

static const struct sm_column score_columns[] = {
    {.key = "class", .header = "CLASS"},
    {.key = "precision", .header = "PRECISION", .format = SM_COL_NUMBER},
    {.key = "recall", .header = "RECALL", .format = SM_COL_NUMBER},
    {.key = "f1", .header = "F1", .format = SM_COL_NUMBER},
    {.key = "support", .header = "LABELS", .format = SM_COL_NUMBER},
};

static void add_score(struct sm_result *out, struct sm_node *list, const char *name,
                      struct sm_score s)
{
    struct sm_node *row = sm_node_map(out, list, NULL);
    sm_node_text(out, row, "class", name);
    sm_node_double(out, row, "precision", s.precision, false);
    sm_node_double(out, row, "recall", s.recall, false);
    sm_node_double(out, row, "f1", s.f1, false);
    sm_node_uint(out, row, "support", s.support);
}

static void add_scores(struct sm_result *out, struct sm_node *root, const struct sm_confusion *k)
{
    struct sm_node *list = sm_node_list(out, root, "scores");
    for (size_t i = 0; i < k->n; i++)
        add_score(out, list, class_name(out, k->classes[i]), sm_class_score(k, i));
    add_score(out, list, "micro average", sm_average_score(k, SM_AVERAGE_MICRO));
    add_score(out, list, "macro average", sm_average_score(k, SM_AVERAGE_MACRO));
    add_score(out, list, "weighted average", sm_average_score(k, SM_AVERAGE_WEIGHTED));
    sm_node_double(out, root, "accuracy", sm_confusion_accuracy(k), false);
    sm_report_title(out, "Evaluation of the confusion matrix");
    sm_result_table(out, list, score_columns, COUNT(score_columns));
    sm_result_text(out, "Overall accuracy %.5g.", sm_confusion_accuracy(k));
}

/* ---- over the iterations ---- */

static const struct sm_column accuracy_columns[] = {
    {.key = "class", .header = "CLASS"},
    {.key = "first", .header = "FIRST", .format = SM_COL_NUMBER},
    {.key = "best", .header = "BEST", .format = SM_COL_NUMBER},
    {.key = "last", .header = "LAST", .format = SM_COL_NUMBER},
    {.key = "values", .header = "OVER THE ITERATIONS", .format = SM_COL_SPARK},
};
static const struct sm_column error_columns[] = {
    {.key = "from", .header = "LABELS FROM", .format = SM_COL_NUMBER},
    {.key = "to", .header = "TO", .format = SM_COL_NUMBER},
    {.key = "count", .header = "LABELS", .format = SM_COL_NUMBER},
    {.key = "first", .header = "FIRST", .format = SM_COL_NUMBER},
    {.key = "best", .header = "BEST", .format = SM_COL_NUMBER},
    {.key = "last", .header = "LAST", .format = SM_COL_NUMBER},
    {.key = "values", .header = "OVER THE ITERATIONS", .format = SM_COL_SPARK},
};

/* The share of a class that is predicted correctly; NaN if no label has the class. */
static double class_recall(const struct sm_confusion *k, double class)
{
    for (size_t i = 0; i < k->n; i++)
        if (k->classes[i] == class)
            return sm_class_score(k, i).support ? sm_class_score(k, i).recall : (double)NAN;
    return (double)NAN;
}

static double number_of_class(const struct sm_xgb_step *s, const void *class)
{
    return class_recall(&s->confusion, *(const double *)class);
}

static double number_of_bin(const struct sm_xgb_step *s, const void *bin)
{
    return s->errors.mean[*(const size_t *)bin];
}

/* Adds the first, best and last value and all values of a number of each step. rising: the best
 * value is the largest. */
static void add_course(struct sm_result *out, struct sm_node *row, const struct sm_xgb *x,
                       bool rising, double (*number)(const struct sm_xgb_step *s, const void *arg),
                       const void *arg)
{
    struct sm_node *values = sm_node_list(out, row, "values");
    double first = (double)NAN, best = (double)NAN, last = (double)NAN;
    for (size_t i = 0; i < x->n; i++) {
        double v = x->steps[i]->scored ? number(x->steps[i], arg) : (double)NAN;
        if (isnan(v)) {
            if (x->steps[i]->scored)
                sm_node_null(out, values, NULL);
            continue;
        }
        first = isnan(first) ? v : first;
        best = isnan(best) || (rising ? v > best : v < best) ? v : best;
        last = v;
        sm_node_double(out, values, NULL, v, false);
    }
    sm_node_double(out, row, "first", first, false);
    sm_node_double(out, row, "best", best, false);
    sm_node_double(out, row, "last", last, false);
}

static void add_scored_steps(struct sm_result *out, struct sm_node *root, const struct sm_xgb *x)
{
    struct sm_node *list = sm_node_list(out, root, "scored_steps");
    for (size_t i = 0; i < x->n; i++)
        if (x->steps[i]->scored)
            sm_node_int(out, list, NULL, x->steps[i]->step.n);
}

static void add_accuracies(struct sm_result *out, struct sm_node *root, const struct sm_xgb *x,
                           const struct sm_confusion *k)
{
    struct sm_node *list = sm_node_list(out, root, "class_accuracy");
    for (size_t i = 0; i < k->n; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "class", class_name(out, k->classes[i]));
        add_course(out, row, x, true, number_of_class, &k->classes[i]);
    }
    sm_report_title(out, "Accuracy of each class over the iterations");
    sm_result_table(out, list, accuracy_columns, COUNT(accuracy_columns));
}

static void add_errors(struct sm_result *out, struct sm_node *root, const struct sm_xgb *x,
                       const struct sm_xgb_step *s)
{
    struct sm_node *list = sm_node_list(out, root, "error_by_label");
    double width = (x->hi - x->lo) / SM_LABEL_BINS;
    for (size_t b = 0; b < SM_LABEL_BINS; b++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_double(out, row, "from", x->lo + (double)b * width, false);
        sm_node_double(out, row, "to",
                       b + 1 < SM_LABEL_BINS ? x->lo + (double)(b + 1) * width : x->hi, false);
        sm_node_uint(out, row, "count", s->errors.count[b]);
        add_course(out, row, x, false, number_of_bin, &b);
    }
    sm_report_title(out, "Mean absolute validation error by label over the iterations");
    sm_result_table(out, list, error_columns, COUNT(error_columns));
}

/* ---- two classes; numbers ---- */

static void add_roc(struct sm_call *c, struct sm_result *out, struct sm_node *root,
                    const struct sm_roc *r)
{
    struct sm_node *map = sm_node_map(out, root, "roc");
    sm_node_double(out, map, "auc", r->area, false);
    struct sm_node *f = sm_node_list(out, map, "false_positive_rate"),
                   *t = sm_node_list(out, map, "true_positive_rate");
    for (size_t i = 0; i < r->n; i++) {
        sm_node_double(out, f, NULL, r->false_rate[i], false);
        sm_node_double(out, t, NULL, r->true_rate[i], false);
    }
    sm_report_title(out, "ROC: true positive rate over false positive rate, percent");
    double *x = sm_arena_xalloc(&out->arena, r->n * sizeof *x),
           *y = sm_arena_xalloc(&out->arena, r->n * sizeof *y);
    for (size_t i = 0; i < r->n; i++) {
        x[i] = 100 * r->false_rate[i];
        y[i] = 100 * r->true_rate[i];
    }
    struct sm_line_series line = {
        .label = "ROC", .x = x, .y = y, .n = r->n, .role = SM_ROLE_SERIES_0};
    struct sm_line_chart chart = {.series = &line, .n_series = 1, .cursor_x = (double)NAN};
    sm_report_chart(c, out, &chart, CURVE_ROWS);
    sm_result_text(out, "Area under the curve %.5g.", r->area);
}

static void add_residuals(struct sm_call *c, struct sm_result *out, struct sm_node *root,
                          const struct sm_xgb_step *s)
{
    const struct sm_stats *r = &s->residual;
    double rmse = r->finite ? sqrt(r->sum_squares / (double)r->finite) : (double)NAN;
    double mae = r->finite ? r->l1 / (double)r->finite : (double)NAN;
    struct sm_node *map = sm_node_map(out, root, "residuals");
    sm_node_double(out, map, "mean", r->finite ? r->mean : (double)NAN, false);
    sm_node_double(out, map, "std", r->finite ? sqrt(r->variance) : (double)NAN, false);
    sm_node_double(out, map, "mean_absolute", mae, false);
    sm_node_double(out, map, "root_mean_square", rmse, false);
    sm_report_title(out, "Residuals (label - prediction) at the newest step");
    add_histogram(c, out, map, &s->residuals);
    sm_result_text(out, "mean %.5g, std %.5g, mean absolute error %.5g, root mean square %.5g",
                   r->mean, sqrt(r->variance), mae, rmse);
}

/* ---- all parts ---- */

static const struct sm_xgb_step *newest_scored(const struct sm_xgb *x)
{
    for (size_t i = x->n; i-- > 0;)
        if (x->steps[i]->scored)
            return x->steps[i];
    return NULL;
}

void sm_report_quality(struct sm_call *c, struct sm_result *out, struct sm_node *root,
                       const struct sm_xgb *x)
{
    const struct sm_xgb_step *newest = x->n ? x->steps[x->n - 1] : NULL, *s = newest_scored(x);
    add_scored_steps(out, root, x);
    if (s && s->confusion.n) {
        add_matrix(out, root, &s->confusion);
        add_scores(out, root, &s->confusion);
        add_accuracies(out, root, x, &s->confusion);
    }
    if (newest && newest->roc.n)
        add_roc(c, out, root, &newest->roc);
    if (newest && newest->residuals.bins)
        add_residuals(c, out, root, newest);
    if (s && x->task == SM_XGB_NUMBERS)
        add_errors(out, root, x, s);
}
