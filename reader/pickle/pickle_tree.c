/* SPDX-License-Identifier: Apache-2.0 */
/* Looking at a tree. */
#include "reader/pickle/pickle.h"

#include <string.h>

void sm_pickle_clear(struct sm_pickle *tree)
{
    sm_free(tree->nodes);
    sm_arena_clear(&tree->arena);
    *tree = (struct sm_pickle){0};
}

struct sm_text sm_pickle_text(const struct sm_pickle *t, uint32_t i)
{
    const struct sm_pickle_node *node = sm_pickle_node(t, i);
    bool is_text =
        (node->kind == SM_PICKLE_TEXT && !node->is_far) || node->kind == SM_PICKLE_GLOBAL;
    return is_text ? (struct sm_text){node->text, node->n} : (struct sm_text){NULL, 0};
}

bool sm_pickle_is_global(const struct sm_pickle *t, uint32_t i, const char *name)
{
    return sm_pickle_kind(t, i) == SM_PICKLE_GLOBAL && sm_text_is(sm_pickle_text(t, i), name);
}

const struct sm_pickle_object *sm_pickle_object(const struct sm_pickle *t, uint32_t i)
{
    const struct sm_pickle_node *node = sm_pickle_node(t, i);
    return node->kind == SM_PICKLE_OBJECT ? node->object : NULL;
}

const struct sm_pickle_object *sm_pickle_made_by(const struct sm_pickle *t, uint32_t i,
                                                 const char *name)
{
    const struct sm_pickle_object *o = sm_pickle_object(t, i);
    return o && sm_pickle_is_global(t, o->callable, name) ? o : NULL;
}

uint32_t sm_pickle_item(const struct sm_pickle *t, uint32_t i, size_t k)
{
    const struct sm_pickle_node *node = sm_pickle_node(t, i);
    bool has = node->kind == SM_PICKLE_TUPLE || node->kind == SM_PICKLE_LIST;
    return has && k < node->n ? node->items[k] : 0;
}

bool sm_pickle_get(const struct sm_pickle *t, uint32_t dict, const char *key, uint32_t *value)
{
    const struct sm_pickle_node *node = sm_pickle_node(t, dict);
    if (node->kind != SM_PICKLE_DICT)
        return false;
    for (uint32_t i = node->n; i >= 2; i -= 2)
        if (sm_pickle_kind(t, node->items[i - 2]) == SM_PICKLE_TEXT &&
            sm_text_is(sm_pickle_text(t, node->items[i - 2]), key)) {
            *value = node->items[i - 1];
            return true;
        }
    return false;
}

bool sm_pickle_integer(const struct sm_pickle *t, uint32_t i, int64_t *out)
{
    const struct sm_pickle_node *node = sm_pickle_node(t, i);
    if (node->kind != SM_PICKLE_INTEGER && node->kind != SM_PICKLE_BOOL)
        return false;
    *out = node->kind == SM_PICKLE_BOOL ? node->truth : node->integer;
    return true;
}
