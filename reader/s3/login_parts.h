/* SPDX-License-Identifier: Apache-2.0 */
/* The sources of credentials, one function each; only for login*.c.
 *
 * Each returns SM_LOGIN_NONE if it is not configured, SM_LOGIN_FOUND with access, secret, token,
 * from and expires_s set, or SM_LOGIN_FAILED with *err. */
#ifndef SM_LOGIN_PARTS_H
#define SM_LOGIN_PARTS_H

#include "reader/s3/aws_files.h"
#include "reader/s3/http.h"
#include "reader/s3/login.h"

enum sm_login_result { SM_LOGIN_NONE, SM_LOGIN_FOUND, SM_LOGIN_FAILED };

struct sm_login_search {
    struct sm_login *login;
    const struct sm_aws_files *files;
    const char *profile;
    int roles; /* that are to be taken with what is found; not 0: no variables, only the profile */
};
typedef enum sm_login_result sm_login_source(const struct sm_login_search *s, struct sm_err *err);

sm_login_source sm_login_of_environment, sm_login_of_profile, sm_login_of_process; /* login_keys.c
                                                                                    */
sm_login_source sm_login_of_role, sm_login_of_web_identity;  /* login_role.c */
sm_login_source sm_login_of_sso;                             /* login_sso.c */
sm_login_source sm_login_of_container, sm_login_of_instance; /* login_machine.c */

/* Appends the token of the login at a start URL, renewed if it has ended (login_sso_token.c). */
bool sm_login_sso_token(const struct sm_login_search *s, const char *start_url, const char *region,
                        struct sm_str *token, struct sm_err *err);

/* What a message says of a login that this program cannot do. */
#define SM_LOGIN_EXPORT "set the variables that \"aws configure export-credentials\" prints"

/* Appends the address of a service ("S3", "STS", "SSO", "SSO_OIDC") if it is another than AWS's,
 * without '/' at its end: AWS_ENDPOINT_URL_SERVICE, AWS_ENDPOINT_URL, the profile's section of
 * services and its endpoint_url. False: there is none (login_endpoint.c). */
bool sm_login_endpoint(const struct sm_aws_files *f, const char *profile, const char *service,
                       struct sm_str *out);

/* What these share (login_json.c). */
/* Sets the texts of l from a JSON object; names as containers, instances and SSO have them. */
bool sm_login_from_json(struct sm_login *l, const char *json, size_t n, struct sm_err *err);
/* Appends the text of the first member of this name, at any depth. False: there is none. */
bool sm_login_json_text(const char *json, size_t n, const char *name, struct sm_str *out);
/* Seconds since 1970 of "2026-11-23T20:00:00Z" or of milliseconds as a number; 0: neither. */
int64_t sm_login_time(const char *text);
/* A whole file of at most 1 MiB, without blanks at its end. */
bool sm_login_read_file(const char *path, struct sm_str *out, struct sm_err *err);
/* Appends the answer's body; an answer other than 200 is an error that says its text. */
bool sm_login_ask(const struct sm_http_request *r, struct sm_str *body, struct sm_err *err);
const char *sm_login_env(const char *name); /* NULL if empty */

#endif
