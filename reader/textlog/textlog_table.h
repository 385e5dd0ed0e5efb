/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that are printed over several lines: one with a header, whose first column counts steps
 * (fastai, spaCy), and the box of Stable-Baselines3, with a value a line. */
#ifndef SM_TEXTLOG_TABLE_H
#define SM_TEXTLOG_TABLE_H

#include "reader/textlog/textlog_pairs.h"

enum { SM_TEXTLOG_COLUMNS = 64 };
/* Zero-initialised no table is open. */
struct sm_textlog_table {
    struct sm_str header; /* names of the columns, each with a 0 behind it */
    size_t columns;       /* 0: no table */
    enum sm_textlog_unit header_unit;
    unsigned misses; /* lines since the last row */
    bool in_box;
    struct sm_str group, names; /* of the values of the box */
    /* the row */
    struct sm_textlog_pair pairs[SM_TEXTLOG_PAIRS];
    size_t n;
    int64_t step;
    enum sm_textlog_unit unit;
};
/* What a line is; after ROW the row is complete. */
enum sm_textlog_table_part { SM_TEXTLOG_NO_TABLE, SM_TEXTLOG_IN_TABLE, SM_TEXTLOG_ROW };
enum sm_textlog_table_part sm_textlog_table_line(struct sm_textlog_table *t, struct sm_text line);
void sm_textlog_table_clear(struct sm_textlog_table *t);

#endif
