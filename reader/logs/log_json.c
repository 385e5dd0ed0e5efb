/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/logs/log_json.h"

#include "reader/base/mem.h"

#include <string.h>

/* ---- bare NaN ----
 *
 * yajl takes JSON only. Words that it would refuse are replaced, in a copy, by numbers of the same
 * length; a number is then given by its place in the original. */

struct words {
    const struct sm_json_ops *ops;
    void *ctx;
    const char *original, *copy;
};

static bool is_at(const char *p, const char *end, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(end - p) >= n && memcmp(p, word, n) == 0;
}

/* The end of a string whose opening quote is at p. */
static char *skip_string(char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++)
        if (*p == '\\' && p + 1 < end)
            p++;
    return p < end ? p + 1 : p;
}

/* Any number of the length of NaN or Infinity. */
static char *put_number(char *p, size_t n)
{
    memset(p, '0', n);
    p[0] = '1';
    p[1] = 'e';
    return p + n;
}

static void replace_words(char *p, const char *end)
{
    while (p < end) {
        if (*p == '"')
            p = skip_string(p, end);
        else if (*p == 'N' && is_at(p, end, "NaN"))
            p = put_number(p, 3);
        else if (*p == 'I' && is_at(p, end, "Infinity"))
            p = put_number(p, 8);
        else
            p++;
    }
}

static bool give_null(void *ctx)
{
    const struct words *w = ctx;
    return !w->ops->null || w->ops->null(w->ctx);
}

static bool give_boolean(void *ctx, bool v)
{
    const struct words *w = ctx;
    return !w->ops->boolean || w->ops->boolean(w->ctx, v);
}

static bool give_number(void *ctx, const char *p, size_t n)
{
    const struct words *w = ctx;
    return !w->ops->number || w->ops->number(w->ctx, w->original + (p - w->copy), n);
}

static bool give_string(void *ctx, const char *p, size_t n)
{
    const struct words *w = ctx;
    return !w->ops->string || w->ops->string(w->ctx, p, n);
}

static bool give_key(void *ctx, const char *p, size_t n)
{
    const struct words *w = ctx;
    return !w->ops->key || w->ops->key(w->ctx, p, n);
}

static bool give_start_map(void *ctx)
{
    const struct words *w = ctx;
    return !w->ops->start_map || w->ops->start_map(w->ctx);
}

static bool give_end_map(void *ctx)
{
    const struct words *w = ctx;
    return !w->ops->end_map || w->ops->end_map(w->ctx);
}

static bool give_start_array(void *ctx)
{
    const struct words *w = ctx;
    return !w->ops->start_array || w->ops->start_array(w->ctx);
}

static bool give_end_array(void *ctx)
{
    const struct words *w = ctx;
    return !w->ops->end_array || w->ops->end_array(w->ctx);
}

bool sm_log_json_parse(const char *p, size_t n, const struct sm_json_ops *ops, void *ctx,
                       struct sm_err *err)
{
    static const struct sm_json_ops through = {
        give_null,      give_boolean, give_number,      give_string,    give_key,
        give_start_map, give_end_map, give_start_array, give_end_array,
    };
    if (!memmem(p, n, "NaN", 3) && !memmem(p, n, "Infinity", 8))
        return sm_json_parse(p, n, ops, ctx, err);
    /* One blank more: yajl copies a number that ends with the document. */
    char *copy = sm_alloc(n + 1);
    if (!copy)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to parse JSON");
    memcpy(copy, p, n);
    copy[n] = ' ';
    replace_words(copy, copy + n);
    struct words w = {ops, ctx, p, copy};
    bool ok = sm_json_parse(copy, n + 1, &through, &w, err);
    sm_free(copy);
    return ok;
}

/* ---- numbers ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t count_digits(const char *p, const char *end)
{
    const char *from = p;
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return (size_t)(p - from);
}

/* Digits, a point among them, an exponent; no sign. */
static bool is_decimal(const char *p, const char *end)
{
    size_t whole = count_digits(p, end), part = 0;
    p += whole;
    if (p < end && *p == '.') {
        part = count_digits(p + 1, end);
        p += 1 + part;
    }
    if (whole + part == 0)
        return false;
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        p += p < end && (*p == '-' || *p == '+');
        size_t exponent = count_digits(p, end);
        p += exponent;
        return exponent && p == end;
    }
    return p == end;
}

static bool is_word(const char *p, const char *end, const char *word)
{
    for (; p < end && *word && (*p | 0x20) == *word; p++)
        word++;
    return p == end && !*word;
}

static bool is_number(const char *p, const char *end)
{
    p += p < end && (*p == '-' || *p == '+');
    return is_decimal(p, end) || is_word(p, end, "nan") || is_word(p, end, "inf") ||
           is_word(p, end, "infinity");
}

bool sm_log_number(const char *p, size_t n, double *out)
{
    char text[512];
    const char *end = p + n;
    if (sm_parse_decimal(p, n, out))
        return true;
    while (p < end && is_blank(*p))
        p++;
    while (p < end && is_blank(end[-1]))
        end--;
    n = (size_t)(end - p);
    if (n >= sizeof text || !is_number(p, end))
        return false;
    memcpy(text, p, n);
    text[n] = 0;
    *out = sm_parse_double(text, NULL);
    return true;
}

/* ---- leaves ---- */

struct walk {
    char joint;
    void (*leaf)(void *ctx, const struct sm_log_value *v);
    void *ctx;
    struct sm_err *err;
    struct sm_str name;
    size_t levels[SM_JSON_DEPTH_MAX + 1]; /* lengths of the names of the objects that are open */
    unsigned maps, arrays;
    const char *cursor, *end; /* behind the last array; of the document */
};

