/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/axis.h"
#include "plot/grid/canvas.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- vertical ---- */

/* The bins as bars: `group` neighbours share one if there are more bins than room, and each is
 * `width` wide, in dots for braille, else in cells. */
struct bars {
    const uint64_t *counts;
    size_t n, group;
    int n_bars, width;
    struct sm_scale scale; /* of a bar's count */
    const struct sm_glyphs *glyphs;
};

static double bar_count(const struct bars *b, int i)
{
    double sum = 0;
    for (size_t k = (size_t)i * b->group; k < b->n && k < ((size_t)i + 1) * b->group; k++)
        sum += (double)b->counts[k];
    return sum;
}

static bool uses_dots(const struct sm_glyphs *glyphs)
{
    return glyphs->set == SM_SYMBOLS_BRAILLE;
}

/* w: cells, at least 1. */
static void fit_bars(struct bars *b, int w)
{
    size_t room = (size_t)w * (uses_dots(b->glyphs) ? (size_t)b->glyphs->dots_x : 1);
    b->group = (b->n + room - 1) / room;
    b->n_bars = (int)((b->n + b->group - 1) / b->group);
    b->width = (int)(room / (size_t)b->n_bars);
}

static int bars_w(const struct bars *b)
{
    int dots = b->n_bars * b->width, a_cell = uses_dots(b->glyphs) ? b->glyphs->dots_x : 1;
    return (dots + a_cell - 1) / a_cell;
}

static double largest_bar(const struct bars *b)
{
    double largest = 0;
    for (int i = 0; i < b->n_bars; i++)
        largest = fmax(largest, bar_count(b, i));
    return largest;
}

/* In `units`; a count above 0 is always visible. */
static int bar_height(const struct bars *b, int i, int units)
{
    double count = bar_count(b, i);
    int height = (int)lround(sm_scale_place(&b->scale, count) * units);
    return count > 0 && height < 1 ? 1 : height;
}

static void draw_dot_bars(const struct bars *b, struct sm_grid *g, struct sm_rect r)
{
    struct sm_canvas c;
    sm_canvas_init(&c, r.w, r.h, b->glyphs);
    for (int x = 0; x < b->n_bars * b->width; x++)
        for (int y = bar_height(b, x / b->width, c.dots_h); y > 0; y--)
            sm_canvas_dot(&c, x, c.dots_h - y, SM_ROLE_SERIES_0);
    sm_canvas_draw(&c, g, r.x, r.y);
    sm_canvas_clear(&c);
}

/* The top cell of a bar has eighths; ASCII only has a lower dot and two dots. */
static uint32_t bar_rune(const struct sm_glyphs *glyphs, int eighths)
{
    if (glyphs->set != SM_SYMBOLS_ASCII)
        return glyphs->bar[eighths];
    return eighths == 8 ? '#' : sm_glyphs_dots(glyphs, eighths > 4 ? 3 : 2);
}

static void draw_eighths(const struct bars *b, struct sm_grid *g, struct sm_rect r)
{
    for (int x = 0; x < b->n_bars * b->width; x++) {
        int height = bar_height(b, x / b->width, 8 * r.h);
        for (int y = 0; 8 * y < height; y++) {
            int eighths = height - 8 * y < 8 ? height - 8 * y : 8;
            sm_grid_put(g, r.x + x, r.y + r.h - 1 - y, bar_rune(b->glyphs, eighths),
                        SM_ROLE_SERIES_0, 0);
        }
    }
}

/* Labels for both ends and 0, centred under columns x..x + w if `room` allows. */
static void label_edges(struct sm_grid *g, struct sm_rect room, int x, int w, int y, double lo,
                        double hi, const struct sm_glyphs *glyphs, bool line)
{
    struct {
        double v;
        int from, to;
    } labels[3] = {{.v = lo}, {.v = hi}, {.v = 0}};
    double spacing = hi / 10 - lo / 10;
    int n = !(hi > lo) ? 1 : lo < 0 && hi > 0 ? 3 : 2;
    for (int i = 0; i < n; i++) {
        char text[16];
        sm_tick_label(labels[i].v, spacing, text);
        int width = (int)strlen(text),
            column = x + sm_axis_column(sm_range_place(lo, hi, labels[i].v), w, glyphs);
        int from = column - width / 2;
        from = from + width > room.x + room.w ? room.x + room.w - width : from;
        from = from < room.x ? room.x : from;
        labels[i].from = from;
        labels[i].to = from + width;
        bool fits = width <= room.w;
        for (int k = 0; k < i; k++)
            fits = fits && (from > labels[k].to || labels[i].to < labels[k].from);
        if (!fits) {
            labels[i].from = labels[i].to = room.x - 1; /* needs no room */
            continue;
        }
        sm_grid_text(g, from, y + line, width, SM_ROLE_TEXT, 0, text);
        if (line)
            sm_grid_put(g, column, y, glyphs->tee_b, SM_ROLE_DIM, 0);
    }
}

