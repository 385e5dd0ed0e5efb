/* SPDX-License-Identifier: Apache-2.0 */
/* Opcodes of protocols 1 to 5 (CPython, Lib/pickletools.py), in one table. */
#include "reader/base/bytes.h"
#include "reader/pickle/pickle_machine.h"

#include <string.h>

typedef bool op_function(struct sm_pickle_machine *m, int arg);

/* ---- operands ---- */

/* An unsigned number of `width` bytes, little endian. */
static bool take_number(struct sm_pickle_machine *m, int width, uint64_t *out)
{
    const uint8_t *p = sm_pickle_input_take(m->in, (size_t)width, m->err);
    *out = 0;
    for (int i = 0; p && i < width; i++)
        *out |= (uint64_t)p[i] << 8 * i;
    return p != NULL;
}

static bool pop_pair(struct sm_pickle_machine *m, uint32_t *first, uint32_t *second)
{
    return sm_pickle_pop(m, second) && sm_pickle_pop(m, first);
}

/* ---- plain values ---- */

static bool op_nothing(struct sm_pickle_machine *m, int width)
{
    return sm_pickle_input_skip(m->in, (uint64_t)width, m->err);
}

static bool op_protocol(struct sm_pickle_machine *m, int arg)
{
    uint64_t v;
    (void)arg;
    if (!take_number(m, 1, &v))
        return false;
    m->tree->protocol = (unsigned)v;
    return v <= 5 || sm_pickle_bad(m, "a protocol beyond 5");
}

static bool op_stop(struct sm_pickle_machine *m, int arg)
{
    (void)arg;
    m->stopped = true;
    return sm_pickle_pop(m, &m->tree->root);
}

static bool op_none(struct sm_pickle_machine *m, int arg)
{
    (void)arg;
    return sm_pickle_push(m, 0);
}

static bool op_bool(struct sm_pickle_machine *m, int truth)
{
    return sm_pickle_push_plain(m, (struct sm_pickle_node){.kind = SM_PICKLE_BOOL, .truth = truth});
}

/* Width 4 is signed. */
static bool op_integer(struct sm_pickle_machine *m, int width)
{
    uint64_t v;
    if (!take_number(m, width, &v))
        return false;
    int64_t n = width == 4 ? (int32_t)(uint32_t)v : (int64_t)v;
    return sm_pickle_push_plain(m,
                                (struct sm_pickle_node){.kind = SM_PICKLE_INTEGER, .integer = n});
}

static bool op_long(struct sm_pickle_machine *m, int width)
{
    uint64_t n;
    if (!take_number(m, width, &n))
        return false;
    if (n > SM_PICKLE_PIECE)
        return sm_pickle_bad(m, "an integer of too many bytes");
    const uint8_t *p = sm_pickle_input_take(m->in, (size_t)n, m->err);
    return p && sm_pickle_push_long(m, p, (size_t)n);
}

/* Big endian. */
static bool op_real(struct sm_pickle_machine *m, int arg)
{
    uint8_t swapped[8];
    const uint8_t *p = sm_pickle_input_take(m->in, 8, m->err);
    uint64_t bits;
    double v;
    (void)arg;
    for (int i = 0; p && i < 8; i++)
        swapped[i] = p[7 - i];
    if (!p)
        return false;
    bits = sm_get_u64(swapped);
    memcpy(&v, &bits, sizeof v);
    return sm_pickle_push_plain(m, (struct sm_pickle_node){.kind = SM_PICKLE_REAL, .real = v});
}

static bool op_text(struct sm_pickle_machine *m, int width)
{
    uint64_t n;
    return take_number(m, width, &n) && sm_pickle_push_string(m, SM_PICKLE_TEXT, n);
}

static bool op_bytes(struct sm_pickle_machine *m, int width)
{
    uint64_t n;
    return take_number(m, width, &n) && sm_pickle_push_string(m, SM_PICKLE_BYTES, n);
}

/* ---- stack and memo ---- */

static bool op_mark(struct sm_pickle_machine *m, int arg)
{
    (void)arg;
    return sm_pickle_mark(m);
}

/* POP of a mark takes the mark off. */
static bool op_pop(struct sm_pickle_machine *m, int arg)
{
    uint32_t node;
    (void)arg;
    if (m->n_marks && m->marks[m->n_marks - 1] == m->n_stack) {
        m->n_marks--;
        return true;
    }
    return sm_pickle_pop(m, &node);
}

static bool op_pop_mark(struct sm_pickle_machine *m, int arg)
{
    const uint32_t *items;
    size_t n;
    (void)arg;
    return sm_pickle_pop_mark(m, &items, &n);
}

