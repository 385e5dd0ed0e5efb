/* SPDX-License-Identifier: Apache-2.0 */
/* New nodes of the tree that the machine makes. */
#include "reader/base/vec.h"
#include "reader/pickle/pickle_machine.h"

#include <inttypes.h>
#include <string.h>

enum { LONG_DECIMAL_BYTES = 40 }; /* longer integers are written in base 16 */

static bool no_memory(struct sm_pickle_machine *m)
{
    return sm_err_set(m->err, SM_ERR_MEMORY, "no memory for a pickle");
}

static bool new_node(struct sm_pickle_machine *m, struct sm_pickle_node node, uint32_t *out)
{
    struct sm_pickle *t = m->tree;
    if (t->n_nodes >= UINT32_MAX || !SM_VEC_ROOM(t->nodes, t->n_nodes, t->cap_nodes))
        return no_memory(m);
    t->nodes[t->n_nodes] = node;
    *out = (uint32_t)t->n_nodes++;
    return true;
}

bool sm_pickle_push_plain(struct sm_pickle_machine *m, struct sm_pickle_node node)
{
    uint32_t at = 0;
    return new_node(m, node, &at) && sm_pickle_push(m, at);
}

bool sm_pickle_push_text(struct sm_pickle_machine *m, enum sm_pickle_kind kind, const void *p,
                         size_t n)
{
    char *copy = sm_arena_strndup(&m->tree->arena, p, n);
    if (!copy)
        return no_memory(m);
    return sm_pickle_push_plain(
        m, (struct sm_pickle_node){.kind = (uint8_t)kind, .n = (uint32_t)n, .text = copy});
}

static bool push_far(struct sm_pickle_machine *m, enum sm_pickle_kind kind, uint64_t n)
{
    struct sm_pickle_far *far = sm_arena_alloc(&m->tree->arena, sizeof *far);
    if (!far)
        return no_memory(m);
    *far = (struct sm_pickle_far){sm_pickle_input_offset(m->in), n};
    return sm_pickle_input_skip(m->in, n, m->err) &&
           sm_pickle_push_plain(
               m, (struct sm_pickle_node){.kind = (uint8_t)kind, .is_far = true, .far = far});
}

bool sm_pickle_push_string(struct sm_pickle_machine *m, enum sm_pickle_kind kind, uint64_t n)
{
    if (n > (kind == SM_PICKLE_BYTES ? SM_PICKLE_BYTES_NEAR : SM_PICKLE_PIECE))
        return push_far(m, kind, n);
    const uint8_t *p = sm_pickle_input_take(m->in, (size_t)n, m->err);
    return p && sm_pickle_push_text(m, kind, p, (size_t)n);
}

/* ---- containers ---- */

/* Items have room for a power of two of them, so that the room need not be kept. */
static size_t room_for(size_t n)
{
    size_t room = 1;
    while (room < n)
        room *= 2;
    return n ? room : 0;
}

static bool add_items(struct sm_pickle_machine *m, uint32_t to, const uint32_t *items, size_t n)
{
    struct sm_pickle_node *node = &m->tree->nodes[to];
    size_t want = node->n + n, room = room_for(want);
    if (!n)
        return true;
    if (want > UINT32_MAX / 2)
        return sm_err_set(m->err, SM_ERR_LIMIT, "a container of a pickle has too many items");
    if (room != room_for(node->n)) {
        uint32_t *more = sm_arena_alloc(&m->tree->arena, room * sizeof *more);
        if (!more)
            return no_memory(m);
        if (node->n)
            memcpy(more, node->items, node->n * sizeof *more);
        node->items = more;
    }
    memcpy(node->items + node->n, items, n * sizeof *items);
    node->n = (uint32_t)want;
    return true;
}

bool sm_pickle_push_items(struct sm_pickle_machine *m, enum sm_pickle_kind kind,
                          const uint32_t *items, size_t n)
{
    uint32_t at;
    return new_node(m, (struct sm_pickle_node){.kind = (uint8_t)kind}, &at) &&
           add_items(m, at, items, n) && sm_pickle_push(m, at);
}

/* The container of an object that takes list items or pairs, made when the first come. */
static bool part_of_object(struct sm_pickle_machine *m, struct sm_pickle_object *o, bool pairs,
                           uint32_t *part)
{
    uint32_t *where = pairs ? &o->dict : &o->list;
    uint8_t kind = pairs ? SM_PICKLE_DICT : SM_PICKLE_LIST;
    if (!*where && !new_node(m, (struct sm_pickle_node){.kind = kind}, where))
        return false;
    *part = *where;
    return true;
}

bool sm_pickle_extend(struct sm_pickle_machine *m, uint32_t to, bool pairs, const uint32_t *items,
                      size_t n)
{
    const struct sm_pickle_node *node = sm_pickle_node(m->tree, to);
    enum sm_pickle_kind kind = (enum sm_pickle_kind)node->kind;
    if (pairs && n % 2)
        return sm_pickle_bad(m, "a key without a value");
    if (kind == SM_PICKLE_OBJECT && !part_of_object(m, node->object, pairs, &to))
        return false;
    bool takes = kind == SM_PICKLE_OBJECT ||
                 (pairs ? kind == SM_PICKLE_DICT : kind == SM_PICKLE_LIST || kind == SM_PICKLE_SET);
    /* an object kept outside takes nothing that is of interest here */
    if (!takes && kind != SM_PICKLE_PERSISTENT)
        return sm_pickle_bad(m, "items are added to what is no container");
    return !takes || add_items(m, to, items, n);
}

