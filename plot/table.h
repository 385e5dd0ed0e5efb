/* SPDX-License-Identifier: Apache-2.0 */
/* Text tables: header, alignment, shortening. Used for listings and for list panes. */
#ifndef SM_TABLE_H
#define SM_TABLE_H

#include "plot/grid/glyphs.h"

/* Shortens text to w columns by dropping its middle ("conv0…weight"); shorter text is copied.
 * plain: "..." instead. */
void sm_elide_middle(struct sm_str *out, const char *text, int w, const struct sm_glyphs *glyphs);
/* The same, keeping twice as much of the end as of the start: names of tensors differ there. Where
 * that would lose a number between points, as that of a layer, it stays: "…10…k_proj.weight". */
void sm_elide_name(struct sm_str *out, const char *text, int w, const struct sm_glyphs *glyphs);
/* A name of a list, the same unless one of the n others would become the same text: then the words
 * stay in which they differ. The others may have the name itself among them. */
void sm_elide_apart(struct sm_str *out, const char *text, const char *const *others, size_t n,
                    int w, const struct sm_glyphs *glyphs);
/* The same, dropping the end. */
void sm_elide_end(struct sm_str *out, const char *text, int w, const struct sm_glyphs *glyphs);

/* Draws text in w cells of a row; longer text is cut and ends in an ellipsis. */
void sm_cut_text(struct sm_grid *g, int x, int y, int w, enum sm_role role, const char *text,
                 const struct sm_glyphs *glyphs);

struct sm_table_column {
    const char *header;
    bool right; /* numbers */
    bool spare; /* omitted if lines are too long */
    bool wraps; /* continues on the next line if lines are too long, instead of being shortened */
    bool below; /* moved to its own indented line, without a header, if lines are too long */
};
/* Rows of cells (UTF-8, already escaped), n_columns each. Two spaces between columns, one header,
 * trailing blanks dropped. max_w > 0: text columns are shortened in the middle, and spare ones
 * omitted, so that lines fit. */
void sm_table_print(struct sm_str *out, const struct sm_table_column *columns, size_t n_columns,
                    const char *const *cells, size_t n_rows, int max_w,
                    const struct sm_glyphs *glyphs);

#endif
