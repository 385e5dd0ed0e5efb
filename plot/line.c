/* SPDX-License-Identifier: Apache-2.0 */
/* The line chart. In dots, the points of one column become one vertical stroke from their minimum
 * to their maximum, and the last point of a column is joined to the first of the next: with few
 * points that is the polyline, with many their envelope. */
#include "plot/frame.h"
#include "plot/grid/canvas.h"
#include "plot/legend.h"
#include "plot/line_range.h"

#include <math.h>
#include <string.h>

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

/* Every other dot, in the same pattern in all columns, and always one. */
static void draw_faint_column(struct stroke *s, const struct column *c)
{
    long x = lround(c->x), low = lround(fmax(c->low, -1)),
         high = lround(fmin(c->high, s->canvas->dots_h));
    for (long y = low; y <= high; y++)
        if ((x + y) % 2 == 0 || low == high)
            sm_canvas_dot(s->canvas, (int)x, (int)y, s->pen.role);
}

static void end_column(struct stroke *s)
{
    const struct column *c = &s->at;
    if (c->open && s->pen.dash == SM_DASH_FAINT)
        draw_faint_column(s, c);
    else if (c->open && (c->joined || lround(c->low) != lround(c->high)))
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
        bool shaded = s->pen.dash == SM_DASH_FAINT && x - c->x < 2 && y >= c->low && y <= c->high;
        next.joined = c->joined = true;
        end_column(s);
        if (!shaded)
            sm_canvas_line(s->canvas, &s->pen, c->x, c->last, x, y);
    }
    *c = next;
}

/* Clipped far outside only, so that slopes are right in any plot. */
static double to_dots(double place, int dots)
{
    return fmax(-1e9, fmin(1e9, place * (dots - 1)));
}

static enum sm_role faint_role(enum sm_role role)
{
    bool series = role >= SM_ROLE_SERIES_0 && role <= SM_ROLE_SERIES_7;
    return series ? role - SM_ROLE_SERIES_0 + SM_ROLE_FAINT_0 : SM_ROLE_DIM;
}

static void draw_series(const struct line_layout *l, struct sm_canvas *canvas,
                        const struct sm_line_series *series)
{
    struct stroke s = {.canvas = canvas,
                       .pen = {.role = series->role, .dash = series->dash % SM_DASH_FAINT}};
    if (series->faint)
        s.pen = (struct sm_pen){.role = faint_role(series->role), .dash = SM_DASH_FAINT};
    for (size_t i = 0; i < series->n; i++) {
        if (isfinite(series->x[i]) && sm_line_has_place(l->chart, series->y[i])) {
            double x = to_dots(sm_x_place(&l->frame.x, series->x[i]), canvas->dots_w);
            double y = to_dots(1 - sm_scale_place(&l->frame.scale, series->y[i]), canvas->dots_h);
            add_point(&s, (double)lround(x), y);
        } else {
            end_run(&s);
        }
    }
    end_run(&s);
}

/* Sparse dots from lo to hi, in every other column of dots. */
static void draw_band(const struct line_layout *l, struct sm_canvas *canvas,
                      const struct sm_line_series *s)
{
    for (size_t i = 0; i + 1 < s->n; i++) {
        double lo[2], hi[2], x[2];
        for (size_t k = 0; k < 2; k++) {
            double place = sm_x_place(&l->frame.x, s->x[i + k]);
            x[k] = to_dots(place, canvas->dots_w);
            lo[k] = to_dots(1 - sm_scale_place(&l->frame.scale, s->lo[i + k]), canvas->dots_h);
            hi[k] = to_dots(1 - sm_scale_place(&l->frame.scale, s->hi[i + k]), canvas->dots_h);
        }
        if (!isfinite(lo[0] + lo[1] + hi[0] + hi[1] + x[0] + x[1]))
            continue;
        for (long at = lround(x[0]); at <= lround(x[1]) && at < canvas->dots_w; at++) {
            double part = x[1] > x[0] ? ((double)at - x[0]) / (x[1] - x[0]) : 0;
            double top = fmax(hi[0] + part * (hi[1] - hi[0]), 0),
                   bottom = fmin(lo[0] + part * (lo[1] - lo[0]), canvas->dots_h - 1);
            for (long y = lround(top); at % 2 == 0 && y <= lround(bottom); y++)
                if ((y + at / 2) % 2 == 0)
                    sm_canvas_dot(canvas, (int)at, (int)y, s->role);
        }
    }
}

