/* SPDX-License-Identifier: Apache-2.0 */
/* The views of the tensor pane that show one value: statistics, histogram, elements. */
#include "tui/tensor_pane/element_text.h"
#include "tui/tensor_pane/tensor_pane.h"

enum { BINS_MAX = 60, TALL = 14, VERY_TALL = 26, WIDE = 90, WIDE_TALL = 7 };

/* ---- histogram ---- */

static bool draw_histogram(const struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                           struct sm_grid *g, struct sm_rect r, struct sm_err *err)
{
    int bins = r.w < BINS_MAX ? r.w : BINS_MAX;
    struct sm_summary_spec spec = {
        .slice = frame->slice, .want = SM_SUMMARY_HISTOGRAM, .bins = (size_t)(bins > 1 ? bins : 1)};
    struct sm_summary x;
    if (!sm_summary_read(frame->v->session->summaries, frame->trial, &frame->e, &spec, &x, err))
        return false;
    const struct sm_histogram *h = &x.histogram;
    if (h->bins)
        sm_hist_draw(g, r, h->edges, h->counts, h->bins, s->log_counts, frame->v->glyphs);
    uint64_t odd = h->nan + h->pos_inf + h->neg_inf;
    if (odd)
        sm_grid_printf(g, r.x, r.y, r.w, SM_ROLE_PROBLEM, 0, "not counted: %llu NaN or Inf",
                       (unsigned long long)odd);
    sm_summary_clear(&x);
    return true;
}

static void draw_histogram_view(struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                                struct sm_grid *g, struct sm_rect r)
{
    struct sm_rect inside = {r.x + 1, r.y, r.w - 2, r.h};
    struct sm_err err = {0};
    if (!frame->facts->has_stats)
        sm_tensor_pane_line(g, r, 0, SM_ROLE_DIM, "values of this type have no histogram");
    else if (inside.w > 0 && !draw_histogram(s, frame, g, inside, &err))
        sm_tensor_pane_error(frame, &err, g, r);
}

/* Used by the statistics view too, which contains the histogram. */
static bool act_on_histogram(struct sm_tensor_pane *s, struct sm_view *v, enum sm_key_action a)
{
    if (a != SM_ACT_LOG_COUNTS)
        return false;
    s->log_counts = !s->log_counts;
    v->notice = s->log_counts ? "counts: logarithmic" : "counts: linear";
    return true;
}

const struct sm_tensor_pane_view sm_tensor_pane_histogram = {
    .name = "histogram", .draw = draw_histogram_view, .act = act_on_histogram};

/* ---- statistics ---- */

static int draw_moments(struct sm_grid *g, struct sm_rect r, int y, const struct sm_stats *s)
{
    struct sm_str text = {0};
    for (int digits = 4; digits >= 2; digits--) { /* as many digits as fit */
        sm_str_truncate(&text, 0);
        sm_str_printf(&text, "mean %.*g  std %.*g  |x| %.*g", digits, s->mean, digits,
                      sm_stats_get(s, SM_REDUCE_STD), digits, s->l1 / (double)s->finite);
        if ((int)text.len < r.w)
            break;
    }
    y = sm_tensor_pane_line(g, r, y, SM_ROLE_TEXT, sm_str_text(&text));
    sm_str_truncate(&text, 0);
    sm_str_printf(&text, "min %.4g  max %.4g", s->min, s->max);
    y = sm_tensor_pane_line(g, r, y, SM_ROLE_TEXT, sm_str_text(&text));
    sm_str_clear(&text);
    return y;
}

/* Draws one line for each statistic that has no fixed place in the output of `stat`. */
static int draw_other_statistics(struct sm_grid *g, struct sm_rect r, int y,
                                 const struct sm_summary *x)
{
    struct sm_str text = {0};
    double v;
    for (size_t i = 0; i < sm_statistic_count(); i++) {
        const struct sm_statistic *s = sm_statistic(i);
        if (s->hidden || s->line || !sm_summary_get(x, s, &v))
            continue;
        sm_str_truncate(&text, 0);
        sm_str_printf(&text, "%s %.4g", sm_statistic_title(s), v);
        y = sm_tensor_pane_line(g, r, y, SM_ROLE_TEXT, sm_str_text(&text));
    }
    sm_str_clear(&text);
    return y;
}

