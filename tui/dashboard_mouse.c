/* The mouse, when asked for: a click focuses and points, the wheel scrolls what is under it. */
#include "tui/dashboard.h"

enum { WHEEL_LINES = 3 };

void sm_dashboard_mouse(struct sm_dashboard *d, const struct sm_mouse *m)
{
    bool wheel = m->kind == SM_MOUSE_WHEEL_UP || m->kind == SM_MOUSE_WHEEL_DOWN;
    enum sm_action a = m->kind == SM_MOUSE_WHEEL_UP ? SM_ACT_UP : SM_ACT_DOWN;
    d->dirty = d->urgent = true;
    if (d->overlay.shown) {
        for (int i = 0; i < WHEEL_LINES && wheel; i++)
            sm_overlay_act(&d->overlay, a);
        return;
    }
    if (d->mode != SM_NORMAL || m->kind == SM_MOUSE_OTHER)
        return;
    struct sm_panel *p = sm_panels_focus_at(&d->panels, m->x, m->y);
    if (!p)
        return;
    for (int i = 0; i < WHEEL_LINES && wheel; i++)
        p->ops->act(p, &d->view, a);
    if (!wheel && p->ops->click)
        p->ops->click(p, &d->view, m->y - p->frame.y - 1);
}
