/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/layout.h"

#include "plot/table.h"

#include <string.h>

/* Copies a note without those of its last parts, which two blanks separate, that do not fit.
 * Returns its width; 0: none fits. */
static int note_that_fits(const char *note, int room, struct sm_str *out)
{
    sm_str_add(out, note);
    for (;;) {
        int w = (int)sm_text_width(sm_str_text(out), out->len);
        if (w <= room)
            return w;
        size_t n = out->len;
        while (n > 1 && memcmp(sm_str_text(out) + n - 2, "  ", 2) != 0)
            n--;
        if (n < 2)
            return 0;
        sm_str_truncate(out, n - 2);
    }
}

struct sm_rect sm_layout_frame(struct sm_grid *g, struct sm_rect r, const char *title, bool focused,
                               const char *note, const struct sm_glyphs *glyphs)
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
    enum { TITLE_LEAST = 6 };
    struct sm_str cut = {0}, left = {0};
    int w = note_that_fits(note, r.w - 7 - TITLE_LEAST, &left), room = r.w - 7 - w;
    bool noted = w > 0;
    sm_elide_end(&cut, title, noted ? room : r.w - 4, glyphs);
    sm_grid_printf(g, r.x + 1, r.y, r.w - 2, focused ? SM_ROLE_ACCENT : SM_ROLE_TITLE,
                   focused ? SM_ATTR_BOLD : 0, " %s ", sm_str_text(&cut));
    sm_str_clear(&cut);
    if (noted)
        sm_grid_printf(g, r.x + r.w - w - 3, r.y, w + 2, SM_ROLE_DIM, 0, " %s ",
                       sm_str_text(&left));
    sm_str_clear(&left);
    return (struct sm_rect){r.x + 1, r.y + 1, r.w - 2, r.h - 2};
}
