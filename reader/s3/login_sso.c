/* SPDX-License-Identifier: Apache-2.0 */
/* Credentials of a profile with SSO, by the token that `aws sso login` left in ~/.aws/sso/cache. */
#include "reader/s3/login_parts.h"

#include <dirent.h>
#include <string.h>
#include <time.h>

enum { TIMEOUT_MS = 20000 };

struct sso {
    const char *start_url, *region, *account, *role;
};

/* As the profile has it, or the section "sso-session NAME" that it names. */
static const char *sso_setting(const struct sm_login_search *s, const char *name)
{
    const char *session = sm_aws_profile_get(s->files, s->profile, "sso_session");
    const char *value = sm_aws_profile_get(s->files, s->profile, name);
    if (value || !session)
        return value;
    struct sm_str section = {0};
    sm_str_printf(&section, "sso-session %s", session);
    value = sm_aws_files_get(s->files, sm_str_text(&section), name);
    sm_str_clear(&section);
    return value;
}

/* Appends the token of a file of the cache if it is for this start URL and has not expired. */
static bool take_token(const char *path, const char *start_url, struct sm_str *token)
{
    struct sm_str json = {0}, url = {0}, when = {0};
    bool ok = sm_login_read_file(path, &json, NULL) &&
              sm_login_json_text(sm_str_text(&json), json.len, "startUrl", &url) &&
              strcmp(sm_str_text(&url), start_url) == 0 &&
              sm_login_json_text(sm_str_text(&json), json.len, "expiresAt", &when) &&
              sm_login_time(sm_str_text(&when)) > (int64_t)time(NULL) &&
              sm_login_json_text(sm_str_text(&json), json.len, "accessToken", token);
    sm_str_clear(&json);
    sm_str_clear(&url);
    sm_str_clear(&when);
    return ok;
}

static bool find_token(const char *start_url, struct sm_str *token)
{
    const char *home = sm_login_env("HOME");
    struct sm_str folder = {0};
    sm_str_printf(&folder, "%s/.aws/sso/cache", home ? home : "");
    DIR *d = opendir(sm_str_text(&folder));
    bool found = false;
    for (struct dirent *e; d && !found && (e = readdir(d));) {
        size_t n = folder.len;
        sm_str_printf(&folder, "/%s", e->d_name);
        found =
            sm_ends_with(e->d_name, ".json") && take_token(sm_str_text(&folder), start_url, token);
        sm_str_truncate(&folder, n);
    }
    if (d)
        closedir(d);
    sm_str_clear(&folder);
    return found;
}

static bool ask_portal(const struct sm_login_search *s, const struct sso *o, const char *token,
                       struct sm_err *err)
{
    struct sm_str url = {0}, query = {0}, headers = {0}, body = {0};
    struct sm_sigv4_parameter p[] = {{"role_name", o->role}, {"account_id", o->account}};
    sm_sigv4_query(&query, p, 2);
    if (!sm_login_endpoint(s->files, s->profile, "SSO", &url))
        sm_str_printf(&url, "https://portal.sso.%s.%s", o->region, sm_login_domain(o->region));
    sm_str_printf(&url, "/federation/credentials?%s", sm_str_text(&query));
    sm_str_printf(&headers, "x-amz-sso_bearer_token: %s\n", token);
    struct sm_http_request r = {.method = "GET",
                                .url = sm_str_text(&url),
                                .headers = sm_str_text(&headers),
                                .timeout_ms = TIMEOUT_MS};
    bool ok = sm_login_ask(&r, &body, err) &&
              sm_login_from_json(s->login, sm_str_text(&body), body.len, err);
    sm_str_clear(&url);
    sm_str_clear(&query);
    sm_str_clear(&headers);
    sm_str_clear(&body);
    return ok;
}

enum sm_login_result sm_login_of_sso(const struct sm_login_search *s, struct sm_err *err)
{
    struct sso o = {sso_setting(s, "sso_start_url"), sso_setting(s, "sso_region"),
                    sso_setting(s, "sso_account_id"), sso_setting(s, "sso_role_name")};
    if (!o.start_url || !o.region || !o.account || !o.role)
        return SM_LOGIN_NONE;
    struct sm_str token = {0};
    bool ok = find_token(o.start_url, &token);
    if (!ok)
        sm_err_set(err, SM_ERR_USAGE,
                   "profile %s: no valid SSO login; run \"aws sso login --profile %s\"", s->profile,
                   s->profile);
    else
        ok = ask_portal(s, &o, sm_str_text(&token), err) ||
             sm_err_prefix(err, "SSO of profile %s", s->profile);
    if (ok)
        sm_str_printf(&s->login->from, "SSO of profile %s", s->profile);
    sm_str_clear(&token);
    return ok ? SM_LOGIN_FOUND : SM_LOGIN_FAILED;
}