static bool op_twice(struct sm_pickle_machine *m, int arg)
{
    uint32_t node;
    (void)arg;
    return sm_pickle_top(m, &node) && sm_pickle_push(m, node);
}

static bool op_put(struct sm_pickle_machine *m, int width)
{
    uint64_t number;
    return take_number(m, width, &number) && sm_pickle_memo_put(m, number);
}

static bool op_memoize(struct sm_pickle_machine *m, int arg)
{
    (void)arg;
    return sm_pickle_memo_put(m, m->memoized);
}

static bool op_get(struct sm_pickle_machine *m, int width)
{
    uint64_t number;
    uint32_t node;
    return take_number(m, width, &number) && sm_pickle_memo_get(m, number, &node) &&
           sm_pickle_push(m, node);
}

/* ---- containers ---- */

static bool op_empty(struct sm_pickle_machine *m, int kind)
{
    return sm_pickle_push_items(m, (enum sm_pickle_kind)kind, NULL, 0);
}

static bool op_of_mark(struct sm_pickle_machine *m, int kind)
{
    const uint32_t *items;
    size_t n;
    if (!sm_pickle_pop_mark(m, &items, &n))
        return false;
    if (kind == SM_PICKLE_DICT && n % 2)
        return sm_pickle_bad(m, "a key without a value");
    return sm_pickle_push_items(m, (enum sm_pickle_kind)kind, items, n);
}

static bool op_tuple(struct sm_pickle_machine *m, int n)
{
    uint32_t items[3];
    for (int i = n; i-- > 0;)
        if (!sm_pickle_pop(m, &items[i]))
            return false;
    return sm_pickle_push_items(m, SM_PICKLE_TUPLE, items, (size_t)n);
}

static bool op_append(struct sm_pickle_machine *m, int arg)
{
    uint32_t item, to;
    (void)arg;
    return sm_pickle_pop(m, &item) && sm_pickle_top(m, &to) &&
           sm_pickle_extend(m, to, false, &item, 1);
}

static bool op_set_item(struct sm_pickle_machine *m, int arg)
{
    uint32_t pair[2], to;
    (void)arg;
    return pop_pair(m, &pair[0], &pair[1]) && sm_pickle_top(m, &to) &&
           sm_pickle_extend(m, to, true, pair, 2);
}

static bool op_extend(struct sm_pickle_machine *m, int pairs)
{
    const uint32_t *items;
    uint32_t to;
    size_t n;
    return sm_pickle_pop_mark(m, &items, &n) && sm_pickle_top(m, &to) &&
           sm_pickle_extend(m, to, pairs, items, n);
}

/* ---- what would be executed ---- */

static bool op_global(struct sm_pickle_machine *m, int arg)
{
    uint32_t module, name;
    (void)arg;
    if (!pop_pair(m, &module, &name))
        return false;
    if (sm_pickle_kind(m->tree, module) != SM_PICKLE_TEXT ||
        sm_pickle_kind(m->tree, name) != SM_PICKLE_TEXT || m->tree->nodes[module].is_far ||
        m->tree->nodes[name].is_far)
        return sm_pickle_bad(m, "a name that is no text");
    return sm_pickle_push_global(m, sm_pickle_text(m->tree, module), sm_pickle_text(m->tree, name));
}

static bool op_extension(struct sm_pickle_machine *m, int width)
{
    uint64_t code;
    struct sm_str name = {0};
    if (!take_number(m, width, &code))
        return false;
    sm_str_printf(&name, "%llu", (unsigned long long)code);
    bool ok = sm_pickle_push_global(m, SM_TEXT("extension"), sm_text(sm_str_text(&name)));
    sm_str_clear(&name);
    return ok;
}

static bool op_call(struct sm_pickle_machine *m, int arg)
{
    uint32_t callable, args;
    (void)arg;
    return pop_pair(m, &callable, &args) && sm_pickle_push_object(m, callable, args, 0);
}

static bool op_call_keywords(struct sm_pickle_machine *m, int arg)
{
    uint32_t callable, args, keywords;
    (void)arg;
    return pop_pair(m, &args, &keywords) && sm_pickle_pop(m, &callable) &&
           sm_pickle_push_object(m, callable, args, keywords);
}

