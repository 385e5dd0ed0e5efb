/* SPDX-License-Identifier: Apache-2.0 */
/* What the panes of strips share: each is its rows, its words and its help. */
#ifndef SM_STRIPS_PANE_H
#define SM_STRIPS_PANE_H

#include "tui/panes/pane_list.h"
#include "tui/profile_panes/strips.h"

/* Where the strips go. */
struct sm_strips_place {
    struct sm_grid *g;
    struct sm_rect r;
    bool focused;
    struct sm_str *note;
};
/* none_like: the filter leaves no row; none: the profile has none. */
void sm_strips_pane_draw(struct sm_pane *p, const struct sm_view *v,
                         const struct sm_strips_place *to, sm_strips_fill fill,
                         const char *none_like, const char *none);
bool sm_strips_pane_act(struct sm_pane *p, struct sm_view *v, enum sm_key_action a);
bool sm_strips_pane_digit(struct sm_pane *p, struct sm_view *v, int digit);
void sm_strips_pane_click(struct sm_pane *p, struct sm_view *v, int x, int y);
void sm_strips_pane_filter(struct sm_pane *p, struct sm_view *v, const char *text);
/* "window 5m", "window all" */
bool sm_strips_pane_set(struct sm_pane *p, struct sm_view *v, const char *attribute,
                        const char *value, struct sm_err *err);
void sm_strips_pane_forget(struct sm_pane *p);
void sm_strips_pane_clear(struct sm_pane *p);
extern const enum sm_key_action sm_strips_pane_keys[];

/* The members of a record of operations that are the same for all. */
#define SM_STRIPS_PANE                                                                             \
    .context = SM_CTX_PLOT, .own = sm_strips_pane_keys,                                            \
    .hints = {"? help", ": command", "h l moment", "+ - zoom", "n node"},                          \
    .filter_hint = "part of a name", .state_size = sizeof(struct sm_strips), .min_w = 24,          \
    .clear = sm_strips_pane_clear, .forget = sm_strips_pane_forget, .act = sm_strips_pane_act,     \
    .click_cell = sm_strips_pane_click, .wheel_up = SM_ACT_CHART_IN, .set = sm_strips_pane_set,    \
    .wheel_down = SM_ACT_CHART_OUT, .filter = sm_strips_pane_filter

#endif
