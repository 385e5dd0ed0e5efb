/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/chart.h"
#include "plot/grid/color.h"
#include "plot/grid/pixel.h"
#include "plot/scale.h"
#include "plot/scalebar.h"

#include <math.h>

/* A pixel of the image is `zoom` screen pixels; where those are whole cells, each is two columns
 * wide. */
static int columns_of(const struct sm_glyphs *glyphs)
{
    return sm_pixel_rows(glyphs) == 2 ? 1 : 2;
}

static size_t at_least_one(double v)
{
    return v < 1 ? 1 : (size_t)v;
}

struct sm_bitmap_size sm_bitmap_fit(size_t rows, size_t cols, int w, int h,
                                    const struct sm_glyphs *glyphs)
{
    struct sm_bitmap_size s = {.rows = rows, .cols = cols};
    int across = w / columns_of(glyphs);
    double room_w = across, room_h = (double)h * sm_pixel_rows(glyphs);
    if (!rows || !cols || room_w < 1 || room_h < 1)
        return (struct sm_bitmap_size){0};
    double zoom = fmin(room_w / (double)cols, room_h / (double)rows);
    if (zoom < 1) {
        s.rows = at_least_one((double)rows * zoom);
        s.cols = at_least_one((double)cols * zoom);
    }
    size_t times = zoom >= 4 ? 4 : zoom >= 2 ? 2 : 1;
    s.w = (int)(s.cols * times) * columns_of(glyphs);
    s.h =
        (int)((s.rows * times + (size_t)sm_pixel_rows(glyphs) - 1) / (size_t)sm_pixel_rows(glyphs));
    return s;
}

/* 0..255, or the non-finite value. */
static double channel_value(const struct sm_bitmap *m, size_t plane, size_t row, size_t col)
{
    double v = m->v[(plane * m->rows + row) * m->cols + col];
    return isfinite(v) ? 255 * fmax(0, fmin(1, sm_range_place(m->lo, m->hi, v))) : v;
}

static struct sm_pixel image_pixel(const struct sm_bitmap *m, size_t row, size_t col,
                                   const struct sm_glyphs *glyphs)
{
    struct sm_pixel p = {0};
    if (row >= m->rows)
        return p;
    bool colours = m->planes >= 3;
    double r = channel_value(m, 0, row, col), g = colours ? channel_value(m, 1, row, col) : r,
           b = colours ? channel_value(m, 2, row, col) : r;
    p.mark = sm_glyphs_mark(glyphs, r + g + b);
    if (p.mark)
        return p;
    if (!colours && m->map != SM_HEAT_GREY) {
        p.level = sm_heat_level(r / 255);
        p.role = sm_heat_role(m->map, p.level);
        return p;
    }
    p.role = sm_role_rgb((unsigned)lround(r), (unsigned)lround(g), (unsigned)lround(b));
    p.level = (int)((0.299 * r + 0.587 * g + 0.114 * b) / 16); /* luma, ITU-R BT.601 */
    return p;
}

uint32_t sm_bitmap_rgb(const struct sm_bitmap *m, size_t row, size_t col)
{
    const bool light = false;
    bool colours = m->planes >= 3;
    double r = channel_value(m, 0, row, col), g = colours ? channel_value(m, 1, row, col) : r,
           b = colours ? channel_value(m, 2, row, col) : r;
    if (!isfinite(r + g + b))
        return sm_color_of(isnan(r + g + b) ? SM_ROLE_PROBLEM : SM_ROLE_WARN, light).rgb;
    if (!colours && m->map != SM_HEAT_GREY)
        return sm_color_of(sm_heat_role(m->map, sm_heat_level(r / 255)), light).rgb;
    return (uint32_t)lround(r) << 16 | (uint32_t)lround(g) << 8 | (uint32_t)lround(b);
}

void sm_bitmap_draw(struct sm_grid *g, struct sm_rect r, const struct sm_bitmap *m,
                    const struct sm_glyphs *glyphs)
{
    r = sm_grid_clip(g, r);
    sm_grid_blank(g, r);
    if (!r.w || !r.h || !m->rows || !m->cols)
        return;
    struct sm_bitmap_size s = sm_bitmap_fit(m->rows, m->cols, r.w, r.h, glyphs);
    if (!s.w || s.rows != m->rows || s.cols != m->cols)
        /* larger than the room: only the top left is shown */
        s = (struct sm_bitmap_size){.w = r.w, .h = r.h};
    size_t zoom = s.cols ? (size_t)(s.w / columns_of(glyphs)) / s.cols : 1;
    for (int y = 0; y < s.h; y++)
        for (int x = 0; x < s.w && (size_t)(x / columns_of(glyphs)) / zoom < m->cols; x++) {
            size_t col = (size_t)(x / columns_of(glyphs)) / zoom,
                   row = (size_t)y * (size_t)sm_pixel_rows(glyphs);
            if (row / zoom < m->rows)
                sm_pixel_put(g, r.x + x, r.y + y, image_pixel(m, row / zoom, col, glyphs),
                             image_pixel(m, (row + 1) / zoom, col, glyphs), glyphs);
        }
}
