/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/values/tensor_order.h"

#include "reader/base/str.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const sm_tensor_order_keys[] = {"name", "steps", "last", "size", "dtype",
                                            "mean", "std",   "nan",  NULL};

struct sort_row {
    struct sm_node *node;
    double number;
    const char *text;
    size_t place;
};

static int compare_rows(const void *a, const void *b)
{
    const struct sort_row *x = a, *y = b;
    int order = x->text && y->text ? sm_natural_cmp(x->text, y->text)
                                   : (x->number > y->number) - (x->number < y->number);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

static double node_number(const struct sm_node *n)
{
    if (!n)
        return -(double)INFINITY;
    switch (n->type) {
    case SM_NODE_INT:
        return (double)n->i;
    case SM_NODE_UINT:
        return (double)n->u;
    case SM_NODE_DOUBLE:
    case SM_NODE_FLOAT:
        return n->d;
    default:
        return -(double)INFINITY;
    }
}

static double shape_size(const struct sm_node *shape)
{
    double n = 1;
    if (!shape || shape->type != SM_NODE_LIST)
        return -1;
    for (const struct sm_node *d = shape->first; d; d = d->next)
        n *= node_number(d);
    return n;
}

void sm_tensor_order(struct sm_arena *arena, struct sm_node *list, const char *key, bool reverse)
{
    size_t n = 0;
    for (const struct sm_node *x = list->first; x; x = x->next)
        n++;
    struct sort_row *rows = sm_arena_xalloc(arena, (n + 1) * sizeof *rows);
    size_t i = 0;
    for (struct sm_node *x = list->first; x; x = x->next, i++) {
        const struct sm_node *v = sm_node_get(x, strcmp(key, "last") == 0   ? "last_step"
                                                 : strcmp(key, "size") == 0 ? "shape"
                                                                            : key);
        rows[i] = (struct sort_row){.node = x, .place = i};
        if (v && v->type == SM_NODE_TEXT)
            rows[i].text = v->text.p;
        else
            rows[i].number = strcmp(key, "size") == 0 ? shape_size(v) : node_number(v);
    }
    qsort(rows, n, sizeof *rows, compare_rows);
    list->first = list->last = NULL;
    for (size_t k = 0; k < n; k++) {
        struct sm_node *x = rows[reverse ? n - 1 - k : k].node;
        x->next = NULL;
        if (list->last)
            list->last->next = x;
        else
            list->first = x;
        list->last = x;
    }
}
