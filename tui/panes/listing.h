/* SPDX-License-Identifier: Apache-2.0 */
/* Cursor and scroll position of a list in a pane. The pane owns the rows. */
#ifndef SM_LISTING_H
#define SM_LISTING_H

#include "tui/panes/pane.h"

struct sm_rows {
    size_t cursor, top;
    int page; /* rows drawn last */
};
/* Call before drawing n rows into h lines: keeps the cursor within the rows and visible. */
void sm_rows_show(struct sm_rows *l, size_t n, int h);
/* Moves the cursor. Returns false if the action does not move within lists. */
bool sm_rows_act(struct sm_rows *l, size_t n, enum sm_key_action a);
/* Puts the cursor on the row at line y. Returns false if there is no row. */
bool sm_rows_click(struct sm_rows *l, size_t n, int y);
/* Highlights row i if the cursor is on it. */
void sm_rows_mark(const struct sm_rows *l, struct sm_grid *g, struct sm_rect row, size_t i,
                  bool focused);
/* Adds "11-30 of 214" if not all n rows are visible. */
void sm_rows_note(const struct sm_rows *l, size_t n, struct sm_str *note);
/* Adds how many of the trial's values were read, unless it is all of them. t may be NULL. */
void sm_rows_note_survey(const struct sm_trial *t, struct sm_str *note);

#endif
