/* What people change about a layout: how much room a pane has, and whether it is to be seen at
 * all. */
#ifndef SM_LAYOUT_EDIT_H
#define SM_LAYOUT_EDIT_H

#include "tui/dashboard/layout.h"

/* The layout without the panes that are hidden, and without splits that have none left. */
void sm_layout_visible(const struct sm_layout *l, struct sm_layout *out);
/* False: it is not in the layout, or the last one to be seen. */
bool sm_layout_hide(struct sm_layout *l, size_t pane, bool hide, const char *name,
                    struct sm_err *err);
/* Gives the pane `by` lines (columns) more than its frame has now, as far as the others keep what
 * they need; the one behind it gives first. The weights of the split are the lines then. False: it
 * shares no lines (columns) with others. */
bool sm_layout_resize(struct sm_layout *l, const struct sm_pane *panes, size_t pane, bool columns,
                      int by, struct sm_err *err);
/* As sm_layout_parse reads it. */
void sm_layout_write(const struct sm_layout *l, const struct sm_pane_ops *const *table,
                     struct sm_str *out);

#endif
