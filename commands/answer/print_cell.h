/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the printers: single values, the choice of columns, paragraphs. */
#ifndef SM_PRINT_CELL_H
#define SM_PRINT_CELL_H

#include "commands/answer/print.h"

/* Appends a value for text output: escaped, numbers shortened, "-" if it is absent (v NULL or
 * null). */
void sm_cell_text(struct sm_str *out, const struct sm_node *v, const struct sm_column *c,
                  const struct sm_print_options *o);
/* Appends a value for other programs: exact integers, floating-point numbers with all digits, times
 * in ISO 8601 with zone, unescaped strings, "" for null. */
void sm_cell_raw(struct sm_str *out, const struct sm_node *v, const struct sm_column *c,
                 const struct sm_print_options *o);

/* The columns to print: those named in `fields` ("a,b,c"), in that order; if fields is NULL, the
 * columns of the result; if it has none, the keys of the first row. */
struct sm_fields {
    struct sm_column *columns;
    size_t n, cap;
    struct sm_arena arena;
};
void sm_fields_choose(struct sm_fields *f, const struct sm_result *r, const char *fields);
void sm_fields_clear(struct sm_fields *f);
/* Prints a block SM_BLOCK_PROSE, wrapped at `width` columns; width 0: not wrapped. hang: indent of
 * the lines after the first. */
void sm_print_prose(struct sm_str *out, const char *text, size_t hang, int width);

#endif
