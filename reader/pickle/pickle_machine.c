/* SPDX-License-Identifier: Apache-2.0 */
/* The stack, the marks and the memo of the machine. */
#include "reader/pickle/pickle_machine.h"
#include "reader/base/vec.h"

#include <inttypes.h>

bool sm_pickle_bad(struct sm_pickle_machine *m, const char *what)
{
    return sm_err_set(m->err, SM_ERR_DATA, "%s in the pickle before byte %" PRIu64, what,
                      sm_pickle_input_offset(m->in));
}

static bool no_memory(struct sm_pickle_machine *m)
{
    return sm_err_set(m->err, SM_ERR_MEMORY, "no memory for a pickle");
}

bool sm_pickle_push(struct sm_pickle_machine *m, uint32_t node)
{
    if (!SM_VEC_ROOM(m->stack, m->n_stack, m->cap_stack))
        return no_memory(m);
    m->stack[m->n_stack++] = node;
    return true;
}

static size_t floor_of_stack(const struct sm_pickle_machine *m)
{
    return m->n_marks ? m->marks[m->n_marks - 1] : 0;
}

bool sm_pickle_top(struct sm_pickle_machine *m, uint32_t *node)
{
    if (m->n_stack <= floor_of_stack(m))
        return sm_pickle_bad(m, "a value is missing on the stack");
    *node = m->stack[m->n_stack - 1];
    return true;
}

bool sm_pickle_pop(struct sm_pickle_machine *m, uint32_t *node)
{
    if (!sm_pickle_top(m, node))
        return false;
    m->n_stack--;
    return true;
}

bool sm_pickle_mark(struct sm_pickle_machine *m)
{
    if (!SM_VEC_ROOM(m->marks, m->n_marks, m->cap_marks))
        return no_memory(m);
    m->marks[m->n_marks++] = m->n_stack;
    return true;
}

bool sm_pickle_pop_mark(struct sm_pickle_machine *m, const uint32_t **items, size_t *n)
{
    if (!m->n_marks)
        return sm_pickle_bad(m, "a mark is missing");
    size_t from = m->marks[--m->n_marks];
    *items = m->stack + from;
    *n = m->n_stack - from;
    m->n_stack = from;
    return true;
}

/* Picklers number the memo from 0 on; other numbers go into a map. */
bool sm_pickle_memo_put(struct sm_pickle_machine *m, uint64_t number)
{
    uint32_t node = 0;
    if (!sm_pickle_top(m, &node))
        return false;
    m->memoized++;
    if (number > m->n_memo)
        return sm_map_put(&m->far_memo, number, node) || no_memory(m);
    if (number == m->n_memo && !SM_VEC_ROOM(m->memo, m->n_memo, m->cap_memo))
        return no_memory(m);
    m->memo[number] = node;
    m->n_memo += number == m->n_memo;
    return true;
}

bool sm_pickle_memo_get(struct sm_pickle_machine *m, uint64_t number, uint32_t *node)
{
    uint64_t value;
    if (number < m->n_memo)
        *node = m->memo[number];
    else if (sm_map_get(&m->far_memo, number, &value))
        *node = (uint32_t)value;
    else
        return sm_pickle_bad(m, "an entry of the memo that was never put");
    return true;
}

void sm_pickle_machine_clear(struct sm_pickle_machine *m)
{
    sm_free(m->stack);
    sm_free(m->marks);
    sm_free(m->memo);
    sm_map_clear(&m->far_memo);
}
