/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/pictures/inline_plot.h"
#include "commands/pictures/plot_input.h"

#include "plot/chart.h"
#include "reader/tensor/histogram.h"

#include <math.h>
#include <string.h>

enum { BARS_MAX = 72, HIST_BINS = 10, HIST_BAR = 40, HEAT_ROWS = 18 };

static void draw_bars(const struct sm_print_options *o, const char *head, const double *v, size_t n,
                      struct sm_result *out)
{
    struct sm_str line = {0};
    sm_str_add(&line, head);
    sm_spark_text(&line, v, n, n < BARS_MAX ? (int)n : BARS_MAX, o->glyphs);
    sm_result_text(out, "%s", sm_str_text(&line));
    sm_str_clear(&line);
}

static void set_heat_scale(struct sm_heat *heat, size_t n)
{
    heat->lo = INFINITY;
    heat->hi = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (isfinite(heat->v[i]) && heat->v[i] < heat->lo)
            heat->lo = heat->v[i];
        if (isfinite(heat->v[i]) && heat->v[i] > heat->hi)
            heat->hi = heat->v[i];
    }
}

/* A row is as long as the last dimension, or the width of the screen. The last row is filled up
 * with NaN. */
static void draw_heat(const struct sm_print_options *o, const struct sm_tensor *t, const double *v,
                      size_t n, struct sm_result *out)
{
    size_t w = (size_t)sm_plot_width(o);
    size_t cols = t->n_dims > 1 ? (size_t)t->dims[t->n_dims - 1] : w;
    cols = cols < n ? cols : n;
    struct sm_heat heat = {
        .rows = (n + cols - 1) / cols, .cols = cols, .map = SM_HEAT_VIRIDIS, .legend = true};
    double *cells = sm_xalloc(heat.rows * cols * sizeof *cells);
    for (size_t i = 0; i < heat.rows * cols; i++)
        cells[i] = i < n ? v[i] : NAN;
    heat.v = cells;
    set_heat_scale(&heat, n);
    struct sm_grid *g =
        sm_result_grid(out, (int)w, sm_heat_height(&heat, (int)w, HEAT_ROWS, o->glyphs));
    sm_heat_draw(g, (struct sm_rect){0, 0, g->w, g->h}, &heat, o->glyphs);
    sm_free(cells);
}

static bool draw_hist(const struct sm_print_options *o, const struct sm_tensor *t, uint64_t first,
                      uint64_t n, struct sm_result *out, struct sm_err *err)
{
    struct sm_tensor *part;
    struct sm_histogram h;
    if (!sm_tensor_new(t->dtype, 1, &n, t->data + first * sm_dtype_info(t->dtype)->size_bytes,
                       &part, err))
        return false;
    bool ok = sm_histogram_numpy(part, HIST_BINS, &h, err);
    sm_tensor_unref(part);
    if (!ok)
        return false;
    sm_hist_rows(sm_result_grid(out, 1, 1), h.edges, h.counts, h.bins, HIST_BAR, o->glyphs);
    if (h.nan || h.pos_inf || h.neg_inf)
        sm_result_text(out, "not counted: %llu nan, %llu +inf, %llu -inf",
                       (unsigned long long)h.nan, (unsigned long long)h.pos_inf,
                       (unsigned long long)h.neg_inf);
    sm_histogram_clear(&h);
    return true;
}

bool sm_inline_plot(const struct sm_session *s, const struct sm_format *f, const char *head,
                    const struct sm_tensor *t, uint64_t first, uint64_t n, struct sm_result *out,
                    struct sm_err *err)
{
    struct sm_print_options o;
    const struct sm_dtype_info *info = sm_dtype_info(t->dtype);
    if (info->kind < SM_KIND_FLOAT || info->kind > SM_KIND_BOOL)
        return sm_err_set(err, SM_ERR_USAGE, "Elements of type %s cannot be drawn.", info->name);
    if (n > SM_INLINE_PLOT_MAX)
        return sm_err_set(
            err, SM_ERR_LIMIT,
            "/%c draws at most %d elements, not %llu.  \"hist\" and \"heatmap\" have no limit.",
            f->letter, SM_INLINE_PLOT_MAX, (unsigned long long)n);
    if (!n)
        return sm_err_set(err, SM_ERR_MISSING, "There are no elements to draw.");
    sm_session_print_options(s, &o);
    if (f->letter == 'h')
        return draw_hist(&o, t, first, n, out, err);
    double *v = sm_xalloc((size_t)n * sizeof *v);
    for (uint64_t i = 0; i < n; i++)
        v[i] = sm_dtype_load(t->dtype, t->data + (first + i) * info->size_bytes);
    if (f->letter == 'b')
        draw_bars(&o, head, v, (size_t)n, out);
    else
        draw_heat(&o, t, v, (size_t)n, out);
    sm_free(v);
    return true;
}
