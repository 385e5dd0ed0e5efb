/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/grid/pixel.h"
#include "plot/scale.h"
#include "plot/scalebar.h"

/* How an array is laid out in a rectangle: the rows and columns shown, and the pixels per element
 * in height and width. */
struct heat_layout {
    const struct sm_heat *heat;
    const struct sm_glyphs *glyphs;
    size_t rows, cols;
    int wide, high;
};

static int choose_zoom(size_t room_cols, size_t room_rows, const struct sm_heat *h, int most)
{
    size_t a = room_cols / h->cols, b = room_rows / h->rows, least = a < b ? a : b;
    int zoom = 1;
    while (zoom * 2 <= most && (size_t)zoom * 2 <= least)
        zoom *= 2;
    return zoom;
}

/* A half block is about square, and so are two whole cells side by side. */
static struct heat_layout lay_out_heat(const struct sm_heat *h, struct sm_rect r,
                                       const struct sm_glyphs *glyphs)
{
    size_t w = (size_t)r.w, pixels_h = (size_t)r.h * (size_t)sm_pixel_rows(glyphs);
    struct heat_layout l = {.heat = h,
                            .glyphs = glyphs,
                            .rows = h->rows < pixels_h ? h->rows : pixels_h,
                            .cols = h->cols < w ? h->cols : w};
    if (sm_pixel_rows(glyphs) == 2) {
        l.wide = l.high = choose_zoom(w, pixels_h, h, 4);
    } else {
        l.high = choose_zoom(w / 2, pixels_h, h, 2);
        l.wide = h->cols <= w / 2 ? 2 * l.high : 1;
    }
    return l;
}

/* ---- the pixels ---- */

static double mean_of(const struct heat_layout *l, size_t i, size_t k)
{
    const struct sm_heat *h = l->heat;
    size_t row = sm_part(h->rows, l->rows, i), row_end = sm_part(h->rows, l->rows, i + 1);
    size_t col = sm_part(h->cols, l->cols, k), col_end = sm_part(h->cols, l->cols, k + 1);
    double mean = 0, n = (double)(row_end - row) * (double)(col_end - col);
    for (size_t r = row; r < row_end; r++)
        for (size_t c = col; c < col_end; c++)
            mean += h->v[r * h->cols + c] / n;
    return mean;
}

static struct sm_pixel element_pixel(const struct heat_layout *l, int x, int y)
{
    struct sm_pixel p = {0};
    if ((size_t)(y / l->high) >= l->rows)
        return p;
    double v = mean_of(l, (size_t)(y / l->high), (size_t)(x / l->wide));
    p.mark = sm_glyphs_mark(l->glyphs, v);
    p.level = p.mark ? 0 : sm_heat_level(sm_range_place(l->heat->lo, l->heat->hi, v));
    p.role = p.mark ? SM_ROLE_TEXT : sm_heat_role(l->heat->map, p.level);
    return p;
}

static void draw_pixels(const struct heat_layout *l, struct sm_grid *g, struct sm_rect r)
{
    int a_cell = sm_pixel_rows(l->glyphs), w = (int)l->cols * l->wide, h = (int)l->rows * l->high;
    for (int y = 0; y * a_cell < h; y++)
        for (int x = 0; x < w; x++)
            sm_pixel_put(g, r.x + x, r.y + y, element_pixel(l, x, y * a_cell),
                         element_pixel(l, x, y * a_cell + 1), l->glyphs);
}

/* ---- the whole ---- */

static bool has_legend(struct sm_rect r, bool wanted)
{
    return wanted && r.h >= 2;
}

static int cells_high(const struct heat_layout *l)
{
    int a_cell = sm_pixel_rows(l->glyphs);
    return ((int)l->rows * l->high + a_cell - 1) / a_cell;
}

int sm_heat_height(const struct sm_heat *heat, int w, int h, const struct sm_glyphs *glyphs)
{
    struct sm_rect r = {0, 0, w, h};
    bool legend = has_legend(r, heat->legend);
    r.h -= legend;
    if (r.w <= 0 || r.h <= 0 || !heat->rows || !heat->cols)
        return 0;
    struct heat_layout l = lay_out_heat(heat, r, glyphs);
    return cells_high(&l) + legend;
}

void sm_heat_room(struct sm_rect r, bool legend, const struct sm_glyphs *glyphs, size_t *rows,
                  size_t *cols)
{
    int h = r.h - has_legend(r, legend);
    *rows = (size_t)(h > 0 ? h : 0) * (size_t)sm_pixel_rows(glyphs);
    *cols = (size_t)(r.w > 0 ? r.w : 0);
}

void sm_heat_draw(struct sm_grid *g, struct sm_rect r, const struct sm_heat *heat,
                  const struct sm_glyphs *glyphs)
{
    r = sm_grid_clip(g, r);
    sm_grid_blank(g, r);
    if (!r.w || !r.h || !heat->rows || !heat->cols)
        return;
    bool legend = has_legend(r, heat->legend);
    r.h -= legend;
    struct heat_layout l = lay_out_heat(heat, r, glyphs);
    draw_pixels(&l, g, r);
    if (!legend)
        return;
    struct sm_scalebar bar = {.lo = heat->lo, .hi = heat->hi, .map = heat->map};
    sm_scalebar_add_marks(&bar, heat->v, heat->rows * heat->cols);
    sm_scalebar_draw(&bar, g, r.x, r.y + cells_high(&l), r.w, glyphs);
}
