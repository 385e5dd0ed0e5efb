/* SPDX-License-Identifier: Apache-2.0 */
/* Credentials of a profile with SSO, by the token of login_sso_token.c. */
#include "reader/s3/login_parts.h"

#include <string.h>

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
    bool ok = sm_login_sso_token(s, o.start_url, o.region, &token, err);
    if (ok)
        ok = ask_portal(s, &o, sm_str_text(&token), err) ||
             sm_err_prefix(err, "SSO of profile %s", s->profile);
    if (ok)
        sm_str_printf(&s->login->from, "SSO of profile %s", s->profile);
    sm_str_clear(&token);
    return ok ? SM_LOGIN_FOUND : SM_LOGIN_FAILED;
}
