/* Where panes go on a screen of any size, and their frames.
 *
 * A layout is a tree of splits, written as gdb's "tui new-layout" has it: panes with weights, from
 * top to bottom; in braces a split of its own, "{-horizontal A 2 B 1} 3" from left to right; "A 2
 * -hidden" is not to be seen. A pane of weight 0 has a few lines, and only while it has something
 * to say. Where not all of a split fit, its last ones leave their room to the others. */
#ifndef SM_LAYOUT_H
#define SM_LAYOUT_H

#include "reader/base/err.h"
#include "tui/panes/pane.h"

enum { SM_SCREEN_MIN_W = 40, SM_SCREEN_MIN_H = 10, SM_LAYOUT_NODES = 48, SM_LAYOUT_NONE = -1 };
struct sm_layout_node {
    int pane; /* index; NONE: a split */
    bool horizontal;
    bool hidden; /* a pane that people put away: tui/dashboard/layout_edit.h */
    int weight;
    int child, next; /* nodes, NONE: no more */
};
struct sm_layout {
    struct sm_layout_node nodes[SM_LAYOUT_NODES]; /* [0] is the whole */
    int n;
};
/* spec: "tensors 1 {-horizontal scalars 2 value 1} 2". The panes must be of the table, each once.
 */
bool sm_layout_parse(const char *spec, const struct sm_pane_ops *const *table,
                     struct sm_layout *out, struct sm_err *err);
/* The panes of the layout in the order of Tab, at most `most`; returns how many. */
size_t sm_layout_order(const struct sm_layout *l, size_t *panes, size_t most);
/* Has the layout only a few lines for it? */
bool sm_layout_has_few(const struct sm_layout *l, size_t pane);
/* Sets panes[i].frame within r; those that find no room, or are not in the layout, get w 0. */
void sm_layout_place(const struct sm_layout *l, struct sm_pane *panes, size_t n, struct sm_rect r);
/* Too small for more than one pane. */
bool sm_layout_is_narrow(struct sm_rect r);
/* Border with title and note; returns the inside. */
struct sm_rect sm_layout_frame(struct sm_grid *g, struct sm_rect r, const char *title, bool focused,
                               const char *note, const struct sm_glyphs *glyphs);

#endif
