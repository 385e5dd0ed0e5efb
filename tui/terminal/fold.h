/* SPDX-License-Identifier: Apache-2.0 */
/* Splits a text into lines of a width: prose is folded at blanks and keeps its indentation; lines
 * of tables and charts (two blanks in a row) are not folded, however long. */
#ifndef SM_FOLD_H
#define SM_FOLD_H

#include "reader/base/str.h"

struct sm_fold_line {
    size_t from, n; /* bytes of the text */
    int indent;     /* columns before them on a continuation line */
};
struct sm_fold {
    struct sm_fold_line *lines;
    size_t n, cap;
    int widest; /* columns of the longest line */
};
/* Replaces the lines of an earlier call. tables: rows of tables are folded like prose, for output
 * that cannot be panned. */
void sm_fold_text(struct sm_fold *f, const char *text, size_t n, int w, bool tables);
void sm_fold_clear(struct sm_fold *f);

#endif
