/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a pickle: one opcode after another, until STOP. */
#include "reader/base/vec.h"
#include "reader/pickle/pickle_machine.h"

#include <inttypes.h>

/* The reader's memory, counted as it was asked for. */
static size_t memory_used(const struct sm_pickle_machine *m)
{
    const struct sm_pickle *t = m->tree;
    return t->arena.total_bytes + t->cap_nodes * sizeof *t->nodes +
           (m->cap_stack + m->cap_memo) * sizeof(uint32_t) + m->cap_marks * sizeof *m->marks +
           m->far_memo.capacity * (2 * sizeof(uint64_t) + 1);
}

/* What an opcode that failed had taken off the stack is put back: nothing else was written there.
 */
static bool run_op(struct sm_pickle_machine *m)
{
    size_t n_stack = m->n_stack, n_marks = m->n_marks;
    const uint8_t *op = sm_pickle_input_take(m->in, 1, m->err);
    if (op && sm_pickle_op(m, *op))
        return true;
    m->n_stack = n_stack;
    m->n_marks = n_marks;
    return false;
}

static bool run(struct sm_pickle_machine *m)
{
    while (!m->stopped) {
        if (!run_op(m))
            return false;
        if (memory_used(m) > m->tree->limit_bytes)
            return sm_err_set(m->err, SM_ERR_LIMIT,
                              "the pickle needs more than %zu MiB of memory, at byte %" PRIu64,
                              m->tree->limit_bytes >> 20, sm_pickle_input_offset(m->in));
    }
    return true;
}

bool sm_pickle_read(struct sm_pickle *tree, struct sm_pickle_input *in, size_t limit_bytes,
                    struct sm_err *err)
{
    struct sm_pickle_machine m = {.tree = tree, .in = in, .err = err};
    struct sm_err later = {0};
    *tree = (struct sm_pickle){.limit_bytes = limit_bytes};
    if (!SM_VEC_ROOM(tree->nodes, tree->n_nodes, tree->cap_nodes) ||
        !SM_VEC_ROOM(m.stack, m.n_stack, m.cap_stack))
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for a pickle");
    tree->nodes[tree->n_nodes++] = (struct sm_pickle_node){.kind = SM_PICKLE_NONE};
    bool ok = run(&m);
    m.err = &later;
    if (!ok && (!err || err->code != SM_ERR_MEMORY) && !sm_pickle_put_together(&m))
        tree->root = 0;
    sm_pickle_machine_clear(&m);
    return ok;
}
