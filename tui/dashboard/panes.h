/* SPDX-License-Identifier: Apache-2.0 */
/* The panes of a dashboard: one for each record of the table. A layout places them, one has the
 * focus. */
#ifndef SM_PANES_H
#define SM_PANES_H

#include "tui/dashboard/layout.h"

extern const struct sm_pane_ops *const sm_pane_table[]; /* NULL-terminated, not empty */
/* Names of panes for completion, without and with "next" and "prev". NULL-terminated. */
extern const char *const sm_pane_words[], *const sm_pane_or_next_words[];

struct sm_panes {
    const struct sm_pane_ops *const *table;
    struct sm_pane *items;
    size_t n, focus;
    struct sm_layout whole;  /* including hidden panes */
    struct sm_layout layout; /* without them */
    struct sm_rect room;     /* of the frame drawn last */
    bool zoomed;             /* only the focused pane is shown, also if it is not in the layout */
    bool aside;              /* an answer has the focus: no frame is highlighted */
};
/* table: NULL-terminated records that outlive the panes. Without a layout only the first pane is
 * shown. */
void sm_panes_init(struct sm_panes *p, const struct sm_pane_ops *const *table, struct sm_view *v);
void sm_panes_clear(struct sm_panes *p);
void sm_panes_forget(struct sm_panes *p); /* a trial is about to close */
/* Sets the layout (sm_layout_parse). The focus moves to the first pane if the focused pane is not
 * in the layout or has weight 0. */
bool sm_panes_arrange(struct sm_panes *p, const char *spec, struct sm_err *err);
/* Changes of the layout by the user; the changed layout is appended to `spec`. */
bool sm_panes_hide(struct sm_panes *p, const char *name, bool hide, struct sm_str *spec,
                   struct sm_err *err);
bool sm_panes_resize(struct sm_panes *p, const char *name, bool columns, const char *by,
                     struct sm_str *spec, struct sm_err *err);
bool sm_panes_hides(const struct sm_panes *p, const char *name); /* in the layout, but hidden */
/* The pane whose lower (right) border is at this cell, or NULL. */
struct sm_pane *sm_panes_border_at(const struct sm_panes *p, int x, int y, bool *columns);
struct sm_pane *sm_panes_focused(const struct sm_panes *p);
/* focuses the k-th pane of the layout, if there is one */
void sm_panes_focus(struct sm_panes *p, size_t k);
/* focuses the next visible pane; when zoomed, the next pane of the layout */
void sm_panes_next(struct sm_panes *p, bool forward);
struct sm_pane *sm_panes_find(const struct sm_panes *p, const char *name); /* NULL if unknown */
/* Focuses the first pane of this context in the layout. Returns false if there is none. */
bool sm_panes_focus_context(struct sm_panes *p, enum sm_context c);
void sm_panes_back(struct sm_panes *p); /* leaves the zoom, else focuses the first list */
/* Focuses a pane by name; zooms it if it is not in the layout. Returns false if unknown. */
bool sm_panes_focus_name(struct sm_panes *p, const char *name);
/* focuses the first pane that can filter, unless the focused pane can */
void sm_panes_focus_filter(struct sm_panes *p);
/* Focuses the pane at this cell; NULL if there is none. */
struct sm_pane *sm_panes_focus_at(struct sm_panes *p, int x, int y);
/* Returns true if the pane is visible in the last frame or in a layout set since. */
bool sm_panes_shows(const struct sm_panes *p, const char *name);
/* Returns true if a pane has more to compute and must be drawn again soon. */
bool sm_panes_draw(struct sm_panes *p, const struct sm_view *v, struct sm_grid *g,
                   struct sm_rect r);

#endif
