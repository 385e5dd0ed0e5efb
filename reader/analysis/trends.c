/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/trends.h"

#include "reader/base/mem.h"
#include "reader/base/vec.h"

struct sm_step_tree *sm_trends_tree(struct sm_trends *x, const struct sm_trial *t, uint32_t tensor,
                                    uint16_t worker)
{
    uint64_t key = (uint64_t)tensor << 16 | worker, i;
    if (x->trial != t)
        sm_trends_clear(x);
    x->trial = t;
    if (sm_map_get(&x->at, key, &i))
        return x->items[i - 1];
    if (!SM_VEC_ROOM(x->items, x->n, x->cap))
        return NULL;
    struct sm_step_tree *made = sm_alloc_zero(1, sizeof *made);
    if (!made || !sm_map_put(&x->at, key, x->n + 1)) {
        sm_free(made);
        return NULL;
    }
    return x->items[x->n++] = made;
}

void sm_trends_clear(struct sm_trends *x)
{
    for (size_t i = 0; i < x->n; i++) {
        sm_step_tree_clear(x->items[i]);
        sm_free(x->items[i]);
    }
    sm_free(x->items);
    sm_map_clear(&x->at);
    *x = (struct sm_trends){0};
}

void sm_trends_forget(struct sm_trends *x, const struct sm_trial *t)
{
    if (x->trial == t)
        sm_trends_clear(x);
}
