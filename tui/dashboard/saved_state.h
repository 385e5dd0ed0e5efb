/* SPDX-License-Identifier: Apache-2.0 */
/* State of the dashboard saved between sessions: the current layout and the bookmarks in the state
 * directory, layouts of the user in the configuration directory. Text files; invalid lines are
 * ignored. */
#ifndef SM_SAVED_STATE_H
#define SM_SAVED_STATE_H

#include "commands/session/bookmark.h"
#include "tui/dashboard/layouts.h"

struct sm_pane_ops;
struct sm_session;

/* table: the panes that layouts can name. */
void sm_saved_state_load(struct sm_layouts *l, struct sm_bookmarks *b,
                         const struct sm_pane_ops *const *table);
/* Writes changed files; ignores failures. */
void sm_saved_state_save(const struct sm_session *s, const struct sm_layouts *l,
                         const struct sm_bookmarks *b);

#endif
