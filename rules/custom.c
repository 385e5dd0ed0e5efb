/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/custom.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMS_MAX = 32, OWN_PARAMS = 4 };
enum key { NAME, SUMMARY, COLLECTION, REGEX, WHEN, MESSAGE, ADVICE, MODE, KEYS };
static const char *const keys[KEYS] = {"name", "summary", "collection", "regex",
                                       "when", "message", "advice",     "mode"};

struct reader {
    struct sm_custom_rule *c;
    unsigned line;
    const char *begin; /* start of the line */
    const char *values[KEYS];
    struct sm_rule_param params[PARAMS_MAX];
    size_t n_params;
    struct sm_err *err;
};

static bool fail_at(const struct reader *r, const char *at, const char *what)
{
    return sm_err_set(r->err, SM_ERR_USAGE, "line %u, column %zu: %s", r->line,
                      (size_t)(at - r->begin) + 1, what);
}

static struct sm_text trimmed(const char *p, const char *end)
{
    while (p < end && isspace((unsigned char)*p))
        p++;
    while (end > p && isspace((unsigned char)end[-1]))
        end--;
    return (struct sm_text){p, (size_t)(end - p)};
}

static bool is_word(struct sm_text t)
{
    for (size_t i = 0; i < t.n; i++)
        if (!isalnum((unsigned char)t.p[i]) && t.p[i] != '_')
            return false;
    return t.n > 0;
}

/* ---- lines ---- */

static bool read_param(struct reader *r, struct sm_text name, struct sm_text value)
{
    struct sm_rule_param *p = &r->params[r->n_params];
    char *end;
    if (!is_word(name))
        return fail_at(r, name.p, "a parameter name may contain only letters, digits and _");
    if (r->n_params == PARAMS_MAX)
        return fail_at(r, name.p, "too many parameters");
    const char *text = sm_arena_xstrndup(&r->c->arena, value.p, value.n);
    sm_parse_double(text, &end);
    bool number = end != text && !*end;
    *p = (struct sm_rule_param){.name = sm_arena_xstrndup(&r->c->arena, name.p, name.n),
                                .type = number ? SM_RULE_NUMBER : SM_RULE_TEXT,
                                .initial = text,
                                .help = "parameter of the rule file"};
    for (size_t i = 0; i < r->n_params; i++)
        if (strcmp(r->params[i].name, p->name) == 0)
            return fail_at(r, name.p, "duplicate parameter");
    r->n_params++;
    return true;
}

/* Checks the condition now, so that an error is reported with its line and column in the file. */
static bool check_when(struct reader *r, struct sm_text value)
{
    struct sm_err err = {0};
    const char *text = sm_arena_xstrndup(&r->c->arena, value.p, value.n);
    if (sm_rule_check_expr(text, &err))
        return true;
    /* the column in the expression becomes a column of the line */
    static const char phrase[] = " at column ";
    char *at = strstr(err.msg, phrase);
    size_t column = at ? strtoul(at + sizeof phrase - 1, NULL, 10) : 1;
    if (at)
        *at = 0;
    return fail_at(r, value.p + (column ? column - 1 : 0), err.msg);
}

static bool read_key(struct reader *r, struct sm_text key, struct sm_text value)
{
    int k = 0;
    while (k < KEYS && !sm_text_is(key, keys[k]))
        k++;
    if (k == KEYS)
        return fail_at(
            r, key.p,
            "expected name, summary, param, collection, regex, when, message, advice or mode");
    if (r->values[k])
        return fail_at(r, key.p, "duplicate key");
    if (!value.n)
        return fail_at(r, value.p, "missing value");
    if (k == NAME && !is_word(value))
        return fail_at(r, value.p, "a name may contain only letters, digits and _");
    r->values[k] = sm_arena_xstrndup(&r->c->arena, value.p, value.n);
    return k != WHEN || check_when(r, value);
}

static bool read_line(struct reader *r, const char *p, const char *end)
{
    struct sm_text line = trimmed(p, end);
    r->begin = p;
    if (!line.n || line.p[0] == '#')
        return true;
    const char *equals = memchr(line.p, '=', line.n);
    if (!equals)
        return fail_at(r, line.p, "expected KEY = VALUE");
    struct sm_text key = trimmed(line.p, equals), value = trimmed(equals + 1, line.p + line.n);
    if (key.n > 6 && memcmp(key.p, "param", 5) == 0 && isspace((unsigned char)key.p[5]))
        return read_param(r, trimmed(key.p + 5, key.p + key.n), value);
    return read_key(r, key, value);
}

/* ---- the record ---- */

static void make_params(struct reader *r)
{
    struct sm_custom_rule *c = r->c;
    c->params = sm_arena_xalloc(&c->arena, (r->n_params + OWN_PARAMS + 1) * sizeof *c->params);
    struct sm_rule_param own[OWN_PARAMS] = {
        {.name = "expr", .type = SM_RULE_TEXT, .initial = r->values[WHEN], .help = "the condition"},
        {.name = "collection_names",
         .type = SM_RULE_NAMES,
         .initial = r->values[COLLECTION],
         .help = "judge each tensor of these collections"},
        {.name = "tensor_regex",
         .type = SM_RULE_PATTERN,
         .initial = r->values[REGEX],
         .help = "judge each tensor that matches"},
        {.name = "message",
         .type = SM_RULE_TEXT,
         .initial = r->values[MESSAGE],
         .help = "text of the finding"},
    };
    if (r->n_params)
        memcpy(c->params, r->params, r->n_params * sizeof *c->params);
    memcpy(c->params + r->n_params, own, sizeof own);
}

static void make_rule(struct reader *r)
{
    struct sm_custom_rule *c = r->c;
    make_params(r);
    c->rule = sm_rule_expr_record();
    c->rule.name = c->rule.class_name = r->values[NAME];
    c->rule.summary = r->values[SUMMARY] ? r->values[SUMMARY] : "A rule read from a file";
    c->rule.fires = sm_arena_xprintf(&c->arena, "%s", r->values[WHEN]);
    if (r->values[ADVICE])
        c->rule.advice = r->values[ADVICE];
    c->rule.params = c->params;
    c->mode = r->values[MODE] ? sm_arena_xprintf(&c->arena, "mode=%s", r->values[MODE]) : NULL;
}

static bool check_required_keys(struct reader *r)
{
    r->begin = "";
    if (!r->values[NAME])
        return fail_at(r, r->begin, "the file has no name");
    if (!r->values[WHEN])
        return fail_at(r, r->begin, "the file has no condition (when)");
    return true;
}

bool sm_custom_parse(const char *text, size_t n, struct sm_custom_rule **out, struct sm_err *err)
{
    struct reader r = {.c = sm_xalloc_zero(1, sizeof *r.c), .err = err};
    bool ok = true;
    for (const char *p = text, *end = text + n; ok && p < end; p++) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        stop = stop ? stop : end;
        r.line++;
        ok = read_line(&r, p, stop);
        p = stop;
    }
    if (!ok || !check_required_keys(&r)) {
        sm_custom_free(r.c);
        return false;
    }
    make_rule(&r);
    *out = r.c;
    return true;
}

void sm_custom_free(struct sm_custom_rule *c)
{
    if (!c)
        return;
    sm_arena_clear(&c->arena);
    sm_free(c);
}
