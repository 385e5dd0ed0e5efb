/* SPDX-License-Identifier: Apache-2.0 */
/* Credentials of a role, from STS: signed by another profile, or with the token of an identity that
 * a cluster gave. */
#include "reader/s3/http.h"
#include "reader/s3/login_parts.h"
#include "reader/s3/xml_text.h"

#include <string.h>
#include <time.h>

enum { TIMEOUT_MS = 20000, ROLES_MAX = 8 };
#define SESSION "smdbg-tui"
#define FORM    "Content-Type: application/x-www-form-urlencoded; charset=utf-8\n"

static bool take(void *ctx, const char *path, const char *text, struct sm_err *err)
{
    struct sm_login *l = ctx;
    const char *name = strrchr(path, '/');
    (void)err;
    if (!name || !strstr(path, "/Credentials/"))
        return true;
    if (strcmp(name, "/AccessKeyId") == 0)
        sm_str_add(&l->access, text);
    else if (strcmp(name, "/SecretAccessKey") == 0)
        sm_str_add(&l->secret, text);
    else if (strcmp(name, "/SessionToken") == 0)
        sm_str_add(&l->token, text);
    else if (strcmp(name, "/Expiration") == 0)
        l->expires_s = sm_login_time(text);
    return true;
}

/* The headers of a request to STS; signed with key unless that is NULL. url: without the last '/'.
 */
static void sign_for_sts(struct sm_str *headers, const struct sm_login *l, const char *url,
                         const char *form, const struct sm_sigv4_key *key)
{
    const char *host = strstr(url, "://"), *path = host ? strchr(host + 3, '/') : NULL;
    struct sm_str name = {0}, place = {0};
    if (host)
        sm_str_addn(&name, host + 3, path ? (size_t)(path - host) - 3 : strlen(host + 3));
    sm_str_printf(&place, "%s/", path ? path : "");
    struct sm_sigv4_request r = {.method = "POST",
                                 .host = sm_str_text(&name),
                                 .path = sm_str_text(&place),
                                 .query = "",
                                 .region = sm_str_text(&l->region),
                                 .service = "sts",
                                 .body = form,
                                 .time_s = (int64_t)time(NULL)};
    sm_str_add(headers, FORM);
    if (key)
        sm_sigv4_sign(headers, &r, key);
    sm_str_clear(&name);
    sm_str_clear(&place);
}

static enum sm_login_result ask_sts(const struct sm_login_search *s, struct sm_sigv4_parameter *p,
                                    size_t n, const struct sm_sigv4_key *key, const char *role,
                                    struct sm_err *err)
{
    struct sm_str url = {0}, form = {0}, headers = {0}, body = {0};
    struct sm_login *l = s->login;
    const char *region = sm_str_text(&l->region);
    if (!sm_login_endpoint(s->files, s->profile, "STS", &url))
        sm_str_printf(&url, "https://sts.%s.%s", region, sm_login_domain(region));
    sm_sigv4_query(&form, p, n);
    sign_for_sts(&headers, l, sm_str_text(&url), sm_str_text(&form), key);
    sm_str_addc(&url, '/');
    struct sm_http_request r = {.method = "POST",
                                .url = sm_str_text(&url),
                                .headers = sm_str_text(&headers),
                                .body = sm_str_text(&form),
                                .timeout_ms = TIMEOUT_MS};
    bool ok =
        sm_login_ask(&r, &body, err) && sm_xml_read(sm_str_text(&body), body.len, take, l, err);
    ok = ok && (l->access.len || sm_err_set(err, SM_ERR_DATA, "no credentials"));
    if (ok)
        sm_str_printf(&l->from, "role %s", role);
    else
        sm_err_prefix(err, "role %s", role);
    sm_str_clear(&url);
    sm_str_clear(&form);
    sm_str_clear(&headers);
    sm_str_clear(&body);
    return ok ? SM_LOGIN_FOUND : SM_LOGIN_FAILED;
}

static const char *setting(const struct sm_login_search *s, const char *name)
{
    return sm_aws_profile_get(s->files, s->profile, name);
}

/* ---- a role that the credentials of another profile or of the machine may take ---- */

