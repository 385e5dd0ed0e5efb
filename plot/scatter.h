/* SPDX-License-Identifier: Apache-2.0 */
/* Points in two dimensions, distinguished by group. */
#ifndef SM_SCATTER_H
#define SM_SCATTER_H

#include "plot/chart.h"

struct sm_scatter {
    const double *x, *y; /* n each; non-finite points are not drawn */
    size_t n;
    const unsigned *group;     /* group of each point; NULL: one group, drawn as dots */
    const uint32_t *marks;     /* a rune per group: colour is never the only sign */
    const enum sm_role *roles; /* a colour per group; NULL: those of the series, in turn */
    bool x_log;                /* x > 0 */
    bool x_whole;              /* x are numbers of something: labels at whole numbers only */
};
/* Draws axes if there is room. A cell with several points shows the group with the most points
 * there. */
void sm_scatter_draw(struct sm_grid *g, struct sm_rect r, const struct sm_scatter *s,
                     const struct sm_glyphs *glyphs);

#endif
