/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of the differences pane: tensors ordered by their differences, the configuration, and
 * tensors that cannot be compared. */
#ifndef SM_DIFF_ROWS_H
#define SM_DIFF_ROWS_H

#include "commands/compare/compare_live.h"

enum sm_diff_kind { SM_DIFF_TENSOR, SM_DIFF_HEADING, SM_DIFF_CONFIG, SM_DIFF_INCOMPARABLE };
struct sm_diff_line {
    enum sm_diff_kind kind;
    const struct sm_compare_row *row; /* TENSOR, INCOMPARABLE */
    const char *what, *a, *b; /* HEADING has only `what`; CONFIG: a or b is NULL if that side lacks
                                 the item; escaped */
    size_t n;                 /* HEADING: number of lines below it */
};
struct sm_diff_rows {
    struct sm_diff_line *items; /* valid until the next read */
    size_t n, cap;
    size_t counts[4]; /* tensors by enum sm_likeness */
    struct sm_result scratch;
    const struct sm_compare_live *of; /* the state at the last read: this and the next line */
    uint64_t looked, versions[2];
};
void sm_diff_rows_init(struct sm_diff_rows *r);
void sm_diff_rows_clear(struct sm_diff_rows *r);
void sm_diff_rows_forget(struct sm_diff_rows *r); /* all that belongs to trials */
/* Rebuilds the lines if the comparison has changed. d may be NULL: no lines. */
void sm_diff_rows_read(struct sm_diff_rows *r, const struct sm_compare_live *d);

#endif