bool sm_pickle_push_object(struct sm_pickle_machine *m, uint32_t callable, uint32_t args,
                           uint32_t keywords)
{
    struct sm_pickle_object *o = sm_arena_alloc(&m->tree->arena, sizeof *o);
    if (!o)
        return no_memory(m);
    *o = (struct sm_pickle_object){callable, args, keywords, 0, 0, 0};
    return sm_pickle_push_plain(m, (struct sm_pickle_node){.kind = SM_PICKLE_OBJECT, .object = o});
}

/* ---- names ---- */

/* What modules were called by older versions. */
static struct sm_text todays_name(struct sm_text module)
{
    static const char *const names[][2] = {
        {"__builtin__", "builtins"},
        {"copy_reg", "copyreg"},
        {"numpy._core.multiarray", "numpy.core.multiarray"},
        {"numpy._core.numeric", "numpy.core.numeric"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sm_text_is(module, names[i][0]))
            return sm_text(names[i][1]);
    return module;
}

bool sm_pickle_push_global(struct sm_pickle_machine *m, struct sm_text module, struct sm_text name)
{
    module = todays_name(module);
    char *both = sm_arena_alloc(&m->tree->arena, module.n + name.n + 2);
    if (!both)
        return no_memory(m);
    memcpy(both, module.p, module.n);
    both[module.n] = '.';
    memcpy(both + module.n + 1, name.p, name.n);
    return sm_pickle_push_plain(m, (struct sm_pickle_node){.kind = SM_PICKLE_GLOBAL,
                                                           .n = (uint32_t)(module.n + name.n + 1),
                                                           .text = both});
}

/* ---- integers ---- */

static bool push_integer(struct sm_pickle_machine *m, int64_t v)
{
    return sm_pickle_push_plain(m,
                                (struct sm_pickle_node){.kind = SM_PICKLE_INTEGER, .integer = v});
}

/* Divides a number of n bytes, little endian, by ten; returns the remainder. */
static unsigned divide_by_ten(uint8_t *p, size_t n)
{
    unsigned rest = 0;
    while (n-- > 0) {
        rest = rest << 8 | p[n];
        p[n] = (uint8_t)(rest / 10);
        rest %= 10;
    }
    return rest;
}

/* Writes the digits of n bytes backwards from `end`; returns the first. p is used up. */
static char *write_decimal(uint8_t *p, size_t n, char *end)
{
    while (n && !p[n - 1])
        n--;
    while (n) {
        *--end = (char)('0' + divide_by_ten(p, n));
        while (n && !p[n - 1])
            n--;
    }
    return end;
}

static char *write_hex(const uint8_t *p, size_t n, char *end)
{
    for (size_t i = 0; i < n; i++) {
        *--end = "0123456789abcdef"[p[i] & 15];
        *--end = "0123456789abcdef"[p[i] >> 4];
    }
    *--end = 'x';
    *--end = '0';
    return end;
}

static bool push_wide(struct sm_pickle_machine *m, const uint8_t *p, size_t n)
{
    bool negative = p[n - 1] & 0x80;
    size_t room = 3 * n + 4;
    uint8_t *magnitude = sm_arena_alloc(&m->tree->arena, n);
    char *digits = sm_arena_alloc(&m->tree->arena, room);
    unsigned carry = 1;
    if (!magnitude || !digits)
        return no_memory(m);
    for (size_t i = 0; i < n; i++) {
        unsigned byte = negative ? (uint8_t)~p[i] + carry : p[i];
        magnitude[i] = (uint8_t)byte;
        carry = byte >> 8;
    }
    char *end = digits + room - 1, *begin = n <= LONG_DECIMAL_BYTES
                                                ? write_decimal(magnitude, n, end)
                                                : write_hex(magnitude, n, end);
    if (negative)
        *--begin = '-';
    return sm_pickle_push_plain(m, (struct sm_pickle_node){.kind = SM_PICKLE_LONG,
                                                           .n = (uint32_t)(end - begin),
                                                           .text = begin});
}

bool sm_pickle_push_long(struct sm_pickle_machine *m, const uint8_t *p, size_t n)
{
    uint64_t v = 0;
    if (n > 8)
        return push_wide(m, p, n);
    for (size_t i = 0; i < n; i++)
        v |= (uint64_t)p[i] << 8 * i;
    if (n && n < 8 && p[n - 1] & 0x80)
        v |= ~UINT64_C(0) << 8 * n;
    return push_integer(m, (int64_t)v);
}

bool sm_pickle_push_decimal(struct sm_pickle_machine *m, struct sm_text digits)
{
    uint64_t v = 0, most = INT64_MAX;
    bool negative = digits.n && digits.p[0] == '-', fits = true;
    for (size_t i = negative; i < digits.n; i++) {
        if (digits.p[i] < '0' || digits.p[i] > '9')
            return sm_pickle_bad(m, "an integer that has no digits only");
        unsigned digit = (unsigned)(digits.p[i] - '0');
        fits = fits && v <= (most - digit) / 10;
        v = fits ? 10 * v + digit : v;
    }
    if (digits.n == negative)
        return sm_pickle_bad(m, "an integer without digits");
    return fits ? push_integer(m, negative ? -(int64_t)v : (int64_t)v)
                : sm_pickle_push_text(m, SM_PICKLE_LONG, digits.p, digits.n);
}
