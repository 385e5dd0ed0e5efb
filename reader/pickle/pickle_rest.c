/* SPDX-License-Identifier: Apache-2.0 */
/* What stands before the damage in a pickle: the values that lie on the stack are put into the
 * containers that they were about to be added to.
 *
 *   {} MARK 'a' 1 'b' [] MARK 2 3   <- damage      {'a': 1, 'b': [2, 3]}
 *
 * A call whose arguments are incomplete is left out. A pickle does not say whether a value without
 * a mark goes into the container before it or into the one around that: the former is assumed where
 * there is no mark at all, the latter after a mark. */
#include "reader/pickle/pickle_machine.h"

static enum sm_pickle_kind kind_of(const struct sm_pickle_machine *m, uint32_t node)
{
    return sm_pickle_kind(m->tree, node);
}

static bool is_key(const struct sm_pickle_machine *m, uint32_t node)
{
    return kind_of(m, node) <= SM_PICKLE_BYTES;
}

static bool takes_pairs(const struct sm_pickle_machine *m, uint32_t node)
{
    return kind_of(m, node) == SM_PICKLE_DICT || kind_of(m, node) == SM_PICKLE_OBJECT;
}

static bool takes_items(const struct sm_pickle_machine *m, uint32_t node)
{
    return kind_of(m, node) == SM_PICKLE_LIST || kind_of(m, node) == SM_PICKLE_SET;
}

/* Without a name that would be called, and what it would be called with. */
static size_t without_call(const struct sm_pickle_machine *m, const uint32_t *items, size_t n)
{
    for (size_t back = 1; back <= 2 && back <= n; back++)
        if (kind_of(m, items[n - back]) == SM_PICKLE_GLOBAL)
            return n - back;
    return n;
}

/* Adds each value to the one before it. Returns how many were added. */
static size_t add_nested(struct sm_pickle_machine *m, uint32_t to, const uint32_t *items, size_t n)
{
    size_t i = 0, step;
    for (; i < n; i += step) {
        bool pair = takes_pairs(m, to) && is_key(m, items[i]);
        step = pair ? 2 : 1;
        if (pair ? i + 1 >= n || !sm_pickle_extend(m, to, true, items + i, 2)
                 : takes_items(m, to) && !sm_pickle_extend(m, to, false, items + i, 1))
            break;
        if (!pair && !takes_items(m, to)) {
            if (kind_of(m, to) != SM_PICKLE_OBJECT)
                break;
            sm_pickle_node(m->tree, to)->object->state = items[i];
        }
        to = items[i + step - 1];
    }
    return i;
}

/* Adds what stands above a mark to the container below it. */
static void add_batch(struct sm_pickle_machine *m, uint32_t to, const uint32_t *items, size_t n)
{
    bool pairs = takes_pairs(m, to) && n && is_key(m, items[0]);
    size_t i = 0;
    while (pairs && i + 1 < n && is_key(m, items[i]) && sm_pickle_extend(m, to, true, items + i, 2))
        i += 2;
    if (!pairs && sm_pickle_extend(m, to, false, items, n))
        return;
    if (i)
        add_nested(m, items[i - 1], items + i, n - i);
}

/* Takes off the last mark and what is above it. False: no memory. */
static bool close_mark(struct sm_pickle_machine *m)
{
    const uint32_t *items;
    size_t n;
    uint32_t to = 0;
    if (!sm_pickle_pop_mark(m, &items, &n))
        return false;
    n = without_call(m, items, n);
    if (!n)
        return true;
    if (sm_pickle_top(m, &to) && (takes_pairs(m, to) || takes_items(m, to))) {
        add_batch(m, to, items, n);
        return true;
    }
    return sm_pickle_push_items(m, SM_PICKLE_TUPLE, items, n);
}

bool sm_pickle_put_together(struct sm_pickle_machine *m)
{
    while (m->n_marks)
        if (!close_mark(m))
            return false;
    size_t n = without_call(m, m->stack, m->n_stack);
    if (!n)
        return true;
    size_t in = 1 + add_nested(m, m->stack[0], m->stack + 1, n - 1);
    if (in == 1 && n > 1) {
        if (!sm_pickle_push_items(m, SM_PICKLE_TUPLE, m->stack, n))
            return false;
        m->stack[0] = m->stack[m->n_stack - 1];
    }
    m->tree->root = m->stack[0];
    return true;
}
