/* Lines of a text for a width: prose is folded at blanks and goes on under its begin, tables and
 * charts (two blanks in a row) keep their lines, however long. */
#ifndef SM_FOLD_H
#define SM_FOLD_H

#include "reader/base/str.h"

struct sm_fold_line {
    size_t from, n; /* bytes of the text */
    int indent;     /* columns before them, where a line goes on */
};
struct sm_fold {
    struct sm_fold_line *lines;
    size_t n, cap;
    int widest; /* columns of the longest */
};
/* Of a text folded before, too: its lines are forgotten. tables: where nothing can be panned, rows
 * of tables are folded like prose. */
void sm_fold_text(struct sm_fold *f, const char *text, size_t n, int w, bool tables);
void sm_fold_clear(struct sm_fold *f);

#endif
