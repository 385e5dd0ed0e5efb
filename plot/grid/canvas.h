/* SPDX-License-Identifier: Apache-2.0 */
/* Dots finer than cells: lines are drawn in dots, and the glyph set turns the dots of a cell into
 * one rune.
 *
 * A cell has one colour, that of the last dot drawn into it. Coordinates are dots, (0, 0) is top
 * left; lines may leave the canvas and are clipped. */
#ifndef SM_CANVAS_H
#define SM_CANVAS_H

#include "plot/grid/glyphs.h"

struct sm_canvas {
    const struct sm_glyphs *glyphs;
    int w, h; /* cells */
    int dots_w, dots_h;
    uint8_t *bits, *roles; /* one item per cell */
};

/* w, h >= 0 */
void sm_canvas_init(struct sm_canvas *c, int w, int h, const struct sm_glyphs *glyphs);
void sm_canvas_clear(struct sm_canvas *c); /* frees */

/* How a line is drawn. To start a new line, zero all but role and dash; `at` continues along the
 * line, so that dashes continue around corners. */
struct sm_pen {
    enum sm_role role;
    unsigned dash;      /* 0 solid, 1 short dashes, 2 long dashes, 3 dots, SM_DASH_FAINT */
    unsigned at;        /* dots drawn so far */
    int last_x, last_y; /* the last dot, counted once where lines meet */
};
enum { SM_DASH_FAINT = 4 }; /* every other dot */

void sm_canvas_dot(struct sm_canvas *c, int x, int y, enum sm_role role);
/* Clears the dots of column x in rows from..to, both inclusive. */
void sm_canvas_erase(struct sm_canvas *c, int x, int from, int to);
void sm_canvas_line(struct sm_canvas *c, struct sm_pen *pen, double x0, double y0, double x1,
                    double y1);
/* An isolated point, drawn large enough to be visible. */
void sm_canvas_point(struct sm_canvas *c, double x, double y, enum sm_role role);

/* Writes the cells that have dots to (x, y) of the grid; other cells are left unchanged. */
void sm_canvas_draw(const struct sm_canvas *c, struct sm_grid *g, int x, int y);
/* The same with one rune for all such cells; 0: the rune of their dots. */
void sm_canvas_fill(const struct sm_canvas *c, uint32_t rune, struct sm_grid *g, int x, int y);

#endif
