/* SPDX-License-Identifier: Apache-2.0 */
/* confusion: the confusion matrix of predictions and labels at a step. */
#include "commands/answer/shape.h"
#include "commands/pictures/pictures.h"
#include "commands/pictures/plot_input.h"
#include "commands/place/place.h"
#include "plot/confusion.h"
#include "rules/builtin/classes.h"
#include "rules/builtin/quality.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static bool count_pairs(const struct sm_plot_input *predictions, const struct sm_plot_input *labels,
                        struct sm_confusion *out, struct sm_err *err)
{
    const struct sm_tensor *t[] = {labels->tensor, predictions->tensor};
    struct sm_numbers r = {0};
    sm_measure_classes(t, (const double[]){0, 1}, &r);
    size_t n = r.v ? (size_t)r.v[SM_CLASSES_LABELS] : 0;
    bool same_length = n && r.v[SM_CLASSES_PREDICTIONS] > 0;
    bool ok =
        same_length && sm_confusion_count(r.v + SM_CLASSES_HEAD, r.v + SM_CLASSES_HEAD + n, n, out);
    sm_free(r.v);
    if (!same_length)
        return sm_plot_input_wrong_shape(
            predictions, "expected a class, or a score per class, for each label.", err);
    return ok || sm_err_set(err, SM_ERR_USAGE,
                            "%s and %s have more than %d distinct values: these are not classes.",
                            sm_place_name(&labels->place), sm_place_name(&predictions->place),
                            SM_CONFUSION_MAX);
}

static const struct sm_column columns[] = {
    {.key = "true", .header = "TRUE", .format = SM_COL_NUMBER},
    {.key = "predicted", .header = "PREDICTED", .format = SM_COL_NUMBER},
    {.key = "count", .header = "COUNT", .format = SM_COL_NUMBER},
};

static void add_confusion_nodes(struct sm_result *out, const struct sm_plot_input *in,
                                const char *labels, const struct sm_confusion *k)
{
    struct sm_node *map = sm_plot_input_node(out, in), *rows = sm_node_list(out, NULL, NULL);
    sm_node_text(out, map, "labels", labels);
    sm_node_double(out, map, "accuracy", sm_confusion_accuracy(k), false);
    struct sm_node *classes = sm_node_list(out, map, "classes"),
                   *counts = sm_node_list(out, map, "counts");
    for (size_t t = 0; t < k->n; t++) {
        struct sm_node *line = sm_node_list(out, counts, NULL);
        sm_node_double(out, classes, NULL, k->classes[t], false);
        for (size_t p = 0; p < k->n; p++) {
            struct sm_node *row = sm_node_map(out, rows, NULL);
            sm_node_uint(out, line, NULL, k->cells[t * k->n + p]);
            sm_node_double(out, row, "true", k->classes[t], false);
            sm_node_double(out, row, "predicted", k->classes[p], false);
            sm_node_uint(out, row, "count", k->cells[t * k->n + p]);
        }
    }
    out->rows = rows;
    out->columns = columns;
    out->n_columns = COUNT(columns);
}

static void draw_confusion(struct sm_call *c, struct sm_result *out, const struct sm_plot_input *in,
                           const struct sm_confusion *k)
{
    const char **labels = sm_arena_xalloc(&c->arena, (k->n + 1) * sizeof *labels);
    struct sm_confusion_map map = {.labels = labels, .cells = k->cells, .n = k->n};
    int w, h;
    for (size_t i = 0; i < k->n; i++)
        labels[i] = sm_arena_xprintf(&c->arena, "%g", k->classes[i]);
    sm_confusion_size(&map, &w, &h);
    w = w > in->w ? in->w : w;
    h = sm_call_option(c, "h") && h > in->h ? in->h : h;
    sm_confusion_draw(sm_result_grid(out, w, h), (struct sm_rect){0, 0, w, h}, &map,
                      in->print.glyphs);
}

static bool run_confusion(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_plot_input in, labels;
    struct sm_confusion k = {0};
    if (!sm_call_keyword(c, "by"))
        return sm_err_set(err, SM_ERR_USAGE,
                          "confusion needs labels: confusion PREDICTIONS by LABELS.");
    if (!sm_plot_input_read(c, &in, err))
        return false;
    bool ok = sm_plot_input_keyword(c, &in, "by", &labels, err);
    if (ok) {
        ok = count_pairs(&in, &labels, &k, err);
        sm_tensor_unref(labels.tensor);
    }
    if (ok) {
        add_confusion_nodes(out, &in, sm_place_name(&labels.place), &k);
        sm_plot_input_heading(out, &in);
        draw_confusion(c, out, &in, &k);
        sm_result_text(out,
                       "%.4g %% of %llu are correct; rows: true class, columns: predicted class",
                       100 * sm_confusion_accuracy(&k), (unsigned long long)k.total);
    }
    sm_confusion_clear(&k);
    sm_tensor_unref(in.tensor);
    return ok;
}

static const struct sm_arg confusion_args[] = {
    {.name = "PREDICTIONS", .kind = SM_ARG_TENSOR},
    {.name = "STEP", .kind = SM_ARG_STEP},
    {.name = "LABELS", .kind = SM_ARG_TENSOR, .keyword = "by"},
    SM_PLACE_ROWS,
    {0},
};
static const struct sm_option confusion_options[] = {
    {.name = "w",
     .kind = SM_ARG_NUMBER,
     .value = "COLUMNS",
     .help = "maximum number of columns (the terminal's, else 80)",
     .unit = "columns"},
    {.name = "h",
     .kind = SM_ARG_NUMBER,
     .value = "ROWS",
     .help = "maximum number of rows (one per class)",
     .unit = "rows"},
    {0},
};
const struct sm_cmd sm_cmd_confusion = {
    .name = "confusion",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Confusion matrix of predictions and labels at a step",
    .help = "PREDICTIONS has a class for each label, or a row of scores, of which the largest "
            "counts. The colour is the share of the\n"
            "true class; correct predictions are bold.",
    .example = "confusion probabilities by labels",
    .see_also = "scatter, report",
    .args = confusion_args,
    .options = confusion_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{" SM_SHAPE_DTYPED ",labels:text,accuracy:num,classes:[num],counts:[[int]]}",
    .run = run_confusion,
};
