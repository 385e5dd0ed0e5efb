/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/frame.h"
#include "plot/grid/canvas.h"
#include "plot/grid/pixel.h"
#include "plot/over_time.h"
#include "plot/scalebar.h"
#include "reader/base/mem.h"

#include <math.h>

void sm_hist_rebin(const double *edges, const uint64_t *counts, size_t n, const double *to_edges,
                   size_t to_bins, double *out)
{
    for (size_t k = 0; k < to_bins; k++)
        out[k] = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; counts[i] && k < to_bins; k++) {
            double width = edges[i + 1] - edges[i], from = fmax(edges[i], to_edges[k]),
                   to = fmin(edges[i + 1], to_edges[k + 1]);
            bool last = k + 1 == to_bins;
            if (width > 0)
                out[k] += to > from ? (double)counts[i] * (to - from) / width : 0;
            else if (edges[i] >= to_edges[k] &&
                     (edges[i] < to_edges[k + 1] || (last && edges[i] == to_edges[k + 1])))
                out[k] += (double)counts[i];
        }
}

/* ---- shared ---- */

struct over_time_layout {
    const struct sm_hist_time *h;
    const struct sm_glyphs *glyphs;
    struct sm_grid *g;
    double most; /* the largest count, as scaled for display */
};

static double scaled_count(const struct sm_hist_time *h, double count)
{
    return h->log_counts ? log10(1 + count) : count;
}

static bool has_no_counts(const struct sm_hist_time *h)
{
    return !h->n || !h->bins || !(h->edges[0] <= h->edges[h->bins]);
}

static size_t nearest_step(const struct sm_hist_time *h, double x)
{
    size_t best = 0;
    for (size_t i = 1; i < h->n; i++)
        if (fabs(h->x[i] - x) <= fabs(h->x[best] - x))
            best = i;
    return best;
}

/* ---- heat ---- */

/* The steps of each column of cells; the nearest ones if a column has none. */
static void steps_of_columns(const struct sm_hist_time *h, const struct sm_plot_frame *f,
                             const struct sm_glyphs *glyphs, size_t *from, size_t *to)
{
    for (int x = 0; x < f->plot.w; x++)
        from[x] = to[x] = 0;
    for (size_t i = 0; i < h->n; i++) {
        int x = sm_frame_column(f, h->x[i], glyphs) - f->plot.x;
        if (from[x] == to[x])
            from[x] = i;
        to[x] = i + 1;
    }
    for (int x = 0; x < f->plot.w; x++)
        if (from[x] == to[x]) {
            double place = f->plot.w > 1 ? (double)x / (f->plot.w - 1) : 0;
            from[x] = nearest_step(h, f->x.lo + place * (f->x.hi - f->x.lo));
            to[x] = from[x] + 1;
        }
}

/* The mean over the steps of one column of cells of the sum over the bins of one row of pixels; a
 * pixel has a fraction of a bin where bins are higher. */
static double pixel_count(const struct sm_hist_time *h, size_t from, size_t to, size_t row,
                          size_t rows)
{
    size_t bin = sm_part(h->bins, rows, row), end = sm_part(h->bins, rows, row + 1);
    double sum = 0;
    if (rows > h->bins) {
        bin = row * h->bins / rows;
        end = bin + 1;
    }
    for (size_t i = from; i < to; i++)
        for (size_t k = bin; k < end; k++)
            sum += h->counts[i * h->bins + k];
    return sum / (double)(to - from);
}

struct heat {
    struct over_time_layout l;
    struct sm_plot_frame frame;
    size_t rows;    /* rows of pixels */
    double *counts; /* as displayed, column-major */
};

static void count_pixels(struct heat *x)
{
    const struct sm_hist_time *h = x->l.h;
    size_t w = (size_t)x->frame.plot.w, *from = sm_xalloc(2 * w * sizeof *from);
    steps_of_columns(h, &x->frame, x->l.glyphs, from, from + w);
    for (size_t i = 0; i < w; i++)
        for (size_t k = 0; k < x->rows; k++) {
            double v = scaled_count(h, pixel_count(h, from[i], from[w + i], k, x->rows));
            x->counts[i * x->rows + k] = v;
            x->l.most = fmax(x->l.most, v);
        }
    sm_free(from);
}

/* Row 0 of pixels is at the bottom. Zero counts are left empty. */
static struct sm_pixel pixel_at(const struct heat *x, int column, int row)
{
    struct sm_pixel p = {0};
    if (row < 0 || (size_t)row >= x->rows)
        return p;
    double v = x->counts[(size_t)column * x->rows + (size_t)row];
    if (v > 0) {
        p.level = sm_heat_level(v / x->l.most);
        p.role = sm_heat_role(x->l.h->map, p.level);
    }
    return p;
}

static void put_pixels(const struct heat *x, int column, int y)
{
    const struct sm_rect *plot = &x->frame.plot;
    int a_cell = sm_pixel_rows(x->l.glyphs), row = (plot->h - y) * a_cell - 1;
    struct sm_pixel top = pixel_at(x, column, row),
                    bottom = a_cell == 2 ? pixel_at(x, column, row - 1) : (struct sm_pixel){0};
    if (top.role || bottom.role)
        sm_pixel_put(x->l.g, plot->x + column, plot->y + y, top, bottom, x->l.glyphs);
}