static void set_count_scale(struct bars *b, bool log_counts)
{
    double most = largest_bar(b);
    sm_scale_init(&b->scale, log_counts ? SM_Y_SYMLOG : SM_Y_LINEAR, 0, most > 0 ? most : 1);
    if (log_counts) { /* log10(1 + count) */
        b->scale.threshold = 1;
        b->scale.to = log10(1 + b->scale.hi);
    }
}

/* Returns the rest of the plot's area. */
static struct sm_rect draw_axes(struct bars *b, struct sm_grid *g, struct sm_rect plot,
                                bool log_counts)
{
    struct sm_y_axis y;
    sm_y_axis_plan(&y, &b->scale, plot.h, b->glyphs);
    int left = y.label_w + 2;
    plot.x += left;
    plot.w -= left;
    fit_bars(b, plot.w); /* with less room, more bins may share a bar */
    set_count_scale(b, log_counts);
    sm_y_axis_plan(&y, &b->scale, plot.h, b->glyphs);
    sm_y_axis_draw(&y, g, plot.x - 1, plot.y, plot.h, y.label_w + 2 <= left, b->glyphs);
    sm_grid_put(g, plot.x - 1, plot.y + plot.h, b->glyphs->bl, SM_ROLE_DIM, 0);
    for (int x = 0; x < bars_w(b); x++)
        sm_grid_put(g, plot.x + x, plot.y + plot.h, b->glyphs->h, SM_ROLE_DIM, 0);
    return plot;
}

void sm_hist_draw(struct sm_grid *g, struct sm_rect r, const double *edges, const uint64_t *counts,
                  size_t n, bool log_counts, const struct sm_glyphs *glyphs)
{
    r = sm_grid_clip(g, r);
    sm_grid_blank(g, r);
    if (!r.w || !r.h || !n)
        return;
    bool axes = r.w >= 30 && r.h >= 6; /* without axes a small one still shows the shape */
    struct bars b = {.counts = counts, .n = n, .glyphs = glyphs};
    struct sm_rect plot = {r.x, r.y, r.w, r.h - (axes ? 2 : r.h > 1)};
    fit_bars(&b, plot.w);
    set_count_scale(&b, log_counts);
    if (axes)
        plot = draw_axes(&b, g, plot, log_counts);
    if (uses_dots(glyphs))
        draw_dot_bars(&b, g, plot);
    else
        draw_eighths(&b, g, plot);
    if (r.h > 1)
        label_edges(g, r, plot.x, bars_w(&b), plot.y + plot.h, edges[0], edges[n], glyphs, axes);
}

/* ---- horizontal ---- */

/* "[-0.61, -0.54)" with both numbers right-aligned to `w`; the last interval is closed. */
static void bin_text(struct sm_str *out, const double *edges, size_t i, size_t n, int w)
{
    double spacing = (edges[i + 1] - edges[i]) / 2.5;
    char from[16], to[16];
    sm_tick_label(edges[i], spacing, from);
    sm_tick_label(edges[i + 1], spacing, to);
    sm_str_printf(out, "[%*s, %*s%c", w, from, w, to, i + 1 == n ? ']' : ')');
}

static int bin_label_w(const double *edges, size_t n)
{
    size_t w = 0;
    for (size_t i = 0; i <= n; i++) {
        size_t bin = i < n ? i : n - 1;
        char text[16];
        sm_tick_label(edges[i], (edges[bin + 1] - edges[bin]) / 2.5, text);
        w = strlen(text) > w ? strlen(text) : w;
    }
    return (int)w;
}

void sm_hist_rows(struct sm_grid *g, const double *edges, const uint64_t *counts, size_t n,
                  int bar_w, const struct sm_glyphs *glyphs)
{
    uint64_t most = 0;
    for (size_t i = 0; i < n; i++)
        most = counts[i] > most ? counts[i] : most;
    bar_w = bar_w > 0 ? bar_w : 0;
    int label_w = n ? bin_label_w(edges, n) : 0, count_w = snprintf(NULL, 0, "%" PRIu64, most);
    int bar_x = 2 * label_w + 4 + 2 + count_w + 1;
    sm_grid_resize(g, bar_x + bar_w, (int)n);
    for (size_t i = 0; i < n; i++) {
        struct sm_str text = {0};
        bin_text(&text, edges, i, n, label_w);
        sm_str_printf(&text, "  %*" PRIu64, count_w, counts[i]);
        sm_grid_text(g, 0, (int)i, bar_x, SM_ROLE_TEXT, 0, sm_str_text(&text));
        sm_str_clear(&text);
        int halves = most ? (int)lround((double)counts[i] / (double)most * 2 * bar_w) : 0;
        sm_bar_draw(g, bar_x, (int)i, counts[i] && !halves && bar_w ? 1 : halves, glyphs);
    }
}
