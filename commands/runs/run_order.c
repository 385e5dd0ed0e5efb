#include "commands/runs/run_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct run_key {
    struct sm_node *node;
    double number;
    const char *text; /* NULL: a number */
    size_t place;
    bool missing;
    int sign; /* -1: reversed */
};

static int compare_keys(const void *a, const void *b)
{
    const struct run_key *x = a, *y = b;
    int order = 0;
    if (x->missing || y->missing)
        order = x->missing - y->missing;
    else if (x->text && y->text)
        order = x->sign * sm_natural_cmp(x->text, y->text);
    else if (x->text || y->text)
        order = (x->text != NULL) - (y->text != NULL);
    else
        order = x->sign * ((x->number > y->number) - (x->number < y->number));
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

static struct run_key key_of(struct sm_node *row, const char *key)
{
    const struct sm_node *v = sm_node_get(row, key), *config = sm_node_get(row, "config");
    if (!v && config)
        v = sm_node_get(config, key);
    struct run_key k = {.node = row, .number = (double)NAN};
    if (v && v->type == SM_NODE_TEXT)
        k.text = v->text.p;
    else if (v && v->type == SM_NODE_BOOL)
        k.number = v->b;
    else if (v && v->type == SM_NODE_INT)
        k.number = (double)v->i;
    else if (v && v->type == SM_NODE_UINT)
        k.number = (double)v->u;
    else if (v && (v->type == SM_NODE_DOUBLE || v->type == SM_NODE_FLOAT))
        k.number = v->d;
    k.missing = !k.text && isnan(k.number);
    return k;
}

void sm_run_order(struct sm_arena *arena, struct sm_node *list, const char *key, bool falling,
                  bool reverse)
{
    bool metric = strcmp(key, "best") == 0 || strcmp(key, "newest") == 0;
    size_t n = 0, i = 0;
    for (const struct sm_node *x = list->first; x; x = x->next)
        n++;
    struct run_key *keys = sm_arena_xalloc(arena, (n + 1) * sizeof *keys);
    for (struct sm_node *x = list->first; x; x = x->next, i++) {
        keys[i] = key_of(x, key);
        keys[i].place = i;
        keys[i].sign = reverse != (metric && !falling) ? -1 : 1;
    }
    qsort(keys, n, sizeof *keys, compare_keys);
    list->first = list->last = NULL;
    for (i = 0; i < n; i++) {
        struct sm_node *x = keys[i].node;
        x->next = NULL;
        if (list->last)
            list->last->next = x;
        else
            list->first = x;
        list->last = x;
    }
}
