/* The panes of a dashboard: one for each record of the table, placed by a layout, one of them
 * focused. */
#ifndef SM_PANES_H
#define SM_PANES_H

#include "tui/dashboard/layout.h"

extern const struct sm_pane_ops *const sm_pane_table[]; /* NULL-terminated, not empty */
/* Their names, for completion; the second with next and prev. NULL-terminated. */
extern const char *const sm_pane_words[], *const sm_pane_or_next_words[];

struct sm_panes {
    const struct sm_pane_ops *const *table;
    struct sm_pane *items;
    size_t n, focus;
    struct sm_layout whole;  /* also those panes that are hidden */
    struct sm_layout layout; /* without them */
    struct sm_rect room;     /* of the frame drawn last */
    bool zoomed; /* the focused one has all the room, whether the layout has it or not */
    bool aside;  /* an answer has the keys: no frame stands out */
};
/* table: records that outlive the panes, NULL-terminated. Without a layout the first pane has all
 * the room. */
void sm_panes_init(struct sm_panes *p, const struct sm_pane_ops *const *table, struct sm_view *v);
void sm_panes_clear(struct sm_panes *p);
/* Takes the layout (sm_layout_parse); the focus stays if the pane has more than a few lines there,
 * else it goes to the first. */
bool sm_panes_arrange(struct sm_panes *p, const char *spec, struct sm_err *err);
/* What people change about the layout; `spec` becomes what it is now. */
bool sm_panes_hide(struct sm_panes *p, const char *name, bool hide, struct sm_str *spec,
                   struct sm_err *err);
bool sm_panes_resize(struct sm_panes *p, const char *name, bool columns, const char *by,
                     struct sm_str *spec, struct sm_err *err);
bool sm_panes_hides(const struct sm_panes *p, const char *name); /* in the layout, but hidden */
/* The pane whose lower (right) border is at this cell; NULL: none. */
struct sm_pane *sm_panes_border_at(const struct sm_panes *p, int x, int y, bool *columns);
struct sm_pane *sm_panes_focused(const struct sm_panes *p);
/* the k-th of the layout; beyond the last: nothing */
void sm_panes_focus(struct sm_panes *p, size_t k);
/* among those that are shown; of the layout when zoomed */
void sm_panes_next(struct sm_panes *p, bool forward);
struct sm_pane *sm_panes_find(const struct sm_panes *p, const char *name); /* NULL: there is none */
/* Focuses the first one of this context in the layout; false: there is none. */
bool sm_panes_focus_context(struct sm_panes *p, enum sm_context c);
void sm_panes_back(struct sm_panes *p); /* out of all the room; there already, to the first list */
/* By name; one that the layout does not have is zoomed. False: there is none. */
bool sm_panes_focus_name(struct sm_panes *p, const char *name);
/* the first one that can filter, unless the focused one can */
void sm_panes_focus_filter(struct sm_panes *p);
/* Focuses the pane that has this cell; NULL: none has. */
struct sm_pane *sm_panes_focus_at(struct sm_panes *p, int x, int y);
/* Is it to be seen, in the frame drawn last or in a layout taken since? */
bool sm_panes_shows(const struct sm_panes *p, const char *name);
/* True: one of them has more to compute, and wants to be drawn again soon. */
bool sm_panes_draw(struct sm_panes *p, const struct sm_view *v, struct sm_grid *g,
                   struct sm_rect r);

#endif
