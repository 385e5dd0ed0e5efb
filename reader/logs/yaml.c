/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/logs/yaml.h"

#include "reader/logs/log_json.h"

#include <string.h>
#include <yaml.h>

/* What the events of libyaml are written to. A key and its value are two nodes of a map. */
struct document {
    struct sm_str *out;
    unsigned depth;
    struct level {
        bool map;
        size_t nodes; /* so far */
    } levels[SM_YAML_DEPTH_MAX];
};

/* ---- scalars ---- */

static bool is_word(const char *p, size_t n, const char *words)
{
    char word[12] = " ";
    if (n == 0 || n > 9)
        return false;
    for (size_t i = 0; i < n; i++)
        word[i + 1] = (char)(p[i] >= 'A' && p[i] <= 'Z' ? p[i] | 0x20 : p[i]);
    word[n + 1] = ' ';
    return strstr(words, word);
}

/* A number that JSON has, too: without a sign before, a bare point, zeros before. */
static void put_number(struct sm_str *out, const char *p, size_t n)
{
    bool minus = *p == '-';
    if (*p == '-' || *p == '+')
        p++, n--;
    while (n > 1 && *p == '0' && p[1] >= '0' && p[1] <= '9')
        p++, n--;
    const char *point = memchr(p, '.', n);
    size_t whole = point ? (size_t)(point - p) : n;
    bool bare = point && (whole + 1 == n || point[1] < '0' || point[1] > '9');
    sm_str_add(out, minus ? "-" : "");
    sm_str_add(out, whole ? "" : "0");
    sm_str_addn(out, p, bare ? whole : n);
    if (bare)
        sm_str_addn(out, point + 1, n - whole - 1);
}

static void put_plain(struct sm_str *out, const char *p, size_t n)
{
    double v;
    if (n == 0 || is_word(p, n, " ~ null "))
        sm_str_add(out, "null");
    else if (is_word(p, n, " true yes on "))
        sm_str_add(out, "true");
    else if (is_word(p, n, " false no off "))
        sm_str_add(out, "false");
    else if (is_word(p, n, " .nan "))
        sm_str_add(out, "NaN");
    else if (is_word(p, n, " .inf +.inf "))
        sm_str_add(out, "Infinity");
    else if (is_word(p, n, " -.inf "))
        sm_str_add(out, "-Infinity");
    else if (strchr("+-.0123456789", *p) && n < 64 && (p[n - 1] | 0x20) != 'f' &&
             (p[n - 1] | 0x20) != 'n' && sm_log_number(p, n, &v))
        put_number(out, p, n);
    else
        sm_json_quote(out, p, n);
}

static void put_scalar(struct sm_str *out, const yaml_event_t *e, bool key)
{
    const char *p = (const char *)e->data.scalar.value, *tag = (const char *)e->data.scalar.tag;
    size_t n = e->data.scalar.length;
    bool text = key || e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE ||
                (tag && strcmp(tag, YAML_STR_TAG) == 0);
    if (text)
        sm_json_quote(out, p, n);
    else
        put_plain(out, p, n);
}

static void put_alias(struct sm_str *out, const yaml_event_t *e)
{
    struct sm_str name = {0};
    sm_str_printf(&name, "*%s", (const char *)e->data.alias.anchor);
    sm_json_quote(out, sm_str_text(&name), name.len);
    sm_str_clear(&name);
}

/* ---- nodes ---- */

/* Writes what stands before a node. True: it is the key of a pair. */
static bool begin_node(struct document *d)
{
    struct level *l = d->depth ? &d->levels[d->depth - 1] : NULL;
    if (!l)
        return false;
    bool value = l->map && l->nodes % 2;
    if (l->nodes)
        sm_str_addc(d->out, value ? ':' : ',');
    l->nodes++;
    return l->map && !value;
}

static const char *begin_level(struct document *d, bool map)
{
    if (begin_node(d))
        return "a key that is no text";
    if (d->depth == SM_YAML_DEPTH_MAX)
        return "nested too deep";
    d->levels[d->depth++] = (struct level){.map = map};
    sm_str_addc(d->out, map ? '{' : '[');
    return NULL;
}

static void end_level(struct document *d)
{
    d->depth--;
    sm_str_addc(d->out, d->levels[d->depth].map ? '}' : ']');
}

/* Returns what is wrong, or NULL. */
static const char *put_event(struct document *d, const yaml_event_t *e)
{
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        put_scalar(d->out, e, begin_node(d));
        return NULL;
    case YAML_ALIAS_EVENT:
        begin_node(d);
        put_alias(d->out, e);
        return NULL;
    case YAML_MAPPING_START_EVENT:
    case YAML_SEQUENCE_START_EVENT:
        return begin_level(d, e->type == YAML_MAPPING_START_EVENT);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        end_level(d);
        return NULL;
    default:
        return NULL;
    }
}

/* ---- documents ---- */

static bool fail(const yaml_parser_t *y, struct sm_err *err)
{
    if (y->error == YAML_MEMORY_ERROR)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to read YAML");
    if (y->error == YAML_READER_ERROR)
        return sm_err_set(err, SM_ERR_DATA, "offset %zu: %s", y->problem_offset, y->problem);
    return sm_err_set(err, SM_ERR_DATA, "line %zu: %s", y->problem_mark.line + 1, y->problem);
}

/* Takes the events of the first document; *none: there is none. */
static bool read_document(yaml_parser_t *y, struct document *d, bool *none, struct sm_err *err)
{
    yaml_event_type_t type = YAML_NO_EVENT;
    *none = true;
    while (type != YAML_DOCUMENT_END_EVENT && type != YAML_STREAM_END_EVENT) {
        yaml_event_t e;
        if (!yaml_parser_parse(y, &e))
            return fail(y, err);
        type = e.type;
        *none = *none && type != YAML_DOCUMENT_START_EVENT;
        const char *wrong = put_event(d, &e);
        if (wrong)
            sm_err_set(err, SM_ERR_DATA, "line %zu: %s", e.start_mark.line + 1, wrong);
        yaml_event_delete(&e);
        if (wrong)
            return false;
    }
    return true;
}

bool sm_yaml_to_json(const char *p, size_t n, struct sm_str *out, struct sm_err *err)
{
    yaml_parser_t y;
    struct document d = {.out = out};
    bool none;
    sm_err_clear(err);
    if (!yaml_parser_initialize(&y))
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to read YAML");
    yaml_parser_set_input_string(&y, (const unsigned char *)p, n);
    bool ok = read_document(&y, &d, &none, err);
    yaml_parser_delete(&y);
    if (ok && none)
        sm_str_add(out, "{}");
    if (ok && out->failed)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to read YAML");
    return ok;
}
