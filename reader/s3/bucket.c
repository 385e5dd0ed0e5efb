/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/bucket_parts.h"

#include "reader/base/mem.h"
#include "reader/s3/address.h"
#include "reader/s3/bucket_region.h"
#include "reader/s3/list_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRIES = 5, FIRST_PAUSE_MS = 100, PAGE_LIMIT = 16 << 20 };

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

void sm_bucket_add_server(struct sm_bucket *b, struct sm_str *out)
{
    pthread_mutex_lock(&b->lock);
    sm_str_add(out, sm_str_text(&b->login.endpoint));
    pthread_mutex_unlock(&b->lock);
}

void sm_bucket_take_login(struct sm_bucket *b, const struct sm_login *fresh)
{
    struct sm_str region = {0};
    sm_login_clear(&b->login);
    b->login = *fresh;
    if (sm_bucket_region_find(b->name, &region)) {
        sm_str_clear(&b->login.region);
        b->login.region = region;
    }
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
        sm_str_addn(host, end + 3, strcspn(end + 3, "/"));
    else
        sm_str_printf(host, "s3.%s.%s", sm_str_text(&l->region),
                      sm_login_domain(sm_str_text(&l->region)));
}

/* The path of a server that is below one: "/s3" of https://host/s3. */
static void add_root(const struct sm_bucket *b, struct sm_str *path)
{
    const char *end = strstr(sm_str_text(&b->login.endpoint), "://");
    const char *slash = end ? strchr(end + 3, '/') : NULL;
    sm_str_add(path, slash ? slash : "");
}

/* With the lock. */
static void sign(const struct sm_bucket *b, const struct sm_bucket_ask *a,
                 const struct sm_str *host, const struct sm_str *path, struct sm_str *headers)
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

