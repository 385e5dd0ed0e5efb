/* SPDX-License-Identifier: Apache-2.0 */
/* A tensor in a list: name, shape or value, mean, problem and trend, as the width allows. */
#ifndef SM_TENSOR_ROW_H
#define SM_TENSOR_ROW_H

#include "tui/panes/pane.h"

/* The names of a group of rows, shortened alike. */
struct sm_row_names {
    size_t common;           /* bytes of the common prefix, up to a separator */
    int longest;             /* columns of the longest name */
    const char *const *near; /* n_near names of the group, which this one is told apart from */
    size_t n_near;
};
/* r: one line; indent: columns before the name. If a name of the group does not fit, all of them
 * lose the common prefix. */
void sm_tensor_row_draw(const struct sm_view *v, const struct sm_trial_tensor *x,
                        struct sm_row_names names, int indent, struct sm_grid *g, struct sm_rect r);
/* If no worker is chosen: the problem of another worker than that of e, which is shown, replaces
 * *out: "1 NaN worker_1", shorter if that has no room. False if there is none. */
bool sm_tensor_row_others(const struct sm_view *v, const struct sm_trial_tensor *x,
                          const struct sm_entry *e, int room, struct sm_str *out);
/* The line of a collection. count: its tensors, listed below or folded. */
void sm_tensor_row_draw_group(const struct sm_view *v, const char *group, size_t count, bool folded,
                              struct sm_grid *g, struct sm_rect r);
/* Draws the column headings into the first line of r. Returns false if rows of this width have
 * none. */
bool sm_tensor_row_draw_header(struct sm_grid *g, struct sm_rect r);

#endif
