/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of an answer (a list of maps) as a table in a pane: columns that fit, a cursor, an
 * order. The answer has the rows; they must live until others are set. */
#ifndef SM_NODE_ROWS_H
#define SM_NODE_ROWS_H

#include "commands/answer/result.h"
#include "tui/panes/listing.h"
#include "tui/panes/pane.h"

struct sm_node_columns {
    const struct sm_column *items;
    size_t n;
    /* Columns of numbers that stay while names are cut; the others go first. 0: names are cut
     * first, and two columns of numbers stay. */
    size_t numbers;
};
struct sm_node_rows {
    struct sm_rows rows;
    const struct sm_node *list;   /* of the rows as made; borrowed */
    const struct sm_node **items; /* in the order that is shown */
    size_t n, cap;
    struct sm_node_columns columns; /* as drawn last */
    size_t sort;                    /* by the column with this number, from 1; 0: as made */
    bool inverted;
    /* how a cell is drawn; NULL: all as text */
    enum sm_role (*role)(const struct sm_node *row, const struct sm_column *c);
    /* the node whose value a cell shows instead of that with the key of its column; NULL: none */
    const struct sm_node *(*cell)(const struct sm_node *row, const struct sm_column *c);
};
/* Shows the rows of the list, or none if it is NULL. Cursor and order stay. */
void sm_node_rows_set(struct sm_node_rows *x, const struct sm_node *list);
void sm_node_rows_clear(struct sm_node_rows *x); /* no rows; frees what it has */
/* Moves the cursor; < and > sort by another column, I reverses the order. */
bool sm_node_rows_act(struct sm_node_rows *x, enum sm_key_action a);
/* The row under the cursor, or NULL. */
const struct sm_node *sm_node_rows_chosen(const struct sm_node_rows *x);
/* Draws header and rows. bar: the key of an integer that is drawn as a bar, if there is room; or
 * NULL. */
void sm_node_rows_draw(struct sm_node_rows *x, struct sm_node_columns columns, const char *bar,
                       const struct sm_view *v, struct sm_grid *g, struct sm_rect r, bool focused,
                       struct sm_str *note);

#endif