/* Draws the sums and quantiles, in tall panes. */
static int draw_more_moments(struct sm_grid *g, struct sm_rect r, int y, const struct sm_summary *x)
{
    const struct sm_stats *s = &x->stats;
    struct sm_str text = {0};
    sm_str_printf(&text, "l1 %.4g  l2 %.4g  sum %.4g", s->l1, s->l2, s->sum);
    y = sm_tensor_pane_line(g, r, y, SM_ROLE_TEXT, sm_str_text(&text));
    sm_str_truncate(&text, 0);
    sm_str_printf(&text, "|x| %.4g to %.4g", s->abs_min, s->abs_max);
    y = sm_tensor_pane_line(g, r, y, SM_ROLE_TEXT, sm_str_text(&text));
    for (int i = 0; i < SM_SUMMARY_POINTS; i += 4) {
        sm_str_truncate(&text, 0);
        for (int k = i; k < i + 4 && k < SM_SUMMARY_POINTS; k++)
            sm_str_printf(&text, "%s%.0f%% %.4g", k > i ? "  " : "", 100 * sm_summary_points[k],
                          x->quantiles[k]);
        y = sm_tensor_pane_line(g, r, y, SM_ROLE_TEXT, sm_str_text(&text));
    }
    sm_str_clear(&text);
    return draw_other_statistics(g, r, y, x);
}

static int draw_counts(struct sm_grid *g, struct sm_rect r, int y, const struct sm_summary *x)
{
    const struct sm_stats *s = &x->stats;
    bool bad = s->nan || s->pos_inf || s->neg_inf;
    struct sm_str text = {0};
    sm_str_printf(&text, "nan %llu  inf %llu  zero %llu of %llu", (unsigned long long)s->nan,
                  (unsigned long long)s->pos_inf + s->neg_inf, (unsigned long long)s->zero,
                  (unsigned long long)s->n);
    y = sm_tensor_pane_line(g, r, y, bad ? SM_ROLE_PROBLEM : SM_ROLE_TEXT, sm_str_text(&text));
    sm_str_clear(&text);
    return y;
}

/* Draws a scalar: its value, and its values over the steps. */
static void draw_scalar(struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                        struct sm_grid *g, struct sm_rect r)
{
    struct sm_str text = {0};
    struct sm_err err = {0};
    const struct sm_tensor *t = sm_tensor_pane_tensor(s, frame, &err);
    if (t)
        sm_element_text_full(&text, t, 0);
    if (t)
        sm_tensor_pane_line(g, r, 0, sm_element_text_is_odd(t, 0) ? SM_ROLE_PROBLEM : SM_ROLE_TEXT,
                            sm_str_text(&text));
    else
        sm_tensor_pane_error(frame, &err, g, r);
    int y = t && frame->facts->has_stats ? sm_tensor_pane_differences(frame, g, r, 1) : 1;
    sm_str_clear(&text);
    if (r.h - y >= 4)
        sm_tensor_pane_draw_time(s, frame, g, (struct sm_rect){r.x, r.y + y, r.w, r.h - y});
}

/* Draws the value over the steps if there is space for it. Returns the remaining rectangle. */
static struct sm_rect draw_time_next_to(struct sm_tensor_pane *s,
                                        const struct sm_tensor_pane_frame *frame, struct sm_grid *g,
                                        struct sm_rect r)
{
    int half_w = r.w / 2, half_h = r.h / 2;
    if (r.w >= WIDE && r.h >= WIDE_TALL) {
        sm_tensor_pane_draw_time(s, frame, g,
                                 (struct sm_rect){r.x + r.w - half_w, r.y, half_w, r.h});
        r.w -= half_w;
    } else if (r.h >= VERY_TALL) {
        sm_tensor_pane_draw_time(s, frame, g,
                                 (struct sm_rect){r.x, r.y + r.h - half_h, r.w, half_h});
        r.h -= half_h + 1;
    }
    return r;
}

static void draw_rest(struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                      struct sm_grid *g, struct sm_rect r)
{
    struct sm_err err = {0};
    struct sm_rect rest = draw_time_next_to(s, frame, g, r);
    bool drawn =
        rest.h < 3 || rest.w < 6 ||
        draw_histogram(s, frame, g, (struct sm_rect){rest.x + 1, rest.y, rest.w - 2, rest.h}, &err);
    if (!drawn && err.code == SM_ERR_MISSING)
        sm_tensor_pane_error(frame, &err, g, rest);
}

/* Statistics of a table of bins would be those of its edges. */
static void draw_saved_histogram(struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                                 struct sm_grid *g, struct sm_rect r)
{
    struct sm_err err = {0};
    const struct sm_tensor *t = sm_tensor_pane_tensor(s, frame, &err);
    if (!t) {
        sm_tensor_pane_error(frame, &err, g, r);
        return;
    }
    int y = sm_tensor_pane_draw_bins(t, g, r);
    draw_rest(s, frame, g, (struct sm_rect){r.x, r.y + y, r.w, r.h - y});
}

