/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/bucket.h"

#include "reader/base/mem.h"
#include "reader/s3/login.h"
#include "reader/s3/xml_text.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIES = 5, FIRST_PAUSE_MS = 100, SKEW_S = 900, PAGE_LIMIT = 16 << 20 };

struct sm_bucket {
    char *name;
    pthread_mutex_t lock; /* guards login and skew_s */
    struct sm_login login;
    bool logged_in;
    int64_t skew_s; /* the server's clock less ours, once it has refused a time */
};

/* What is asked for; kept for retries. */
struct ask {
    struct sm_bucket *bucket;
    const char *path_key; /* "" for the bucket itself */
    const char *query;    /* encoded */
    uint64_t offset, n;
    const char *etag;
    size_t limit;
};

struct sm_bucket *sm_bucket_new(const char *name, struct sm_err *err)
{
    struct sm_bucket *b = sm_alloc_zero(1, sizeof *b);
    if (!b || !(b->name = sm_strdup(name))) {
        sm_free(b);
        sm_err_set(err, SM_ERR_MEMORY, "out of memory");
        return NULL;
    }
    pthread_mutex_init(&b->lock, NULL);
    return b;
}

void sm_bucket_free(struct sm_bucket *b)
{
    if (!b)
        return;
    sm_login_clear(&b->login);
    pthread_mutex_destroy(&b->lock);
    sm_free(b->name);
    sm_free(b);
}

const char *sm_bucket_login(struct sm_bucket *b)
{
    return sm_str_text(&b->login.from);
}

/* ---- one request ---- */

/* A name with a dot cannot be part of a host's name with TLS: the certificate is for one level. */
static bool in_path(const struct sm_bucket *b)
{
    return b->login.path_style || strchr(b->name, '.');
}

static void make_host(const struct sm_bucket *b, struct sm_str *scheme, struct sm_str *host)
{
    const struct sm_login *l = &b->login;
    const char *end = l->endpoint.len ? strstr(sm_str_text(&l->endpoint), "://") : NULL;
    if (end)
        sm_str_addn(scheme, sm_str_text(&l->endpoint), (size_t)(end - sm_str_text(&l->endpoint)));
    else
        sm_str_add(scheme, "https");
    if (!in_path(b))
        sm_str_printf(host, "%s.", b->name);
    if (end)
        sm_str_add(host, end + 3);
    else
        sm_str_printf(host, "s3.%s.amazonaws.com", sm_str_text(&l->region));
}

/* With the lock. */
static void sign(const struct sm_bucket *b, const struct ask *a, const struct sm_str *host,
                 const struct sm_str *path, struct sm_str *headers)
{
    struct sm_sigv4_request r = {.method = "GET",
                                 .host = sm_str_text(host),
                                 .path = sm_str_text(path),
                                 .query = a->query,
                                 .region = sm_str_text(&b->login.region),
                                 .service = "s3",
                                 .time_s = (int64_t)time(NULL) + b->skew_s};
    struct sm_sigv4_key key = sm_login_key(&b->login);
    if (b->login.access.len)
        sm_sigv4_sign(headers, &r, &key);
    if (a->etag)
        sm_str_printf(headers, "If-Match: %s\n", a->etag);
}

static struct sm_http_call *send_ask(const struct ask *a, struct sm_err *err)
{
    struct sm_http *h = sm_http_shared(err);
    struct sm_bucket *b = a->bucket;
    struct sm_str url = {0}, host = {0}, path = {0}, headers = {0};
    if (!h)
        return NULL;
    pthread_mutex_lock(&b->lock);
    make_host(b, &url, &host);
    if (in_path(b))
        sm_str_printf(&path, "/%s", b->name);
    if (*a->path_key || !in_path(b))
        sm_str_addc(&path, '/');
    sm_sigv4_encode(&path, a->path_key, true);
    sign(b, a, &host, &path, &headers);
    pthread_mutex_unlock(&b->lock);
    sm_str_printf(&url, "://%s%s%s%s", sm_str_text(&host), sm_str_text(&path), *a->query ? "?" : "",
                  a->query);
    struct sm_http_request r = {.method = "GET",
                                .url = sm_str_text(&url),
                                .headers = sm_str_text(&headers),
                                .offset = a->offset,
                                .n = a->n,
                                .limit = a->limit};
    struct sm_http_call *call = sm_http_start(h, &r, err);
    sm_str_clear(&url);
    sm_str_clear(&host);
    sm_str_clear(&path);
    sm_str_clear(&headers);
    return call;
}

