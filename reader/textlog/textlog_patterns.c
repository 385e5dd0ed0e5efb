/* SPDX-License-Identifier: Apache-2.0 */
#define PCRE2_CODE_UNIT_WIDTH 8

#include "reader/textlog/textlog_patterns.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/textlog/textlog_number.h"

#include <pcre2.h>
#include <string.h>

/* Steps of PCRE2's match function for one line, and together for a log: then a pattern, or all of
 * them, are given up. LINE_MAX: longer lines are not looked at. */
enum { MATCH_LIMIT = 100000, LINE_MAX_BYTES = 8192, LOST_MAX = 20, PATTERNS_MAX = 100 };

struct group {
    uint32_t number;
    char *name; /* of its series */
};
struct pattern {
    pcre2_code *code;
    uint32_t step, name, value; /* numbers of groups; 0: there is none */
    struct group *groups;
    size_t n_groups, cap_groups;
};
struct sm_textlog_patterns {
    struct pattern *items;
    size_t n, cap;
};

/* ---- reading the file ---- */

static void free_pattern(struct pattern *p)
{
    pcre2_code_free(p->code);
    for (size_t i = 0; i < p->n_groups; i++)
        sm_free(p->groups[i].name);
    sm_free(p->groups);
}

void sm_textlog_patterns_free(struct sm_textlog_patterns *p)
{
    for (size_t i = 0; p && i < p->n; i++)
        free_pattern(&p->items[i]);
    if (p)
        sm_free(p->items);
    sm_free(p);
}

/* "val__loss" is the series "val/loss". */
static char *series_name(const char *group)
{
    char *name = sm_strdup(group), *out = name;
    for (const char *in = name; in && *in; out++) {
        bool slash = in[0] == '_' && in[1] == '_' && in > name && in[2];
        *out = slash ? '/' : *in;
        in += slash ? 2 : 1;
    }
    if (name)
        *out = 0;
    return name;
}

static bool add_group(struct pattern *p, const char *group, uint32_t number)
{
    if (strcmp(group, "step") == 0)
        p->step = number;
    else if (strcmp(group, "name") == 0)
        p->name = number;
    else if (strcmp(group, "value") == 0)
        p->value = number;
    else if (!SM_VEC_ROOM(p->groups, p->n_groups, p->cap_groups) ||
             !(p->groups[p->n_groups].name = series_name(group)))
        return false;
    else
        p->groups[p->n_groups++].number = number;
    return true;
}

static bool read_groups(struct pattern *p)
{
    uint32_t count = 0, size = 0;
    PCRE2_SPTR table = NULL;
    pcre2_pattern_info(p->code, PCRE2_INFO_NAMECOUNT, &count);
    pcre2_pattern_info(p->code, PCRE2_INFO_NAMEENTRYSIZE, &size);
    pcre2_pattern_info(p->code, PCRE2_INFO_NAMETABLE, &table);
    for (uint32_t i = 0; i < count; i++, table += size)
        if (!add_group(p, (const char *)table + 2, (uint32_t)table[0] << 8 | table[1]))
            return false;
    return true;
}

static bool compile(struct pattern *p, struct sm_text text, struct sm_err *err)
{
    int code;
    PCRE2_SIZE at;
    char why[120];
    p->code = pcre2_compile((PCRE2_SPTR)text.p, text.n, PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &code,
                            &at, NULL);
    if (!p->code) {
        pcre2_get_error_message(code, (PCRE2_UCHAR *)why, sizeof why);
        return sm_err_set(err, SM_ERR_DATA, "at %zu: %s", (size_t)at, why);
    }
    pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE); /* without it, it is slower */
    if (!read_groups(p))
        return sm_err_set(err, SM_ERR_MEMORY, "no memory");
    if ((p->name != 0) != (p->value != 0))
        return sm_err_set(err, SM_ERR_DATA, "the groups \"name\" and \"value\" need each other");
    return p->n_groups || p->name ||
           sm_err_set(err, SM_ERR_DATA,
                      "no named group for a series, such as (?<loss>[0-9.]+), nor \"name\" and "
                      "\"value\"");
}

static bool add_line(struct sm_textlog_patterns *p, struct sm_text line, struct sm_err *err)
{
    while (line.n && strchr(" \t\r", line.p[line.n - 1]))
        line.n--;
    while (line.n && sm_textlog_is_blank(*line.p)) {
        line.p++;
        line.n--;
    }
    if (line.n == 0 || *line.p == '#')
        return true;
    if (p->n >= PATTERNS_MAX)
        return sm_err_set(err, SM_ERR_LIMIT, "more than %d patterns", PATTERNS_MAX);
    if (!SM_VEC_ROOM(p->items, p->n, p->cap))
        return sm_err_set(err, SM_ERR_MEMORY, "no memory");
    p->items[p->n] = (struct pattern){0};
    return compile(&p->items[p->n++], line, err);
}

