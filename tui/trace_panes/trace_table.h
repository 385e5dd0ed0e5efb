/* SPDX-License-Identifier: Apache-2.0 */
/* What the panes of traces have in common: each shows the answer of one command as a table. */
#ifndef SM_TRACE_TABLE_H
#define SM_TRACE_TABLE_H

#include "tui/panes/answer_view.h"

/* For panes whose state is a struct sm_answer_view. */
void sm_trace_table_clear(struct sm_pane *p);
bool sm_trace_table_act(struct sm_pane *p, struct sm_view *v, enum sm_key_action a);
void sm_trace_table_click(struct sm_pane *p, struct sm_view *v, int y);
bool sm_trace_table_search(struct sm_pane *p, struct sm_view *v, const char *text, int direction);
/* Draws the answer of look; a run without traces says so. */
void sm_trace_table_draw(struct sm_pane *p, const struct sm_view *v,
                         const struct sm_answer_view_look *look, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note);
extern const enum sm_key_action sm_trace_table_keys[];
/* Whether a pane is wanted: the traces have work of GPUs; they are of several ranks. True until
 * they are read. */
bool sm_trace_has_gpu(const struct sm_pane *p, const struct sm_view *v);
bool sm_trace_has_ranks(const struct sm_pane *p, const struct sm_view *v);

#define SM_TRACE_TABLE_OPS                                                                         \
    .context = SM_CTX_LIST, .own = sm_trace_table_keys,                                            \
    .hints = {"? help", ": command", "< > sort", "z zoom"},                                        \
    .state_size = sizeof(struct sm_answer_view), .min_w = 24, .min_h = 3,                          \
    .clear = sm_trace_table_clear, .forget = sm_trace_table_clear, .act = sm_trace_table_act,      \
    .click = sm_trace_table_click, .search = sm_trace_table_search

/* The layout that shows the traces of the trial, by their format. NULL: it has none. */
const char *sm_trace_layout(struct sm_trial *t);

#endif
