/* SPDX-License-Identifier: Apache-2.0 */
/* Opcodes of protocol 0, whose operands are lines of text. */
#include "reader/pickle/pickle_machine.h"

#include <string.h>

static bool push_bool(struct sm_pickle_machine *m, bool truth)
{
    return sm_pickle_push_plain(m, (struct sm_pickle_node){.kind = SM_PICKLE_BOOL, .truth = truth});
}

/* "I01" and "I00" are True and False. */
static bool line_integer(struct sm_pickle_machine *m, struct sm_text line)
{
    if (sm_text_is(line, "01") || sm_text_is(line, "00"))
        return push_bool(m, line.p[1] == '1');
    return sm_pickle_push_decimal(m, line);
}

static bool line_long(struct sm_pickle_machine *m, struct sm_text line)
{
    if (line.n && line.p[line.n - 1] == 'L')
        line.n--;
    return sm_pickle_push_decimal(m, line);
}

static bool line_real(struct sm_pickle_machine *m, struct sm_text line)
{
    char text[64], *end;
    if (!line.n || line.n >= sizeof text)
        return sm_pickle_bad(m, "a number of a wrong length");
    memcpy(text, line.p, line.n);
    text[line.n] = 0;
    double v = sm_parse_double(text, &end);
    if (*end)
        return sm_pickle_bad(m, "a number that is none");
    return sm_pickle_push_plain(m, (struct sm_pickle_node){.kind = SM_PICKLE_REAL, .real = v});
}

/* ---- text with escapes ---- */

/* The number that n hexadecimal digits are; -1: they are none. */
static int64_t hex_number(const char *p, size_t n)
{
    int64_t v = 0;
    for (size_t i = 0; i < n; i++) {
        int digit = sm_hex_digit(p[i]);
        if (digit < 0)
            return -1;
        v = v << 4 | digit;
    }
    return v;
}

static void add_rune(struct sm_str *out, uint32_t rune)
{
    char bytes[4];
    sm_str_addn(out, bytes, sm_utf8_encode(rune, bytes));
}

/* One character of raw-unicode-escape: Latin-1, \uXXXX and \UXXXXXXXX. Returns the bytes used. */
static size_t unicode_character(struct sm_str *out, const char *p, size_t n)
{
    size_t digits = n > 1 && p[0] == '\\' ? (p[1] == 'u' ? 4 : p[1] == 'U' ? 8 : 0) : 0;
    int64_t v = digits && n >= 2 + digits ? hex_number(p + 2, digits) : -1;
    add_rune(out, v >= 0 ? (uint32_t)v : (uint8_t)*p);
    return v >= 0 ? 2 + digits : 1;
}

/* One character of a string of Python 2: escapes as in C. Returns the bytes used. */
static size_t string_character(struct sm_str *out, const char *p, size_t n)
{
    static const char letters[] = "abfnrtv", bytes[] = "\a\b\f\n\r\t\v";
    if (*p != '\\' || n < 2) {
        sm_str_addc(out, *p);
        return 1;
    }
    int64_t v = p[1] == 'x' && n >= 4 ? hex_number(p + 2, 2) : -1;
    const char *letter = p[1] ? strchr(letters, p[1]) : NULL;
    sm_str_addc(out, v >= 0 ? (char)v : letter ? bytes[letter - letters] : p[1]);
    return v >= 0 ? 4 : 2;
}

static bool push_unescaped(struct sm_pickle_machine *m, struct sm_text t,
                           size_t (*character)(struct sm_str *, const char *, size_t))
{
    struct sm_str out = {0};
    for (size_t i = 0; i < t.n;)
        i += character(&out, t.p + i, t.n - i);
    bool ok = out.failed ? sm_err_set(m->err, SM_ERR_MEMORY, "no memory for a text of a pickle")
                         : sm_pickle_push_text(m, SM_PICKLE_TEXT, sm_str_text(&out), out.len);
    sm_str_clear(&out);
    return ok;
}

static bool line_string(struct sm_pickle_machine *m, struct sm_text line)
{
    if (line.n < 2 || (line.p[0] != '\'' && line.p[0] != '"') || line.p[line.n - 1] != line.p[0])
        return sm_pickle_bad(m, "a string without quotes");
    return push_unescaped(m, (struct sm_text){line.p + 1, line.n - 2}, string_character);
}

static bool line_unicode(struct sm_pickle_machine *m, struct sm_text line)
{
    return push_unescaped(m, line, unicode_character);
}

/* ---- memo and names ---- */

static bool memo_number(struct sm_pickle_machine *m, struct sm_text line, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < line.n; i++) {
        if (line.p[i] < '0' || line.p[i] > '9' || i > 18)
            return sm_pickle_bad(m, "a number of the memo that is none");
        *out = *out * 10 + (uint64_t)(line.p[i] - '0');
    }
    return line.n || sm_pickle_bad(m, "a number of the memo that is none");
}

static bool line_put(struct sm_pickle_machine *m, struct sm_text line)
{
    uint64_t number;
    return memo_number(m, line, &number) && sm_pickle_memo_put(m, number);
}

static bool line_get(struct sm_pickle_machine *m, struct sm_text line)
{
    uint64_t number;
    uint32_t node;
    return memo_number(m, line, &number) && sm_pickle_memo_get(m, number, &node) &&
           sm_pickle_push(m, node);
}

static bool line_persistent(struct sm_pickle_machine *m, struct sm_text line)
{
    uint32_t id;
    return sm_pickle_push_text(m, SM_PICKLE_TEXT, line.p, line.n) && sm_pickle_pop(m, &id) &&
           sm_pickle_push_plain(m,
                                (struct sm_pickle_node){.kind = SM_PICKLE_PERSISTENT, .inner = id});
}

/* The module stands in the first line, the name in the second. */
static bool line_global(struct sm_pickle_machine *m, struct sm_text module)
{
    struct sm_text name;
    char *kept = sm_arena_strndup(&m->tree->arena, module.p, module.n);
    if (!kept)
        return sm_err_set(m->err, SM_ERR_MEMORY, "no memory for a name of a pickle");
    return sm_pickle_input_line(m->in, &name, m->err) &&
           sm_pickle_push_global(m, (struct sm_text){kept, module.n}, name);
}

static bool line_instance(struct sm_pickle_machine *m, struct sm_text module)
{
    const uint32_t *items;
    uint32_t args, class;
    size_t n;
    return sm_pickle_pop_mark(m, &items, &n) &&
           sm_pickle_push_items(m, SM_PICKLE_TUPLE, items, n) && sm_pickle_pop(m, &args) &&
           line_global(m, module) && sm_pickle_pop(m, &class) &&
           sm_pickle_push_object(m, class, args, 0);
}

bool sm_pickle_line_op(struct sm_pickle_machine *m, uint8_t op, bool *known)
{
    static const struct {
        char op;
        bool (*run)(struct sm_pickle_machine *m, struct sm_text line);
    } ops[] = {
        {'I', line_integer}, {'L', line_long},     {'F', line_real}, {'S', line_string},
        {'V', line_unicode}, {'p', line_put},      {'g', line_get},  {'P', line_persistent},
        {'c', line_global},  {'i', line_instance},
    };
    struct sm_text line;
    *known = false;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if ((uint8_t)ops[i].op == op) {
            *known = true;
            return sm_pickle_input_line(m->in, &line, m->err) && ops[i].run(m, line);
        }
    return true;
}