static bool give_leaf(struct walk *w, struct sm_log_value v)
{
    if (w->arrays)
        return true;
    v.name = sm_str_text(&w->name);
    v.name_n = w->name.len;
    w->leaf(w->ctx, &v);
    return true;
}

static bool walk_null(void *ctx)
{
    return give_leaf(ctx, (struct sm_log_value){.type = SM_LOG_NULL, .text = "null", .text_n = 4});
}

static bool walk_boolean(void *ctx, bool v)
{
    return give_leaf(ctx, (struct sm_log_value){.type = SM_LOG_BOOL,
                                                .number = v,
                                                .text = v ? "true" : "false",
                                                .text_n = v ? 4 : 5});
}

static bool walk_number(void *ctx, const char *p, size_t n)
{
    struct walk *w = ctx;
    struct sm_log_value v = {.type = SM_LOG_NUMBER, .text = p, .text_n = n};
    if (!sm_log_number(p, n, &v.number))
        return sm_err_set(w->err, SM_ERR_DATA, "not a number: %.*s", n < 32 ? (int)n : 32, p);
    return give_leaf(w, v);
}

static bool walk_string(void *ctx, const char *p, size_t n)
{
    return give_leaf(ctx, (struct sm_log_value){.type = SM_LOG_TEXT, .text = p, .text_n = n});
}

static bool walk_key(void *ctx, const char *p, size_t n)
{
    struct walk *w = ctx;
    if (w->arrays)
        return true;
    size_t outer = w->levels[w->maps - 1];
    if (outer + 1 + n > SM_LOG_NAME_MAX)
        return sm_err_set(w->err, SM_ERR_DATA, "a name of more than %d bytes", SM_LOG_NAME_MAX);
    sm_str_truncate(&w->name, outer);
    if (w->maps > 1)
        sm_str_addc(&w->name, w->joint);
    for (size_t i = 0; i < n; i++)
        sm_str_addc(&w->name, p[i] ? p[i] : '?');
    return !w->name.failed || sm_err_set(w->err, SM_ERR_MEMORY, "no memory to parse JSON");
}

static bool walk_start_map(void *ctx)
{
    struct walk *w = ctx;
    if (!w->arrays)
        w->levels[w->maps++] = w->name.len;
    return true;
}

static bool walk_end_map(void *ctx)
{
    struct walk *w = ctx;
    if (!w->arrays)
        sm_str_truncate(&w->name, w->levels[--w->maps]);
    return true;
}

static bool walk_start_array(void *ctx)
{
    struct walk *w = ctx;
    w->arrays++;
    return true;
}

static const char *next_outside_strings(const char *p, const char *end)
{
    if (*p != '"')
        return p + 1;
    for (p++; p < end && *p != '"'; p++)
        p += *p == '\\';
    return p < end ? p + 1 : end;
}

/* The array is the next one after the cursor, and the document is valid up to its end. */
static struct sm_text take_array(struct walk *w)
{
    const char *p = w->cursor, *begin;
    unsigned depth = 0;
    while (p < w->end && *p != '[')
        p = next_outside_strings(p, w->end);
    begin = p;
    while (p < w->end) {
        depth += *p == '[';
        depth -= *p == ']';
        p = next_outside_strings(p, w->end);
        if (!depth)
            break;
    }
    w->cursor = p;
    return (struct sm_text){begin, (size_t)(p - begin)};
}

static bool walk_end_array(void *ctx)
{
    struct walk *w = ctx;
    if (--w->arrays)
        return true;
    struct sm_text t = take_array(w);
    return give_leaf(w, (struct sm_log_value){.type = SM_LOG_ARRAY, .text = t.p, .text_n = t.n});
}

bool sm_log_json_leaves(const char *p, size_t n, char joint,
                        void (*leaf)(void *ctx, const struct sm_log_value *v), void *ctx,
                        struct sm_err *err)
{
    static const struct sm_json_ops ops = {
        walk_null,      walk_boolean, walk_number,      walk_string,    walk_key,
        walk_start_map, walk_end_map, walk_start_array, walk_end_array,
    };
    struct sm_err own;
    struct walk w = {.joint = joint,
                     .leaf = leaf,
                     .ctx = ctx,
                     .err = err ? err : &own,
                     .cursor = p,
                     .end = p + n};
    bool ok = sm_log_json_parse(p, n, &ops, &w, w.err);
    sm_str_clear(&w.name);
    return ok;
}

/* ---- values as JSON ---- */

void sm_json_quote(struct sm_str *out, const char *p, size_t n)
{
    sm_str_addc(out, '"');
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)p[i];
        if (c == '"' || c == '\\')
            sm_str_addc(out, '\\');
        if (c < 0x20)
            sm_str_printf(out, "\\u%04x", c);
        else
            sm_str_addc(out, p[i]);
    }
    sm_str_addc(out, '"');
}

/* Leaves out ends of lines and the blanks after them: no text in JSON has one. */
static void add_on_one_line(struct sm_str *out, const char *p, size_t n)
{
    const char *end = p + n;
    while (p < end) {
        size_t k = 0;
        while (p + k < end && p[k] != '\n' && p[k] != '\r')
            k++;
        sm_str_addn(out, p, k);
        p += k;
        while (p < end && strchr("\n\r\t ", *p) && *p)
            p++;
    }
}

void sm_log_value_json(const struct sm_log_value *v, struct sm_str *out)
{
    if (v->type == SM_LOG_TEXT)
        sm_json_quote(out, v->text, v->text_n);
    else
        add_on_one_line(out, v->text, v->text_n);
}
