#include "tui/layout.h"

#include <string.h>

static bool place(struct sm_panel *p, struct sm_rect r)
{
    bool fits = r.w - 2 >= p->ops->min_w && r.h - 2 >= p->ops->min_h;
    p->frame = fits ? r : (struct sm_rect){0};
    return fits;
}

/* The first `most` panels of a column, below each other. False: one did not fit. */
static bool stack(struct sm_panel *panels, size_t n, enum sm_panel_column column, size_t most, struct sm_rect r)
{
    int whole = 0, before = 0;
    bool all = true;
    for (size_t i = 0, k = 0; i < n; i++)
        whole += panels[i].ops->column == column && k++ < most ? panels[i].ops->share : 0;
    for (size_t i = 0, k = 0; i < n; i++) {
        if (panels[i].ops->column != column)
            continue;
        panels[i].frame = (struct sm_rect){0};
        if (k++ >= most)
            continue;
        int top = r.h * before / whole, bottom = r.h * (before + panels[i].ops->share) / whole;
        all &= place(&panels[i], (struct sm_rect){r.x, r.y + top, r.w, bottom - top});
        before += panels[i].ops->share;
    }
    return all;
}

/* Where not all of a column fit, its last ones leave their room to those above. */
static void fill(struct sm_panel *panels, size_t n, enum sm_panel_column column, struct sm_rect r)
{
    size_t most = n;
    while (most && !stack(panels, n, column, most, r))
        most--;
}

/* Lines, frame included; 0: no room. */
static int height_below(const struct sm_panel *p, int h)
{
    if (p->hidden || h < 14)
        return 0;
    return h < 26 ? 4 : h < 40 ? 6 : 9;
}

void sm_layout_place(struct sm_panel *panels, size_t n, size_t focus, bool zoomed, struct sm_rect r)
{
    for (size_t i = 0; i < n; i++)
        panels[i].frame = (struct sm_rect){0};
    if (zoomed || r.w < 60 || r.h < 8) {
        panels[focus].frame = r;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        int below = panels[i].ops->column == SM_COLUMN_BELOW ? height_below(&panels[i], r.h) : 0;
        if (below && place(&panels[i], (struct sm_rect){r.x, r.y + r.h - below, r.w, below}))
            r.h -= below;
    }
    int left = r.w * 45 / 100;
    left = left > 64 ? 64 : left;
    fill(panels, n, SM_COLUMN_LEFT, (struct sm_rect){r.x, r.y, left, r.h});
    fill(panels, n, SM_COLUMN_RIGHT, (struct sm_rect){r.x + left, r.y, r.w - left, r.h});
}

struct sm_rect sm_layout_frame(struct sm_grid *g, struct sm_rect r, const char *title, bool focused, const char *note, const struct sm_glyphs *glyphs)
{
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
    sm_grid_printf(g, r.x + 1, r.y, r.w - 2, focused ? SM_ROLE_ACCENT : SM_ROLE_TITLE, focused ? SM_ATTR_BOLD : 0, " %s ", title);
    int w = (int)sm_text_width(note, strlen(note));
    if (w && w + (int)strlen(title) + 6 < r.w)
        sm_grid_printf(g, r.x + r.w - w - 3, r.y, w + 2, SM_ROLE_DIM, 0, " %s ", note);
    return (struct sm_rect){r.x + 1, r.y + 1, r.w - 2, r.h - 2};
}