struct sm_textlog_patterns *sm_textlog_patterns_new(const char *file, const char *text, size_t n,
                                                    struct sm_err *err)
{
    struct sm_textlog_patterns *p = sm_alloc_zero(1, sizeof *p);
    const char *end = text + n;
    if (!p)
        sm_err_set(err, SM_ERR_MEMORY, "%s: no memory", file);
    for (size_t number = 1; p && text < end; number++) {
        const char *lf = memchr(text, '\n', (size_t)(end - text)), *stop = lf ? lf : end;
        if (!add_line(p, (struct sm_text){text, (size_t)(stop - text)}, err)) {
            sm_err_prefix(err, "%s: line %zu", file, number);
            sm_textlog_patterns_free(p);
            return NULL;
        }
        text = stop + 1;
    }
    return p;
}

/* ---- matching ---- */

struct sm_textlog_matcher {
    const struct sm_textlog_patterns *patterns;
    pcre2_match_context *limits;
    pcre2_match_data *data;
    uint8_t *lost; /* of each pattern: lines for which it took too long */
};

struct sm_textlog_matcher *sm_textlog_matcher_new(const struct sm_textlog_patterns *p)
{
    struct sm_textlog_matcher *m = sm_alloc_zero(1, sizeof *m);
    if (!m)
        return NULL;
    m->patterns = p;
    m->limits = pcre2_match_context_create(NULL);
    m->data = pcre2_match_data_create(64, NULL);
    m->lost = sm_alloc_zero(p->n + 1, 1);
    if (m->limits && m->data && m->lost) {
        pcre2_set_match_limit(m->limits, MATCH_LIMIT);
        return m;
    }
    sm_textlog_matcher_free(m);
    return NULL;
}

void sm_textlog_matcher_free(struct sm_textlog_matcher *m)
{
    if (!m)
        return;
    pcre2_match_data_free(m->data);
    pcre2_match_context_free(m->limits);
    sm_free(m->lost);
    sm_free(m);
}

/* False: no match from `at` on. A pattern that takes too long too often is given up. */
static bool match_at(struct sm_textlog_matcher *m, size_t i, struct sm_text line, size_t at)
{
    if (m->lost[i] >= LOST_MAX || at > line.n)
        return false;
    int result = pcre2_match(m->patterns->items[i].code, (PCRE2_SPTR)line.p, line.n, at,
                             PCRE2_NOTEMPTY, m->data, m->limits);
    m->lost[i] += result < PCRE2_ERROR_PARTIAL;
    return result >= 0;
}

/* The text of a group; empty if it took no part. */
static struct sm_text group_text(const struct sm_textlog_matcher *m, struct sm_text line,
                                 uint32_t group)
{
    const PCRE2_SIZE *v = pcre2_get_ovector_pointer(m->data) + 2 * (size_t)group;
    if (group == 0 || group >= pcre2_get_ovector_count(m->data) || v[0] == PCRE2_UNSET ||
        v[1] <= v[0] || v[1] > line.n)
        return (struct sm_text){line.p, 0};
    return (struct sm_text){line.p + v[0], v[1] - v[0]};
}

static bool number_of(struct sm_text t, struct sm_textlog_number *v)
{
    return t.n && sm_textlog_number(t.p, t.p + t.n, true, v);
}

static void give(const struct sm_textlog_matcher *m, const struct pattern *p, struct sm_text line,
                 int64_t step,
                 void (*value)(void *ctx, int64_t step, struct sm_text name, double value),
                 void *ctx)
{
    struct sm_textlog_number v;
    struct sm_text name = group_text(m, line, p->name);
    for (size_t i = 0; i < p->n_groups; i++)
        if (number_of(group_text(m, line, p->groups[i].number), &v))
            value(ctx, step, sm_text(p->groups[i].name), v.value);
    if (p->name && name.n && name.n < 200 && !memchr(name.p, 0, name.n) &&
        number_of(group_text(m, line, p->value), &v))
        value(ctx, step, name, v.value);
}

static size_t match_end(const struct sm_textlog_matcher *m)
{
    return pcre2_get_ovector_pointer(m->data)[1];
}

bool sm_textlog_match(struct sm_textlog_matcher *m, struct sm_text line,
                      void (*value)(void *ctx, int64_t step, struct sm_text name, double value),
                      void *ctx)
{
    size_t i = 0;
    struct sm_textlog_number n;
    if (line.n > LINE_MAX_BYTES)
        return false;
    while (i < m->patterns->n && !match_at(m, i, line, 0))
        i++;
    if (i == m->patterns->n)
        return false;
    const struct pattern *p = &m->patterns->items[i];
    int64_t step = -1;
    size_t at = 0;
    do { /* name and value may come many times, the step once */
        if (number_of(group_text(m, line, p->step), &n) && n.whole && n.integer >= 0)
            step = n.integer;
        give(m, p, line, step, value, ctx);
        size_t end = match_end(m);
        at = end > at ? end : at + 1;
    } while (p->name && match_at(m, i, line, at));
    return true;
}