/* The class is the first value after the mark. */
static bool op_instance(struct sm_pickle_machine *m, int arg)
{
    const uint32_t *items;
    uint32_t args, class;
    size_t n;
    (void)arg;
    if (!sm_pickle_pop_mark(m, &items, &n))
        return false;
    if (!n)
        return sm_pickle_bad(m, "a class is missing");
    class = items[0];
    return sm_pickle_push_items(m, SM_PICKLE_TUPLE, items + 1, n - 1) && sm_pickle_pop(m, &args) &&
           sm_pickle_push_object(m, class, args, 0);
}

static bool op_build(struct sm_pickle_machine *m, int arg)
{
    uint32_t state, to;
    (void)arg;
    if (!sm_pickle_pop(m, &state) || !sm_pickle_top(m, &to))
        return false;
    if (sm_pickle_object(m->tree, to))
        m->tree->nodes[to].object->state = state;
    return true;
}

static bool op_persistent(struct sm_pickle_machine *m, int arg)
{
    uint32_t id;
    (void)arg;
    return sm_pickle_pop(m, &id) &&
           sm_pickle_push_plain(m,
                                (struct sm_pickle_node){.kind = SM_PICKLE_PERSISTENT, .inner = id});
}

/* A buffer that the program would hand over beside the pickle: it is not in the file. */
static bool op_buffer(struct sm_pickle_machine *m, int arg)
{
    (void)arg;
    return sm_pickle_push_global(m, SM_TEXT("pickle"), SM_TEXT("PickleBuffer"));
}

static const struct {
    op_function *run;
    int arg;
} op_table[256] = {
    [0x80] = {op_protocol, 0},
    [0x95] = {op_nothing, 8}, /* FRAME */
    ['.'] = {op_stop, 0},
    ['N'] = {op_none, 0},
    [0x88] = {op_bool, true},
    [0x89] = {op_bool, false},
    ['J'] = {op_integer, 4},
    ['K'] = {op_integer, 1},
    ['M'] = {op_integer, 2},
    [0x8a] = {op_long, 1},
    [0x8b] = {op_long, 4},
    ['G'] = {op_real, 0},
    ['X'] = {op_text, 4},
    [0x8c] = {op_text, 1},
    [0x8d] = {op_text, 8},
    ['T'] = {op_text, 4}, /* strings of Python 2 are text, nearly always */
    ['U'] = {op_text, 1},
    ['B'] = {op_bytes, 4},
    ['C'] = {op_bytes, 1},
    [0x8e] = {op_bytes, 8},
    [0x96] = {op_bytes, 8},
    ['('] = {op_mark, 0},
    ['0'] = {op_pop, 0},
    ['1'] = {op_pop_mark, 0},
    ['2'] = {op_twice, 0},
    ['q'] = {op_put, 1},
    ['r'] = {op_put, 4},
    [0x94] = {op_memoize, 0},
    ['h'] = {op_get, 1},
    ['j'] = {op_get, 4},
    [']'] = {op_empty, SM_PICKLE_LIST},
    ['}'] = {op_empty, SM_PICKLE_DICT},
    [')'] = {op_empty, SM_PICKLE_TUPLE},
    [0x8f] = {op_empty, SM_PICKLE_SET},
    ['l'] = {op_of_mark, SM_PICKLE_LIST},
    ['d'] = {op_of_mark, SM_PICKLE_DICT},
    ['t'] = {op_of_mark, SM_PICKLE_TUPLE},
    [0x91] = {op_of_mark, SM_PICKLE_SET}, /* FROZENSET */
    [0x85] = {op_tuple, 1},
    [0x86] = {op_tuple, 2},
    [0x87] = {op_tuple, 3},
    ['a'] = {op_append, 0},
    ['e'] = {op_extend, false},
    [0x90] = {op_extend, false}, /* ADDITEMS */
    ['s'] = {op_set_item, 0},
    ['u'] = {op_extend, true},
    [0x93] = {op_global, 0},
    [0x82] = {op_extension, 1},
    [0x83] = {op_extension, 2},
    [0x84] = {op_extension, 4},
    ['R'] = {op_call, 0},
    [0x81] = {op_call, 0}, /* NEWOBJ */
    [0x92] = {op_call_keywords, 0},
    ['o'] = {op_instance, 0},
    ['b'] = {op_build, 0},
    ['Q'] = {op_persistent, 0},
    [0x97] = {op_buffer, 0},
    [0x98] = {op_nothing, 0}, /* READONLY_BUFFER */
};

bool sm_pickle_op(struct sm_pickle_machine *m, uint8_t op)
{
    bool known;
    if (op_table[op].run)
        return op_table[op].run(m, op_table[op].arg);
    if (!sm_pickle_line_op(m, op, &known))
        return false;
    return known || sm_pickle_bad(m, "an opcode that does not exist");
}