/* The source_profile: its keys, else what it gets them from. A profile may name itself. */
static enum sm_login_result find_source(const struct sm_login_search *s, struct sm_err *err)
{
    static sm_login_source *const sources[] = {sm_login_of_profile, sm_login_of_role,
                                               sm_login_of_web_identity, sm_login_of_sso,
                                               sm_login_of_process};
    enum sm_login_result result = SM_LOGIN_NONE;
    for (size_t i = 0; result == SM_LOGIN_NONE && i < sizeof sources / sizeof *sources; i++)
        result = sources[i](s, err);
    return result;
}

static enum sm_login_result find_base(const struct sm_login_search *s, const char *source,
                                      struct sm_login *base, struct sm_err *err)
{
    const char *kind = setting(s, "credential_source");
    struct sm_login_search below = {base, s->files, source ? source : s->profile, s->roles + 1};
    sm_str_add(&base->region, sm_str_text(&s->login->region));
    if (source)
        return find_source(&below, err);
    if (strcmp(kind, "Environment") == 0)
        return sm_login_of_environment(&below, err);
    if (strcmp(kind, "EcsContainer") == 0)
        return sm_login_of_container(&below, err);
    return sm_login_of_instance(&below, err);
}

static enum sm_login_result take_role(const struct sm_login_search *s, const struct sm_login *base,
                                      const char *role, struct sm_err *err)
{
    const char *name = setting(s, "role_session_name"), *external = setting(s, "external_id");
    const char *seconds = setting(s, "duration_seconds");
    struct sm_sigv4_parameter p[6] = {{"Action", "AssumeRole"},
                                      {"Version", "2011-06-15"},
                                      {"RoleArn", role},
                                      {"RoleSessionName", name ? name : SESSION}};
    struct sm_sigv4_key key = sm_login_key(base);
    size_t n = 4;
    if (external)
        p[n++] = (struct sm_sigv4_parameter){"ExternalId", external};
    if (seconds)
        p[n++] = (struct sm_sigv4_parameter){"DurationSeconds", seconds};
    return ask_sts(s, p, n, &key, role, err);
}

enum sm_login_result sm_login_of_role(const struct sm_login_search *s, struct sm_err *err)
{
    const char *role = setting(s, "role_arn"), *source = setting(s, "source_profile");
    if (!role || (!source && !setting(s, "credential_source")))
        return SM_LOGIN_NONE;
    if (s->roles == ROLES_MAX || setting(s, "mfa_serial")) {
        sm_err_set(err, SM_ERR_USAGE,
                   s->roles == ROLES_MAX
                       ? "profile %s: more than 8 profiles follow each other by source_profile"
                       : "profile %s: its role needs a code (mfa_serial), which is not asked "
                         "for; " SM_LOGIN_EXPORT,
                   s->profile);
        return SM_LOGIN_FAILED;
    }
    struct sm_login base = {0};
    enum sm_login_result result = find_base(s, source, &base, err);
    if (result == SM_LOGIN_FOUND)
        result = take_role(s, &base, role, err);
    else if (result == SM_LOGIN_NONE) {
        sm_err_set(err, SM_ERR_USAGE, "profile %s: its %s has no credentials", s->profile,
                   source ? "source_profile" : "credential_source");
        result = SM_LOGIN_FAILED;
    }
    sm_login_clear(&base);
    return result;
}

/* ---- a web identity ---- */

enum sm_login_result sm_login_of_web_identity(const struct sm_login_search *s, struct sm_err *err)
{
    const char *file = s->roles ? NULL : sm_login_env("AWS_WEB_IDENTITY_TOKEN_FILE");
    const char *role = sm_login_env("AWS_ROLE_ARN");
    const char *name = sm_login_env("AWS_ROLE_SESSION_NAME");
    if (!file || !role) {
        file = setting(s, "web_identity_token_file");
        role = setting(s, "role_arn");
        name = setting(s, "role_session_name");
    }
    if (!file || !role)
        return SM_LOGIN_NONE;
    struct sm_str token = {0};
    enum sm_login_result result = SM_LOGIN_FAILED;
    if (sm_login_read_file(file, &token, err)) {
        struct sm_sigv4_parameter p[] = {{"Action", "AssumeRoleWithWebIdentity"},
                                         {"Version", "2011-06-15"},
                                         {"RoleArn", role},
                                         {"RoleSessionName", name ? name : SESSION},
                                         {"WebIdentityToken", sm_str_text(&token)}};
        result = ask_sts(s, p, 5, NULL, role, err);
    }
    sm_str_clear(&token);
    return result;
}
