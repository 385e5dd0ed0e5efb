/* SPDX-License-Identifier: Apache-2.0 */
/* The colours of a map from its lowest to its highest value in one row: "-0.61 ··░░▒▒▓▓██ 0.74  x
 * NaN". */
#ifndef SM_SCALEBAR_H
#define SM_SCALEBAR_H

#include "plot/chart.h"

enum { SM_HEAT_LEVELS = 16 };

struct sm_scalebar {
    double lo, hi; /* lo > hi: no scale, only marks */
    enum sm_heat_map map;
    bool nan, pos_inf, neg_inf; /* marks to explain next to it */
    bool magnitudes;            /* the ends differ in magnitude: each label has its own digits */
    const char *what;           /* dim text at the end: "log"; NULL: nothing */
};
/* Sets the marks that the values need. */
void sm_scalebar_add_marks(struct sm_scalebar *b, const double *v, size_t n);
/* Draws at most w columns from (x, y); parts that do not fit are omitted. */
void sm_scalebar_draw(const struct sm_scalebar *b, struct sm_grid *g, int x, int y, int w,
                      const struct sm_glyphs *glyphs);

/* The level 0..15 of a place between 0 and 1, and its colour. */
int sm_heat_level(double place);
enum sm_role sm_heat_role(enum sm_heat_map map, int level);

#endif