void sm_hist_time_heat(struct sm_grid *g, struct sm_rect r, const struct sm_hist_time *h,
                       const struct sm_glyphs *glyphs)
{
    struct heat x = {.l = {.h = h, .glyphs = glyphs, .g = g}, .frame.room = sm_grid_clip(g, r)};
    bool legend = x.frame.room.h >= 8;
    sm_grid_blank(g, x.frame.room);
    if (!x.frame.room.w || !x.frame.room.h || has_no_counts(h))
        return;
    x.frame.room.h -= legend;
    x.frame.x = (struct sm_x_axis){.lo = h->x[0], .hi = h->x[h->n - 1], .cursor = h->cursor_x};
    sm_frame_lay_out(&x.frame, SM_Y_LINEAR, h->edges[0], h->edges[h->bins], glyphs);
    x.rows = (size_t)x.frame.plot.h * (size_t)sm_pixel_rows(glyphs);
    x.counts = sm_xalloc((size_t)x.frame.plot.w * x.rows * sizeof *x.counts);
    count_pixels(&x);
    for (int column = 0; column < x.frame.plot.w; column++)
        for (int y = 0; y < x.frame.plot.h; y++)
            put_pixels(&x, column, y);
    sm_frame_draw(&x.frame, g, glyphs);
    struct sm_scalebar bar = {.hi = h->log_counts ? pow(10, x.l.most) - 1 : x.l.most,
                              .map = h->map,
                              .what = h->log_counts ? "elements, log" : "elements"};
    if (legend)
        sm_scalebar_draw(&bar, g, x.frame.plot.x, x.frame.room.y + x.frame.room.h, x.frame.plot.w,
                         glyphs);
    sm_free(x.counts);
}

/* ---- ridge ---- */

/* cells: width of "  12000 " before a hill, and the height of its top */
enum { STEP_W = 8, HILL_H = 3 };

/* The sum of the bins under column x of `w` dots; interpolated if there are more dots than bins. */
static double hill_at(const struct sm_hist_time *h, size_t step, int x, int w)
{
    const double *counts = h->counts + step * h->bins;
    size_t from = sm_part(h->bins, (size_t)w, (size_t)x),
           to = sm_part(h->bins, (size_t)w, (size_t)x + 1);
    double sum = 0, place = w > 1 ? (double)x / (w - 1) * (double)(h->bins - 1) : 0;
    if ((size_t)w > h->bins) {
        size_t k = (size_t)place;
        double next = k + 1 < h->bins ? counts[k + 1] : counts[k];
        return counts[k] + (next - counts[k]) * (place - (double)k);
    }
    for (size_t k = from; k < to; k++)
        sum = fmax(sum, counts[k]);
    return sum;
}

/* Clears the dots under the hill's outline, so that it hides what is drawn before. */
static void draw_hill(const struct over_time_layout *l, struct sm_canvas *c, size_t step, int base,
                      int height, enum sm_role role)
{
    struct sm_pen pen = {.role = role};
    double before = 0;
    for (int x = 0; x < c->dots_w; x++) {
        double v = scaled_count(l->h, hill_at(l->h, step, x, c->dots_w)),
               top = base - v / l->most * height;
        sm_canvas_erase(c, x, (int)lround(top), base);
        sm_canvas_line(c, &pen, x ? x - 1 : x, x ? before : top, x, top);
        before = top;
    }
}

static double tallest_hill(const struct sm_hist_time *h)
{
    double most = 0;
    for (size_t i = 0; i < h->n * h->bins; i++)
        most = fmax(most, scaled_count(h, h->counts[i]));
    return most > 0 ? most : 1;
}

static void label_values(const struct over_time_layout *l, struct sm_rect room, struct sm_rect plot)
{
    struct sm_x_axis axis = {.unit = SM_X_VALUE,
                             .lo = l->h->edges[0],
                             .hi = l->h->edges[l->h->bins],
                             .cursor = (double)NAN};
    sm_x_axis_draw(&axis, l->g, room, -1, plot.x, plot.w, plot.y + plot.h, true, l->glyphs);
}

void sm_hist_time_ridge(struct sm_grid *g, struct sm_rect r, const struct sm_hist_time *h,
                        const struct sm_glyphs *glyphs)
{
    struct over_time_layout l = {.h = h, .glyphs = glyphs, .g = g};
    struct sm_canvas c;
    r = sm_grid_clip(g, r);
    sm_grid_blank(g, r);
    if (!r.w || !r.h || has_no_counts(h))
        return;
    int left = r.w >= 3 * STEP_W ? STEP_W : 0, below = r.h >= 5 ? 2 : 0,
        high = r.h > HILL_H + 2 ? HILL_H : 1;
    struct sm_rect plot = {r.x + left, r.y, r.w - left, r.h - below};
    size_t room = (size_t)plot.h + 1 - (size_t)high, hills = h->n < room ? h->n : room;
    l.most = tallest_hill(h);
    sm_canvas_init(&c, plot.w, plot.h, glyphs);
    for (size_t i = 0; i < hills; i++) {
        size_t step = hills > 1 ? (i * (h->n - 1) + (hills - 1) / 2) / (hills - 1) : h->n - 1;
        int row = plot.h - (int)(hills - i);
        bool chosen = isfinite(h->cursor_x) && step == nearest_step(h, h->cursor_x);
        enum sm_role role =
            chosen ? SM_ROLE_ACCENT : sm_heat_role(h->map, 4 + (int)(11 * (i + 1) / hills));
        draw_hill(&l, &c, step, (row + 1) * glyphs->dots_y - 1, high * glyphs->dots_y - 1, role);
        if (left)
            sm_grid_printf(g, r.x, r.y + row, STEP_W - 1, chosen ? SM_ROLE_ACCENT : SM_ROLE_DIM, 0,
                           "%*.0f", STEP_W - 1, h->x[step]);
    }
    sm_canvas_draw(&c, g, plot.x, plot.y);
    sm_canvas_clear(&c);
    if (below)
        label_values(&l, r, plot);
}