static bool has_faint(const struct sm_line_chart *chart)
{
    for (size_t i = 0; i < chart->n_series; i++)
        if (chart->series[i].faint)
            return true;
    return false;
}

/* Faint series are drawn first, in their own pass, so that smoothed lines stay visible among the
 * dots of the raw ones; where dots are large, with one rune each. */
static void draw_lines(const struct line_layout *l, bool faint)
{
    struct sm_canvas canvas;
    sm_canvas_init(&canvas, l->frame.plot.w, l->frame.plot.h, l->glyphs);
    for (size_t i = 0; i < l->chart->n_series; i++)
        if (l->chart->series[i].lo && faint)
            draw_band(l, &canvas, &l->chart->series[i]);
    for (size_t i = 0; i < l->chart->n_series; i++)
        if (l->chart->series[i].faint == faint)
            draw_series(l, &canvas, &l->chart->series[i]);
    uint32_t rune = !has_faint(l->chart) ? 0 : faint ? l->glyphs->raw : l->glyphs->smooth;
    sm_canvas_fill(&canvas, rune, l->g, l->frame.plot.x, l->frame.plot.y);
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
        if (!isfinite(s->x[i]) || !sm_line_has_place(l->chart, s->y[i]))
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
            if (isfinite(s->x[k]) && !sm_line_has_place(l->chart, s->y[k]))
                draw_nonfinite(l, s->x[k], s->y[k]);
    }
}

/* A clipped line of which nothing is inside: a mark at the edge where each column of it would be.
 */
static void draw_outside(const struct line_layout *l, const struct sm_line_series *s)
{
    const struct sm_rect *plot = &l->frame.plot;
    for (size_t k = 0; k < s->n; k++) {
        double place = sm_scale_place(&l->frame.scale, s->y[k]);
        if (isfinite(s->x[k]) && sm_line_has_place(l->chart, s->y[k]) && place >= 0 && place <= 1)
            return;
    }
    for (size_t k = 0; k < s->n; k++) {
        if (!isfinite(s->x[k]) || !sm_line_has_place(l->chart, s->y[k]))
            continue;
        bool above = sm_scale_place(&l->frame.scale, s->y[k]) > 1;
        sm_grid_put(l->g, sm_frame_column(&l->frame, s->x[k], l->glyphs),
                    above ? plot->y : plot->y + plot->h - 1,
                    sm_glyphs_mark(l->glyphs, above ? HUGE_VAL : -HUGE_VAL), s->role, 0);
    }
}

static void draw_all_outside(const struct line_layout *l)
{
    for (size_t i = 0; i < l->chart->n_series; i++)
        if (l->chart->series[i].diverged && !l->chart->series[i].faint)
            draw_outside(l, &l->chart->series[i]);
}

static void draw_empty(const struct line_layout *l)
{
    bool no_times = false; /* points whose x is not known */
    for (size_t i = 0; i < l->chart->n_series; i++)
        no_times = no_times || (l->chart->series[i].n && l->chart->x_unit != SM_X_STEP);
    const char *text = no_times ? "no times" : "no points";
    const struct sm_rect *plot = &l->frame.plot;
    int w = (int)strlen(text);
    if (w <= plot->w && plot->h)
        sm_grid_text(l->g, plot->x + (plot->w - w) / 2, plot->y + (plot->h - 1) / 2, w, SM_ROLE_DIM,
                     0, text);
}

/* The part of the x axis that is selected, and the columns of its ends. */
static void draw_range(const struct line_layout *l, const double range[2])
{
    const struct sm_plot_frame *f = &l->frame;
    double lo = fmax(range[0], f->x.lo), hi = fmin(range[1], f->x.hi);
    if (!(lo <= hi) || !f->x_line)
        return;
    for (int x = sm_frame_column(f, lo, l->glyphs); x <= sm_frame_column(f, hi, l->glyphs); x++) {
        const struct sm_cell *c = sm_grid_at(l->g, x, f->plot.y + f->plot.h);
        bool mark = c && c->role == SM_ROLE_WARN;
        if (!mark)
            sm_grid_put(l->g, x, f->plot.y + f->plot.h, l->glyphs->dash[2], SM_ROLE_ACCENT,
                        SM_ATTR_BOLD);
    }
}

