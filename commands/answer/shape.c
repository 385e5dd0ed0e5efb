/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/shape.h"

#include <ctype.h>
#include <string.h>

struct shape_reader {
    const char *p;
    struct sm_str *out;
    unsigned depth;
};

enum { DEPTH_MAX = 16 };

static const struct {
    const char *name, *schema;
} bases[] = {
    {"int", "{\"type\":\"integer\"}"},
    {"bool", "{\"type\":\"boolean\"}"},
    {"text", "{\"type\":\"string\"}"},
    {"name", "{\"type\":\"string\"}"},
    {"num", "{\"$ref\":\"#/$defs/num\"}"},
    {"mode", "{\"$ref\":\"#/$defs/mode\"}"},
    {"element", "{\"$ref\":\"#/$defs/element\"}"},
    {"values", "{\"$ref\":\"#/$defs/values\"}"},
};

void sm_shape_definitions(struct sm_str *out)
{
    sm_str_add(
        out,
        "\"num\":{\"anyOf\":[{\"type\":\"number\"},"
        "{\"enum\":[\"nan\",\"inf\",\"-inf\"]}]},"
        "\"mode\":{\"enum\":[\"TRAIN\",\"EVAL\",\"PREDICT\",\"GLOBAL\"]},"
        "\"element\":{\"anyOf\":[{\"type\":[\"number\",\"boolean\",\"string\",\"null\"]},"
        "{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/num\"},\"minItems\":2,\"maxItems\":2}]},"
        "\"values\":{\"anyOf\":[{\"type\":[\"number\",\"boolean\",\"string\",\"null\"]},"
        "{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/values\"}}]}");
}

static bool read_shape(struct shape_reader *r);

static bool take(struct shape_reader *r, char c)
{
    if (*r->p != c)
        return false;
    r->p++;
    return true;
}

static size_t word_length(const char *p)
{
    size_t n = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    return n;
}

static bool read_base(struct shape_reader *r)
{
    size_t n = word_length(r->p);
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        if (strlen(bases[i].name) != n || memcmp(bases[i].name, r->p, n) != 0)
            continue;
        r->p += n;
        sm_str_add(r->out, bases[i].schema);
        return true;
    }
    return false;
}

static bool read_literal(struct shape_reader *r)
{
    const char *end = strchr(r->p + 1, '\'');
    if (!end)
        return false;
    sm_str_printf(r->out, "{\"const\":\"%.*s\"}", (int)(end - r->p - 1), r->p + 1);
    r->p = end + 1;
    return true;
}

static bool read_list(struct shape_reader *r)
{
    sm_str_add(r->out, "{\"type\":\"array\",\"items\":");
    bool ok = read_shape(r) && take(r, ']');
    sm_str_addc(r->out, '}');
    return ok;
}

/* Appends the key that has the bytes of a name which is not UTF-8. */
static void add_raw_key(struct sm_str *out, const char *key, size_t n)
{
    bool plain = n == 4 && memcmp(key, "name", 4) == 0;
    sm_str_printf(out, ",\"raw%s%.*s\":{\"type\":\"string\"}", plain ? "" : "_", plain ? 0 : (int)n,
                  key);
}

static bool read_field(struct shape_reader *r, struct sm_str *required, bool first)
{
    const char *key = r->p;
    size_t n = word_length(key);
    r->p += n;
    bool optional = take(r, '?');
    if (!n || !take(r, ':'))
        return false;
    if (!optional)
        sm_str_printf(required, "%s\"%.*s\"", required->len ? "," : "", (int)n, key);
    sm_str_printf(r->out, "%s\"%.*s\":", first ? "" : ",", (int)n, key);
    bool named = strncmp(r->p, "name", word_length(r->p)) == 0 && word_length(r->p) == 4;
    if (!read_shape(r))
        return false;
    if (named)
        add_raw_key(r->out, key, n);
    return true;
}

static bool read_map(struct shape_reader *r)
{
    struct sm_str required = {0};
    bool ok = true;
    sm_str_add(r->out, "{\"type\":\"object\",");
    if (take(r, '*')) {
        sm_str_add(r->out, "\"additionalProperties\":");
        ok = take(r, ':') && read_shape(r) && take(r, '}');
    } else {
        sm_str_add(r->out, "\"properties\":{");
        for (bool first = true; ok && !take(r, '}'); first = false)
            ok = (first || take(r, ',')) && read_field(r, &required, first);
        sm_str_printf(r->out, "},\"required\":[%s],\"additionalProperties\":false",
                      sm_str_text(&required));
    }
    sm_str_addc(r->out, '}');
    sm_str_clear(&required);
    return ok;
}

static bool read_one(struct shape_reader *r)
{
    if (take(r, '['))
        return read_list(r);
    if (take(r, '{'))
        return read_map(r);
    return *r->p == '\'' ? read_literal(r) : read_base(r);
}

static bool read_shape(struct shape_reader *r)
{
    size_t start = r->out->len, n = 0;
    if (++r->depth > DEPTH_MAX)
        return false;
    do {
        sm_str_add(r->out, n++ ? "," : "");
        if (!read_one(r))
            return false;
    } while (take(r, '|'));
    if (take(r, '?')) {
        sm_str_add(r->out, ",{\"type\":\"null\"}");
        n++;
    }
    if (n > 1) {
        struct sm_str all = {0};
        sm_str_printf(&all, "{\"anyOf\":[%s]}", r->out->data + start);
        sm_str_truncate(r->out, start);
        sm_str_addn(r->out, all.data, all.len);
        sm_str_clear(&all);
    }
    r->depth--;
    return true;
}

bool sm_shape_schema(const char *shape, struct sm_str *out)
{
    struct shape_reader r = {.p = shape, .out = out};
    return read_shape(&r) && !*r.p;
}
