/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/merge_node.h"

#include "reader/base/mem.h"

#include <string.h>

struct sm_node *sm_merge_member(struct sm_node *map, const char *key, enum sm_node_type type)
{
    struct sm_node *x = map && map->type == SM_NODE_MAP ? map->first : NULL;
    while (x && strcmp(x->key, key) != 0)
        x = x->next;
    return x && x->type == type ? x : NULL;
}

struct sm_text sm_merge_text(struct sm_node *map, const char *key)
{
    const struct sm_node *x = sm_merge_member(map, key, SM_NODE_TEXT);
    return x ? x->text : (struct sm_text){"", 0};
}

int64_t sm_merge_int(struct sm_node *map, const char *key, int64_t otherwise)
{
    const struct sm_node *x = sm_merge_member(map, key, SM_NODE_INT);
    return x ? x->i : otherwise;
}

bool sm_merge_flag(struct sm_node *map, const char *key)
{
    const struct sm_node *x = sm_merge_member(map, key, SM_NODE_BOOL);
    return x && x->b;
}

struct sm_node *sm_merge_copy(struct sm_result *r, const struct sm_node *x)
{
    struct sm_node *copy = sm_arena_xalloc(&r->arena, sizeof *copy);
    *copy = *x;
    copy->next = NULL;
    return copy;
}

void sm_merge_append(struct sm_node *list, struct sm_node *x)
{
    if (list->last)
        list->last->next = x;
    else
        list->first = x;
    list->last = x;
}

void sm_merge_remove(struct sm_node *map, const char *key)
{
    struct sm_node all = *map;
    map->first = map->last = NULL;
    for (struct sm_node *x = all.first, *next; x; x = next) {
        next = x->next;
        x->next = NULL;
        if (strcmp(x->key, key) != 0)
            sm_merge_append(map, x);
    }
}
