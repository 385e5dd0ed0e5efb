/* SPDX-License-Identifier: Apache-2.0 */
/* How a row of the table of runs is drawn: marks, name, columns. */
#ifndef SM_RUN_ROW_H
#define SM_RUN_ROW_H

#include "tui/run_panes/run_columns.h"

struct sm_run_row_parts {
    const struct sm_run_table *table;
    const struct sm_run_columns *columns;
    const size_t *group_of; /* of each row of the table; NULL: the charts show runs */
    const char **names;     /* of the rows from `first` on, as sm_run_row_names makes them */
    size_t first;
};
/* The names of n rows of the table, numbers before them, so that they can be told apart; in the
 * arena. */
const char **sm_run_row_names(const struct sm_view *v, const struct sm_run_row *rows, size_t n,
                              int w, struct sm_arena *arena);
/* The header of the column that sorts is accented; underlined if it is reversed. */
void sm_run_row_header(const struct sm_run_columns *columns, const struct sm_view *v,
                       struct sm_grid *g, struct sm_rect r);
/* run: of the table. */
void sm_run_row_draw(const struct sm_run_row_parts *s, const struct sm_view *v,
                     const struct sm_run_row *run, struct sm_grid *g, struct sm_rect row);

#endif
