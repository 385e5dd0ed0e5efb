/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/login.h"

#include "reader/s3/login_parts.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { STALE_S = 300, PAUSE_S = 60 };

static const char *first_of(const char *a, const char *b)
{
    return a ? a : b;
}

/* Another server than AWS has buckets as the first part of the path, unless the user says that they
 * are part of the host's name. */
static void set_place(struct sm_login *l, const struct sm_aws_files *f, const char *profile)
{
    const char *region = first_of(sm_login_env("AWS_REGION"), sm_login_env("AWS_DEFAULT_REGION"));
    const char *style = sm_aws_profile_get(f, profile, "s3.addressing_style");
    region = first_of(region, sm_aws_profile_get(f, profile, "region"));
    sm_str_add(&l->region, region && *region ? region : "us-east-1");
    sm_login_endpoint(f, profile, "S3", &l->endpoint);
    style = first_of(sm_login_env("SMDBG_S3_ADDRESSING"), style);
    l->path_style = style ? strcmp(style, "path") == 0 : l->endpoint.len > 0;
    if (style && strcmp(style, "auto") == 0)
        l->path_style = l->endpoint.len > 0;
}

static enum sm_login_result find_keys(const struct sm_login_search *s, struct sm_err *err)
{
    static sm_login_source *const sources[] = {sm_login_of_environment,  sm_login_of_role,
                                               sm_login_of_web_identity, sm_login_of_profile,
                                               sm_login_of_sso,          sm_login_of_process,
                                               sm_login_of_container,    sm_login_of_instance};
    enum sm_login_result result = SM_LOGIN_NONE;
    for (size_t i = 0; result == SM_LOGIN_NONE && i < sizeof sources / sizeof *sources; i++)
        result = sources[i](s, err);
    return result;
}

static bool say_no_profile(const char *profile, struct sm_err *err)
{
    struct sm_str config = {0}, credentials = {0};
    sm_aws_files_path(SM_AWS_CONFIG, &config);
    sm_aws_files_path(SM_AWS_CREDENTIALS, &credentials);
    sm_err_set(err, SM_ERR_USAGE, "there is no profile %s in %s or %s", profile,
               config.len ? sm_str_text(&config) : "~/.aws/config",
               credentials.len ? sm_str_text(&credentials) : "~/.aws/credentials");
    sm_str_clear(&config);
    sm_str_clear(&credentials);
    return false;
}

static bool find_fresh(struct sm_login *l, struct sm_err *err)
{
    struct sm_aws_files files = {0};
    const char *chosen = first_of(sm_login_env("AWS_PROFILE"), sm_login_env("AWS_DEFAULT_PROFILE"));
    const char *profile = chosen ? chosen : "default";
    const char *unsigned_only = sm_login_env("SMDBG_S3_UNSIGNED");
    *l = (struct sm_login){0};
    bool ok = sm_aws_files_read(&files, err);
    if (ok && chosen && !sm_aws_profile_exists(&files, chosen))
        ok = say_no_profile(chosen, err);
    if (ok) {
        struct sm_login_search s = {l, &files, profile, 0};
        set_place(l, &files, profile);
        ok = (unsigned_only && strcmp(unsigned_only, "0") != 0) ||
             find_keys(&s, err) != SM_LOGIN_FAILED;
    }
    if (ok && !l->from.len)
        sm_str_add(&l->from, "nobody (not signed)");
    sm_aws_files_clear(&files);
    return ok;
}

/* ---- what was found, for all buckets ---- */

static struct {
    pthread_mutex_t lock;
    struct sm_login login;
    bool found;
    int64_t asked_s;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void copy_login(struct sm_login *to, const struct sm_login *from)
{
    *to = (struct sm_login){.expires_s = from->expires_s, .path_style = from->path_style};
    sm_str_add(&to->access, sm_str_text(&from->access));
    sm_str_add(&to->secret, sm_str_text(&from->secret));
    sm_str_add(&to->token, sm_str_text(&from->token));
    sm_str_add(&to->region, sm_str_text(&from->region));
    sm_str_add(&to->endpoint, sm_str_text(&from->endpoint));
    sm_str_add(&to->from, sm_str_text(&from->from));
}

/* With the lock. What still works is kept if nothing better is found. */
static bool look_again(struct sm_err *err)
{
    int64_t now = (int64_t)time(NULL);
    bool works = shared.found && (!shared.login.expires_s || now < shared.login.expires_s);
    struct sm_login fresh;
    shared.asked_s = now;
    if (find_fresh(&fresh, works ? NULL : err)) {
        sm_login_clear(&shared.login);
        shared.login = fresh;
        shared.found = true;
        return true;
    }
    sm_login_clear(&fresh);
    return works;
}

/* Credentials that end soon are asked for again once a minute, those that ended at once. */
static bool is_due(void)
{
    int64_t now = (int64_t)time(NULL), end = shared.login.expires_s;
    return !shared.found || (end && now >= end) ||
           (sm_login_is_stale(&shared.login, now) && now - shared.asked_s >= PAUSE_S);
}

bool sm_login_find(struct sm_login *l, struct sm_err *err)
{
    *l = (struct sm_login){0};
    pthread_mutex_lock(&shared.lock);
    bool ok = !is_due() || look_again(err);
    if (ok)
        copy_login(l, &shared.login);
    pthread_mutex_unlock(&shared.lock);
    return ok;
}

bool sm_login_renew(struct sm_login *l, const char *refused_token)
{
    *l = (struct sm_login){0};
    pthread_mutex_lock(&shared.lock);
    bool same = strcmp(sm_str_text(&shared.login.token), refused_token) == 0;
    bool ok =
        !same || (look_again(NULL) && strcmp(sm_str_text(&shared.login.token), refused_token) != 0);
    if (ok)
        copy_login(l, &shared.login);
    pthread_mutex_unlock(&shared.lock);
    return ok;
}

void sm_login_clear(struct sm_login *l)
{
    if (l->secret.data)
        explicit_bzero(l->secret.data, l->secret.len);
    struct sm_str *const all[] = {&l->access, &l->secret,   &l->token,
                                  &l->region, &l->endpoint, &l->from};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sm_str_clear(all[i]);
    *l = (struct sm_login){0};
}

struct sm_sigv4_key sm_login_key(const struct sm_login *l)
{
    return (struct sm_sigv4_key){.access = sm_str_text(&l->access),
                                 .secret = sm_str_text(&l->secret),
                                 .token = l->token.len ? sm_str_text(&l->token) : NULL};
}

bool sm_login_is_stale(const struct sm_login *l, int64_t now_s)
{
    return l->expires_s && l->expires_s - now_s < STALE_S;
}
