/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/json.h"
#include "reader/databases/mlflow.h"

#include <string.h>

/* ---- scalars of YAML ---- */

/* \xNN, \uNNNN, \UNNNNNNNN; returns the bytes used after the letter. */
static size_t unescape_code(const char *p, size_t n, size_t digits, struct sm_str *out)
{
    uint32_t rune = 0;
    char utf8[4];
    size_t i = 0;
    for (; i < digits && i < n && sm_hex_digit(p[i]) >= 0; i++)
        rune = rune << 4 | (uint32_t)sm_hex_digit(p[i]);
    sm_str_addn(out, utf8, sm_utf8_encode(rune, utf8));
    return i;
}

/* After a backslash; returns the bytes used. */
static size_t unescape(const char *p, size_t n, struct sm_str *out)
{
    static const char from[] = "0abtnvfre\"/\\ N_", to[] = "\0\a\b\t\n\v\f\r\x1b\"/\\ \x85\xa0";
    const char *at = strchr(from, *p);
    if (*p == 'x' || *p == 'u' || *p == 'U')
        return 1 + unescape_code(p + 1, n - 1, *p == 'x' ? 2 : *p == 'u' ? 4 : 8, out);
    sm_str_addc(out, at && to[at - from] && *p != 'N' && *p != '_' ? to[at - from] : *p);
    return 1;
}

static void add_quoted(const char *p, size_t n, struct sm_str *out)
{
    char quote = p[0];
    for (size_t i = 1; i < n; i++) {
        if (p[i] == quote && !(quote == '\'' && i + 1 < n && p[i + 1] == quote))
            return;
        if (p[i] == quote)
            i++;
        if (p[i] == '\\' && quote == '"' && i + 1 < n)
            i += unescape(p + i + 1, n - i - 1, out);
        else
            sm_str_addc(out, p[i]);
    }
}

/* ---- the top level ---- */

static struct sm_str *field_of(struct sm_mlflow_meta *m, struct sm_text key, struct sm_str *start)
{
    const struct {
        const char *key;
        struct sm_str *to;
    } fields[] = {{"run_id", &m->run_id}, {"run_uuid", &m->run_id},
                  {"run_name", &m->name}, {"name", &m->name},
                  {"status", &m->status}, {"lifecycle_stage", &m->stage},
                  {"start_time", start},  {"experiment_id", &m->experiment}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (sm_text_is(key, fields[i].key))
            return fields[i].to->len ? NULL : fields[i].to; /* the first counts */
    return NULL;
}

static struct sm_text trim(const char *p, size_t n)
{
    while (n && (*p == ' ' || *p == '\t')) {
        p++;
        n--;
    }
    while (n && strchr(" \t\r\n", p[n - 1]))
        n--;
    return (struct sm_text){p, n};
}

/* A line that goes on is folded into one space; in double quotes a backslash at its end takes the
 * space away. */
static void add_folded(struct sm_str *value, struct sm_text t)
{
    bool joined = value->len && value->data[0] == '"' && value->data[value->len - 1] == '\\';
    if (joined)
        sm_str_truncate(value, value->len - 1);
    if (joined && t.n && *t.p == '\\') {
        t.p++;
        t.n--;
    }
    sm_str_add(value, value->len && !joined ? " " : "");
    sm_str_addn(value, t.p, t.n);
}

static void set_value(struct sm_str *to, const struct sm_str *raw)
{
    if (!to || raw->failed || !raw->len)
        return;
    if (*raw->data == '\'' || *raw->data == '"')
        add_quoted(raw->data, raw->len, to);
    else if (strcmp(raw->data, "null") != 0 && strcmp(raw->data, "~") != 0)
        sm_str_addn(to, raw->data, raw->len);
}

void sm_mlflow_meta_parse(const char *p, size_t n, struct sm_mlflow_meta *out)
{
    struct sm_str raw = {0}, start = {0}, *to = NULL;
    for (const char *end = p + n, *next; p < end; p = next) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        size_t len = (size_t)((lf ? lf : end) - p);
        const char *colon = memchr(p, ':', len);
        next = lf ? lf + 1 : end;
        if (len && (*p == ' ' || *p == '\t' || !colon)) {
            add_folded(&raw, trim(p, len));
            continue;
        }
        set_value(to, &raw);
        sm_str_truncate(&raw, 0);
        to = colon ? field_of(out, trim(p, (size_t)(colon - p)), &start) : NULL;
        if (colon)
            add_folded(&raw, trim(colon + 1, len - (size_t)(colon + 1 - p)));
    }
    set_value(to, &raw);
    if (!sm_json_int(sm_str_text(&start), start.len, &out->start_ms))
        out->start_ms = 0;
    sm_str_clear(&raw);
    sm_str_clear(&start);
}

void sm_mlflow_meta_clear(struct sm_mlflow_meta *m)
{
    sm_str_clear(&m->run_id);
    sm_str_clear(&m->name);
    sm_str_clear(&m->status);
    sm_str_clear(&m->stage);
    sm_str_clear(&m->experiment);
    *m = (struct sm_mlflow_meta){0};
}

bool sm_mlflow_is_system(const char *name, size_t n)
{
    static const char folder[] = "system/";
    return n >= sizeof folder && memcmp(name, folder, sizeof folder - 1) == 0;
}
