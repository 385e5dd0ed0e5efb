/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/pictures/special_values.h"

#include "commands/answer/table_text.h"
#include "commands/place/describe.h"
#include "plot/chart.h"

#include <math.h>

/* ---- curves ---- */

enum { TRUE_POS, FALSE_POS, TRUE_NEG, FALSE_NEG, PRECISION, RECALL, PR_ROWS };
enum { CHART_H = 14, THRESHOLDS_SHOWN = 33 };

static double at(const struct sm_tensor *t, int row, uint64_t i)
{
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    return sm_dtype_load(t->dtype, t->data + ((uint64_t)row * t->dims[1] + i) * size);
}

static void print_thresholds(struct sm_result *out, const struct sm_tensor *t)
{
    uint64_t n = t->dims[1], shown = n < THRESHOLDS_SHOWN ? n : THRESHOLDS_SHOWN;
    sm_result_text(out, "THRESHOLD        TP        FP        TN        FN  PRECISION     RECALL");
    for (uint64_t k = 0; k < shown; k++) {
        uint64_t i = shown > 1 ? k * (n - 1) / (shown - 1) : 0;
        sm_result_text(out, "%9.4g %9.8g %9.8g %9.8g %9.8g %10.5g %10.5g",
                       n > 1 ? (double)i / (double)(n - 1) : 0, at(t, TRUE_POS, i),
                       at(t, FALSE_POS, i), at(t, TRUE_NEG, i), at(t, FALSE_NEG, i),
                       at(t, PRECISION, i), at(t, RECALL, i));
    }
    if (shown < n)
        sm_result_dim(out, "%llu of %llu thresholds", (unsigned long long)shown,
                      (unsigned long long)n);
}

/* The points of the curve by recall, which falls as the threshold rises. */
static size_t curve_points(const struct sm_tensor *t, double *x, double *y)
{
    size_t n = 0;
    for (uint64_t i = t->dims[1]; i-- > 0;) {
        double recall = at(t, RECALL, i), precision = at(t, PRECISION, i);
        bool none = at(t, TRUE_POS, i) + at(t, FALSE_POS, i) == 0; /* precision is not defined */
        if (none || !isfinite(recall) || !isfinite(precision))
            continue;
        x[n] = recall;
        y[n++] = precision;
    }
    return n;
}

static bool draw_curve(const struct sm_tensor *t, bool legend, struct sm_grid *g, struct sm_rect r,
                       const struct sm_glyphs *glyphs)
{
    double *x = sm_xalloc_zero((size_t)t->dims[1], 2 * sizeof *x), *y = x + t->dims[1];
    struct sm_line_series line = {
        .label = "precision over recall", .x = x, .y = y, .role = SM_ROLE_SERIES_0};
    struct sm_line_chart chart = {.series = &line,
                                  .n_series = 1,
                                  .legend = legend,
                                  .x_unit = SM_X_VALUE,
                                  .cursor_x = (double)NAN};
    line.n = curve_points(t, x, y);
    if (line.n)
        sm_line_draw(g, r, &chart, glyphs);
    sm_free(x);
    return line.n;
}

bool sm_pr_curve_draw(const struct sm_tensor *t, struct sm_grid *g, struct sm_rect r,
                      const struct sm_glyphs *glyphs)
{
    return draw_curve(t, false, g, r, glyphs);
}

static bool has_points(const struct sm_tensor *t)
{
    double *x = sm_xalloc_zero((size_t)t->dims[1], 2 * sizeof *x);
    size_t n = curve_points(t, x, x + t->dims[1]);
    sm_free(x);
    return n;
}

void sm_pr_curve_print(struct sm_result *out, const struct sm_tensor *t, int w,
                       const struct sm_glyphs *glyphs)
{
    print_thresholds(out, t);
    if (has_points(t))
        draw_curve(t, true, sm_result_grid(out, w, CHART_H), (struct sm_rect){0, 0, w, CHART_H},
                   glyphs);
}

bool sm_pr_curve_newest(struct sm_session *s, struct sm_trial *t, const struct sm_trial_tensor *x,
                        struct sm_tensor **out, struct sm_step *step, struct sm_err *err)
{
    const struct sm_facts *facts;
    struct sm_entry e = sm_newest_value(t, x);
    *out = NULL;
    if (!sm_entry_exists(&e) || x->forms != 1 << SM_FORM_TENSOR)
        return true;
    if (!sm_fetch_head(s->fetch, t, &e, &facts, err))
        return err->code != SM_ERR_WAIT;
    if (facts->n_dims != 2 || facts->dims[0] != PR_ROWS)
        return true;
    if (!sm_fetch_tensor(s->fetch, t, &e, out, err))
        return err->code != SM_ERR_WAIT;
    *step = sm_trial_part(t, e.part)->step;
    if (!(*out)->pr_curve) {
        sm_tensor_unref(*out);
        *out = NULL;
    }
    return true;
}

/* ---- texts ---- */

bool sm_texts_have_lines(const struct sm_tensor *t)
{
    for (uint64_t i = 0; t->strings && i < t->n; i++)
        if (t->strings[i].n && memchr(t->strings[i].p, '\n', t->strings[i].n))
            return true;
    return false;
}

static void print_text(struct sm_result *out, struct sm_text text)
{
    for (size_t from = 0, to; from < text.n || !from; from = to + 1) {
        const char *lf = text.n > from ? memchr(text.p + from, '\n', text.n - from) : NULL;
        to = lf ? (size_t)(lf - text.p) : text.n;
        sm_result_text(out, "%s", sm_result_escape(out, text.n ? text.p + from : "", to - from));
    }
}

void sm_texts_print(struct sm_result *out, const struct sm_tensor *t)
{
    for (uint64_t i = 0; i < t->n; i++)
        print_text(out, t->strings[i]);
}

/* ---- strings that are no text ---- */

bool sm_special_text(const struct sm_tensor *t, struct sm_str *out)
{
    const char *format = sm_tensor_image_format(t);
    if (!format) {
        bool table = sm_table_text(t, out);
        while (table && out->len && out->data[out->len - 1] == '\n')
            sm_str_truncate(out, out->len - 1);
        return table;
    }
    sm_str_add(out, "an image of ");
    sm_str_add_escaped(out, t->strings[0].p, t->strings[0].n);
    sm_str_add(out, " x ");
    sm_str_add_escaped(out, t->strings[1].p, t->strings[1].n);
    sm_str_printf(out, " in the format %s, %zu bytes: only PNG is decoded", format,
                  t->strings[2].n);
    return true;
}
