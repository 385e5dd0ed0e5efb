/* SPDX-License-Identifier: Apache-2.0 */
/* scatter: the rows of a tensor as points, along their first two principal components. */
#include "commands/answer/shape.h"
#include "commands/pictures/pictures.h"
#include "commands/pictures/plot_input.h"
#include "commands/place/place.h"
#include "plot/pca.h"
#include "plot/scatter.h"
#include "reader/tensor/slice.h"

#include <math.h>
#include <stdlib.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { POINTS_MAX = 2048, CLASSES_MAX = 36, SIDE_MAX = 512, ELEMENTS_MAX = 1 << 24 };

/* The positions of the points, computed in a worker thread. */
struct points {
    struct sm_work work;
    struct sm_slice slice;
    bool sliced, ok, columns_as_xy; /* rows of two numbers are x and y */
    struct sm_tensor *t;            /* a reference */
    size_t n, d;
    double *x, *y, share[2];
    struct sm_err err;
};

static void compute_points(struct points *p, const struct sm_tensor *t)
{
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    double *rows = sm_xalloc(p->n * p->d * sizeof *rows);
    for (size_t i = 0; i < p->n * p->d; i++)
        rows[i] = sm_dtype_load(t->dtype, t->data + i * size);
    for (size_t i = 0; p->columns_as_xy && i < p->n; i++) {
        p->x[i] = rows[2 * i];
        p->y[i] = rows[2 * i + 1];
    }
    p->ok = p->columns_as_xy || sm_pca(rows, p->n, p->d, p->x, p->y, p->share) ||
            sm_err_set(&p->err, SM_ERR_MISSING, "No two finite rows differ.");
    sm_free(rows);
}

static void run_points(struct sm_work *w)
{
    struct points *p = (struct points *)w;
    struct sm_tensor *t = NULL;
    if (!p->sliced) {
        compute_points(p, p->t);
    } else if (sm_slice_apply(&p->slice, p->t, &t, &p->err)) {
        compute_points(p, t);
        sm_tensor_unref(t);
    }
}

static void free_points(struct sm_work *w)
{
    struct points *p = (struct points *)w;
    sm_tensor_unref(p->t);
    sm_free(p->x);
    sm_free(p);
}

static struct sm_work *new_points(struct sm_call *c, const struct sm_plot_input *in, size_t n,
                                  size_t d)
{
    struct points *p = sm_xalloc_zero(1, sizeof *p);
    uint64_t side = n < d ? n : d;
    p->work = (struct sm_work){.run = run_points,
                               .free = free_points,
                               .what = c,
                               .of = sm_tensor_ref(in->tensor),
                               .elements = n * d * side};
    p->sliced = in->slice != NULL;
    if (p->sliced)
        p->slice = *in->slice;
    p->t = sm_tensor_ref(in->tensor);
    p->n = n;
    p->d = d;
    p->columns_as_xy = d == 2;
    p->x = sm_xalloc_zero(n, 2 * sizeof *p->x);
    p->y = p->x + n;
    return &p->work;
}

/* n rows of d numbers: the first dimension counts the rows. */
static bool rows_size(const struct sm_plot_input *in, size_t *n, size_t *d, struct sm_err *err)
{
    uint64_t rest = 1;
    for (unsigned i = 1; i < in->n_dims; i++)
        rest *= in->dims[i];
    if (in->n_dims < 2 || in->dims[0] < 2 || rest < 2)
        return sm_plot_input_wrong_shape(in, "expected at least two rows of at least two numbers.",
                                         err);
    *n = (size_t)in->dims[0];
    *d = (size_t)rest;
    return (*n <= POINTS_MAX && (*n < *d ? *n : *d) <= SIDE_MAX &&
            in->dims[0] * rest <= ELEMENTS_MAX) ||
           sm_plot_input_wrong_shape(
               in,
               "too large: use a slice with at most 2048 rows, or at most 512 "
               "if the rows have more than 512 numbers.",
               err);
}

