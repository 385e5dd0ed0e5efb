/* Columns of text: header, alignment, elision. Used for listings as text and for list panels. */
#ifndef SM_TABLE_H
#define SM_TABLE_H

#include "plot/grid/glyphs.h"

/* Cuts text to w columns by dropping its middle ("conv0…weight"); shorter text is copied. plain:
 * "..." instead. */
void sm_elide_middle(struct sm_str *out, const char *text, int w, const struct sm_glyphs *glyphs);
/* The same with twice as much of the end as of the beginning: names of tensors differ there. */
void sm_elide_name(struct sm_str *out, const char *text, int w, const struct sm_glyphs *glyphs);

/* Text in w cells of a row, which loses its end where it is longer, and says so by an ellipsis. */
void sm_cut_text(struct sm_grid *g, int x, int y, int w, enum sm_role role, const char *text,
                 const struct sm_glyphs *glyphs);

struct sm_table_column {
    const char *header;
    bool right; /* numbers */
    bool spare; /* left out where the line is too long */
    bool wraps; /* where the line is too long it goes on below, instead of being elided */
    bool below; /* where the line is too long it stands below, moved in, without a header */
};
/* Rows of cells (UTF-8, already escaped), n_columns each. Two spaces between columns, header once,
 * trailing blanks dropped. max_w > 0: text columns are elided in the middle, and spare ones left
 * out, so that lines fit. */
void sm_table_print(struct sm_str *out, const struct sm_table_column *columns, size_t n_columns,
                    const char *const *cells, size_t n_rows, int max_w,
                    const struct sm_glyphs *glyphs);

#endif
