/* SPDX-License-Identifier: Apache-2.0 */
/* The positions of panes on a screen of any size, and their frames.
 *
 * A layout is a tree of splits, in the syntax of gdb's "tui new-layout": panes with weights, from
 * top to bottom; braces contain a nested split, "{-horizontal A 2 B 1} 3" from left to right; "A 2
 * -hidden" is hidden. A pane of weight 0 has a few lines, and is visible only while it has
 * contents. If not all parts of a split fit, the last parts are not shown. */
#ifndef SM_LAYOUT_H
#define SM_LAYOUT_H

#include "reader/base/err.h"
#include "tui/panes/pane.h"

enum { SM_SCREEN_MIN_W = 40, SM_SCREEN_MIN_H = 10, SM_LAYOUT_NODES = 48, SM_LAYOUT_NONE = -1 };
struct sm_layout_node {
    int pane; /* index; SM_LAYOUT_NONE for a split */
    bool horizontal;
    bool hidden; /* a pane hidden by the user: tui/dashboard/layout_edit.h */
    int weight;
    int child, next; /* nodes, or SM_LAYOUT_NONE */
};
struct sm_layout {
    struct sm_layout_node nodes[SM_LAYOUT_NODES]; /* [0] is the root */
    int n;
};
/* spec: "tensors 1 {-horizontal scalars 2 value 1} 2". Each pane must be in the table, and may be
 * used once. */
bool sm_layout_parse(const char *spec, const struct sm_pane_ops *const *table,
                     struct sm_layout *out, struct sm_err *err);
/* Lists the panes of the layout in the order of Tab, at most `most`; returns their number. */
size_t sm_layout_order(const struct sm_layout *l, size_t *panes, size_t most);
/* Returns true if the pane has weight 0. */
bool sm_layout_is_compact(const struct sm_layout *l, size_t pane);
/* Sets panes[i].frame within r; w is 0 for panes that do not fit or are not in the layout. */
void sm_layout_place(const struct sm_layout *l, struct sm_pane *panes, size_t n, struct sm_rect r);
/* Returns true if r is too small for more than one pane. */
bool sm_layout_is_narrow(struct sm_rect r);
/* Draws a border with title and note; returns the inside. */
struct sm_rect sm_layout_frame(struct sm_grid *g, struct sm_rect r, const char *title, bool focused,
                               const char *note, const struct sm_glyphs *glyphs);

#endif