static void draw_in(struct line_layout *l)
{
    const struct sm_line_chart *chart = l->chart;
    struct sm_line_range x = sm_line_range_x(chart), y = sm_line_range_y(chart);
    l->frame.x = (struct sm_x_axis){.unit = chart->x_unit,
                                    .log = chart->x_log && chart->x_unit != SM_X_WALL,
                                    .lo = x.lo,
                                    .hi = x.hi,
                                    .marks = chart->marks,
                                    .n_marks = chart->n_marks,
                                    .cursor = chart->cursor_x};
    sm_frame_lay_out(&l->frame, chart->y_scale, y.lo, y.hi, l->glyphs);
    if (chart->place)
        *chart->place = (struct sm_line_place){l->frame.plot, x.lo, x.hi, l->frame.x.log};
    sm_grid_blank(l->g, l->frame.room);
    if (x.lo > x.hi)
        draw_empty(l);
    for (size_t i = 0; i < chart->n_sessions; i++)
        sm_frame_upright(&l->frame, l->g, chart->sessions[i], SM_ROLE_BORDER, l->glyphs);
    for (int i = 0; i < 2 && chart->range; i++)
        sm_frame_upright(&l->frame, l->g, chart->range[i], SM_ROLE_DIM, l->glyphs);
    sm_frame_upright(&l->frame, l->g, chart->cursor_x, SM_ROLE_ACCENT, l->glyphs);
    draw_lines(l, true);
    draw_lines(l, false);
    draw_all_markers(l);
    sm_frame_draw(&l->frame, l->g, l->glyphs);
    if (chart->range)
        draw_range(l, chart->range);
    draw_all_outside(l);
    draw_all_nonfinite(l);
}

void sm_line_draw(struct sm_grid *g, struct sm_rect r, const struct sm_line_chart *chart,
                  const struct sm_glyphs *glyphs)
{
    enum { STRIP_MIN_W = 20, STRIP_MIN_H = 6 };
    struct line_layout l = {
        .chart = chart, .glyphs = glyphs, .g = g, .frame.room = sm_grid_clip(g, r)};
    struct sm_rect room = l.frame.room;
    if (!room.w || !room.h)
        return;
    draw_in(&l);
    if (!chart->legend || sm_legend_draw(chart, g, l.frame.plot, glyphs) || room.w < STRIP_MIN_W ||
        room.h < STRIP_MIN_H)
        return;
    l = (struct line_layout){.chart = chart, .glyphs = glyphs, .g = g, .frame.room = room};
    l.frame.room.y++;
    l.frame.room.h--;
    draw_in(&l);
    sm_grid_blank(g, (struct sm_rect){room.x, room.y, room.w, 1});
    sm_legend_strip(chart, g, (struct sm_rect){room.x + 1, room.y, room.w - 1, 1}, glyphs);
}

double sm_line_x_at(const struct sm_line_place *p, int x, int y)
{
    const struct sm_rect *r = &p->plot;
    if (x < r->x || x >= r->x + r->w || y < r->y || y >= r->y + r->h || p->lo > p->hi)
        return (double)NAN;
    const struct sm_x_axis axis = {.lo = p->lo, .hi = p->hi, .log = p->x_log};
    return r->w > 1 ? sm_x_at(&axis, (double)(x - r->x) / (r->w - 1)) : p->lo;
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
    struct sm_line_range x = sm_line_range_x(chart);
    const struct sm_x_axis axis = {
        .lo = x.lo, .hi = x.hi, .log = chart->x_log && chart->x_unit != SM_X_WALL};
    size_t most = 0;
    for (size_t i = 0; i < chart->n_series; i++) {
        const struct sm_line_series *s = &chart->series[i];
        long before = -1;
        size_t n = 0;
        for (size_t k = 0; k < s->n; k++) {
            if (!isfinite(s->x[k]))
                continue;
            long column = lround(sm_x_place(&axis, s->x[k]) * (plot_w - 1));
            n = column == before ? n + 1 : 1;
            before = column;
            most = n > most ? n : most;
        }
    }
    return most;
}
