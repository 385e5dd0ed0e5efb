/* SPDX-License-Identifier: Apache-2.0 */
/* The token of an SSO login, from the files that `aws sso login` leaves in ~/.aws/sso/cache. One
 * that has ended is renewed as AWS CLI version 2 does, by its refresh token, and the file is
 * replaced: a refresh token may be good for one time only. */
#include "reader/base/json.h"
#include "reader/base/replace.h"
#include "reader/s3/login_parts.h"

#include <dirent.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TIMEOUT_MS = 20000 };

enum member { URL, REGION, TOKEN, EXPIRES, CLIENT, SECRET, CLIENT_EXPIRES, REFRESH, MEMBERS };
static const char *const members[] = {
    [URL] = "startUrl",         [REGION] = "region",
    [TOKEN] = "accessToken",    [EXPIRES] = "expiresAt",
    [CLIENT] = "clientId",      [SECRET] = "clientSecret",
    [REFRESH] = "refreshToken", [CLIENT_EXPIRES] = "registrationExpiresAt"};

/* One file of the cache. */
struct cached {
    struct sm_str path, text[MEMBERS];
};

static atomic_bool is_readonly;

void sm_login_keep_nothing(void)
{
    atomic_store(&is_readonly, true);
}

static void clear_cached(struct cached *c)
{
    sm_str_clear(&c->path);
    for (int i = 0; i < MEMBERS; i++) {
        if (c->text[i].data)
            explicit_bzero(c->text[i].data, c->text[i].len);
        sm_str_clear(&c->text[i]);
    }
}

static int64_t time_of(const struct cached *c, enum member m)
{
    return sm_login_time(sm_str_text(&c->text[m]));
}

/* Whether a file has a token for this start URL. */
static bool read_cached(const char *path, const char *start_url, struct cached *c)
{
    struct sm_str json = {0};
    bool ok = sm_login_read_file(path, &json, NULL);
    sm_str_add(&c->path, path);
    for (int i = 0; ok && i < MEMBERS; i++)
        sm_login_json_text(sm_str_text(&json), json.len, members[i], &c->text[i]);
    if (json.data)
        explicit_bzero(json.data, json.len);
    sm_str_clear(&json);
    return ok && strcmp(sm_str_text(&c->text[URL]), start_url) == 0 && c->text[TOKEN].len &&
           c->text[EXPIRES].len;
}

/* The file whose token ends last. False: there is none. */
static bool find_cached(const char *start_url, struct cached *best)
{
    const char *home = sm_login_env("HOME");
    struct sm_str path = {0};
    sm_str_printf(&path, "%s/.aws/sso/cache", home ? home : "");
    size_t n = path.len;
    DIR *d = opendir(sm_str_text(&path));
    bool found = false;
    for (struct dirent *e; d && (e = readdir(d));) {
        struct cached c = {0};
        sm_str_truncate(&path, n);
        sm_str_printf(&path, "/%s", e->d_name);
        if (sm_ends_with(e->d_name, ".json") && read_cached(sm_str_text(&path), start_url, &c) &&
            (!found || time_of(&c, EXPIRES) > time_of(best, EXPIRES))) {
            struct cached other = *best;
            *best = c;
            c = other;
            found = true;
        }
        clear_cached(&c);
    }
    if (d)
        closedir(d);
    sm_str_clear(&path);
    return found;
}

/* ---- renewal ---- */

static void write_text(struct sm_json_writer *w, const char *key, const char *text)
{
    sm_json_key(w, key);
    sm_json_text(w, text, strlen(text));
}

static void write_question(struct sm_str *out, const struct cached *c)
{
    struct sm_json_writer *w = sm_json_writer_new(out);
    if (!w)
        return;
    sm_json_start_map(w);
    write_text(w, "grantType", "refresh_token");
    for (int i = CLIENT; i <= REFRESH; i++)
        if (i != CLIENT_EXPIRES)
            write_text(w, members[i], sm_str_text(&c->text[i]));
    sm_json_end_map(w);
    sm_json_writer_free(w);
}

static void replace(struct sm_str *s, const char *text)
{
    sm_str_truncate(s, 0);
    sm_str_add(s, text);
}

