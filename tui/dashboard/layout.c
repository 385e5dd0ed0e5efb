/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/layout.h"

enum { NARROW_W = 60, NARROW_H = 8 }; /* on smaller screens only one pane is shown */

bool sm_layout_is_narrow(struct sm_rect r)
{
    return r.w < NARROW_W || r.h < NARROW_H;
}

size_t sm_layout_order(const struct sm_layout *l, size_t *panes, size_t most)
{
    size_t n = 0;
    for (int i = 0; i < l->n && n < most; i++)
        if (l->nodes[i].pane >= 0)
            panes[n++] = (size_t)l->nodes[i].pane;
    return n;
}

bool sm_layout_is_compact(const struct sm_layout *l, size_t pane)
{
    for (int i = 0; i < l->n; i++)
        if (l->nodes[i].pane == (int)pane)
            return !l->nodes[i].weight;
    return false;
}

/* The height of a pane with weight 0, including its frame; 0 if there is no space. */
static int compact_height(const struct sm_pane *p, int h)
{
    if (p->hidden || h < 14)
        return 0;
    return h < 26 ? 4 : h < 40 ? 6 : 9;
}

struct placing {
    const struct sm_layout *l;
    struct sm_pane *panes;
    int h; /* of the complete screen */
};

static bool place_node(const struct placing *p, int node, struct sm_rect r);

static void clear_frames(const struct placing *p, int node)
{
    const struct sm_layout_node *x = &p->l->nodes[node];
    if (x->pane >= 0)
        p->panes[x->pane].frame = (struct sm_rect){0};
    for (int c = x->child; c >= 0; c = p->l->nodes[c].next)
        clear_frames(p, c);
}

/* The maximum width of a node; 0 if unlimited. */
static int max_width(const struct placing *p, int node)
{
    const struct sm_layout_node *x = &p->l->nodes[node];
    int most = 0;
    if (x->pane >= 0)
        return p->panes[x->pane].ops->max_w;
    for (int c = x->child; c >= 0; c = p->l->nodes[c].next) {
        int w = max_width(p, c);
        if (!w)
            return 0;
        most = w > most ? w : most;
    }
    return x->horizontal ? 0 : most;
}

/* The node's weight; 0 of a pane that has nothing to show, or if none of its nodes has. */
static int weight_of(const struct placing *p, int node)
{
    const struct sm_layout_node *x = &p->l->nodes[node];
    if (x->pane >= 0)
        return p->panes[x->pane].hidden ? 0 : x->weight;
    for (int c = x->child; c >= 0; c = p->l->nodes[c].next)
        if (weight_of(p, c))
            return x->weight;
    return 0;
}

/* The node's share of `whole` lines (columns), from `from`; the last node gets the rest. */
static int size_of_share(const struct placing *p, const struct sm_layout_node *split, int node,
                         int whole, int from, int before, int sum)
{
    int to = whole * (before + weight_of(p, node)) / sum;
    int most = split->horizontal && before + weight_of(p, node) < sum ? max_width(p, node) : 0;
    return most && to - from > most ? most : to - from;
}

/* Places the first `most` nodes with a weight. Returns false if one did not fit. */
static bool place_first(const struct placing *p, const struct sm_layout_node *split, int most,
                        struct sm_rect r)
{
    int sum = 0, before = 0, k = 0, from = 0, whole = split->horizontal ? r.w : r.h;
    bool all = true;
    for (int c = split->child; c >= 0; c = p->l->nodes[c].next)
        sum += weight_of(p, c) && k++ < most ? weight_of(p, c) : 0;
    k = 0;
    for (int c = split->child; c >= 0; c = p->l->nodes[c].next) {
        if (!weight_of(p, c))
            continue;
        if (k++ >= most) {
            clear_frames(p, c);
            continue;
        }
        int n = size_of_share(p, split, c, whole, from, before, sum);
        all &= place_node(p, c,
                          split->horizontal ? (struct sm_rect){r.x + from, r.y, n, r.h}
                                            : (struct sm_rect){r.x, r.y + from, r.w, n});
        from += n;
        before += weight_of(p, c);
    }
    return all;
}

/* Places nodes of weight 0 at the end of r, and returns the rest of r. */
static struct sm_rect place_compact(const struct placing *p, const struct sm_layout_node *split,
                                    struct sm_rect r)
{
    for (int c = split->child; c >= 0; c = p->l->nodes[c].next) {
        const struct sm_layout_node *x = &p->l->nodes[c];
        if (x->weight || x->pane < 0)
            continue;
        int lines = compact_height(&p->panes[x->pane], p->h);
        if (lines && lines < r.h &&
            place_node(p, c, (struct sm_rect){r.x, r.y + r.h - lines, r.w, lines}))
            r.h -= lines;
        else
            clear_frames(p, c);
    }
    return r;
}

/* Returns false if the node does not fit. */
static bool place_node(const struct placing *p, int node, struct sm_rect r)
{
    const struct sm_layout_node *x = &p->l->nodes[node];
    if (x->pane >= 0) {
        struct sm_pane *pane = &p->panes[x->pane];
        bool fits = r.w - 2 >= pane->ops->min_w && r.h - 2 >= pane->ops->min_h;
        pane->frame = fits ? r : (struct sm_rect){0};
        return fits;
    }
    int most = 0;
    r = place_compact(p, x, r);
    for (int c = x->child; c >= 0; c = p->l->nodes[c].next)
        most += weight_of(p, c) > 0;
    while (most && !place_first(p, x, most, r))
        most--;
    return most > 0;
}

void sm_layout_place(const struct sm_layout *l, struct sm_pane *panes, size_t n, struct sm_rect r)
{
    struct placing p = {l, panes, r.h};
    for (size_t i = 0; i < n; i++)
        panes[i].frame = (struct sm_rect){0};
    place_node(&p, 0, r);
}
