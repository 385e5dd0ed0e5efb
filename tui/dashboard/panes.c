/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/panes.h"

#include "reader/base/mem.h"
#include "tui/dashboard/layout_edit.h"
#include "tui/panes/pane_list.h"

#include <stdlib.h>
#include <string.h>

/* All panes, in the order of Tab and of the keys 1 to 9. */
#define ENTRY(record, name) &sm_pane_##record,
#define NAME(record, name)  name,
const struct sm_pane_ops *const sm_pane_table[] = {SM_PANES(ENTRY) NULL};
const char *const sm_pane_words[] = {SM_PANES(NAME) NULL};
const char *const sm_pane_or_next_words[] = {SM_PANES(NAME) "next", "prev", NULL};

void sm_panes_init(struct sm_panes *p, const struct sm_pane_ops *const *table, struct sm_view *v)
{
    *p = (struct sm_panes){.table = table};
    while (table[p->n])
        p->n++;
    p->items = sm_xalloc_zero(p->n, sizeof *p->items);
    for (size_t i = 0; i < p->n; i++) {
        struct sm_pane *x = &p->items[i];
        x->ops = table[i];
        x->state = sm_xalloc_zero(1, x->ops->state_size);
        if (x->ops->init)
            x->ops->init(x, v);
    }
    p->layout.nodes[0] =
        (struct sm_layout_node){.weight = 1, .child = SM_LAYOUT_NONE, .next = SM_LAYOUT_NONE};
    p->layout.n = 1;
    p->whole = p->layout;
}

void sm_panes_clear(struct sm_panes *p)
{
    for (size_t i = 0; i < p->n; i++) {
        if (p->items[i].ops->clear)
            p->items[i].ops->clear(&p->items[i]);
        sm_free(p->items[i].state);
    }
    sm_free(p->items);
    *p = (struct sm_panes){0};
}

void sm_panes_forget(struct sm_panes *p)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->items[i].ops->forget)
            p->items[i].ops->forget(&p->items[i]);
}

/* ---- the layout ---- */

/* The position in the layout; SM_LAYOUT_NODES if it is not in the layout. */
static size_t place_of(const struct sm_panes *p, size_t pane)
{
    size_t order[SM_LAYOUT_NODES], n = sm_layout_order(&p->layout, order, SM_LAYOUT_NODES);
    for (size_t k = 0; k < n; k++)
        if (order[k] == pane)
            return k;
    return SM_LAYOUT_NODES;
}

static void place_layout(struct sm_panes *p)
{
    sm_layout_visible(&p->whole, &p->layout);
    sm_layout_place(&p->layout, p->items, p->n, p->room);
    if (place_of(p, p->focus) == SM_LAYOUT_NODES)
        sm_panes_focus(p, 0);
}

bool sm_panes_arrange(struct sm_panes *p, const char *spec, struct sm_err *err)
{
    struct sm_layout layout;
    if (!sm_layout_parse(spec, p->table, &layout, err))
        return false;
    p->whole = layout;
    p->zoomed = false;
    place_layout(p);
    if (sm_layout_is_compact(&p->layout, p->focus))
        sm_panes_focus(p, 0);
    return true;
}

/* ---- changes by the user ---- */

static bool find_pane(const struct sm_panes *p, const char *name, size_t *out, struct sm_err *err)
{
    struct sm_str names = {0};
    for (*out = 0; *out < p->n; ++*out) {
        if (strcmp(p->items[*out].ops->name, name) == 0) {
            sm_str_clear(&names);
            return true;
        }
        sm_str_printf(&names, " %s", p->items[*out].ops->name);
    }
    sm_err_set(err, SM_ERR_USAGE, "Unknown pane \"%s\". Choose one of:%s.", name,
               sm_str_text(&names));
    sm_str_clear(&names);
    return false;
}

bool sm_panes_hide(struct sm_panes *p, const char *name, bool hide, struct sm_str *spec,
                   struct sm_err *err)
{
    size_t pane;
    if (!find_pane(p, name, &pane, err) || !sm_layout_hide(&p->whole, pane, hide, name, err))
        return false;
    p->zoomed = false;
    place_layout(p);
    sm_layout_write(&p->whole, p->table, spec);
    return true;
}

bool sm_panes_hides(const struct sm_panes *p, const char *name)
{
    for (int i = 0; i < p->whole.n; i++)
        if (p->whole.nodes[i].hidden && strcmp(p->table[p->whole.nodes[i].pane]->name, name) == 0)
            return true;
    return false;
}

/* by: "+3" and "-3" are relative, "12" is a size. */
bool sm_panes_resize(struct sm_panes *p, const char *name, bool columns, const char *by,
                     struct sm_str *spec, struct sm_err *err)
{
    size_t pane;
    char *end;
    long n = strtol(by, &end, 10);
    if (!find_pane(p, name, &pane, err))
        return false;
    if (end == by || *end || n < -9999 || n > 9999)
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" is not a number of %s. Expected 12, +3 or -3.",
                          by, columns ? "columns" : "lines");
    p->zoomed = false;
    place_layout(p);
    const struct sm_rect *r = &p->items[pane].frame;
    int more = *by == '+' || *by == '-' ? (int)n : (int)n - (columns ? r->w : r->h);
    if (!sm_layout_resize(&p->whole, p->items, pane, columns, more, err))
        return false;
    place_layout(p);
    sm_layout_write(&p->whole, p->table, spec);
    return true;
}