static struct sm_http_call *send_ask(const struct sm_bucket_ask *a, struct sm_err *err)
{
    struct sm_http *h = sm_http_shared(err);
    struct sm_bucket *b = a->bucket;
    struct sm_str url = {0}, host = {0}, path = {0}, headers = {0};
    if (!h)
        return NULL;
    pthread_mutex_lock(&b->lock);
    make_host(b, &url, &host);
    add_root(b, &path);
    if (in_path(b))
        sm_str_printf(&path, "/%s", b->name);
    if (*a->path_key || !in_path(b))
        sm_str_addc(&path, '/');
    sm_sigv4_encode(&path, a->path_key, true);
    sign(b, a, &host, &path, &headers);
    pthread_mutex_unlock(&b->lock);
    sm_str_printf(&url, "://%s%s%s%s", sm_str_text(&host), sm_str_text(&path), *a->query ? "?" : "",
                  a->query);
    struct sm_http_request r = {.purpose = *a->path_key ? SM_HTTP_OBJECT : SM_HTTP_LIST,
                                .method = "GET",
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

/* ---- retries ---- */

enum verdict { VERDICT_GOOD, VERDICT_AGAIN, VERDICT_NOW, VERDICT_BAD };

static bool is_short(const struct sm_bucket_ask *a, const struct sm_http_answer *answer)
{
    uint64_t from = a->n ? a->offset : 0;
    uint64_t want = answer->total > from ? answer->total - from : 0;
    return answer->body.len < (a->n && a->n < want ? a->n : want);
}

static enum verdict judge(const struct sm_bucket_ask *a, struct sm_http_answer *answer,
                          struct sm_err *err)
{
    if (answer->status == 200 || answer->status == 206) {
        if (*a->path_key && answer->total && is_short(a, answer)) {
            sm_err_set(err, SM_ERR_IO, "s3://%s%s: the answer ended early", a->bucket->name,
                       a->place);
            return VERDICT_AGAIN;
        }
        return VERDICT_GOOD;
    }
    if (answer->status == 416) { /* behind the end */
        sm_str_truncate(&answer->body, 0);
        return VERDICT_GOOD;
    }
    enum sm_refusal why = sm_bucket_refused(a, answer, err);
    return why == SM_REFUSAL_LEARNT ? VERDICT_NOW
           : why == SM_REFUSAL_BUSY ? VERDICT_AGAIN
                                    : VERDICT_BAD;
}

/* False: cancelled. */
static bool pause_before(int try, int64_t retry_after_s)
{
    static _Thread_local unsigned seed;
    if (!seed)
        seed = (unsigned)time(NULL) ^ (unsigned)(uintptr_t)&seed;
    return sm_http_sleep(retry_after_s ? retry_after_s * 1000
                                       : ((int64_t)FIRST_PAUSE_MS << try) *
                                             (512 + rand_r(&seed) % 512) / 1024);
}

static bool is_worth_a_try(const struct sm_err *err)
{
    return !err || (err->code != SM_ERR_LIMIT && err->code != SM_ERR_MEMORY &&
                    err->code != SM_ERR_CANCELLED && err->code != SM_ERR_REFUSED);
}

/* With the lock. */
static bool is_ready(const struct sm_bucket *b)
{
    return b->logged_in && !sm_login_is_stale(&b->login, (int64_t)time(NULL));
}

bool sm_bucket_is_ready(struct sm_bucket *b)
{
    pthread_mutex_lock(&b->lock);
    bool ready = is_ready(b);
    pthread_mutex_unlock(&b->lock);
    return ready;
}

/* With the lock. Other servers than Amazon's may have names that Amazon's have not. */
static bool may_exist(const struct sm_bucket *b, const char *place, struct sm_err *err)
{
    return !b->logged_in || b->login.endpoint.len || sm_s3_is_bucket_name(b->name) ||
           sm_err_set(err, SM_ERR_USAGE,
                      "s3://%s%s: %s is not a valid name of a bucket: 3 to 63 of a-z, 0-9, '.' and "
                      "'-', with a letter or a number at both ends",
                      b->name, place, b->name);
}

/* Finds the login at the first request, and again before it expires. place: as of sm_bucket_ask. */
static bool log_in(struct sm_bucket *b, const char *place, struct sm_err *err)
{
    struct sm_login fresh;
    bool ok = true;
    pthread_mutex_lock(&b->lock);
    if (!is_ready(b)) {
        bool found = sm_login_find(&fresh, err);
        if (found) {
            sm_bucket_take_login(b, &fresh);
            b->logged_in = true;
        } else {
            sm_login_clear(&fresh);
            sm_err_prefix(err, "s3://%s%s", b->name, place);
        }
        ok = found || b->logged_in;
    }
    ok = ok && may_exist(b, place, err);
    pthread_mutex_unlock(&b->lock);
    return ok;
}

/* call: the first try, on its way. */
static bool finish_ask(const struct sm_bucket_ask *a, struct sm_http_call *call,
                       struct sm_http_answer *out, struct sm_err *err)
{
    for (int try = 0, learnt = 0;; try++) {
        int64_t retry_after_s = 0;
        bool answered = call && sm_http_wait(call, out, err);
        enum verdict v = answered ? judge(a, out, err) : VERDICT_AGAIN;
        if (v == VERDICT_GOOD)
            return true;
        if (!answered)
            sm_err_prefix(err, "s3://%s%s", a->bucket->name, a->place);
        retry_after_s = out->retry_after_s;
        sm_http_answer_clear(out);
        if (v == VERDICT_BAD || try == TRIES || (v == VERDICT_NOW && ++learnt > 2) ||
            !is_worth_a_try(err) || (v == VERDICT_AGAIN && !pause_before(try, retry_after_s)))
            return false;
        call = send_ask(a, err);
    }
}

/* ---- objects ---- */

struct sm_bucket_get {
    struct sm_bucket_ask ask;
    struct sm_http_call *call;
    char *place, *etag; /* the key is place + 1 */
};

static void free_get(struct sm_bucket_get *g)
{
    sm_free(g->place);
    sm_free(g->etag);
    sm_free(g);
}

struct sm_bucket_get *sm_bucket_get_start(struct sm_bucket *b, const char *key, uint64_t offset,
                                          uint64_t n, const char *etag, struct sm_err *err)
{
    struct sm_bucket_get *g = sm_alloc_zero(1, sizeof *g);
    struct sm_str place = {0};
    sm_str_printf(&place, "/%s", key);
    if (g && !place.failed)
        g->place = sm_strdup(sm_str_text(&place));
    sm_str_clear(&place);
    if (!g || !g->place || (etag && !(g->etag = sm_strdup(etag)))) {
        if (g)
            free_get(g);
        sm_err_set(err, SM_ERR_MEMORY, "out of memory");
        return NULL;
    }
    if (!log_in(b, g->place, err)) {
        free_get(g);
        return NULL;
    }
    g->ask = (struct sm_bucket_ask){.bucket = b,
                                    .path_key = g->place + 1,
                                    .place = g->place,
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

bool sm_bucket_get_is_answered(const struct sm_bucket_get *g)
{
    return sm_http_has_ended(g->call);
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

/* What messages name: the folder that is listed. */
static void add_place(const char *prefix, struct sm_str *out)
{
    size_t n = strlen(prefix);
    while (n && prefix[n - 1] == '/')
        n--;
    sm_str_add(out, n ? "/" : "");
    sm_str_addn(out, prefix, n);
}

static bool list_page(struct sm_bucket *b, const char *prefix,
                      struct sm_sigv4_parameter *parameters, size_t n, struct sm_list_page *p,
                      struct sm_err *err)
{
    struct sm_str query = {0}, place = {0};
    struct sm_http_answer answer = {0};
    sm_sigv4_query(&query, parameters, n);
    add_place(prefix, &place);
    struct sm_bucket_ask a = {.bucket = b,
                              .path_key = "",
                              .place = sm_str_text(&place),
                              .query = sm_str_text(&query),
                              .limit = PAGE_LIMIT};
    bool ok = log_in(b, a.place, err) && finish_ask(&a, send_ask(&a, err), &answer, err);
    ok = ok && (sm_list_page_read(p, sm_str_text(&answer.body), answer.body.len, err) ||
                sm_err_prefix(err, "s3://%s%s: its list", b->name, a.place));
    sm_str_clear(&query);
    sm_str_clear(&place);
    sm_http_answer_clear(&answer);
    return ok;
}

/* token: of the page before; "" for the first one. */
static bool list_from(struct sm_bucket *b, const char *prefix, const char *delimiter,
                      const char *after, const char *token, struct sm_list_page *p,
                      struct sm_err *err)
{
    struct sm_sigv4_parameter q[8] = {
        {"list-type", "2"}, {"prefix", prefix}, {"encoding-type", "url"}};
    size_t n = 3;
    if (delimiter)
        q[n++] = (struct sm_sigv4_parameter){"delimiter", delimiter};
    if (*token)
        q[n++] = (struct sm_sigv4_parameter){"continuation-token", token};
    else if (after)
        q[n++] = (struct sm_sigv4_parameter){"start-after", after};
    return list_page(b, prefix, q, n, p, err);
}

bool sm_bucket_list(struct sm_bucket *b, const char *prefix, const char *delimiter,
                    const char *after, sm_object_each *each, void *ctx, struct sm_err *err)
{
    struct sm_list_page p = {.each = each, .ctx = ctx};
    struct sm_str token = {0};
    bool ok;
    do {
        ok = list_from(b, prefix, delimiter, after, sm_str_text(&token), &p, err);
        sm_str_truncate(&token, 0);
        sm_str_add(&token, sm_str_text(&p.token));
    } while (ok && !p.stopped && token.len);
    sm_str_clear(&token);
    sm_list_page_clear(&p);
    return ok;
}

bool sm_bucket_list_page(struct sm_bucket *b, const char *prefix, const char *after,
                         sm_object_each *each, void *ctx, bool *more, struct sm_err *err)
{
    struct sm_list_page p = {.each = each, .ctx = ctx};
    bool ok = list_from(b, prefix, NULL, after, "", &p, err);
    *more = p.token.len;
    sm_list_page_clear(&p);
    return ok;
}
