/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/scalar_form.h"

struct sm_scalar_form sm_scalar_form(unsigned style, unsigned mode)
{
    enum { COLOURS = 8, DASHES = 4, GROUPS = SM_MARKERS / 2 };
    /* colours and dashes go round together: after each 56 the colours shift by one */
    enum { ROUND = 2 * DASHES * GROUPS };
    unsigned colour = (style + style / ROUND) % COLOURS;
    return (struct sm_scalar_form){.role = (enum sm_role)(SM_ROLE_SERIES_0 + colour),
                                   .dash = (style + mode * 2 + mode / 2) % DASHES,
                                   .marker = style / DASHES % GROUPS + (mode ? GROUPS : 0)};
}

void sm_scalar_form_draw(struct sm_scalar_form f, struct sm_grid *g, int x, int y, int w,
                         const struct sm_glyphs *glyphs)
{
    for (int i = 0; i < w; i++)
        sm_grid_put(g, x + i, y,
                    f.marker && i == w / 2 ? glyphs->marker[f.marker] : glyphs->dash[f.dash],
                    f.role, 0);
}
