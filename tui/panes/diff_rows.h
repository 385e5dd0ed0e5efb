/* The lines of the differences pane: tensors in the order of their differences, the configuration,
 * what cannot be compared. */
#ifndef SM_DIFF_ROWS_H
#define SM_DIFF_ROWS_H

#include "commands/compare/compare_live.h"

enum sm_diff_kind { SM_DIFF_TENSOR, SM_DIFF_HEADING, SM_DIFF_CONFIG, SM_DIFF_APART };
struct sm_diff_line {
    enum sm_diff_kind kind;
    const struct sm_compare_row *row; /* TENSOR, APART */
    const char *what, *a, *b;         /* HEADING: what; CONFIG: NULL where one has none; escaped */
    size_t n;                         /* HEADING: lines below it */
};
struct sm_diff_rows {
    struct sm_diff_line *items; /* good until they are read again */
    size_t n, cap;
    size_t counts[4]; /* tensors by enum sm_likeness */
    struct sm_result scratch;
    const struct sm_compare_live *of; /* this and what follows: of what they were made */
    uint64_t looked, versions[2];
};
void sm_diff_rows_init(struct sm_diff_rows *r);
void sm_diff_rows_clear(struct sm_diff_rows *r);
/* Anew, where something has changed. d NULL: none. */
void sm_diff_rows_read(struct sm_diff_rows *r, const struct sm_compare_live *d);

#endif
