/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of the pane of runs: which of them fit, how wide they are, and their texts.
 *
 * The room tui/run_panes hands out the records of the panes of runs (tui/panes/pane_list.h): the
 * table of runs, their configurations, and console output. */
#ifndef SM_RUN_COLUMNS_H
#define SM_RUN_COLUMNS_H

#include "commands/runs/run_view.h"
#include "tui/panes/pane.h"

enum {
    SM_RUN_HEAD_W = 7,
    SM_RUN_KEYS = 8,
    SM_RUN_COLUMNS_MAX = 13 + SM_RUN_KEYS + SM_RUN_EXTRA_MAX
};
enum sm_run_column_kind {
    SM_RUN_COL_STATE,
    SM_RUN_COL_AGE,
    SM_RUN_COL_STEPS,
    SM_RUN_COL_STEP,
    SM_RUN_COL_RATE,
    SM_RUN_COL_METRIC,
    SM_RUN_COL_DIFF,
    SM_RUN_COL_BEST,
    SM_RUN_COL_AT,
    SM_RUN_COL_EXTRA, /* sm_run_extra.h */
    SM_RUN_COL_KEY,
    SM_RUN_COL_TREND,
    SM_RUN_COL_ISSUE,
    SM_RUN_COL_KIND,
    SM_RUN_COL_PATH,
    SM_RUN_COL_KINDS
};
struct sm_run_column {
    enum sm_run_column_kind kind;
    const char *header; /* escaped where it is drawn */
    const char *sort;   /* the key of sm_run_choice; NULL: cannot be sorted */
    int w;              /* without the blank before it */
    bool left;          /* aligned to the left */
};
struct sm_run_columns {
    struct sm_run_column items[SM_RUN_COLUMNS_MAX]; /* in the order of the screen */
    size_t n, more_keys;                            /* keys of the configuration without a column */
    int name_w;
};
/* For the rows from..from + h of the table in w columns. Headers are valid as long as the table. */
void sm_run_columns_plan(const struct sm_view *v, const struct sm_run_table *t, size_t from, int h,
                         int w, struct sm_run_columns *out);
/* Adds the text of a cell; nothing for a trend. */
void sm_run_column_text(const struct sm_view *v, const struct sm_run_table *t,
                        const struct sm_run_row *row, const struct sm_run_column *c,
                        struct sm_str *out);

#endif
