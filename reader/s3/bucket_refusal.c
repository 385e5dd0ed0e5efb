/* SPDX-License-Identifier: Apache-2.0 */
/* Answers of S3 that say no: what is wrong, and whether it is worth another request. */
#include "reader/s3/bucket_parts.h"

#include "reader/s3/bucket_region.h"
#include "reader/s3/xml_text.h"

#include <string.h>
#include <time.h>

struct refusal {
    struct sm_str code, message, region, endpoint;
};
static bool take_refusal(void *ctx, const char *path, const char *text, struct sm_err *err)
{
    struct refusal *r = ctx;
    (void)err;
    if (strcmp(path, "Error/Code") == 0)
        sm_str_add(&r->code, text);
    else if (strcmp(path, "Error/Message") == 0)
        sm_str_add(&r->message, text);
    else if (strcmp(path, "Error/Region") == 0)
        sm_str_add(&r->region, text);
    else if (strcmp(path, "Error/Endpoint") == 0)
        sm_str_add(&r->endpoint, text);
    return true;
}

static bool is_code(const struct refusal *r, const char *code)
{
    return strcmp(sm_str_text(&r->code), code) == 0;
}

/* The region that the server expects: its own element or header, or in the text of the message. */
static bool other_region(const struct sm_bucket *b, const struct sm_http_answer *a,
                         const struct refusal *r, struct sm_str *out)
{
    static const char expecting[] = "expecting '";
    const char *at = strstr(sm_str_text(&r->message), expecting);
    if (r->region.len)
        sm_str_add(out, sm_str_text(&r->region));
    else if (a->region.len)
        sm_str_add(out, sm_str_text(&a->region));
    else if (at && (at += sizeof expecting - 1))
        sm_str_addn(out, at, strcspn(at, "'"));
    return out->len && strcmp(sm_str_text(out), sm_str_text(&b->login.region)) != 0;
}

/* Sets the login right after a refusal that says how; true if it is worth another request. */
static bool learn(struct sm_bucket *b, const struct sm_http_answer *a, const struct refusal *r)
{
    struct sm_str region = {0};
    bool learnt = false;
    pthread_mutex_lock(&b->lock);
    if ((a->status == 301 || a->status == 307 || is_code(r, "AuthorizationHeaderMalformed") ||
         is_code(r, "PermanentRedirect") || is_code(r, "IllegalLocationConstraintException")) &&
        other_region(b, a, r, &region)) {
        sm_str_truncate(&b->login.region, 0);
        sm_str_add(&b->login.region, sm_str_text(&region));
        sm_bucket_region_note((struct sm_text){b->name, strlen(b->name)},
                              (struct sm_text){sm_str_text(&region), region.len});
        learnt = true;
    } else if (is_code(r, "RequestTimeTooSkewed") && a->server_s && !b->skew_s) {
        b->skew_s = a->server_s - (int64_t)time(NULL);
        learnt = true;
    } else if (is_code(r, "ExpiredToken") || is_code(r, "ExpiredTokenException")) {
        struct sm_login fresh;
        learnt = sm_login_renew(&fresh, sm_str_text(&b->login.token));
        if (learnt)
            sm_bucket_take_login(b, &fresh);
    }
    pthread_mutex_unlock(&b->lock);
    sm_str_clear(&region);
    return learnt;
}

/* With the lock. Which permission a request needs that was denied. */
static bool say_permission(const struct sm_bucket_ask *a, struct sm_err *err)
{
    const char *from = sm_str_text(&a->bucket->login.from);
    if (*a->path_key)
        return sm_err_set(err, SM_ERR_IO,
                          "s3://%s%s: AccessDenied: reading it needs the permission s3:GetObject "
                          "(as %s)",
                          a->bucket->name, a->place, from);
    return sm_err_set(err, SM_ERR_IO,
                      "s3://%s%s: AccessDenied: listing the bucket needs the permission "
                      "s3:ListBucket (as %s)",
                      a->bucket->name, a->place, from);
}

/* Where a redirect leads that is not followed, because the credentials are not for that server. */
static bool say_redirect(const struct sm_bucket_ask *a, const struct sm_http_answer *answer,
                         const struct refusal *r, struct sm_err *err)
{
    const struct sm_str *to = r->endpoint.len ? &r->endpoint : &answer->location;
    return sm_err_set(err, SM_ERR_IO,
                      "s3://%s%s: redirected to %.120s (status %d, %s): not followed; set "
                      "AWS_ENDPOINT_URL_S3 or AWS_REGION",
                      a->bucket->name, a->place,
                      to->len ? sm_str_text(to) : "a place that is not named", answer->status,
                      r->code.len ? sm_str_text(&r->code) : "no reason given");
}

/* With the lock. */
static bool say_refusal(const struct sm_bucket_ask *a, const struct sm_http_answer *answer,
                        const struct refusal *r, struct sm_err *err)
{
    const struct sm_bucket *b = a->bucket;
    const char *code = r->code.len ? sm_str_text(&r->code) : "no reason given";
    enum sm_err_code kind = answer->status == 404 ? SM_ERR_MISSING : SM_ERR_IO;
    if (answer->status == 404 && is_code(r, "NoSuchBucket"))
        return sm_err_set(err, SM_ERR_IO, "s3://%s%s: there is no such bucket at %s", b->name,
                          a->place,
                          b->login.endpoint.len ? sm_str_text(&b->login.endpoint) : "AWS");
    if (answer->status == 404)
        return sm_err_set(err, kind, "s3://%s%s: no such object", b->name, a->place);
    if (answer->status == 412)
        return sm_err_set(err, SM_ERR_DATA, "s3://%s%s: it has changed meanwhile", b->name,
                          a->place);
    if (is_code(r, "RequestTimeTooSkewed"))
        return sm_err_set(err, kind, "s3://%s%s: the clock of this machine is wrong: %s", b->name,
                          a->place, code);
    if (answer->status == 403 && is_code(r, "AccessDenied"))
        return say_permission(a, err);
    if (answer->status >= 300 && answer->status < 400)
        return say_redirect(a, answer, r, err);
    if (answer->status == 403 || answer->status == 400)
        return sm_err_set(err, kind, "s3://%s%s: %s (as %s): %.100s", b->name, a->place, code,
                          sm_str_text(&b->login.from), sm_str_text(&r->message));
    return sm_err_set(err, kind, "s3://%s%s: status %d: %s", b->name, a->place, answer->status,
                      code);
}

enum sm_refusal sm_bucket_refused(const struct sm_bucket_ask *a,
                                  const struct sm_http_answer *answer, struct sm_err *err)
{
    struct refusal r = {0};
    sm_xml_read(sm_str_text(&answer->body), answer->body.len, take_refusal, &r, NULL);
    pthread_mutex_lock(&a->bucket->lock);
    say_refusal(a, answer, &r, err);
    pthread_mutex_unlock(&a->bucket->lock);
    enum sm_refusal why = SM_REFUSAL_FINAL;
    if (learn(a->bucket, answer, &r))
        why = SM_REFUSAL_LEARNT;
    else if (answer->status == 429 || answer->status >= 500 || is_code(&r, "RequestTimeout") ||
             is_code(&r, "SlowDown"))
        why = SM_REFUSAL_BUSY;
    sm_str_clear(&r.code);
    sm_str_clear(&r.message);
    sm_str_clear(&r.region);
    sm_str_clear(&r.endpoint);
    return why;
}
