/* SPDX-License-Identifier: Apache-2.0 */
/* Credentials that are written down: in the environment, or in a profile; and the process that a
 * profile names, which is not run. */
#include "reader/s3/login_parts.h"

static void set_keys(struct sm_login *l, const char *access, const char *secret, const char *token,
                     const char *from)
{
    sm_str_add(&l->access, access);
    sm_str_add(&l->secret, secret);
    sm_str_add(&l->token, token ? token : "");
    sm_str_add(&l->from, from);
}

enum sm_login_result sm_login_of_environment(const struct sm_login_search *s, struct sm_err *err)
{
    const char *access = sm_login_env("AWS_ACCESS_KEY_ID");
    const char *secret = sm_login_env("AWS_SECRET_ACCESS_KEY");
    if (!access && !secret)
        return SM_LOGIN_NONE;
    if (!access || !secret) {
        sm_err_set(err, SM_ERR_USAGE, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: only %s is set",
                   access ? "the first" : "the second");
        return SM_LOGIN_FAILED;
    }
    set_keys(s->login, access, secret, sm_login_env("AWS_SESSION_TOKEN"), "the environment");
    return SM_LOGIN_FOUND;
}

enum sm_login_result sm_login_of_profile(const struct sm_login_search *s, struct sm_err *err)
{
    const char *access = sm_aws_profile_get(s->files, s->profile, "aws_access_key_id");
    const char *secret = sm_aws_profile_get(s->files, s->profile, "aws_secret_access_key");
    (void)err;
    if (!access || !secret)
        return SM_LOGIN_NONE;
    struct sm_str from = {0};
    sm_str_printf(&from, "profile %s", s->profile);
    set_keys(s->login, access, secret,
             sm_aws_profile_get(s->files, s->profile, "aws_session_token"), sm_str_text(&from));
    sm_str_clear(&from);
    return SM_LOGIN_FOUND;
}

enum sm_login_result sm_login_of_process(const struct sm_login_search *s, struct sm_err *err)
{
    if (!sm_aws_profile_get(s->files, s->profile, "credential_process"))
        return SM_LOGIN_NONE;
    sm_err_set(err, SM_ERR_USAGE,
               "profile %s: its credential_process is not run, because a debugger starts no "
               "programs; " SM_LOGIN_EXPORT,
               s->profile);
    return SM_LOGIN_FAILED;
}
