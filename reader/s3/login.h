/* SPDX-License-Identifier: Apache-2.0 */
/* Whom requests to S3 are made as, and where they go: region, endpoint and credentials as the
 * variables of the environment and the files of AWS's command line have them.
 *
 * Credentials are looked for in this order, as AWS's SDKs do: AWS_ACCESS_KEY_ID and its fellows;
 * the profile's role with a source_profile, which may have a role itself, or a credential_source; a
 * web identity (AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN, or of the profile); the profile's keys;
 * its SSO login, from the cache that `aws sso login` wrote, and renewed there as
 * AWS CLI does; the container's
 * (AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or FULL_URI); the instance's (IMDSv2). None: requests are
 * not signed, which is enough for a public bucket. A credential_process is not run: an error says
 * so. */
#ifndef SM_LOGIN_H
#define SM_LOGIN_H

#include "reader/base/err.h"
#include "reader/base/str.h"
#include "reader/s3/sigv4.h"

#include <stdint.h>

struct sm_login {
    struct sm_str access, secret, token; /* all empty: not signed */
    struct sm_str region;                /* "us-east-1" if nothing says another */
    struct sm_str endpoint;              /* "https://host[:port]" without a slash, or empty: AWS */
    struct sm_str from;                  /* where the credentials are from, for messages */
    int64_t expires_s;                   /* since 1970; 0: never */
    bool path_style;                     /* https://host/bucket/key, not https://bucket.host/key */
};

/* A copy of the one login of the process, which is looked for when it is first needed and before it
 * expires. May take seconds: for a worker. False: what the user asked for cannot be had (a profile
 * that does not exist, an expired SSO login, a refused role), with the reason. */
bool sm_login_find(struct sm_login *l, struct sm_err *err);
/* The same after a server has said that this token is not valid any more. False: there is no other.
 */
bool sm_login_renew(struct sm_login *l, const char *refused_token);
/* Writes no file from now on, in the whole process: --readonly. */
void sm_login_keep_nothing(void);
void sm_login_clear(struct sm_login *l);
struct sm_sigv4_key sm_login_key(const struct sm_login *l); /* borrowed from l */
/* Whether they expire within five minutes. */
bool sm_login_is_stale(const struct sm_login *l, int64_t now_s);
const char *sm_login_domain(const char *region); /* of AWS's hosts in a region */

#endif
