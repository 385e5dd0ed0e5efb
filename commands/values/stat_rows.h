/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of values as rows: an object per value for JSON, with the columns for tables. */
#ifndef SM_STAT_ROWS_H
#define SM_STAT_ROWS_H

#include "commands/answer/read_errors.h"
#include "commands/place/place.h"

struct sm_statistic;

/* The order of JSON keys, of the columns of a table, or of the lines of text. */
enum sm_stat_order { SM_STAT_KEYS, SM_STAT_COLUMNS, SM_STAT_LINES };
struct sm_stat_list {
    const struct sm_statistic *items[INT8_MAX];
    size_t n;
};
/* The statistics that are not hidden, in an order. */
void sm_stat_list(struct sm_stat_list *out, enum sm_stat_order order);

/* The columns of a table: the place of the value, and its statistics. In the arena of out. */
struct sm_column *sm_stat_columns(struct sm_result *out, size_t *n);

/* The entry of the place: the value, else any reduction, else the shape. None if nothing was saved.
 */
struct sm_entry sm_stat_entry(const struct sm_trial *t, const struct sm_trial_tensor *x,
                              struct sm_step step, uint16_t worker);

/* Adds the row of e to parent. Returns false with SM_ERR_WAIT while something is being read, or if
 * the value cannot be read. */
bool sm_stat_add(struct sm_call *c, struct sm_result *out, struct sm_node *parent,
                 struct sm_trial *t, const struct sm_trial_tensor *x, const struct sm_entry *e,
                 const struct sm_slice *slice, enum sm_summary_want want, struct sm_err *err);

/* Rows of a list, some of which may be unreadable. */
struct sm_stat_rows {
    struct sm_node *list;
    size_t n;
    struct sm_read_errors unread;
    bool waiting;
};
/* Adds a row, without statistics if the value cannot be read. Returns false if the command fails.
 */
bool sm_stat_rows_add(struct sm_stat_rows *r, struct sm_call *c, struct sm_result *out,
                      struct sm_trial *t, const struct sm_trial_tensor *x, const struct sm_entry *e,
                      const struct sm_slice *slice, struct sm_err *err);
/* Prints the rows with the columns of the text table; CSV and TSV have all columns. Returns false
 * with SM_ERR_WAIT while rows are being read. */
bool sm_stat_rows_end(const struct sm_stat_rows *r, struct sm_result *out,
                      const struct sm_column *columns, size_t n_columns, struct sm_err *err);

#endif