static bool read_points(struct sm_call *c, const struct sm_plot_input *in,
                        const struct points **out, struct sm_err *err)
{
    size_t n = 0, d = 0;
    if (!rows_size(in, &n, &d, err))
        return false;
    struct sm_work *w = sm_work_find(&c->works, c, in->tensor);
    if (w ? !sm_work_check_done(w, err)
          : !sm_work_start(&c->works, w = new_points(c, in, n, d), err))
        return false;
    *out = (const struct points *)w;
    if (!(*out)->ok)
        *err = (*out)->err;
    return (*out)->ok;
}

/* ---- classes ---- */

struct classes {
    double *of;                 /* of each point; NULL without classes */
    double values[CLASSES_MAX]; /* ascending */
    size_t n;
};

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool collect_classes(struct classes *k, const double *of, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (bsearch(&of[i], k->values, k->n, sizeof *k->values, compare_doubles))
            continue;
        if (k->n == CLASSES_MAX || isnan(of[i]))
            return false;
        k->values[k->n++] = of[i];
        qsort(k->values, k->n, sizeof *k->values, compare_doubles);
    }
    return true;
}

/* Reads the classes from the tensor given with "by", at the step of the points. */
static bool read_classes(struct sm_call *c, const struct sm_plot_input *in, size_t n,
                         struct classes *k, struct sm_err *err)
{
    struct sm_plot_input labels;
    if (!sm_call_keyword(c, "by"))
        return true;
    if (!sm_plot_input_keyword(c, in, "by", &labels, err))
        return false;
    const struct sm_tensor *x = labels.tensor;
    bool ok =
        x->n == n || sm_plot_input_wrong_shape(&labels, "expected one number per point.", err);
    k->of = ok ? sm_arena_xalloc(&c->arena, n * sizeof *k->of) : NULL;
    for (size_t i = 0; ok && i < n; i++)
        k->of[i] = sm_dtype_load(x->dtype, x->data + i * sm_dtype_info(x->dtype)->size_bytes);
    ok = ok && (collect_classes(k, k->of, n) ||
                sm_err_set(err, SM_ERR_USAGE,
                           "%s has more than %d distinct values, or NaN: these are not classes.",
                           sm_place_name(&labels.place), CLASSES_MAX));
    sm_tensor_unref(labels.tensor);
    return ok;
}

/* The mark of class i: its digit if all classes are 0 to 9, else a letter. */
static uint32_t class_mark(const struct classes *k, size_t i)
{
    bool digits = k->values[0] >= 0 && k->values[k->n - 1] <= 9;
    for (size_t j = 0; j < k->n; j++)
        digits = digits && k->values[j] == floor(k->values[j]);
    return digits   ? (uint32_t)('0' + (int)k->values[i])
           : i < 26 ? (uint32_t)('a' + i)
                    : (uint32_t)('A' + (i - 26));
}

/* ---- output ---- */

static const struct sm_column columns[] = {
    {.key = "row", .header = "ROW", .format = SM_COL_NUMBER},
    {.key = "x", .header = "X", .format = SM_COL_NUMBER},
    {.key = "y", .header = "Y", .format = SM_COL_NUMBER},
    {.key = "class", .header = "CLASS", .format = SM_COL_NUMBER},
};

static void add_point_nodes(struct sm_result *out, const struct sm_plot_input *in,
                            const struct points *p, const struct classes *k)
{
    struct sm_node *map = sm_plot_input_node(out, in);
    sm_node_text(out, map, "axes", p->columns_as_xy ? "columns" : "principal components");
    struct sm_node *share = sm_node_list(out, map, "explained_variance_ratio"),
                   *list = sm_node_list(out, map, "points");
    for (int i = 0; i < 2 && !p->columns_as_xy; i++)
        sm_node_double(out, share, NULL, p->share[i], false);
    for (size_t i = 0; i < p->n; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_uint(out, row, "row", i);
        sm_node_double(out, row, "x", p->x[i], false);
        sm_node_double(out, row, "y", p->y[i], false);
        if (k->of)
            sm_node_double(out, row, "class", k->of[i], false);
        else
            sm_node_null(out, row, "class");
    }
    out->rows = list;
    out->columns = columns;
    out->n_columns = COUNT(columns);
}

