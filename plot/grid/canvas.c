/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/grid/canvas.h"

#include "reader/base/mem.h"

#include <math.h>
#include <stdlib.h>

void sm_canvas_init(struct sm_canvas *c, int w, int h, const struct sm_glyphs *glyphs)
{
    size_t n = (size_t)w * (size_t)h;
    *c = (struct sm_canvas){
        .glyphs = glyphs,
        .w = w,
        .h = h,
        .dots_w = w * glyphs->dots_x,
        .dots_h = h * glyphs->dots_y,
        .bits = sm_xalloc_zero(n, 1),
        .roles = sm_xalloc_zero(n, 1),
    };
}

void sm_canvas_clear(struct sm_canvas *c)
{
    sm_free(c->bits);
    sm_free(c->roles);
    *c = (struct sm_canvas){0};
}

void sm_canvas_dot(struct sm_canvas *c, int x, int y, enum sm_role role)
{
    if (x < 0 || y < 0 || x >= c->dots_w || y >= c->dots_h)
        return;
    int dx = c->glyphs->dots_x, dy = c->glyphs->dots_y;
    size_t cell = (size_t)(y / dy) * (size_t)c->w + (size_t)(x / dx);
    c->bits[cell] |= (uint8_t)(1u << (y % dy * dx + x % dx));
    c->roles[cell] = (uint8_t)role;
}

void sm_canvas_erase(struct sm_canvas *c, int x, int from, int to)
{
    int dx = c->glyphs->dots_x, dy = c->glyphs->dots_y;
    if (x < 0 || x >= c->dots_w)
        return;
    for (int y = from < 0 ? 0 : from; y <= to && y < c->dots_h; y++)
        c->bits[(size_t)(y / dy) * (size_t)c->w + (size_t)(x / dx)] &=
            (uint8_t) ~(1u << (y % dy * dx + x % dx));
}

static bool dash_shows(const struct sm_pen *pen)
{
    static const struct {
        unsigned on, period;
    } dashes[] = {{1, 1}, {3, 6}, {8, 12}, {1, 4}, {1, 2}};
    unsigned kind = pen->dash < sizeof dashes / sizeof *dashes ? pen->dash : 0;
    return (pen->at - 1) % dashes[kind].period < dashes[kind].on;
}

static void pen_dot(struct sm_canvas *c, struct sm_pen *pen, int x, int y)
{
    if (pen->at && x == pen->last_x && y == pen->last_y)
        return;
    pen->at++;
    pen->last_x = x;
    pen->last_y = y;
    if (dash_shows(pen))
        sm_canvas_dot(c, x, y, pen->role);
}

/* One step of Liang-Barsky: narrows from..to of the line p + t * d to the part at or above `edge`
 * (at or below it if both signs are negated). */
static bool clip_edge(double p, double d, double edge, double *from, double *to)
{
    if (d == 0)
        return p >= edge;
    double t = (edge - p) / d;
    if (d > 0 && t > *from)
        *from = t;
    if (d < 0 && t < *to)
        *to = t;
    return *from <= *to;
}

void sm_canvas_line(struct sm_canvas *c, struct sm_pen *pen, double x0, double y0, double x1,
                    double y1)
{
    double from = 0, to = 1, dx = x1 - x0, dy = y1 - y0;
    if (!isfinite(dx) || !isfinite(dy) || !clip_edge(x0, dx, 0, &from, &to) ||
        !clip_edge(y0, dy, 0, &from, &to) || !clip_edge(-x0, -dx, -(c->dots_w - 1), &from, &to) ||
        !clip_edge(-y0, -dy, -(c->dots_h - 1), &from, &to))
        return;
    int x = (int)lround(x0 + from * dx), y = (int)lround(y0 + from * dy);
    int end_x = (int)lround(x0 + to * dx), end_y = (int)lround(y0 + to * dy);
    /* Bresenham's algorithm */
    int width = abs(end_x - x), height = abs(end_y - y), error = width - height;
    for (;;) {
        pen_dot(c, pen, x, y);
        if (x == end_x && y == end_y)
            return;
        int twice = 2 * error;
        if (twice > -height) {
            error -= height;
            x += x < end_x ? 1 : -1;
        }
        if (twice < width) {
            error += width;
            y += y < end_y ? 1 : -1;
        }
    }
}

void sm_canvas_point(struct sm_canvas *c, double x, double y, enum sm_role role)
{
    if (!(x > -1 && y > -1 && x < c->dots_w && y < c->dots_h))
        return;
    int left = (int)lround(x), top = (int)lround(y);
    sm_canvas_dot(c, left, top, role);
    if (c->glyphs->dots_x * c->glyphs->dots_y < 8)
        return;
    left -= left == c->dots_w - 1; /* keep all four small dots, also in the corner */
    top -= top == c->dots_h - 1;
    for (int i = 0; i < 4; i++)
        sm_canvas_dot(c, left + i % 2, top + i / 2, role);
}

void sm_canvas_fill(const struct sm_canvas *c, uint32_t rune, struct sm_grid *g, int x, int y)
{
    for (int row = 0; row < c->h; row++)
        for (int column = 0; column < c->w; column++) {
            size_t i = (size_t)row * (size_t)c->w + (size_t)column;
            uint32_t dots = sm_glyphs_dots(c->glyphs, c->bits[i]);
            if (c->bits[i])
                sm_grid_put(g, x + column, y + row, rune ? rune : dots, (enum sm_role)c->roles[i],
                            0);
        }
}

void sm_canvas_draw(const struct sm_canvas *c, struct sm_grid *g, int x, int y)
{
    sm_canvas_fill(c, 0, g, x, y);
}