/* Takes the new token of an answer. */
static bool take_answer(struct cached *c, const struct sm_str *json, struct sm_err *err)
{
    struct sm_str token = {0}, seconds = {0}, refresh = {0};
    bool ok = sm_login_json_text(sm_str_text(json), json->len, members[TOKEN], &token) &&
              sm_login_json_text(sm_str_text(json), json->len, "expiresIn", &seconds);
    time_t end = time(NULL) + (time_t)(strtoul(sm_str_text(&seconds), NULL, 10) % 100000000);
    struct tm tm;
    char text[32];
    if (ok && gmtime_r(&end, &tm) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm)) {
        replace(&c->text[TOKEN], sm_str_text(&token));
        replace(&c->text[EXPIRES], text);
        if (sm_login_json_text(sm_str_text(json), json->len, members[REFRESH], &refresh))
            replace(&c->text[REFRESH], sm_str_text(&refresh));
    } else {
        ok = sm_err_set(err, SM_ERR_DATA, "the answer has no token");
    }
    sm_str_clear(&token);
    sm_str_clear(&seconds);
    sm_str_clear(&refresh);
    return ok;
}

/* A file that cannot be written is no error: the token is good for this run of the program. */
static void keep(const struct cached *c)
{
    struct sm_str out = {0};
    struct sm_json_writer *w = sm_json_writer_new(&out);
    if (!w)
        return;
    sm_json_start_map(w);
    for (int i = 0; i < MEMBERS; i++)
        if (c->text[i].len)
            write_text(w, members[i], sm_str_text(&c->text[i]));
    sm_json_end_map(w);
    sm_json_writer_free(w);
    if (!out.failed)
        sm_replace_file(sm_str_text(&c->path), sm_str_text(&out), out.len, 0600);
    sm_str_clear(&out);
}

static bool renew(const struct sm_login_search *s, const char *region, struct cached *c,
                  struct sm_err *err)
{
    struct sm_str url = {0}, question = {0}, body = {0};
    if (!sm_login_endpoint(s->files, s->profile, "SSO_OIDC", &url))
        sm_str_printf(&url, "https://oidc.%s.%s", region, sm_login_domain(region));
    sm_str_add(&url, "/token");
    write_question(&question, c);
    struct sm_http_request r = {.method = "POST",
                                .url = sm_str_text(&url),
                                .headers = "Content-Type: application/json\n",
                                .body = sm_str_text(&question),
                                .timeout_ms = TIMEOUT_MS};
    bool ok = sm_login_ask(&r, &body, err) && take_answer(c, &body, err);
    if (ok)
        keep(c);
    sm_str_clear(&url);
    sm_str_clear(&question);
    sm_str_clear(&body);
    return ok;
}

static bool is_renewable(const struct cached *c, int64_t now)
{
    return c->text[REFRESH].len && c->text[CLIENT].len && c->text[SECRET].len &&
           (!c->text[CLIENT_EXPIRES].len || time_of(c, CLIENT_EXPIRES) > now);
}

/* What to do when there is no login. why: what was tried. */
static bool say_login(const struct sm_login_search *s, const char *why, struct sm_err *err)
{
    return sm_err_set(err, SM_ERR_USAGE,
                      "profile %s: no valid SSO login%s; run \"aws sso login --profile %s\"",
                      s->profile, why, s->profile);
}

bool sm_login_sso_token(const struct sm_login_search *s, const char *start_url, const char *region,
                        struct sm_str *token, struct sm_err *err)
{
    struct cached c = {0};
    struct sm_err failure = {0};
    struct sm_str why = {0};
    int64_t now = (int64_t)time(NULL);
    bool ok = find_cached(start_url, &c), ended = ok && time_of(&c, EXPIRES) <= now;
    if (ended && !is_renewable(&c, now)) {
        ok = false;
    } else if (ended && atomic_load(&is_readonly)) {
        ok = false;
        sm_str_add(&why, " (--readonly does not renew the one that has ended)");
    } else if (ended && !renew(s, region, &c, &failure)) {
        ok = false;
        sm_str_printf(&why, " (it was not renewed: %.100s)", failure.msg);
    }
    if (ok)
        sm_str_add(token, sm_str_text(&c.text[TOKEN]));
    else
        say_login(s, sm_str_text(&why), err);
    sm_str_clear(&why);
    clear_cached(&c);
    return ok;
}
