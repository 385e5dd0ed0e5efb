/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/layout_edit.h"

/* ---- hiding ---- */

static bool is_seen(const struct sm_layout *l, int node)
{
    const struct sm_layout_node *x = &l->nodes[node];
    if (x->pane >= 0)
        return !x->hidden;
    for (int c = x->child; c >= 0; c = l->nodes[c].next)
        if (is_seen(l, c))
            return true;
    return false;
}

static int copy_seen(const struct sm_layout *l, int node, struct sm_layout *out)
{
    int made = out->n++, last = SM_LAYOUT_NONE;
    out->nodes[made] = l->nodes[node];
    out->nodes[made].child = out->nodes[made].next = SM_LAYOUT_NONE;
    for (int c = l->nodes[node].child; c >= 0; c = l->nodes[c].next) {
        if (!is_seen(l, c))
            continue;
        int child = copy_seen(l, c, out);
        if (last < 0)
            out->nodes[made].child = child;
        else
            out->nodes[last].next = child;
        last = child;
    }
    return made;
}

void sm_layout_visible(const struct sm_layout *l, struct sm_layout *out)
{
    out->n = 0;
    copy_seen(l, 0, out);
}

static int node_of(const struct sm_layout *l, size_t pane)
{
    for (int i = 0; i < l->n; i++)
        if (l->nodes[i].pane == (int)pane)
            return i;
    return SM_LAYOUT_NONE;
}

bool sm_layout_hide(struct sm_layout *l, size_t pane, bool hide, const char *name,
                    struct sm_err *err)
{
    int node = node_of(l, pane);
    if (node < 0)
        return sm_err_set(err, SM_ERR_USAGE, "The pane \"%s\" is not in this layout.", name);
    bool before = l->nodes[node].hidden;
    l->nodes[node].hidden = hide;
    if (is_seen(l, 0))
        return true;
    l->nodes[node].hidden = before;
    return sm_err_set(err, SM_ERR_USAGE, "The pane \"%s\" is the last visible pane.", name);
}

/* ---- resizing ---- */

struct extents {
    const struct sm_layout *l;
    const struct sm_pane *panes;
    bool columns;
};

/* The number of lines (columns) of the visible panes below the node; 0 if none is visible. */
static int extent_of(const struct extents *e, int node, int *from, int *to)
{
    const struct sm_layout_node *x = &e->l->nodes[node];
    if (x->pane >= 0 && e->panes[x->pane].frame.w) {
        struct sm_rect r = e->panes[x->pane].frame;
        int a = e->columns ? r.x : r.y, b = a + (e->columns ? r.w : r.h);
        *from = *to == 0 || a < *from ? a : *from;
        *to = b > *to ? b : *to;
    }
    for (int c = x->child; c >= 0; c = e->l->nodes[c].next)
        extent_of(e, c, from, to);
    return *to - *from;
}

static int node_size(const struct extents *e, int node)
{
    int from = 0, to = 0;
    return extent_of(e, node, &from, &to);
}

/* The minimum size of a node, including frames. */
static int min_size(const struct extents *e, int node)
{
    const struct sm_layout_node *x = &e->l->nodes[node];
    if (!node_size(e, node))
        return 0;
    if (x->pane >= 0)
        return (e->columns ? e->panes[x->pane].ops->min_w : e->panes[x->pane].ops->min_h) + 2;
    int sum = 0, most = 0;
    for (int c = x->child; c >= 0; c = e->l->nodes[c].next) {
        int n = min_size(e, c);
        sum += n;
        most = n > most ? n : most;
    }
    return x->horizontal == e->columns ? sum : most;
}

static bool has_share(const struct extents *e, int node)
{
    return e->l->nodes[node].weight && node_size(e, node);
}

static int parent_of(const struct sm_layout *l, int node)
{
    for (int i = 0; i < l->n; i++)
        for (int c = l->nodes[i].child; c >= 0; c = l->nodes[c].next)
            if (c == node)
                return i;
    return SM_LAYOUT_NONE;
}

/* The split in which `*node` changes its share; SM_LAYOUT_NONE if there is none. */
static int split_of(const struct extents *e, int *node)
{
    for (int split = parent_of(e->l, *node); split >= 0;
         *node = split, split = parent_of(e->l, split)) {
        int n = 0;
        for (int c = e->l->nodes[split].child; c >= 0; c = e->l->nodes[c].next)
            n += has_share(e, c);
        if (e->l->nodes[split].horizontal == e->columns && n > 1 && has_share(e, *node))
            return split;
    }
    return SM_LAYOUT_NONE;
}

/* The k-th node that changes its size with `node`: first the nodes after it, then those before it.
 */
static int neighbour(const struct extents *e, int split, int node, int k)
{
    int order[SM_LAYOUT_NODES], n = 0;
    for (int c = e->l->nodes[node].next; c >= 0; c = e->l->nodes[c].next)
        if (has_share(e, c))
            order[n++] = c;
    int after = n;
    for (int c = e->l->nodes[split].child; c != node; c = e->l->nodes[c].next)
        if (has_share(e, c))
            order[n++] = c;
    if (k >= n)
        return SM_LAYOUT_NONE;
    return k < after ? order[k] : order[n - 1 - (k - after)];
}

bool sm_layout_resize(struct sm_layout *l, const struct sm_pane *panes, size_t pane, bool columns,
                      int by, struct sm_err *err)
{
    const struct extents e = {l, panes, columns};
    int node = node_of(l, pane), split = node < 0 ? node : split_of(&e, &node),
        size[SM_LAYOUT_NODES] = {0};
    if (split < 0)
        return sm_err_set(err, SM_ERR_USAGE,
                          "The pane \"%s\" does not share its %s with another pane.",
                          panes[pane].ops->name, columns ? "columns" : "lines");
    for (int c = l->nodes[split].child; c >= 0; c = l->nodes[c].next)
        size[c] = has_share(&e, c) ? node_size(&e, c) : 0;
    int spare_lines = size[node] - min_size(&e, node);
    by = -by > spare_lines ? -spare_lines : by;
    for (int k = 0, other; by && (other = neighbour(&e, split, node, k)) >= 0; k++) {
        int spare = size[other] - min_size(&e, other);
        int gives = by < spare ? by : spare; /* by < 0: `other` grows */
        if (by > 0 && gives < 0)
            gives = 0;
        size[other] -= gives;
        size[node] += gives;
        by -= gives;
    }
    for (int c = l->nodes[split].child; c >= 0; c = l->nodes[c].next)
        if (size[c])
            l->nodes[c].weight = size[c];
    return true;
}

/* ---- writing ---- */

static void write_children(const struct sm_layout *l, int node,
                           const struct sm_pane_ops *const *table, struct sm_str *out)
{
    if (l->nodes[node].horizontal)
        sm_str_add(out, " -horizontal");
    for (int c = l->nodes[node].child; c >= 0; c = l->nodes[c].next) {
        const struct sm_layout_node *x = &l->nodes[c];
        if (x->pane >= 0) {
            sm_str_printf(out, " %s", table[x->pane]->name);
        } else {
            sm_str_add(out, " {");
            write_children(l, c, table, out);
            sm_str_add(out, " }");
        }
        sm_str_printf(out, " %d%s", x->weight, x->hidden ? " -hidden" : "");
    }
}

void sm_layout_write(const struct sm_layout *l, const struct sm_pane_ops *const *table,
                     struct sm_str *out)
{
    write_children(l, 0, table, out);
}