static void draw_scatter(struct sm_call *c, struct sm_result *out, const struct sm_plot_input *in,
                         const struct points *p, const struct classes *k)
{
    uint32_t marks[CLASSES_MAX];
    struct sm_scatter scatter = {.x = p->x, .y = p->y, .n = p->n};
    if (k->of) {
        unsigned *group = sm_arena_xalloc(&c->arena, p->n * sizeof *group);
        for (size_t i = 0; i < p->n; i++)
            group[i] = (unsigned)((const double *)bsearch(&k->of[i], k->values, k->n,
                                                          sizeof *k->values, compare_doubles) -
                                  k->values);
        for (size_t i = 0; i < k->n; i++)
            marks[i] = class_mark(k, i);
        scatter.group = group;
        scatter.marks = marks;
    }
    struct sm_grid *g = sm_result_grid(out, in->w, in->h);
    sm_scatter_draw(g, (struct sm_rect){0, 0, in->w, in->h}, &scatter, in->print.glyphs);
}

static void add_scatter_notes(struct sm_result *out, const struct points *p,
                              const struct classes *k)
{
    struct sm_str text = {0};
    size_t not_drawn = 0;
    for (size_t i = 0; i < p->n; i++)
        not_drawn += !isfinite(p->x[i]) || !isfinite(p->y[i]);
    if (!p->columns_as_xy)
        sm_result_text(out, "principal components: x has %.3g %% of the variance, y %.3g %%",
                       100 * p->share[0], 100 * p->share[1]);
    for (size_t i = 0; i < k->n && class_mark(k, i) > '9'; i++)
        sm_str_printf(&text, "%s%c %g", i ? "  " : "", (int)class_mark(k, i), k->values[i]);
    if (text.len)
        sm_result_text(out, "%s", sm_str_text(&text));
    if (not_drawn)
        sm_result_text(out, "not drawn: %zu rows with NaN or Inf", not_drawn);
    sm_str_clear(&text);
}

static bool run_scatter(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_plot_input in;
    const struct points *p = NULL;
    struct classes k = {0};
    if (!sm_plot_input_read(c, &in, err))
        return false;
    bool ok = read_points(c, &in, &p, err) && read_classes(c, &in, p->n, &k, err);
    if (ok) {
        add_point_nodes(out, &in, p, &k);
        sm_plot_input_heading(out, &in);
        draw_scatter(c, out, &in, p, &k);
        add_scatter_notes(out, p, &k);
    }
    sm_tensor_unref(in.tensor);
    return ok;
}

static const struct sm_arg scatter_args[] = {
    {.name = "NAME", .kind = SM_ARG_TENSOR},
    {.name = "STEP", .kind = SM_ARG_STEP},
    SM_PLACE_ROWS,
    {.name = "LABELS", .kind = SM_ARG_TENSOR, .keyword = "by"},
    {0},
};
static const struct sm_option scatter_options[] = {
    SM_PLOT_WIDTH_OPTION,
    SM_PLOT_HEIGHT_OPTION("height"),
    {0},
};
const struct sm_cmd sm_cmd_scatter = {
    .name = "scatter",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Scatter plot of rows along their first two principal components",
    .help = "The first dimension counts the rows, such as the images of a batch; the other "
            "dimensions are the numbers of a row. Rows\n"
            "of two numbers are x and y. LABELS is a tensor with one class per row: points show "
            "its digit or a letter.",
    .example = "scatter relu2_output_0 step 10 by labels",
    .see_also = "image, heatmap",
    .args = scatter_args,
    .options = scatter_options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer =
        "{" SM_SHAPE_DTYPED
        ",axes:text,explained_variance_ratio:[num],points:[{row:int,x:num,y:num,class:num?}]}",
    .run = run_scatter,
};
