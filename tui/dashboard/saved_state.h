/* What the dashboard keeps from one session to the next: the layout and the bookmarks in the state
 * directory, the layouts that were defined in the configuration directory. Lines of text; one that
 * makes no sense is passed over. */
#ifndef SM_SAVED_STATE_H
#define SM_SAVED_STATE_H

#include "commands/session/bookmark.h"
#include "tui/dashboard/layouts.h"

struct sm_pane_ops;

/* table: the panes, which layouts must name. */
void sm_saved_state_load(struct sm_layouts *l, struct sm_bookmarks *b,
                         const struct sm_pane_ops *const *table);
/* Writes what has changed. A home that cannot be written is no failure. */
void sm_saved_state_save(const struct sm_layouts *l, const struct sm_bookmarks *b);

#endif
