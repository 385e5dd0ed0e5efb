/* One value of a listing as text, the choice of columns, paragraphs: shared by the printers. */
#ifndef SM_PRINT_CELL_H
#define SM_PRINT_CELL_H

#include "commands/answer/print.h"

/* For people: escaped, numbers short, "-" for what is absent (also v == NULL). */
void sm_cell_text(struct sm_str *out, const struct sm_node *v, const struct sm_column *c,
                  const struct sm_print_options *o);
/* For machines: whole numbers exact, floating-point ones with all digits, times ISO 8601 with zone;
 * "" for null. Texts raw. */
void sm_cell_raw(struct sm_str *out, const struct sm_node *v, const struct sm_column *c,
                 const struct sm_print_options *o);

/* The columns of an answer: those named in `fields` ("a,b,c") in that order, else those of the
 * result; without any, the keys of the first row. */
struct sm_fields {
    struct sm_column *columns;
    size_t n, cap;
    struct sm_arena arena;
};
void sm_fields_choose(struct sm_fields *f, const struct sm_result *r, const char *fields);
void sm_fields_clear(struct sm_fields *f);
/* SM_BLOCK_PROSE. width 0: as it stands. */
void sm_print_prose(struct sm_str *out, const char *text, size_t hang, int width);

#endif
