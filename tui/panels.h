/* The panels of a dashboard: one for each record of the table, one of them focused. */
#ifndef SM_PANELS_H
#define SM_PANELS_H

#include "tui/panel.h"

extern const struct sm_panel_ops *const sm_panel_table[];  /* NULL-terminated, not empty */

struct sm_panels {
    struct sm_panel *items;
    size_t n, focus;
    bool zoomed;                         /* the focused one has all the room */
};
/* table: records that outlive the panels, NULL-terminated. */
void sm_panels_init(struct sm_panels *p, const struct sm_panel_ops *const *table, struct sm_view *v);
void sm_panels_clear(struct sm_panels *p);
struct sm_panel *sm_panels_focused(const struct sm_panels *p);
void sm_panels_focus(struct sm_panels *p, size_t i);       /* beyond the last: nothing */
void sm_panels_next(struct sm_panels *p, bool forward);    /* among those that are shown; all when zoomed */
/* Focuses the first one of this context; false: there is none. */
bool sm_panels_focus_context(struct sm_panels *p, enum sm_context c);
void sm_panels_focus_filter(struct sm_panels *p);          /* the first one that can filter, unless the focused one can */
void sm_panels_draw(struct sm_panels *p, const struct sm_view *v, struct sm_grid *g, struct sm_rect r);

#endif
