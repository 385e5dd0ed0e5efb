/* SPDX-License-Identifier: Apache-2.0 */
/* Credentials that the machine hands out: to a container, or to an instance (IMDSv2). */
#include "reader/s3/login_parts.h"

#include <string.h>
#include <strings.h>

enum { CONTAINER_MS = 5000, INSTANCE_MS = 1000 };

static bool ask(const char *method, const struct sm_str *url, const char *headers,
                int64_t timeout_ms, struct sm_str *body, struct sm_err *err)
{
    struct sm_http_request r = {
        .method = method, .url = sm_str_text(url), .headers = headers, .timeout_ms = timeout_ms};
    return sm_login_ask(&r, body, err);
}

enum sm_login_result sm_login_of_container(const struct sm_login_search *s, struct sm_err *err)
{
    const char *relative = sm_login_env("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
    const char *full = sm_login_env("AWS_CONTAINER_CREDENTIALS_FULL_URI");
    const char *file = sm_login_env("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
    const char *token = sm_login_env("AWS_CONTAINER_AUTHORIZATION_TOKEN");
    if (!relative && !full)
        return SM_LOGIN_NONE;
    struct sm_str url = {0}, headers = {0}, body = {0}, read = {0};
    sm_str_printf(&url, "%s%s", relative ? "http://169.254.170.2" : "", relative ? relative : full);
    bool ok = !file || sm_login_read_file(file, &read, err);
    token = file ? sm_str_text(&read) : token;
    if (ok && token)
        sm_str_printf(&headers, "Authorization: %s\n", token);
    ok = ok && ask("GET", &url, sm_str_text(&headers), CONTAINER_MS, &body, err) &&
         sm_login_from_json(s->login, sm_str_text(&body), body.len, err);
    if (ok)
        sm_str_add(&s->login->from, "the container");
    else
        sm_err_prefix(err, "credentials of the container");
    sm_str_clear(&url);
    sm_str_clear(&headers);
    sm_str_clear(&body);
    sm_str_clear(&read);
    return ok ? SM_LOGIN_FOUND : SM_LOGIN_FAILED;
}

/* The first line of an answer. */
static void keep_line(struct sm_str *s)
{
    sm_str_truncate(s, strcspn(sm_str_text(s), "\r\n"));
}

/* A machine that is no instance has nothing at this address: no error. */
enum sm_login_result sm_login_of_instance(const struct sm_login_search *s, struct sm_err *err)
{
    static const char path[] = "/latest/meta-data/iam/security-credentials/";
    const char *off = sm_login_env("AWS_EC2_METADATA_DISABLED");
    const char *where = sm_login_env("AWS_EC2_METADATA_SERVICE_ENDPOINT");
    if (off && strcasecmp(off, "true") == 0)
        return SM_LOGIN_NONE;
    struct sm_str base = {0}, url = {0}, token = {0}, headers = {0}, role = {0}, body = {0};
    const char *mode = sm_login_env("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE");
    bool six = mode && strcasecmp(mode, "IPv6") == 0;
    sm_str_add(&base, where ? where : six ? "http://[fd00:ec2::254]" : "http://169.254.169.254");
    while (base.len && base.data[base.len - 1] == '/')
        sm_str_truncate(&base, base.len - 1);
    sm_str_printf(&url, "%s/latest/api/token", sm_str_text(&base));
    bool ok = ask("PUT", &url, "X-aws-ec2-metadata-token-ttl-seconds: 21600\n", INSTANCE_MS, &token,
                  NULL);
    if (ok) {
        sm_str_printf(&headers, "X-aws-ec2-metadata-token: %s\n", sm_str_text(&token));
        sm_str_truncate(&url, 0);
        sm_str_printf(&url, "%s%s", sm_str_text(&base), path);
        ok = ask("GET", &url, sm_str_text(&headers), INSTANCE_MS, &role, NULL);
    }
    enum sm_login_result result = SM_LOGIN_NONE;
    if (ok && role.len) {
        keep_line(&role);
        sm_str_add(&url, sm_str_text(&role));
        ok = ask("GET", &url, sm_str_text(&headers), CONTAINER_MS, &body, err) &&
             sm_login_from_json(s->login, sm_str_text(&body), body.len, err);
        result = ok ? SM_LOGIN_FOUND : SM_LOGIN_FAILED;
        if (ok)
            sm_str_printf(&s->login->from, "the instance's role %s", sm_str_text(&role));
        else
            sm_err_prefix(err, "credentials of the instance");
    }
    struct sm_str *const all[] = {&base, &url, &token, &headers, &role, &body};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sm_str_clear(all[i]);
    return result;
}
