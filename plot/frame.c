/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/frame.h"

void sm_frame_lay_out(struct sm_plot_frame *f, enum sm_y_scale y_scale, double lo, double hi,
                      const struct sm_glyphs *glyphs)
{
    struct sm_rect r = f->room;
    f->x_labels = r.h >= 5;
    f->x_line = r.h >= 3;
    f->plot = r;
    f->plot.h -= f->x_line + f->x_labels;
    if (lo <= hi) {
        sm_scale_init(&f->scale, y_scale, lo, hi);
        sm_y_axis_plan(&f->y, &f->scale, f->plot.h, glyphs);
    }
    int margin = r.w >= 40, left = margin + f->y.label_w + 2;
    f->y_line = r.w >= 6;
    f->y_labels = f->y.n && left <= r.w / 2 && r.w - left >= 8;
    if (!f->y_labels)
        left = f->y_line;
    f->plot.x += left;
    f->plot.w -= left;
}

void sm_frame_draw(const struct sm_plot_frame *f, struct sm_grid *g, const struct sm_glyphs *glyphs)
{
    const struct sm_rect *p = &f->plot;
    if (f->y_line)
        sm_y_axis_draw(&f->y, g, p->x - 1, p->y, p->h, f->y_labels, glyphs);
    if (f->x_line)
        sm_x_axis_draw(&f->x, g, f->room, f->y_line ? p->x - 1 : -1, p->x, p->w, p->y + p->h,
                       f->x_labels, glyphs);
}

int sm_frame_column(const struct sm_plot_frame *f, double x, const struct sm_glyphs *glyphs)
{
    return f->plot.x + sm_axis_column(sm_x_place(&f->x, x), f->plot.w, glyphs);
}

void sm_frame_upright(const struct sm_plot_frame *f, struct sm_grid *g, double x, enum sm_role role,
                      const struct sm_glyphs *glyphs)
{
    if (!(x >= f->x.lo && x <= f->x.hi))
        return;
    for (int y = 0; y < f->plot.h; y++)
        sm_grid_put(g, sm_frame_column(f, x, glyphs), f->plot.y + y, glyphs->v, role, 0);
}
