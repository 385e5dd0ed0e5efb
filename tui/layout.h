/* Where panels go on a screen of any size, and their frames. */
#ifndef SM_LAYOUT_H
#define SM_LAYOUT_H

#include "tui/panel.h"

enum { SM_SCREEN_MIN_W = 40, SM_SCREEN_MIN_H = 10 };
/* Sets panels[i].frame within r; those that find no room get w 0. zoomed: the focused one fills r. */
void sm_layout_place(struct sm_panel *panels, size_t n, size_t focus, bool zoomed, struct sm_rect r);
/* Border with title and note; returns the inside. */
struct sm_rect sm_layout_frame(struct sm_grid *g, struct sm_rect r, const char *title, bool focused, const char *note, const struct sm_glyphs *glyphs);

#endif
