/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/scalebar.h"

#include "plot/grid/pixel.h"

#include <math.h>
#include <string.h>

int sm_heat_level(double place)
{
    return (int)fmax(0, fmin(SM_HEAT_LEVELS - 1, floor(SM_HEAT_LEVELS * place)));
}

enum sm_role sm_heat_role(enum sm_heat_map map, int level)
{
    if (map == SM_HEAT_GREY) {
        unsigned grey = (unsigned)(level * 255 / (SM_HEAT_LEVELS - 1));
        return sm_role_rgb(grey, grey, grey);
    }
    return (enum sm_role)((map == SM_HEAT_CIVIDIS ? SM_ROLE_CIVIDIS_0 : SM_ROLE_HEAT_0) + level);
}

void sm_scalebar_add_marks(struct sm_scalebar *b, const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        b->nan = b->nan || isnan(v[i]);
        b->pos_inf = b->pos_inf || (isinf(v[i]) && v[i] > 0);
        b->neg_inf = b->neg_inf || (isinf(v[i]) && v[i] < 0);
    }
}

/* Returns the columns used. */
static int draw_gradient(const struct sm_scalebar *b, struct sm_grid *g, struct sm_rect r,
                         const struct sm_glyphs *glyphs)
{
    char lo[16], hi[16];
    double spacing = b->hi / 100 - b->lo / 100;
    if (b->lo > b->hi)
        return 0;
    sm_tick_label(b->lo, b->magnitudes ? fabs(b->lo) / 50 : spacing, lo);
    sm_tick_label(b->hi, b->magnitudes ? fabs(b->hi) / 50 : spacing, hi);
    int left = (int)strlen(lo) + 1;
    if (left + SM_HEAT_LEVELS + 1 + (int)strlen(hi) > r.w)
        return 0;
    sm_grid_text(g, r.x, r.y, r.w, SM_ROLE_TEXT, 0, lo);
    for (int i = 0; i < SM_HEAT_LEVELS; i++) {
        struct sm_pixel p = {.role = sm_heat_role(b->map, i), .level = i};
        sm_pixel_put(g, r.x + left + i, r.y, p, p, glyphs);
    }
    left += SM_HEAT_LEVELS + 1;
    return left + sm_grid_text(g, r.x + left, r.y, r.w - left, SM_ROLE_TEXT, 0, hi);
}

void sm_scalebar_draw(const struct sm_scalebar *b, struct sm_grid *g, int x, int y, int w,
                      const struct sm_glyphs *glyphs)
{
    const struct {
        bool shown;
        const char *name;
        uint32_t mark;
    } marks[] = {{b->nan, "NaN", glyphs->nan},
                 {b->pos_inf, "+Inf", glyphs->pos_inf},
                 {b->neg_inf, "-Inf", glyphs->neg_inf}};
    int used = draw_gradient(b, g, (struct sm_rect){x, y, w, 1}, glyphs);
    if (used && b->what && used + 1 + (int)strlen(b->what) <= w)
        used += 1 + sm_grid_text(g, x + used + 1, y, w - used - 1, SM_ROLE_DIM, 0, b->what);
    for (int i = 0; i < 3; i++) {
        int from = used ? used + 2 : 0, need = 2 + (int)strlen(marks[i].name);
        if (!marks[i].shown || from + need > w)
            continue;
        sm_grid_put(g, x + from, y, marks[i].mark, SM_ROLE_PROBLEM, 0);
        sm_grid_text(g, x + from + 2, y, w - from - 2, SM_ROLE_TEXT, 0, marks[i].name);
        used = from + need;
    }
}
