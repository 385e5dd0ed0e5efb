/* SPDX-License-Identifier: Apache-2.0 */
/* The mouse, with "set mouse on": a click focuses and selects, a border can be dragged, the wheel
 * scrolls the pane under it, or zooms its charts; a click in a chart goes to the step there, a drag
 * selects a range of steps. */
#include "tui/dashboard/dashboard.h"

#include <stdio.h>

enum { WHEEL_LINES = 3 };

/* The border between two panes belongs to the upper (left) pane, so a title can be clicked. */
static void begin_drag(struct sm_dashboard *d, const struct sm_mouse *m)
{
    struct sm_pane *p = sm_panes_border_at(&d->panes, m->x, m->y, &d->drags_columns);
    if (!p)
        p = sm_panes_border_at(&d->panes, m->x - 1, m->y, &d->drags_columns);
    d->dragged = p;
    d->pressed = true;
    d->drag_x = m->x;
    d->drag_y = m->y;
}

/* In a pane; back at its beginning a drag is none. */
static void drag_in_pane(struct sm_dashboard *d, const struct sm_mouse *m)
{
    struct sm_pane *p = d->dragged ? NULL : sm_panes_focused(&d->panes);
    d->view.drag.set = false;
    if (p && p->ops->drag && d->pressed && m->x != d->drag_x)
        p->ops->drag(p, &d->view, d->drag_x, d->drag_y, m->x, m->kind == SM_MOUSE_RELEASE);
}

static void end_drag(struct sm_dashboard *d, const struct sm_mouse *m)
{
    drag_in_pane(d, m);
    d->pressed = false;
    int by = d->drags_columns ? m->x - d->drag_x : m->y - d->drag_y;
    char text[16];
    struct sm_err err;
    if (!d->dragged || !by)
        return;
    snprintf(text, sizeof text, "%+d", by);
    if (!sm_dashboard_resize(d, d->dragged->ops->name, d->drags_columns, text, &err))
        sm_dashboard_say(d, err.msg);
    d->dragged = NULL;
}

/* What lies above the panes takes the wheel. Returns false if there is nothing. */
static bool turn_above(struct sm_dashboard *d, bool wheel, enum sm_key_action a)
{
    if (!d->settings_form.shown && !d->overlay.shown)
        return false;
    for (int i = 0; i < WHEEL_LINES && wheel; i++) {
        if (d->settings_form.shown)
            sm_settings_form_wheel(&d->settings_form, &d->session->settings, a);
        else
            sm_overlay_act(&d->overlay, a);
    }
    return true;
}

static void turn_pane(struct sm_dashboard *d, struct sm_pane *p, const struct sm_mouse *m, bool up)
{
    if (p->ops->wheel && p->ops->wheel(p, &d->view, m->x, m->y, up))
        return;
    if (p->ops->wheel_up != SM_ACT_NONE) {
        p->ops->act(p, &d->view, up ? p->ops->wheel_up : p->ops->wheel_down);
        return;
    }
    for (int i = 0; i < WHEEL_LINES; i++)
        p->ops->act(p, &d->view, up ? SM_ACT_UP : SM_ACT_DOWN);
}

static void click_pane(struct sm_dashboard *d, struct sm_pane *p, const struct sm_mouse *m)
{
    if (p->ops->click_cell)
        p->ops->click_cell(p, &d->view, m->x, m->y);
    else if (p->ops->click)
        p->ops->click(p, &d->view, m->y - p->frame.y - 1);
}

void sm_dashboard_mouse(struct sm_dashboard *d, const struct sm_mouse *m)
{
    bool up = m->kind == SM_MOUSE_WHEEL_UP, wheel = up || m->kind == SM_MOUSE_WHEEL_DOWN;
    d->dirty = d->urgent = true;
    d->explains = false;
    if (turn_above(d, wheel, up ? SM_ACT_UP : SM_ACT_DOWN) || d->mode != SM_NORMAL ||
        m->kind == SM_MOUSE_OTHER)
        return;
    if (m->kind == SM_MOUSE_MOVE) {
        drag_in_pane(d, m);
        return;
    }
    if (m->kind == SM_MOUSE_RELEASE) {
        end_drag(d, m);
        return;
    }
    if (!wheel && m->y >= 1 && m->y <= d->verdict.rows) {
        sm_dashboard_act(d, SM_ACT_VERDICT);
        return;
    }
    if (!wheel)
        begin_drag(d, m);
    struct sm_pane *p = sm_panes_focus_at(&d->panes, m->x, m->y);
    if (p && wheel)
        turn_pane(d, p, m, up);
    else if (p)
        click_pane(d, p, m);
}
