/* SPDX-License-Identifier: Apache-2.0 */
/* A line of values that are separated by a character, as csv modules, pandas and spreadsheets write
 * them (RFC 4180, and ';', tabs, '|' or blanks as separators). No I/O. */
#ifndef SM_CSV_LINE_H
#define SM_CSV_LINE_H

#include "reader/base/str.h"

/* The separator of a line of names: tab, ';', ',' or '|', that which leaves a name of steps, else
 * that which comes most often outside of quotes; ' ' if there are several words and none of them;
 * else ','. */
char sm_csv_separator(const char *p, size_t n);
/* Whether a quoted cell goes on after this line. open: whether one came into it. */
bool sm_csv_quote_open(const char *p, size_t n, char separator, bool open);

/* The cells of a line: without blanks around them, without quotes. They point to the line, or to
 * `copy`. Begin with {0}. */
struct sm_csv_cells {
    struct sm_text *items;
    size_t n, cap;
    struct sm_str copy;
};
/* False: no memory. */
bool sm_csv_split(const char *p, size_t n, char separator, struct sm_csv_cells *out);
void sm_csv_cells_clear(struct sm_csv_cells *c);
/* A number in a cell: as sm_log_number, 0,5 where ';' or a tab separates, 1,234,567.8, and what
 * stands before a '%'. */
bool sm_csv_number(struct sm_text cell, char separator, double *out);

#endif
