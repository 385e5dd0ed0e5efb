/* SPDX-License-Identifier: Apache-2.0 */
/* Credentials of a role, from STS: signed by another profile, or with the token of an identity that
 * a cluster gave. */
#include "reader/s3/login_parts.h"
#include "reader/s3/xml_text.h"

#include <string.h>
#include <time.h>

enum { TIMEOUT_MS = 20000 };
#define SESSION "smdbg-tui"

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

static void sts_endpoint(const struct sm_login *l, struct sm_str *out)
{
    const char *given = sm_login_env("AWS_ENDPOINT_URL_STS");
    if (given)
        sm_str_add(out, given);
    else
        sm_str_printf(out, "https://sts.%s.amazonaws.com", sm_str_text(&l->region));
    while (out->len && out->data[out->len - 1] == '/')
        sm_str_truncate(out, out->len - 1);
}

/* Asks STS; signed with key unless that is NULL. */
static enum sm_login_result ask_sts(const struct sm_login_search *s, struct sm_sigv4_parameter *p,
                                    size_t n, const struct sm_sigv4_key *key, const char *role,
                                    struct sm_err *err)
{
    struct sm_str url = {0}, query = {0}, headers = {0}, body = {0};
    struct sm_login *l = s->login;
    sts_endpoint(l, &url);
    sm_sigv4_query(&query, p, n);
    if (key) {
        const char *host = strstr(sm_str_text(&url), "://");
        struct sm_sigv4_request r = {.method = "GET",
                                     .host = host ? host + 3 : "",
                                     .path = "/",
                                     .query = sm_str_text(&query),
                                     .region = sm_str_text(&l->region),
                                     .service = "sts",
                                     .time_s = (int64_t)time(NULL)};
        sm_sigv4_sign(&headers, &r, key);
    }
    sm_str_printf(&url, "/?%s", sm_str_text(&query));
    bool ok =
        sm_login_ask("GET", sm_str_text(&url), sm_str_text(&headers), TIMEOUT_MS, &body, err) &&
        sm_xml_read(sm_str_text(&body), body.len, take, l, err);
    ok = ok && (l->access.len ? true : sm_err_set(err, SM_ERR_DATA, "no credentials"));
    if (ok)
        sm_str_printf(&l->from, "role %s", role);
    else
        sm_err_prefix(err, "role %s", role);
    sm_str_clear(&url);
    sm_str_clear(&query);
    sm_str_clear(&headers);
    sm_str_clear(&body);
    return ok ? SM_LOGIN_FOUND : SM_LOGIN_FAILED;
}

enum sm_login_result sm_login_of_role(const struct sm_login_search *s, struct sm_err *err)
{
    const char *role = sm_aws_profile_get(s->files, s->profile, "role_arn");
    const char *source = sm_aws_profile_get(s->files, s->profile, "source_profile");
    const char *kind = sm_aws_profile_get(s->files, s->profile, "credential_source");
    const char *external = sm_aws_profile_get(s->files, s->profile, "external_id");
    if (!role || (!source && !kind))
        return SM_LOGIN_NONE;
    struct sm_login base = {0};
    struct sm_login_search below = {&base, s->files, source ? source : s->profile};
    sm_login_source *of = source                              ? sm_login_of_profile
                          : strcmp(kind, "Environment") == 0  ? sm_login_of_environment
                          : strcmp(kind, "EcsContainer") == 0 ? sm_login_of_container
                                                              : sm_login_of_instance;
    enum sm_login_result result = of(&below, err);
    if (result == SM_LOGIN_NONE) {
        sm_err_set(err, SM_ERR_USAGE, "profile %s: its %s has no credentials", s->profile,
                   source ? "source_profile" : "credential_source");
        result = SM_LOGIN_FAILED;
    } else if (result == SM_LOGIN_FOUND) {
        struct sm_sigv4_parameter p[] = {{"Action", "AssumeRole"},
                                         {"Version", "2011-06-15"},
                                         {"RoleArn", role},
                                         {"RoleSessionName", SESSION},
                                         {"ExternalId", external}};
        struct sm_sigv4_key key = sm_login_key(&base);
        result = ask_sts(s, p, external ? 5 : 4, &key, role, err);
    }
    sm_login_clear(&base);
    return result;
}

enum sm_login_result sm_login_of_web_identity(const struct sm_login_search *s, struct sm_err *err)
{
    const char *file = sm_login_env("AWS_WEB_IDENTITY_TOKEN_FILE");
    const char *role = sm_login_env("AWS_ROLE_ARN");
    const char *name = sm_login_env("AWS_ROLE_SESSION_NAME");
    if (!file || !role) {
        file = sm_aws_profile_get(s->files, s->profile, "web_identity_token_file");
        role = sm_aws_profile_get(s->files, s->profile, "role_arn");
        name = sm_aws_profile_get(s->files, s->profile, "role_session_name");
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
