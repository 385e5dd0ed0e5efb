/* A tensor in a list: name, shape or value, mean, what is wrong with it, trend; as many of them as
 * the width allows. */
#ifndef SM_TENSOR_ROW_H
#define SM_TENSOR_ROW_H

#include "tui/panes/pane.h"

/* The names of a group of neighbours. */
struct sm_row_names {
    size_t common; /* bytes at the begin of all of them */
    int longest;   /* columns */
};
/* r: one line; indent: of the name. Where one of the neighbours does not fit, all lose what they
 * have in common. */
void sm_tensor_row_draw(const struct sm_view *v, const struct sm_trial_tensor *x,
                        struct sm_row_names names, int indent, struct sm_grid *g, struct sm_rect r);
/* The line of a collection: how many of it follow, or are folded away. */
void sm_tensor_row_group(const struct sm_view *v, const char *group, size_t count, bool folded,
                         struct sm_grid *g, struct sm_rect r);
/* The columns' names into the first line of r. False: rows of this width need none. */
bool sm_tensor_row_header(struct sm_grid *g, struct sm_rect r);

#endif
