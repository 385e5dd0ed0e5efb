/* Points in two dimensions, told apart by what they belong to. */
#ifndef SM_SCATTER_H
#define SM_SCATTER_H

#include "plot/chart.h"

struct sm_scatter {
    const double *x, *y; /* n; those that are not finite have no place */
    size_t n;
    const unsigned *group; /* of each point; NULL: all are alike, and drawn as dots */
    const uint32_t *marks; /* a group's rune: its colour is never its only sign */
};
/* Axes where there is room. Of points in one cell the group that has most of them there is shown.
 */
void sm_scatter_draw(struct sm_grid *g, struct sm_rect r, const struct sm_scatter *s,
                     const struct sm_glyphs *glyphs);

#endif