/* ---- answers that say no ---- */

struct refusal {
    struct sm_str code, message, region;
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
        learnt = true;
    } else if (is_code(r, "RequestTimeTooSkewed") && a->server_s && !b->skew_s) {
        b->skew_s = a->server_s - (int64_t)time(NULL);
        learnt = true;
    } else if (is_code(r, "ExpiredToken") || is_code(r, "ExpiredTokenException")) {
        struct sm_login fresh;
        learnt = sm_login_renew(&fresh, sm_str_text(&b->login.token));
        if (learnt) {
            sm_login_clear(&b->login);
            b->login = fresh;
        }
    }
    pthread_mutex_unlock(&b->lock);
    sm_str_clear(&region);
    return learnt;
}

/* Which permission a request needs. */
static const char *permission(const struct ask *a)
{
    return *a->path_key ? "s3:GetObject" : "s3:ListBucket";
}

static bool say_refusal(const struct ask *a, const struct sm_http_answer *answer,
                        const struct refusal *r, struct sm_err *err)
{
    const struct sm_bucket *b = a->bucket;
    const char *code = r->code.len ? sm_str_text(&r->code) : "no reason given";
    const char *slash = *a->path_key ? "/" : "";
    enum sm_err_code kind = answer->status == 404 ? SM_ERR_MISSING : SM_ERR_IO;
    if (answer->status == 404 && is_code(r, "NoSuchBucket"))
        return sm_err_set(err, kind, "s3://%s: there is no such bucket at %s", b->name,
                          b->login.endpoint.len ? sm_str_text(&b->login.endpoint) : "AWS");
    if (answer->status == 404)
        return sm_err_set(err, kind, "s3://%s%s%s: no such object", b->name, slash, a->path_key);
    if (answer->status == 412)
        return sm_err_set(err, SM_ERR_DATA, "s3://%s/%s: it has changed meanwhile", b->name,
                          a->path_key);
    if (is_code(r, "RequestTimeTooSkewed"))
        return sm_err_set(err, kind, "s3://%s: the clock of this machine is wrong: %s", b->name,
                          code);
    if (answer->status == 403 && is_code(r, "AccessDenied"))
        return sm_err_set(err, kind,
                          "s3://%s%s%s: %s of this object needs the permission %s (as %s)", b->name,
                          slash, a->path_key, code, permission(a), sm_str_text(&b->login.from));
    if (answer->status == 403 || answer->status == 400)
        return sm_err_set(err, kind, "s3://%s: %s (as %s): %.100s", b->name, code,
                          sm_str_text(&b->login.from), sm_str_text(&r->message));
    return sm_err_set(err, kind, "s3://%s%s%s: status %d: %s", b->name, slash, a->path_key,
                      answer->status, code);
}

/* ---- retries ---- */

enum verdict { VERDICT_GOOD, VERDICT_AGAIN, VERDICT_NOW, VERDICT_BAD };

static bool is_short(const struct ask *a, const struct sm_http_answer *answer)
{
    uint64_t from = a->n ? a->offset : 0;
    uint64_t want = answer->total > from ? answer->total - from : 0;
    return answer->body.len < (a->n && a->n < want ? a->n : want);
}

static enum verdict judge(const struct ask *a, struct sm_http_answer *answer, struct sm_err *err)
{
    if (answer->status == 200 || answer->status == 206) {
        if (*a->path_key && answer->total && is_short(a, answer)) {
            sm_err_set(err, SM_ERR_IO, "s3://%s/%s: the answer ended early", a->bucket->name,
                       a->path_key);
            return VERDICT_AGAIN;
        }
        return VERDICT_GOOD;
    }
    if (answer->status == 416) { /* behind the end */
        sm_str_truncate(&answer->body, 0);
        return VERDICT_GOOD;
    }
    struct refusal r = {0};
    sm_xml_read(sm_str_text(&answer->body), answer->body.len, take_refusal, &r, NULL);
    say_refusal(a, answer, &r, err);
    enum verdict v = VERDICT_BAD;
    if (learn(a->bucket, answer, &r))
        v = VERDICT_NOW;
    else if (answer->status == 429 || answer->status >= 500 || is_code(&r, "RequestTimeout") ||
             is_code(&r, "SlowDown"))
        v = VERDICT_AGAIN;
    sm_str_clear(&r.code);
    sm_str_clear(&r.message);
    sm_str_clear(&r.region);
    return v;
}

