/* The line chart. In dots, the points of one column become one vertical stroke from their minimum
 * to their maximum, and the last point of a column is joined to the first of the next: with few
 * points that is the polyline, with many their envelope. */
#include "plot/frame.h"
#include "plot/grid/canvas.h"
#include "plot/legend.h"
#include "reader/base/mem.h"

#include <math.h>
#include <stdlib.h>

struct range {
    double lo, hi; /* lo > hi: no value yet */
};

static const struct range nothing = {HUGE_VAL, -HUGE_VAL};

static void extend_range(struct range *r, double v)
{
    if (isfinite(v)) {
        r->lo = fmin(r->lo, v);
        r->hi = fmax(r->hi, v);
    }
}

static struct range range_of_x(const struct sm_line_chart *chart)
{
    struct range r = nothing;
    for (size_t i = 0; i < chart->n_series; i++)
        for (size_t k = 0; k < chart->series[i].n; k++)
            extend_range(&r, chart->series[i].x[k]);
    return r;
}

static bool y_has_place(const struct sm_line_chart *chart, double y)
{
    return isfinite(y) && (chart->y_scale != SM_Y_LOG || y > 0);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* From the 5th to the 95th percentile (doc/numerics.md, "Ignore outliers"). */
static struct range range_without_outliers(const struct sm_line_chart *chart, size_t n)
{
    double *all = sm_xalloc(n * sizeof *all);
    size_t used = 0;
    for (size_t i = 0; i < chart->n_series; i++)
        for (size_t k = 0; k < chart->series[i].n; k++)
            if (y_has_place(chart, chart->series[i].y[k]))
                all[used++] = chart->series[i].y[k];
    qsort(all, n, sizeof *all, compare_doubles);
    struct range r = {all[(size_t)ceil((double)(n - 1) * 0.05)],
                      all[(size_t)floor((double)(n - 1) * 0.95)]};
    sm_free(all);
    return r;
}

static struct range range_of_y(const struct sm_line_chart *chart)
{
    struct range r = nothing;
    size_t n = 0;
    for (size_t i = 0; i < chart->n_series; i++)
        for (size_t k = 0; k < chart->series[i].n; k++)
            if (y_has_place(chart, chart->series[i].y[k])) {
                extend_range(&r, chart->series[i].y[k]);
                n++;
            }
    return chart->clip_outliers && n > 2 ? range_without_outliers(chart, n) : r;
}

/* ---- layout ---- */

struct line_layout {
    const struct sm_line_chart *chart;
    const struct sm_glyphs *glyphs;
    struct sm_grid *g;
    struct sm_plot_frame frame;
};

/* ---- lines ---- */

/* The points of one column of dots. */
struct column {
    bool open, joined;
    double x, low, high, last; /* in dots */
};

struct stroke {
    struct sm_canvas *canvas;
    struct sm_pen pen;
    struct column at;
};

static void end_column(struct stroke *s)
{
    const struct column *c = &s->at;
    if (c->open && (c->joined || lround(c->low) != lround(c->high)))
        sm_canvas_line(s->canvas, &s->pen, c->x, c->low, c->x, c->high);
    else if (c->open)
        sm_canvas_point(s->canvas, c->x, c->low, s->pen.role);
}

static void end_run(struct stroke *s)
{
    end_column(s);
    s->at = (struct column){0};
}

static void add_point(struct stroke *s, double x, double y)
{
    struct column *c = &s->at, next = {.open = true, .x = x, .low = y, .high = y, .last = y};
    if (c->open && c->x == x) {
        c->low = fmin(c->low, y);
        c->high = fmax(c->high, y);
        c->last = y;
        return;
    }
    if (c->open) {
        next.joined = c->joined = true;
        end_column(s);
        sm_canvas_line(s->canvas, &s->pen, c->x, c->last, x, y);
    }
    *c = next;
}

/* Clipped far outside only, so that slopes are right in any plot. */
static double to_dots(double place, int dots)
{
    return fmax(-1e9, fmin(1e9, place * (dots - 1)));
}

static void draw_series(const struct line_layout *l, struct sm_canvas *canvas,
                        const struct sm_line_series *series)
{
    struct stroke s = {.canvas = canvas,
                       .pen = {.role = series->role, .dash = series->dash % SM_DASH_FAINT}};
    if (series->faint)
        s.pen = (struct sm_pen){.role = SM_ROLE_DIM, .dash = SM_DASH_FAINT};
    for (size_t i = 0; i < series->n; i++) {
        if (isfinite(series->x[i]) && y_has_place(l->chart, series->y[i])) {
            double x =
                to_dots(sm_range_place(l->frame.x.lo, l->frame.x.hi, series->x[i]), canvas->dots_w);
            double y = to_dots(1 - sm_scale_place(&l->frame.scale, series->y[i]), canvas->dots_h);
            add_point(&s, (double)lround(x), y);
        } else {
            end_run(&s);
        }
    }
    end_run(&s);
}

/* Faint series are drawn first, in their own pass, so that smoothed lines stay visible among the
 * dots of the raw ones. */
static void draw_lines(const struct line_layout *l, bool faint)
{
    struct sm_canvas canvas;
    sm_canvas_init(&canvas, l->frame.plot.w, l->frame.plot.h, l->glyphs);
    for (size_t i = 0; i < l->chart->n_series; i++)
        if (l->chart->series[i].faint == faint)
            draw_series(l, &canvas, &l->chart->series[i]);
    sm_canvas_draw(&canvas, l->g, l->frame.plot.x, l->frame.plot.y);
    sm_canvas_clear(&canvas);
}

/* ---- markers ---- */

/* On the line at its last point, and every MARKER_GAP columns. Those of several lines begin at
 * different columns. */
static void draw_markers(const struct line_layout *l, const struct sm_line_series *s, size_t index)
{
    enum { MARKER_GAP = 14, MARKER_SHIFT = 3 };
    const struct sm_rect *plot = &l->frame.plot;
    int last = s->n ? sm_frame_column(&l->frame, s->x[s->n - 1], l->glyphs) : 0;
    int next = plot->x + (int)(index % MARKER_GAP) * MARKER_SHIFT % MARKER_GAP + 1;
    for (size_t i = 0; i < s->n; i++) {
        if (!isfinite(s->x[i]) || !y_has_place(l->chart, s->y[i]))
            continue;
        double place = sm_scale_place(&l->frame.scale, s->y[i]);
        int column = sm_frame_column(&l->frame, s->x[i], l->glyphs);
        bool due = column >= next && column + MARKER_GAP / 2 < last;
        if ((!due && i + 1 < s->n) || place < 0 || place > 1)
            continue;
        sm_grid_put(l->g, column, plot->y + sm_axis_row(place, plot->h, l->glyphs),
                    l->glyphs->marker[s->marker % SM_MARKERS], s->role, 0);
        next = column + MARKER_GAP;
    }
}

static void draw_all_markers(const struct line_layout *l)
{
    for (size_t i = 0; i < l->chart->n_series; i++)
        if (l->chart->series[i].marker && !l->chart->series[i].faint)
            draw_markers(l, &l->chart->series[i], i);
}

/* ---- marks and cursor ---- */

/* +inf goes to the top, -inf (and values a log scale cannot show) to the bottom, NaN onto the axis,
 * or above it if there is a mark. */
static void draw_nonfinite(const struct line_layout *l, double x, double y)
{
    uint32_t mark = sm_glyphs_mark(l->glyphs, isfinite(y) ? -HUGE_VAL : y);
    const struct sm_rect *plot = &l->frame.plot;
    int column = sm_frame_column(&l->frame, x, l->glyphs), bottom = plot->y + plot->h - 1,
        row = bottom;
    if (isnan(y)) {
        const struct sm_cell *axis = l->frame.x_line ? sm_grid_at(l->g, column, bottom + 1) : NULL;
        row += axis && axis->role != SM_ROLE_WARN;
    } else if (isinf(y) && y > 0) {
        row = plot->y;
    }
    sm_grid_put(l->g, column, row, mark, SM_ROLE_PROBLEM, 0);
}

static void draw_all_nonfinite(const struct line_layout *l)
{
    for (size_t i = 0; i < l->chart->n_series; i++) {
        const struct sm_line_series *s = &l->chart->series[i];
        for (size_t k = 0; k < s->n; k++)
            if (isfinite(s->x[k]) && !y_has_place(l->chart, s->y[k]))
                draw_nonfinite(l, s->x[k], s->y[k]);
    }
}

static void draw_empty(const struct line_layout *l)
{
    static const char text[] = "no points";
    const struct sm_rect *plot = &l->frame.plot;
    int w = (int)sizeof text - 1;
    if (w <= plot->w && plot->h)
        sm_grid_text(l->g, plot->x + (plot->w - w) / 2, plot->y + (plot->h - 1) / 2, w, SM_ROLE_DIM,
                     0, text);
}

void sm_line_draw(struct sm_grid *g, struct sm_rect r, const struct sm_line_chart *chart,
                  const struct sm_glyphs *glyphs)
{
    struct line_layout l = {
        .chart = chart, .glyphs = glyphs, .g = g, .frame.room = sm_grid_clip(g, r)};
    struct range x = range_of_x(chart), y = range_of_y(chart);
    if (!l.frame.room.w || !l.frame.room.h)
        return;
    l.frame.x = (struct sm_x_axis){.unit = chart->x_unit,
                                   .lo = x.lo,
                                   .hi = x.hi,
                                   .marks = chart->marks,
                                   .n_marks = chart->n_marks,
                                   .cursor = chart->cursor_x};
    sm_frame_lay_out(&l.frame, chart->y_scale, y.lo, y.hi, glyphs);
    sm_grid_blank(g, l.frame.room);
    if (x.lo > x.hi)
        draw_empty(&l);
    for (size_t i = 0; i < chart->n_sessions; i++)
        sm_frame_upright(&l.frame, g, chart->sessions[i], SM_ROLE_BORDER, glyphs);
    sm_frame_upright(&l.frame, g, chart->cursor_x, SM_ROLE_ACCENT, glyphs);
    draw_lines(&l, true);
    draw_lines(&l, false);
    draw_all_markers(&l);
    sm_frame_draw(&l.frame, g, glyphs);
    draw_all_nonfinite(&l);
    if (chart->legend)
        sm_legend_draw(chart, g, l.frame.plot, glyphs);
}

double sm_line_value_at(const struct sm_line_series *s, double x)
{
    size_t from = 0, to = s->n; /* the last point at or before x is in from - 1 */
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (s->x[middle] <= x)
            from = middle + 1;
        else
            to = middle;
    }
    return from ? s->y[from - 1] : (double)NAN;
}

size_t sm_line_thinning(const struct sm_line_chart *chart, int plot_w)
{
    struct range x = range_of_x(chart);
    size_t most = 0;
    for (size_t i = 0; i < chart->n_series; i++) {
        const struct sm_line_series *s = &chart->series[i];
        long before = -1;
        size_t n = 0;
        for (size_t k = 0; k < s->n; k++) {
            if (!isfinite(s->x[k]))
                continue;
            long column = lround(sm_range_place(x.lo, x.hi, s->x[k]) * (plot_w - 1));
            n = column == before ? n + 1 : 1;
            before = column;
            most = n > most ? n : most;
        }
    }
    return most;
}
