/* SPDX-License-Identifier: Apache-2.0 */
/* Dictionaries as Python prints them, and JSON: {'loss': '3.59', "eval/acc": 0.5, 'x': {'y': 1}}.
 */
#include "reader/textlog/textlog_number.h"
#include "reader/textlog/textlog_pairs.h"

#include <string.h>

enum { DEPTH_MAX = 8 };
struct reader {
    const char *p, *end;
    struct sm_textlog_dict *d;
    size_t path[DEPTH_MAX]; /* lengths of `names` before each level's names */
    unsigned depth;
    struct sm_str prefix; /* of the names at this depth: "train/" */
};

static void skip_blanks(struct reader *r)
{
    while (r->p < r->end && sm_textlog_is_blank(*r->p))
        r->p++;
}

static bool take(struct reader *r, char c)
{
    skip_blanks(r);
    if (r->p >= r->end || *r->p != c)
        return false;
    r->p++;
    return true;
}

/* The bytes between quotes; escapes stay as they are. */
static bool read_quoted(struct reader *r, struct sm_text *out)
{
    skip_blanks(r);
    if (r->p >= r->end || (*r->p != '"' && *r->p != '\''))
        return false;
    char quote = *r->p++;
    out->p = r->p;
    while (r->p < r->end && *r->p != quote)
        r->p += 1 + (*r->p == '\\' && r->p + 1 < r->end);
    out->n = (size_t)(r->p - out->p);
    return r->p < r->end && *r->p++ == quote;
}

/* Behind a value that is no number: up to the ',' or '}' at this depth. */
static bool skip_value(struct reader *r)
{
    int depth = 0;
    struct sm_text ignored;
    while (r->p < r->end) {
        char c = *r->p;
        if (c == '"' || c == '\'') {
            if (!read_quoted(r, &ignored))
                return false;
            continue;
        }
        if (depth == 0 && (c == ',' || c == '}'))
            return true;
        depth += (c == '[' || c == '(' || c == '{') - (c == ']' || c == ')' || c == '}');
        r->p++;
    }
    return false;
}

static bool number_in(const char *p, const char *end, struct sm_textlog_number *v)
{
    static const char *const calls[] = {"tensor(", "np.float64(", "np.float32(", "Array("};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if ((size_t)(end - p) > strlen(calls[i]) && memcmp(p, calls[i], strlen(calls[i])) == 0)
            p += strlen(calls[i]);
    return sm_textlog_number(p, end, false, v);
}

static void add_value(struct reader *r, struct sm_text key, const struct sm_textlog_number *v,
                      bool quoted)
{
    struct sm_textlog_dict *d = r->d;
    enum sm_textlog_unit unit = sm_textlog_unit_of(key.p, key.n);
    bool is_step = unit != SM_TEXTLOG_NO_UNIT && unit != SM_TEXTLOG_BATCH && v->whole &&
                   v->integer >= 0 && !(unit == SM_TEXTLOG_EPOCH && quoted);
    if (is_step && (unit > d->unit || d->step < 0)) {
        d->step = v->integer;
        d->unit = unit;
        d->plural = sm_textlog_is_plural(key.p, key.n);
    }
    if ((is_step && unit != SM_TEXTLOG_EPOCH) || d->n >= SM_TEXTLOG_PAIRS || key.n == 0 ||
        r->prefix.len + key.n > SM_TEXTLOG_NAME_MAX)
        return;
    size_t at = d->names.len;
    sm_str_addn(&d->names, sm_str_text(&r->prefix), r->prefix.len);
    sm_str_addn(&d->names, key.p, key.n);
    d->pairs[d->n++] =
        (struct sm_textlog_pair){.name = {NULL, d->names.len - at}, .value = v->value}; /* p: when
                                                                                           all are
                                                                                           there */
}

static bool read_item(struct reader *r)
{
    struct sm_text key, text;
    struct sm_textlog_number v;
    if (!read_quoted(r, &key) || !take(r, ':'))
        return false;
    skip_blanks(r);
    if (r->p < r->end && *r->p == '{' && r->depth + 1 < DEPTH_MAX) {
        r->path[r->depth++] = r->prefix.len;
        sm_str_addn(&r->prefix, key.p, key.n < SM_TEXTLOG_NAME_MAX ? key.n : SM_TEXTLOG_NAME_MAX);
        sm_str_addc(&r->prefix, '/');
        r->p++;
        return true;
    }
    if (r->p < r->end && (*r->p == '"' || *r->p == '\'')) {
        if (!read_quoted(r, &text))
            return false;
        if (sm_textlog_number(text.p, text.p + text.n, true, &v) && v.next == text.p + text.n)
            add_value(r, key, &v, true);
        return true;
    }
    if (number_in(r->p, r->end, &v) && v.next < r->end && strchr(", })", *v.next))
        add_value(r, key, &v, false);
    return skip_value(r);
}

/* Leaves the levels that end here. False: the text ends, or is none of a dictionary. */
static bool leave(struct reader *r, bool *done)
{
    while (take(r, '}')) {
        if (r->depth == 0)
            return *done = true;
        sm_str_truncate(&r->prefix, r->path[--r->depth]);
    }
    return take(r, ',');
}

static void place_names(struct sm_textlog_dict *d)
{
    const char *p = sm_str_text(&d->names);
    for (size_t i = 0; i < d->n; i++) {
        d->pairs[i].name.p = p;
        p += d->pairs[i].name.n;
    }
}

bool sm_textlog_read_dict(struct sm_text text, struct sm_textlog_dict *d)
{
    struct reader r = {.p = text.p, .end = text.p + text.n, .d = d};
    bool done = false, ok = take(&r, '{');
    d->n = 0;
    d->step = -1;
    d->plural = false;
    d->unit = SM_TEXTLOG_NO_UNIT;
    sm_str_truncate(&d->names, 0);
    while (ok && !done) {
        unsigned depth = r.depth;
        ok = read_item(&r);
        if (ok && r.depth == depth)
            ok = leave(&r, &done);
        skip_blanks(&r);
        if (ok && !done && r.depth > depth && r.p < r.end && *r.p == '}')
            ok = leave(&r, &done); /* an empty one */
    }
    place_names(d);
    sm_str_clear(&r.prefix);
    return done && !d->names.failed;
}
