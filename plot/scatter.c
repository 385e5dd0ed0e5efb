/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/scatter.h"

#include "plot/frame.h"
#include "plot/grid/canvas.h"
#include "reader/base/mem.h"

#include <math.h>
#include <stdlib.h>

struct scatter_layout {
    const struct sm_scatter *s;
    const struct sm_glyphs *glyphs;
    struct sm_grid *g;
    struct sm_plot_frame frame;
};

static bool point_has_place(const struct sm_scatter *s, size_t i)
{
    return isfinite(s->x[i]) && isfinite(s->y[i]);
}

static double x_place(const struct scatter_layout *l, size_t i)
{
    return sm_x_place(&l->frame.x, l->s->x[i]);
}

static double y_place(const struct scatter_layout *l, size_t i)
{
    return sm_scale_place(&l->frame.scale, l->s->y[i]);
}

static void draw_point_dots(const struct scatter_layout *l)
{
    struct sm_canvas c;
    sm_canvas_init(&c, l->frame.plot.w, l->frame.plot.h, l->glyphs);
    for (size_t i = 0; i < l->s->n; i++)
        if (point_has_place(l->s, i))
            sm_canvas_dot(&c, (int)lround(x_place(l, i) * (c.dots_w - 1)),
                          (int)lround((1 - y_place(l, i)) * (c.dots_h - 1)), SM_ROLE_SERIES_0);
    sm_canvas_draw(&c, l->g, l->frame.plot.x, l->frame.plot.y);
    sm_canvas_clear(&c);
}

static size_t cell_of_point(const struct scatter_layout *l, size_t i)
{
    const struct sm_rect *p = &l->frame.plot;
    return (size_t)sm_axis_row(y_place(l, i), p->h, l->glyphs) * (size_t)p->w +
           (size_t)sm_axis_column(x_place(l, i), p->w, l->glyphs);
}

/* The points of each cell and group, sorted by both, so that runs can be counted. */
struct at_cell {
    size_t cell;
    unsigned group;
};

static int compare_cells(const void *a, const void *b)
{
    const struct at_cell *x = a, *y = b;
    return x->cell != y->cell ? (x->cell > y->cell) - (x->cell < y->cell)
                              : (x->group > y->group) - (x->group < y->group);
}

static void put_group(const struct scatter_layout *l, const struct at_cell *at)
{
    const struct sm_rect *p = &l->frame.plot;
    sm_grid_put(
        l->g, p->x + (int)(at->cell % (size_t)p->w), p->y + (int)(at->cell / (size_t)p->w),
        l->s->marks[at->group],
        l->s->roles ? l->s->roles[at->group] : (enum sm_role)(SM_ROLE_SERIES_0 + at->group % 8), 0);
}

static void draw_groups(const struct scatter_layout *l)
{
    struct at_cell *all = sm_xalloc((l->s->n + 1) * sizeof *all);
    size_t n = 0, most = 0;
    for (size_t i = 0; i < l->s->n; i++)
        if (point_has_place(l->s, i))
            all[n++] = (struct at_cell){cell_of_point(l, i), l->s->group[i]};
    qsort(all, n, sizeof *all, compare_cells);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && compare_cells(&all[from], &all[to]) == 0;)
            to++;
        if (!from || all[from - 1].cell != all[from].cell)
            most = 0;
        if (to - from > most) {
            most = to - from;
            put_group(l, &all[from]);
        }
    }
    sm_free(all);
}

void sm_scatter_draw(struct sm_grid *g, struct sm_rect r, const struct sm_scatter *s,
                     const struct sm_glyphs *glyphs)
{
    struct scatter_layout l = {.s = s, .glyphs = glyphs, .g = g, .frame.room = sm_grid_clip(g, r)};
    double x_lo = HUGE_VAL, x_hi = -HUGE_VAL, y_lo = HUGE_VAL, y_hi = -HUGE_VAL;
    for (size_t i = 0; i < s->n; i++)
        if (point_has_place(s, i)) {
            x_lo = fmin(x_lo, s->x[i]);
            x_hi = fmax(x_hi, s->x[i]);
            y_lo = fmin(y_lo, s->y[i]);
            y_hi = fmax(y_hi, s->y[i]);
        }
    sm_grid_blank(g, l.frame.room);
    if (!l.frame.room.w || !l.frame.room.h || x_lo > x_hi)
        return;
    l.frame.x = (struct sm_x_axis){.unit = s->x_whole ? SM_X_STEP : SM_X_VALUE,
                                   .log = s->x_log,
                                   .lo = x_lo,
                                   .hi = x_hi,
                                   .cursor = (double)NAN};
    sm_frame_lay_out(&l.frame, SM_Y_LINEAR, y_lo, y_hi, glyphs);
    if (s->group)
        draw_groups(&l);
    else
        draw_point_dots(&l);
    sm_frame_draw(&l.frame, g, glyphs);
}
