/* A list in a pane: which row the cursor is on, which is on top. The rows themselves are the
 * pane's. */
#ifndef SM_LISTING_H
#define SM_LISTING_H

#include "tui/panes/pane.h"

struct sm_rows {
    size_t cursor, top;
    int page; /* rows shown last */
};
/* Before drawing n rows into h lines: keeps the cursor among the rows and among those that are
 * shown. */
void sm_rows_show(struct sm_rows *l, size_t n, int h);
/* Moves the cursor. False: no action of a list. */
bool sm_rows_act(struct sm_rows *l, size_t n, enum sm_key_action a);
/* Puts the cursor on the row that is shown at line y. False: there is none. */
bool sm_rows_click(struct sm_rows *l, size_t n, int y);
/* How the row under the cursor looks. */
void sm_rows_mark(const struct sm_rows *l, struct sm_grid *g, struct sm_rect row, size_t i,
                  bool focused);
/* "11-30 of 214" when not all n are shown. */
void sm_rows_note(const struct sm_rows *l, size_t n, struct sm_str *note);

#endif
