/* SPDX-License-Identifier: Apache-2.0 */
/* Text over the panes: answers of several lines, and help. Its lines are computed when it is
 * opened or its width changes: prose is wrapped, tables and charts (two blanks in a row) are not
 * wrapped and can be panned. */
#ifndef SM_OVERLAY_H
#define SM_OVERLAY_H

#include "plot/grid/glyphs.h"
#include "plot/grid/roles.h"
#include "tui/terminal/fold.h"
#include "tui/terminal/key_action.h"

struct sm_overlay {
    bool shown;
    char *title;
    struct sm_str text;
    struct sm_role_run *looks;
    size_t n_looks;
    struct sm_fold fold;
    int width;  /* of the lines; 0 before they are computed */
    size_t top; /* first line shown */
    int left, page;
};

/* The text may contain marks of roles. */
void sm_overlay_open(struct sm_overlay *o, const char *title, const char *text, size_t n);
/* Scrolls, pans or closes. Returns false for other actions. */
bool sm_overlay_act(struct sm_overlay *o, enum sm_key_action a);
/* The height for a width of w columns, including the frame. */
int sm_overlay_height(struct sm_overlay *o, int w);
/* Draws a frame that fills r. */
void sm_overlay_draw(struct sm_overlay *o, struct sm_grid *g, struct sm_rect r,
                     const struct sm_glyphs *glyphs);
void sm_overlay_clear(struct sm_overlay *o);

#endif
