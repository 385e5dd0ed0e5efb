#include "tui/dashboard/layout.h"

enum { ONE_W = 60, ONE_H = 8 }; /* below it one pane has all the room */

bool sm_layout_is_narrow(struct sm_rect r)
{
    return r.w < ONE_W || r.h < ONE_H;
}

size_t sm_layout_order(const struct sm_layout *l, size_t *panes, size_t most)
{
    size_t n = 0;
    for (int i = 0; i < l->n && n < most; i++)
        if (l->nodes[i].pane >= 0)
            panes[n++] = (size_t)l->nodes[i].pane;
    return n;
}

bool sm_layout_has_few(const struct sm_layout *l, size_t pane)
{
    for (int i = 0; i < l->n; i++)
        if (l->nodes[i].pane == (int)pane)
            return !l->nodes[i].weight;
    return false;
}

/* Lines of a pane with weight 0, frame included; 0: no room. */
static int height_of_few(const struct sm_pane *p, int h)
{
    if (p->hidden || h < 14)
        return 0;
    return h < 26 ? 4 : h < 40 ? 6 : 9;
}

struct placing {
    const struct sm_layout *l;
    struct sm_pane *panes;
    int h; /* of the whole screen */
};

static bool place(const struct placing *p, int node, struct sm_rect r);

static void forget(const struct placing *p, int node)
{
    const struct sm_layout_node *x = &p->l->nodes[node];
    if (x->pane >= 0)
        p->panes[x->pane].frame = (struct sm_rect){0};
    for (int c = x->child; c >= 0; c = p->l->nodes[c].next)
        forget(p, c);
}

/* How wide the node wants to be at most; 0: as wide as can be. */
static int most_w(const struct placing *p, int node)
{
    const struct sm_layout_node *x = &p->l->nodes[node];
    int most = 0;
    if (x->pane >= 0)
        return p->panes[x->pane].ops->max_w;
    for (int c = x->child; c >= 0; c = p->l->nodes[c].next) {
        int w = most_w(p, c);
        if (!w)
            return 0;
        most = w > most ? w : most;
    }
    return x->horizontal ? 0 : most;
}

/* From `from`, how much of `whole` the node gets: its share of it, the last one the rest. */
static int extent(const struct placing *p, const struct sm_layout_node *split, int node, int whole,
                  int from, int before, int sum)
{
    int to = whole * (before + p->l->nodes[node].weight) / sum;
    int most = split->horizontal && before + p->l->nodes[node].weight < sum ? most_w(p, node) : 0;
    return most && to - from > most ? most : to - from;
}

/* The first `most` of a split with a weight. False: one did not fit. */
static bool place_first(const struct placing *p, const struct sm_layout_node *split, int most,
                        struct sm_rect r)
{
    int sum = 0, before = 0, k = 0, from = 0, whole = split->horizontal ? r.w : r.h;
    bool all = true;
    for (int c = split->child; c >= 0; c = p->l->nodes[c].next)
        sum += p->l->nodes[c].weight && k++ < most ? p->l->nodes[c].weight : 0;
    k = 0;
    for (int c = split->child; c >= 0; c = p->l->nodes[c].next) {
        if (!p->l->nodes[c].weight)
            continue;
        if (k++ >= most) {
            forget(p, c);
            continue;
        }
        int n = extent(p, split, c, whole, from, before, sum);
        all &= place(p, c,
                     split->horizontal ? (struct sm_rect){r.x + from, r.y, n, r.h}
                                       : (struct sm_rect){r.x, r.y + from, r.w, n});
        from += n;
        before += p->l->nodes[c].weight;
    }
    return all;
}

/* Those of a few lines, at their place; what is left is a rectangle only when they stand at the
 * end. */
static struct sm_rect place_few(const struct placing *p, const struct sm_layout_node *split,
                                struct sm_rect r)
{
    for (int c = split->child; c >= 0; c = p->l->nodes[c].next) {
        const struct sm_layout_node *x = &p->l->nodes[c];
        if (x->weight || x->pane < 0)
            continue;
        int few = height_of_few(&p->panes[x->pane], p->h);
        if (few && few < r.h && place(p, c, (struct sm_rect){r.x, r.y + r.h - few, r.w, few}))
            r.h -= few;
        else
            forget(p, c);
    }
    return r;
}

/* False: there is no room for it. */
static bool place(const struct placing *p, int node, struct sm_rect r)
{
    const struct sm_layout_node *x = &p->l->nodes[node];
    if (x->pane >= 0) {
        struct sm_pane *pane = &p->panes[x->pane];
        bool fits = r.w - 2 >= pane->ops->min_w && r.h - 2 >= pane->ops->min_h;
        pane->frame = fits ? r : (struct sm_rect){0};
        return fits;
    }
    int most = 0;
    r = place_few(p, x, r);
    for (int c = x->child; c >= 0; c = p->l->nodes[c].next)
        most += p->l->nodes[c].weight > 0;
    while (most && !place_first(p, x, most, r))
        most--;
    return most > 0;
}

void sm_layout_place(const struct sm_layout *l, struct sm_pane *panes, size_t n, struct sm_rect r)
{
    struct placing p = {l, panes, r.h};
    for (size_t i = 0; i < n; i++)
        panes[i].frame = (struct sm_rect){0};
    place(&p, 0, r);
}
