/* The bottom line: the mode, the most useful keys in it, and with room the keys F1 to F12; and the
 * list of candidates that Tab shows above the prompt. */
#ifndef SM_KEYLINE_H
#define SM_KEYLINE_H

#include "plot/grid/cell.h"
#include "tui/panes/pane.h"

/* hints: NULL-terminated; what does not fit whole is left out. ops: whose F keys; NULL: only those
 * that are everywhere. */
void sm_keyline_draw(struct sm_grid *g, int y, const char *mode, const char *const *hints,
                     const struct sm_pane_ops *ops);
/* In columns at the lower end of r, over what is there; at most half of it, then the number of
 * those left out. */
void sm_keyline_candidates(struct sm_grid *g, struct sm_rect r, const char *const *words, size_t n);

#endif
