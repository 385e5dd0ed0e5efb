/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/frame.h"
#include "plot/grid/canvas.h"
#include "plot/grid/pixel.h"
#include "plot/over_time.h"

#include <math.h>

void sm_distribution(const double *edges, const uint64_t *counts, size_t n, double out[SM_BANDS])
{
    static const double points[SM_BANDS] = {0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000};
    double total = 0, below = 0;
    size_t bin = 0;
    for (size_t i = 0; i < n; i++)
        total += (double)counts[i];
    for (int k = 0; k < SM_BANDS; k++)
        out[k] = total > 0 ? edges[n] : (double)NAN;
    for (int k = 0; total > 0 && k < SM_BANDS; k++) {
        double want = points[k] / 10000 * total;
        /* like a search to the right of equal values */
        while (bin < n && below + (double)counts[bin] <= want)
            below += (double)counts[bin++];
        if (bin < n)
            out[k] =
                edges[bin] + (want - below) / (double)counts[bin] * (edges[bin + 1] - edges[bin]);
    }
}

struct bands_layout {
    const struct sm_bands *b;
    const struct sm_glyphs *glyphs;
    struct sm_grid *g;
    struct sm_plot_frame frame;
};

static bool band_has_place(const struct sm_bands *b, double v)
{
    return isfinite(v) && (b->y_scale != SM_Y_LOG || v > 0);
}

static bool all_shown(const struct sm_bands *b, size_t i)
{
    for (int k = 0; k < SM_BANDS; k++)
        if (!band_has_place(b, b->v[i * SM_BANDS + (size_t)k]))
            return false;
    return true;
}

/* The bands at x, interpolated between the points on both sides; false within a gap. */
static bool bands_at(const struct sm_bands *b, double x, double out[SM_BANDS])
{
    size_t i = 0;
    while (i + 1 < b->n && b->x[i + 1] <= x)
        i++;
    size_t next = i + 1 < b->n && b->x[i] < x ? i + 1 : i;
    if (!all_shown(b, i) || !all_shown(b, next))
        return false;
    double place = next != i ? (x - b->x[i]) / (b->x[next] - b->x[i]) : 0;
    for (size_t k = 0; k < SM_BANDS; k++)
        out[k] =
            b->v[i * SM_BANDS + k] + place * (b->v[next * SM_BANDS + k] - b->v[i * SM_BANDS + k]);
    return true;
}

/* 0: outside, 1: the outermost band .. 4: the innermost. */
static int depth_of(const double row[SM_BANDS], double lo, double hi)
{
    int depth = 0;
    while (depth < SM_BANDS / 2 && hi >= row[depth] && lo <= row[SM_BANDS - 1 - depth])
        depth++;
    return depth;
}

static struct sm_pixel pixel_of_depth(int depth)
{
    static const int levels[] = {0, 3, 6, 9, 12};
    return (struct sm_pixel){.role = depth ? (enum sm_role)(SM_ROLE_HEAT_0 + levels[depth])
                                           : SM_ROLE_TEXT,
                             .level = levels[depth]};
}

/* The pixels of one column of cells, from the top; `places` are those of the bands on the scale. */
static void draw_column(const struct bands_layout *l, int x, const double places[SM_BANDS])
{
    const struct sm_rect *p = &l->frame.plot;
    int a_cell = sm_pixel_rows(l->glyphs), rows = p->h * a_cell;
    for (int y = 0; y < p->h; y++) {
        struct sm_pixel two[2] = {{0}};
        for (int k = 0; k < a_cell; k++) {
            int row = rows - 1 - (y * a_cell + k);
            two[k] = pixel_of_depth(
                depth_of(places, (row - 0.5) / fmax(1, rows - 1), (row + 0.5) / fmax(1, rows - 1)));
        }
        if (two[0].role || two[1].role)
            sm_pixel_put(l->g, p->x + x, p->y + y, two[0], two[1], l->glyphs);
    }
}

static void draw_columns(const struct bands_layout *l)
{
    const struct sm_rect *p = &l->frame.plot;
    for (int x = 0; x < p->w; x++) {
        double at = p->w > 1 ? (double)x / (p->w - 1) : 0, v[SM_BANDS], places[SM_BANDS];
        if (!bands_at(l->b, l->frame.x.lo + at * (l->frame.x.hi - l->frame.x.lo), v))
            continue;
        for (int k = 0; k < SM_BANDS; k++)
            places[k] = sm_scale_place(&l->frame.scale, v[k]);
        draw_column(l, x, places);
        int row = sm_axis_row(places[SM_BANDS / 2], p->h, l->glyphs);
        sm_grid_put(l->g, p->x + x, p->y + row, l->glyphs->h, SM_ROLE_TITLE, 0);
    }
}

void sm_bands_draw(struct sm_grid *g, struct sm_rect r, const struct sm_bands *b,
                   const struct sm_glyphs *glyphs)
{
    struct bands_layout l = {.b = b, .glyphs = glyphs, .g = g, .frame.room = sm_grid_clip(g, r)};
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (size_t i = 0; i < b->n * SM_BANDS; i++)
        if (band_has_place(b, b->v[i])) {
            lo = fmin(lo, b->v[i]);
            hi = fmax(hi, b->v[i]);
        }
    sm_grid_blank(g, l.frame.room);
    if (!l.frame.room.w || !l.frame.room.h || lo > hi)
        return;
    l.frame.x = (struct sm_x_axis){.unit = b->x_unit,
                                   .lo = b->x[0],
                                   .hi = b->x[b->n - 1],
                                   .marks = b->marks,
                                   .n_marks = b->n_marks,
                                   .cursor = b->cursor_x};
    sm_frame_lay_out(&l.frame, b->y_scale, lo, hi, glyphs);
    draw_columns(&l);
    sm_frame_upright(&l.frame, g, b->cursor_x, SM_ROLE_ACCENT, glyphs);
    sm_frame_draw(&l.frame, g, glyphs);
}
