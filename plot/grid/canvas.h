/* Dots finer than cells: lines are drawn in dots, the glyph set turns the dots of a cell into one
 * rune.
 *
 * A cell has one colour: that of the last dot drawn into it. Coordinates are dots, (0, 0) top left;
 * those of lines may lie anywhere, only the part inside is drawn. */
#ifndef SM_CANVAS_H
#define SM_CANVAS_H

#include "plot/grid/glyphs.h"

struct sm_canvas {
    const struct sm_glyphs *glyphs;
    int w, h; /* cells */
    int dots_w, dots_h;
    uint8_t *bits, *roles; /* a cell each */
};

/* w, h >= 0 */
void sm_canvas_init(struct sm_canvas *c, int w, int h, const struct sm_glyphs *glyphs);
void sm_canvas_clear(struct sm_canvas *c); /* frees */

/* How a line is drawn. Zeroed but for role and dash: a fresh line; `at` runs on, so dashes pass
 * round corners. */
struct sm_pen {
    enum sm_role role;
    unsigned dash;      /* 0 solid, 1 short dashes, 2 long dashes, 3 dots, SM_DASH_FAINT */
    unsigned at;        /* dots passed so far */
    int last_x, last_y; /* the last of them, counted once where lines meet */
};
enum { SM_DASH_FAINT = 4 }; /* every other dot */

void sm_canvas_dot(struct sm_canvas *c, int x, int y, enum sm_role role);
/* the dots of column x in rows from..to, both in */
void sm_canvas_erase(struct sm_canvas *c, int x, int from, int to);
void sm_canvas_line(struct sm_canvas *c, struct sm_pen *pen, double x0, double y0, double x1,
                    double y1);
/* A point with no neighbour to be joined to, made big enough to be seen. */
void sm_canvas_point(struct sm_canvas *c, double x, double y, enum sm_role role);

/* Puts the cells that have dots at (x, y) of the grid; the others are left as they are. */
void sm_canvas_draw(const struct sm_canvas *c, struct sm_grid *g, int x, int y);

#endif
