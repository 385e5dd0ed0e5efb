/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of a layout by the user: sizes of panes, and hidden panes. */
#ifndef SM_LAYOUT_EDIT_H
#define SM_LAYOUT_EDIT_H

#include "tui/dashboard/layout.h"

/* Copies the layout without hidden panes and without empty splits. */
void sm_layout_visible(const struct sm_layout *l, struct sm_layout *out);
/* Returns false if the pane is not in the layout, or is the last visible pane. */
bool sm_layout_hide(struct sm_layout *l, size_t pane, bool hide, const char *name,
                    struct sm_err *err);
/* Grows the pane's frame by `by` lines (columns), as long as the other panes keep their minimum
 * size; the next pane shrinks first. The weights of the split become lines (columns). Returns
 * false if the pane does not share lines (columns) with another pane. */
bool sm_layout_resize(struct sm_layout *l, const struct sm_pane *panes, size_t pane, bool columns,
                      int by, struct sm_err *err);
/* Appends the layout in the syntax of sm_layout_parse. */
void sm_layout_write(const struct sm_layout *l, const struct sm_pane_ops *const *table,
                     struct sm_str *out);

#endif
