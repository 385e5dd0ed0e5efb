/* A tensor in a list: name, shape or value, mean, what is wrong with it, trend; as many of them as the width allows. */
#ifndef SM_TENSOR_ROW_H
#define SM_TENSOR_ROW_H

#include "tui/panel.h"

/* r: one line. common: bytes at the begin of the name that its neighbours have too, they go first; indent: of the name. */
void sm_tensor_row_draw(const struct sm_view *v, const struct sm_trial_tensor *x, size_t common, int indent, struct sm_grid *g, struct sm_rect r);
/* The columns' names into the first line of r. False: rows of this width need none. */
bool sm_tensor_row_header(struct sm_grid *g, struct sm_rect r);

#endif