static void pause_before(int try, int64_t retry_after_s)
{
    static _Thread_local unsigned seed;
    if (!seed)
        seed = (unsigned)time(NULL) ^ (unsigned)(uintptr_t)&seed;
    int64_t ms = retry_after_s
                     ? retry_after_s * 1000
                     : ((int64_t)FIRST_PAUSE_MS << try) * (512 + rand_r(&seed) % 512) / 1024;
    struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

/* Finds the login at the first request, and again before it expires. */
static bool log_in(struct sm_bucket *b, struct sm_err *err)
{
    struct sm_login fresh;
    bool ok = true;
    pthread_mutex_lock(&b->lock);
    if (!b->logged_in || sm_login_is_stale(&b->login, (int64_t)time(NULL))) {
        bool found = sm_login_find(&fresh, err);
        if (found) {
            sm_login_clear(&b->login);
            b->login = fresh;
            b->logged_in = true;
        } else {
            sm_login_clear(&fresh);
        }
        ok = found || b->logged_in;
    }
    pthread_mutex_unlock(&b->lock);
    return ok;
}

/* call: the first try, on its way. */
static bool finish_ask(const struct ask *a, struct sm_http_call *call, struct sm_http_answer *out,
                       struct sm_err *err)
{
    for (int try = 0, learnt = 0;; try++) {
        int64_t retry_after_s = 0;
        bool answered = call && sm_http_wait(call, out, err);
        enum verdict v = answered ? judge(a, out, err) : VERDICT_AGAIN;
        if (v == VERDICT_GOOD)
            return true;
        if (!answered)
            sm_err_prefix(err, "s3://%s/%s", a->bucket->name, a->path_key);
        retry_after_s = out->retry_after_s;
        sm_http_answer_clear(out);
        if (v == VERDICT_BAD || try == TRIES || (v == VERDICT_NOW && ++learnt > 2) ||
            (err && (err->code == SM_ERR_LIMIT || err->code == SM_ERR_MEMORY)))
            return false;
        if (v == VERDICT_AGAIN)
            pause_before(try, retry_after_s);
        call = send_ask(a, err);
    }
}

/* ---- objects ---- */

struct sm_bucket_get {
    struct ask ask;
    struct sm_http_call *call;
    char *key, *etag;
};

static void free_get(struct sm_bucket_get *g)
{
    sm_free(g->key);
    sm_free(g->etag);
    sm_free(g);
}

struct sm_bucket_get *sm_bucket_get_start(struct sm_bucket *b, const char *key, uint64_t offset,
                                          uint64_t n, const char *etag, struct sm_err *err)
{
    struct sm_bucket_get *g = sm_alloc_zero(1, sizeof *g);
    if (!g || !(g->key = sm_strdup(key)) || (etag && !(g->etag = sm_strdup(etag)))) {
        if (g)
            free_get(g);
        sm_err_set(err, SM_ERR_MEMORY, "out of memory");
        return NULL;
    }
    if (!log_in(b, err)) {
        free_get(g);
        return NULL;
    }
    g->ask = (struct ask){.bucket = b,
                          .path_key = g->key,
                          .query = "",
                          .offset = offset,
                          .n = n,
                          .etag = g->etag,
                          .limit = n ? n : 0};
    g->call = send_ask(&g->ask, err);
    if (g->call)
        return g;
    free_get(g);
    return NULL;
}

bool sm_bucket_get_finish(struct sm_bucket_get *g, struct sm_http_answer *out, struct sm_err *err)
{
    bool ok = finish_ask(&g->ask, g->call, out, err);
    free_get(g);
    return ok;
}

void sm_bucket_get_drop(struct sm_bucket_get *g)
{
    sm_http_drop(g->call);
    free_get(g);
}

bool sm_bucket_get(struct sm_bucket *b, const char *key, uint64_t offset, uint64_t n,
                   const char *etag, struct sm_http_answer *out, struct sm_err *err)
{
    struct sm_bucket_get *g = sm_bucket_get_start(b, key, offset, n, etag, err);
    return g && sm_bucket_get_finish(g, out, err);
}

/* ---- lists ---- */

struct page {
    sm_object_each *each;
    void *ctx;
    struct sm_str key, etag, token;
    uint64_t size_bytes;
    int64_t modified_us;
    bool stopped;
};

static int64_t time_of(const char *text)
{
    struct tm tm = {0};
    const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
    if (!rest)
        return 0;
    int64_t us = (int64_t)timegm(&tm) * 1000000;
    return *rest == '.' ? us + (int64_t)(strtod(rest, NULL) * 1e6) : us;
}

static bool end_object(struct page *p, const char *key, bool is_prefix)
{
    struct sm_object o = {.key = key,
                          .is_prefix = is_prefix,
                          .size_bytes = p->size_bytes,
                          .modified_us = p->modified_us,
                          .etag = sm_str_text(&p->etag)};
    p->stopped = !p->each(p->ctx, &o);
    sm_str_truncate(&p->key, 0);
    sm_str_truncate(&p->etag, 0);
    p->size_bytes = 0;
    p->modified_us = 0;
    return !p->stopped;
}

static bool take_object(void *ctx, const char *path, const char *text, struct sm_err *err)
{
    struct page *p = ctx;
    const char *name = strncmp(path, "ListBucketResult/", 17) == 0 ? path + 17 : "";
    (void)err;
    if (strcmp(name, "Contents/Key") == 0)
        sm_str_add(&p->key, text);
    else if (strcmp(name, "Contents/Size") == 0)
        p->size_bytes = strtoull(text, NULL, 10);
    else if (strcmp(name, "Contents/ETag") == 0)
        sm_str_add(&p->etag, text);
    else if (strcmp(name, "Contents/LastModified") == 0)
        p->modified_us = time_of(text);
    else if (strcmp(name, "Contents") == 0)
        return end_object(p, sm_str_text(&p->key), false);
    else if (strcmp(name, "CommonPrefixes/Prefix") == 0)
        return end_object(p, text, true);
    else if (strcmp(name, "NextContinuationToken") == 0)
        sm_str_add(&p->token, text);
    return true;
}

static bool list_page(struct sm_bucket *b, struct sm_sigv4_parameter *parameters, size_t n,
                      struct page *p, struct sm_err *err)
{
    struct sm_str query = {0};
    struct sm_http_answer answer = {0};
    sm_sigv4_query(&query, parameters, n);
    struct ask a = {.bucket = b, .path_key = "", .query = sm_str_text(&query), .limit = PAGE_LIMIT};
    sm_str_truncate(&p->token, 0);
    bool ok = log_in(b, err) && finish_ask(&a, send_ask(&a, err), &answer, err);
    ok = ok && (sm_xml_read(sm_str_text(&answer.body), answer.body.len, take_object, p, err) ||
                p->stopped || sm_err_prefix(err, "s3://%s: its list", b->name));
    sm_str_clear(&query);
    sm_http_answer_clear(&answer);
    return ok;
}

bool sm_bucket_list(struct sm_bucket *b, const char *prefix, const char *delimiter,
                    const char *after, sm_object_each *each, void *ctx, struct sm_err *err)
{
    struct page p = {.each = each, .ctx = ctx};
    struct sm_str token = {0};
    bool ok;
    do {
        struct sm_sigv4_parameter q[8] = {{"list-type", "2"}, {"prefix", prefix}};
        size_t n = 2;
        if (delimiter)
            q[n++] = (struct sm_sigv4_parameter){"delimiter", delimiter};
        if (token.len)
            q[n++] = (struct sm_sigv4_parameter){"continuation-token", sm_str_text(&token)};
        else if (after)
            q[n++] = (struct sm_sigv4_parameter){"start-after", after};
        ok = list_page(b, q, n, &p, err);
        sm_str_truncate(&token, 0);
        sm_str_add(&token, sm_str_text(&p.token));
    } while (ok && !p.stopped && token.len);
    sm_str_clear(&token);
    sm_str_clear(&p.key);
    sm_str_clear(&p.etag);
    sm_str_clear(&p.token);
    return ok;
}