static void draw_statistics_view(struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                                 struct sm_grid *g, struct sm_rect r)
{
    bool tall = r.h >= TALL && !frame->sample; /* of a sample there would be no true counts */
    struct sm_summary_spec spec = {.slice = frame->sample ? NULL : frame->slice,
                                   .want = tall ? SM_SUMMARY_QUANTILES : SM_SUMMARY_STATS};
    struct sm_summary x;
    struct sm_err err = {0};
    if (frame->facts->n == 1 && frame->facts->has_stats) {
        draw_scalar(s, frame, g, r);
        return;
    }
    if (!frame->facts->has_stats) {
        sm_tensor_pane_line(g, r, 0, SM_ROLE_DIM, "values of this type have no statistics");
        return;
    }
    if (!frame->slice && sm_trial_has_histograms(frame->trial, frame->x->name) &&
        frame->facts->n_dims == 2 && frame->facts->dims[1] == 3) {
        draw_saved_histogram(s, frame, g, r);
        return;
    }
    if (!sm_summary_read(frame->v->session->summaries, frame->trial, &frame->e, &spec, &x, &err)) {
        sm_tensor_pane_error(frame, &err, g, r);
        return;
    }
    int y = 0;
    if (x.stats.finite) {
        y = draw_moments(g, r, y, &x.stats);
        y = tall ? draw_more_moments(g, r, y, &x) : y;
    }
    y = draw_counts(g, r, y, &x);
    y = sm_tensor_pane_differences(frame, g, r, y);
    struct sm_rect rest = {r.x, r.y + y, r.w, r.h - y};
    if (frame->sample || !x.stats.finite)
        draw_time_next_to(s, frame, g, rest);
    else
        draw_rest(s, frame, g, rest);
    sm_summary_clear(&x);
}

const struct sm_tensor_pane_view sm_tensor_pane_statistics = {
    .name = "statistics", .draw = draw_statistics_view, .act = act_on_histogram};

/* ---- elements ---- */

/* Draws the element under the cursor in the last line: "[0, 2, 1] 0.20126014". */
static void draw_cursor_element(const struct sm_tensor_pane *s, const struct sm_tensor *t,
                                struct sm_grid *g, struct sm_rect r)
{
    struct sm_str text = {0};
    uint64_t flat = sm_tensor_axes_flat(&s->axes, &s->cells.at);
    sm_tensor_axes_element(&text, &s->axes, &s->cells.at);
    int w = sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0, sm_str_text(&text));
    sm_str_truncate(&text, 0);
    sm_element_text_full(&text, t, flat);
    w += w ? 2 : 0;
    sm_grid_text(g, r.x + 1 + w, r.y, r.w - 1 - w,
                 sm_element_text_is_odd(t, flat) ? SM_ROLE_PROBLEM : SM_ROLE_TEXT, SM_ATTR_BOLD,
                 sm_str_text(&text));
    sm_str_clear(&text);
}

static void draw_values_view(struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                             struct sm_grid *g, struct sm_rect r)
{
    struct sm_err err = {0};
    const struct sm_tensor *t = sm_tensor_pane_tensor(s, frame, &err);
    int below = r.h > 2;
    if (!t)
        sm_tensor_pane_error(frame, &err, g, r);
    else if (sm_dtype_info(t->dtype)->kind == SM_KIND_OTHER)
        sm_tensor_pane_line(g, r, 0, SM_ROLE_DIM, "values of this type cannot be shown");
    else if (sm_tensor_axes_empty(&s->axes))
        sm_tensor_pane_line(g, r, 0, SM_ROLE_DIM, "no elements");
    else {
        sm_cells_draw(&s->cells, t, &s->axes, frame->facts->has_stats ? &frame->facts->stats : NULL,
                      g, (struct sm_rect){r.x + 1, r.y, r.w - 1, r.h - below}, frame->focused);
        if (below)
            draw_cursor_element(s, t, g, (struct sm_rect){r.x, r.y + r.h - 1, r.w, 1});
    }
}

static bool act_on_values(struct sm_tensor_pane *s, struct sm_view *v, enum sm_key_action a)
{
    (void)v;
    return sm_cells_act(&s->cells, &s->axes, a);
}

const struct sm_tensor_pane_view sm_tensor_pane_values = {
    .name = "values", .draw = draw_values_view, .act = act_on_values, .cells = true};