struct sm_pane *sm_panes_border_at(const struct sm_panes *p, int x, int y, bool *columns)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct sm_rect *r = &p->items[i].frame;
        bool lower = r->w && x >= r->x && x < r->x + r->w && y == r->y + r->h - 1 &&
                     y + 1 < p->room.y + p->room.h;
        bool right = r->w && y >= r->y && y < r->y + r->h && x == r->x + r->w - 1 &&
                     x + 1 < p->room.x + p->room.w;
        if (!lower && !right)
            continue;
        *columns = right;
        return &p->items[i];
    }
    return NULL;
}

/* ---- focus ---- */

struct sm_pane *sm_panes_focused(const struct sm_panes *p)
{
    return &p->items[p->focus];
}

void sm_panes_focus(struct sm_panes *p, size_t k)
{
    size_t order[SM_LAYOUT_NODES], n = sm_layout_order(&p->layout, order, SM_LAYOUT_NODES);
    if (k < n && !p->items[order[k]].hidden)
        p->focus = order[k];
}

void sm_panes_next(struct sm_panes *p, bool forward)
{
    size_t order[SM_LAYOUT_NODES], n = sm_layout_order(&p->layout, order, SM_LAYOUT_NODES),
                                   at = place_of(p, p->focus);
    for (size_t k = 0; k < n; k++) {
        at = at >= n ? 0 : (at + (forward ? 1 : n - 1)) % n;
        if (p->items[order[at]].frame.w || (p->zoomed && !p->items[order[at]].hidden)) {
            p->focus = order[at];
            return;
        }
    }
}

bool sm_panes_focus_context(struct sm_panes *p, enum sm_context c)
{
    size_t order[SM_LAYOUT_NODES], n = sm_layout_order(&p->layout, order, SM_LAYOUT_NODES);
    for (size_t k = 0; k < n; k++)
        if (p->items[order[k]].ops->context == c) {
            p->focus = order[k];
            return true;
        }
    return false;
}

void sm_panes_back(struct sm_panes *p)
{
    if (p->zoomed)
        p->zoomed = false;
    else
        sm_panes_focus_context(p, SM_CTX_LIST);
}

struct sm_pane *sm_panes_find(const struct sm_panes *p, const char *name)
{
    for (size_t i = 0; i < p->n; i++)
        if (strcmp(p->items[i].ops->name, name) == 0)
            return &p->items[i];
    return NULL;
}

bool sm_panes_focus_name(struct sm_panes *p, const char *name)
{
    const struct sm_pane *x = sm_panes_find(p, name);
    if (!x)
        return false;
    p->focus = (size_t)(x - p->items);
    bool no_room = p->room.w && !x->frame.w && !sm_layout_is_narrow(p->room);
    p->zoomed = p->zoomed || no_room || place_of(p, p->focus) == SM_LAYOUT_NODES;
    return true;
}

void sm_panes_focus_filter(struct sm_panes *p)
{
    size_t order[SM_LAYOUT_NODES], n = sm_layout_order(&p->layout, order, SM_LAYOUT_NODES);
    for (size_t k = 0; k < n && !sm_panes_focused(p)->ops->filter; k++)
        if (p->items[order[k]].ops->filter)
            p->focus = order[k];
}

struct sm_pane *sm_panes_focus_at(struct sm_panes *p, int x, int y)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct sm_rect *r = &p->items[i].frame;
        if (r->w && x >= r->x && x < r->x + r->w && y >= r->y && y < r->y + r->h) {
            p->focus = i;
            return &p->items[i];
        }
    }
    return NULL;
}

/* ---- drawing ---- */

bool sm_panes_shows(const struct sm_panes *p, const char *name)
{
    const struct sm_pane *x = sm_panes_find(p, name);
    return x && x->frame.w > 0;
}

static void place_panes(struct sm_panes *p, const struct sm_view *v, struct sm_rect r)
{
    p->room = r;
    for (size_t i = 0; i < p->n; i++) {
        struct sm_pane *x = &p->items[i];
        bool may_hide = place_of(p, i) != SM_LAYOUT_NODES &&
                        (i != p->focus || x->ops->yields || sm_layout_is_compact(&p->layout, i));
        x->hidden = may_hide && x->ops->wanted && !x->ops->wanted(x, v);
    }
    if (!p->zoomed && place_of(p, p->focus) == SM_LAYOUT_NODES)
        sm_panes_focus(p, 0);
    sm_layout_place(&p->layout, p->items, p->n, r);
    if (!p->zoomed && !sm_layout_is_narrow(r)) {
        if (!p->items[p->focus].frame.w && !p->aside)
            sm_panes_next(p, true);
        return;
    }
    for (size_t i = 0; i < p->n; i++)
        p->items[i].frame = i == p->focus ? r : (struct sm_rect){0};
}

bool sm_panes_draw(struct sm_panes *p, const struct sm_view *v, struct sm_grid *g, struct sm_rect r)
{
    bool unfinished = false;
    place_panes(p, v, r);
    for (size_t i = 0; i < p->n; i++) {
        struct sm_pane *x = &p->items[i];
        struct sm_str note = {0};
        struct sm_rect inside = {x->frame.x + 1, x->frame.y + 1, x->frame.w - 2, x->frame.h - 2};
        if (!x->frame.w)
            continue;
        x->unfinished = false;
        x->ops->draw(x, v, g, inside, i == p->focus, &note);
        sm_layout_frame(g, x->frame, x->ops->title, i == p->focus && !p->aside, sm_str_text(&note),
                        v->glyphs);
        sm_str_clear(&note);
        unfinished = unfinished || x->unfinished;
    }
    return unfinished;
}
