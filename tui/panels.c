#include "tui/panels.h"

#include "reader/base/mem.h"
#include "tui/layout.h"
#include "tui/panel_list.h"

/* The one list of panels, in the order of Tab and of the keys 1 to 9. */
const struct sm_panel_ops *const sm_panel_table[] = {
    &sm_panel_tensors,
    &sm_panel_scalars,
    &sm_panel_value,
    &sm_panel_rules,
    NULL,
};

void sm_panels_init(struct sm_panels *p, const struct sm_panel_ops *const *table, struct sm_view *v)
{
    *p = (struct sm_panels){0};
    while (table[p->n])
        p->n++;
    p->items = sm_xalloc_zero(p->n, sizeof *p->items);
    for (size_t i = 0; i < p->n; i++) {
        struct sm_panel *x = &p->items[i];
        x->ops = table[i];
        x->state = sm_xalloc_zero(1, x->ops->state_size);
        if (x->ops->init)
            x->ops->init(x, v);
    }
}

void sm_panels_clear(struct sm_panels *p)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->items[i].ops->clear)
            p->items[i].ops->clear(&p->items[i]);
        sm_free(p->items[i].state);
    }
    sm_free(p->items);
    *p = (struct sm_panels){0};
}

/* ---- focus ---- */

struct sm_panel *sm_panels_focused(const struct sm_panels *p)
{
    return &p->items[p->focus];
}

void sm_panels_focus(struct sm_panels *p, size_t i)
{
    if (i < p->n && !p->items[i].hidden)
        p->focus = i;
}

void sm_panels_next(struct sm_panels *p, bool forward)
{
    for (size_t k = 0; k < p->n; k++) {
        p->focus = (p->focus + (forward ? 1 : p->n - 1)) % p->n;
        if (p->items[p->focus].frame.w || (p->zoomed && !p->items[p->focus].hidden))
            return;
    }
}

bool sm_panels_focus_context(struct sm_panels *p, enum sm_context c)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->items[i].ops->context == c) {
            p->focus = i;
            return true;
        }
    return false;
}

void sm_panels_focus_filter(struct sm_panels *p)
{
    for (size_t i = 0; i < p->n && !sm_panels_focused(p)->ops->filter; i++)
        if (p->items[i].ops->filter)
            p->focus = i;
}

/* ---- drawing ---- */

void sm_panels_draw(struct sm_panels *p, const struct sm_view *v, struct sm_grid *g, struct sm_rect r)
{
    for (size_t i = 0; i < p->n; i++)
        p->items[i].hidden = p->items[i].ops->wanted && !p->items[i].ops->wanted(&p->items[i], v);
    if (p->items[p->focus].hidden)
        p->focus = 0;
    sm_layout_place(p->items, p->n, p->focus, p->zoomed, r);
    for (size_t i = 0; i < p->n; i++) {
        struct sm_panel *x = &p->items[i];
        struct sm_str note = {0};
        struct sm_rect inside = {x->frame.x + 1, x->frame.y + 1, x->frame.w - 2, x->frame.h - 2};
        if (!x->frame.w)
            continue;
        x->ops->draw(x, v, g, inside, i == p->focus, &note);
        sm_layout_frame(g, x->frame, x->ops->title, i == p->focus, sm_str_text(&note), v->glyphs);
        sm_str_clear(&note);
    }
}
