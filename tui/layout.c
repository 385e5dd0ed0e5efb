#include "tui/layout.h"

#include <string.h>

static void place(struct sm_panel *p, int x, int y, int w, int h)
{
    bool fits = w - 2 >= p->ops->min_w && h - 2 >= p->ops->min_h;
    p->frame = fits ? (struct sm_rect){x, y, w, h} : (struct sm_rect){0};
}

/* Layout "main": the list at the left, the charts above the tensor at the right. */
void sm_layout_place(struct sm_panel *panels, size_t n, size_t focus, bool zoomed, struct sm_rect r)
{
    for (size_t i = 0; i < n; i++)
        panels[i].frame = (struct sm_rect){0};
    if (zoomed || r.w < 60 || r.h < 8) {
        panels[focus].frame = r;
        return;
    }
    int left = r.w * 45 / 100;
    left = left > 64 ? 64 : left;
    int upper = r.h * 55 / 100;
    place(&panels[0], r.x, r.y, left, r.h);
    place(&panels[1], r.x + left, r.y, r.w - left, upper);
    place(&panels[2], r.x + left, r.y + upper, r.w - left, r.h - upper);
    if (!panels[2].frame.w)
        place(&panels[1], r.x + left, r.y, r.w - left, r.h);
}

struct sm_rect sm_layout_frame(struct sm_grid *g, const struct sm_panel *p, bool focused, const char *note, const struct sm_glyphs *glyphs)
{
    struct sm_rect r = p->frame;
    enum sm_role role = focused ? SM_ROLE_ACCENT : SM_ROLE_BORDER;
    for (int x = r.x + 1; x < r.x + r.w - 1; x++) {
        sm_grid_put(g, x, r.y, glyphs->h, role, 0);
        sm_grid_put(g, x, r.y + r.h - 1, glyphs->h, role, 0);
    }
    for (int y = r.y + 1; y < r.y + r.h - 1; y++) {
        sm_grid_put(g, r.x, y, glyphs->v, role, 0);
        sm_grid_put(g, r.x + r.w - 1, y, glyphs->v, role, 0);
    }
    sm_grid_put(g, r.x, r.y, glyphs->tl, role, 0);
    sm_grid_put(g, r.x + r.w - 1, r.y, glyphs->tr, role, 0);
    sm_grid_put(g, r.x, r.y + r.h - 1, glyphs->bl, role, 0);
    sm_grid_put(g, r.x + r.w - 1, r.y + r.h - 1, glyphs->br, role, 0);
    sm_grid_printf(g, r.x + 1, r.y, r.w - 2, focused ? SM_ROLE_ACCENT : SM_ROLE_TITLE, focused ? SM_ATTR_BOLD : 0, " %s ", p->ops->title);
    int w = (int)sm_text_width(note, strlen(note));
    if (w && w + (int)strlen(p->ops->title) + 6 < r.w)
        sm_grid_printf(g, r.x + r.w - w - 3, r.y, w + 2, SM_ROLE_DIM, 0, " %s ", note);
    return (struct sm_rect){r.x + 1, r.y + 1, r.w - 2, r.h - 2};
}
