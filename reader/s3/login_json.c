/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/json.h"
#include "reader/s3/login_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FILE_MAX = 1 << 20 };

const char *sm_login_env(const char *name)
{
    const char *v = getenv(name);
    return v && *v ? v : NULL;
}

int64_t sm_login_time(const char *text)
{
    struct tm tm = {0};
    const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
    if (rest)
        return (int64_t)timegm(&tm);
    char *end;
    long long ms = strtoll(text, &end, 10);
    return end != text && *end == '\0' ? ms / 1000 : 0;
}

/* ---- members of a JSON object ---- */

struct member {
    const char *name;
    struct sm_str *out;
    bool next, found;
};
static bool on_key(void *ctx, const char *p, size_t n)
{
    struct member *m = ctx;
    m->next = !m->found && sm_text_is((struct sm_text){p, n}, m->name);
    return true;
}
static bool on_text(void *ctx, const char *p, size_t n)
{
    struct member *m = ctx;
    if (m->next) {
        sm_str_addn(m->out, p, n);
        m->found = true;
    }
    m->next = false;
    return true;
}

bool sm_login_json_text(const char *json, size_t n, const char *name, struct sm_str *out)
{
    static const struct sm_json_ops ops = {.key = on_key, .string = on_text, .number = on_text};
    struct member m = {.name = name, .out = out};
    return sm_json_parse(json, n, &ops, &m, NULL) && m.found;
}

/* The first of the names that the object has. */
static bool any_text(const char *json, size_t n, const char *const *names, struct sm_str *out)
{
    for (; *names; names++) {
        if (sm_login_json_text(json, n, *names, out))
            return true;
    }
    return false;
}

bool sm_login_from_json(struct sm_login *l, const char *json, size_t n, struct sm_err *err)
{
    static const char *const access[] = {"AccessKeyId", "accessKeyId", NULL};
    static const char *const secret[] = {"SecretAccessKey", "secretAccessKey", NULL};
    static const char *const token[] = {"Token", "SessionToken", "sessionToken", NULL};
    static const char *const expires[] = {"Expiration", "expiration", NULL};
    struct sm_str when = {0};
    bool ok = any_text(json, n, access, &l->access) && any_text(json, n, secret, &l->secret);
    any_text(json, n, token, &l->token);
    if (any_text(json, n, expires, &when))
        l->expires_s = sm_login_time(sm_str_text(&when));
    sm_str_clear(&when);
    return ok || sm_err_set(err, SM_ERR_DATA, "the answer has no credentials");
}

/* ---- files and requests ---- */

bool sm_login_read_file(const char *path, struct sm_str *out, struct sm_err *err)
{
    FILE *f = fopen(path, "re");
    if (!f)
        return sm_err_errno(err, "%s", path);
    char part[4096];
    for (size_t n; out->len < FILE_MAX && (n = fread(part, 1, sizeof part, f)) > 0;)
        sm_str_addn(out, part, n);
    fclose(f);
    while (out->len && strchr(" \t\r\n", out->data[out->len - 1]))
        sm_str_truncate(out, out->len - 1);
    return true;
}

bool sm_login_ask(const struct sm_http_request *r, struct sm_str *body, struct sm_err *err)
{
    struct sm_http_request limited = *r;
    struct sm_http_answer a = {0};
    limited.purpose = SM_HTTP_LOGIN;
    limited.limit = FILE_MAX;
    bool ok = sm_http_do(&limited, &a, err);
    if (ok && a.status != 200)
        ok = sm_err_set(err, SM_ERR_IO, "status %d: %.*s", a.status,
                        (int)(a.body.len < 160 ? a.body.len : 160), sm_str_text(&a.body));
    if (ok)
        sm_str_addn(body, sm_str_text(&a.body), a.body.len);
    sm_http_answer_clear(&a);
    return ok;
}
