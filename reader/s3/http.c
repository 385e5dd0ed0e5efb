/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/http.h"

#include "reader/base/mem.h"

#include <curl/curl.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    LIMIT = 64 << 20,
    TIMEOUT_MS = 60000,
    CONNECT_MS = 10000,
    SLOW_BYTES = 100, /* a second, for SLOW_S: the server sends nothing any more */
    SLOW_S = 20,
    CONNECTIONS = 64,
    CANCEL_MS = 100, /* how soon a thread that waits sees that it is cancelled */
    IDLE_MS = 60000
};

struct sm_http_call {
    CURL *curl;
    struct curl_slist *headers;
    struct sm_http_answer answer;
    size_t limit;
    char error[CURL_ERROR_SIZE];
    CURLcode code;
    bool done, dropped, too_long;
    enum sm_http_purpose purpose;
    struct sm_http *http;
    struct sm_http_call *next; /* in http->waiting */
};
struct sm_http {
    CURLM *multi;
    const char *authorities; /* the file of their certificates; NULL: as libcurl has it */
    pthread_mutex_t lock;    /* guards what follows, and done and dropped of calls */
    pthread_cond_t ended;
    struct sm_http_call *waiting; /* not yet given to curl; the newest first */
};
static atomic_ullong n_sent[SM_HTTP_LOGIN + 1], n_bytes;

/* ---- an answer as it comes ---- */

static size_t take_body(char *bytes, size_t size, size_t n, void *ctx)
{
    struct sm_http_call *c = ctx;
    if (c->answer.body.len + size * n > c->limit) {
        c->too_long = true;
        return 0;
    }
    sm_str_addn(&c->answer.body, bytes, size * n);
    if (c->purpose != SM_HTTP_LOGIN)
        atomic_fetch_add(&n_bytes, size * n);
    return c->answer.body.failed ? 0 : size * n;
}

/* The value of a header line if it has this name, else NULL. */
static const char *value_of(const char *line, const char *name)
{
    size_t n = strlen(name);
    if (strncasecmp(line, name, n) != 0 || line[n] != ':')
        return NULL;
    return line + n + 1 + strspn(line + n + 1, " \t");
}

static int64_t seconds_of(const char *date)
{
    time_t t = curl_getdate(date, NULL);
    return t > 0 ? (int64_t)t : 0;
}

static void take_header_line(struct sm_http_answer *a, const char *line)
{
    const char *v;
    if (strncmp(line, "HTTP/", 5) == 0) { /* of the last answer, after "100 Continue" */
        sm_str_truncate(&a->etag, 0);
        a->total = 0;
    } else if ((v = value_of(line, "etag"))) {
        sm_str_add(&a->etag, v);
    } else if ((v = value_of(line, "x-amz-bucket-region"))) {
        sm_str_add(&a->region, v);
    } else if ((v = value_of(line, "location"))) {
        sm_str_add(&a->location, v);
    } else if ((v = value_of(line, "content-range"))) {
        const char *slash = strchr(v, '/');
        a->total = slash ? strtoull(slash + 1, NULL, 10) : 0;
    } else if ((v = value_of(line, "content-length"))) {
        a->total = a->total ? a->total : strtoull(v, NULL, 10);
    } else if ((v = value_of(line, "last-modified"))) {
        a->modified_us = seconds_of(v) * 1000000;
    } else if ((v = value_of(line, "date"))) {
        a->server_s = seconds_of(v);
    } else if ((v = value_of(line, "retry-after"))) {
        long long s = strtoll(v, NULL, 10);
        a->retry_after_s = s > 0 && s < 3600 ? s : 0;
    }
}

static size_t take_header(char *bytes, size_t size, size_t n, void *ctx)
{
    struct sm_http_call *c = ctx;
    char line[1024];
    size_t length = size * n;
    while (length && strchr("\r\n", bytes[length - 1]))
        length--;
    if (length < sizeof line) {
        memcpy(line, bytes, length);
        line[length] = '\0';
        take_header_line(&c->answer, line);
    }
    return size * n;
}

/* ---- a request ---- */

static void free_call(struct sm_http_call *c)
{
    curl_easy_cleanup(c->curl);
    curl_slist_free_all(c->headers);
    sm_http_answer_clear(&c->answer);
    sm_free(c);
}

static bool add_headers(struct sm_http_call *c, const char *lines)
{
    for (const char *p = lines; p && *p;) {
        size_t n = strcspn(p, "\n");
        char *line = sm_strndup(p, n);
        struct curl_slist *list = line ? curl_slist_append(c->headers, line) : NULL;
        sm_free(line);
        if (!list)
            return false;
        c->headers = list;
        p += n + (p[n] == '\n');
    }
    return true;
}

/* Where certificates of authorities may be: a static program has no folder of its own. Valid as
 * long as the process. */
static const char *find_authorities(void)
{
    static const char *const names[] = {"AWS_CA_BUNDLE", "SSL_CERT_FILE", "CURL_CA_BUNDLE"};
    static const char *const files[] = {"/etc/ssl/certs/ca-certificates.crt",
                                        "/etc/pki/tls/certs/ca-bundle.crt",
                                        "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *v = getenv(names[i]);
        if (v && *v)
            return v;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *f = fopen(files[i], "re");
        if (f) {
            fclose(f);
            return files[i];
        }
    }
    return NULL;
}

/* libcurl reads only http_proxy in small letters; AWS's own programs take both. */
static void set_proxy(CURL *e, const char *url)
{
    const char *small = getenv("http_proxy"), *capital = getenv("HTTP_PROXY");
    if (strncasecmp(url, "http://", 7) == 0 && (!small || !*small) && capital && *capital)
        curl_easy_setopt(e, CURLOPT_PROXY, capital);
}

static void set_options(struct sm_http_call *c, const struct sm_http_request *r)
{
    CURL *e = c->curl;
    curl_easy_setopt(e, CURLOPT_URL, r->url);
    curl_easy_setopt(e, CURLOPT_PATH_AS_IS, 1L);
    curl_easy_setopt(e, CURLOPT_CUSTOMREQUEST, r->method);
    curl_easy_setopt(e, CURLOPT_NOBODY, strcmp(r->method, "HEAD") == 0 ? 1L : 0L);
    if (r->body)
        curl_easy_setopt(e, CURLOPT_COPYPOSTFIELDS, r->body);
    set_proxy(e, r->url);
    curl_easy_setopt(e, CURLOPT_HTTPHEADER, c->headers);
    curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(e, CURLOPT_ERRORBUFFER, c->error);
    curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, (long)(r->timeout_ms ? r->timeout_ms : TIMEOUT_MS));
    curl_easy_setopt(e, CURLOPT_LOW_SPEED_LIMIT, (long)SLOW_BYTES);
    curl_easy_setopt(e, CURLOPT_LOW_SPEED_TIME, (long)SLOW_S);
    curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(e, CURLOPT_WRITEDATA, c);
    curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(e, CURLOPT_HEADERDATA, c);
    curl_easy_setopt(e, CURLOPT_PRIVATE, c);
    if (c->http->authorities)
        curl_easy_setopt(e, CURLOPT_CAINFO, c->http->authorities);
    if (r->n) {
        char range[64];
        snprintf(range, sizeof range, "%llu-%llu", (unsigned long long)r->offset,
                 (unsigned long long)(r->offset + r->n - 1));
        curl_easy_setopt(e, CURLOPT_RANGE, range);
    }
}

struct sm_http_call *sm_http_start(struct sm_http *h, const struct sm_http_request *r,
                                   struct sm_err *err)
{
    struct sm_http_call *c = sm_alloc_zero(1, sizeof *c);
    if (!c || !(c->curl = curl_easy_init()) || !add_headers(c, r->headers)) {
        if (c)
            free_call(c);
        sm_err_set(err, SM_ERR_MEMORY, "out of memory");
        return NULL;
    }
    c->http = h;
    c->limit = r->limit ? r->limit : LIMIT;
    set_options(c, r);
    c->purpose = r->purpose;
    atomic_fetch_add(&n_sent[r->purpose], 1);
    pthread_mutex_lock(&h->lock);
    c->next = h->waiting;
    h->waiting = c;
    pthread_mutex_unlock(&h->lock);
    curl_multi_wakeup(h->multi);
    return c;
}

static _Thread_local const atomic_bool *cancel_flag;

void sm_http_cancel_by(const atomic_bool *flag)
{
    cancel_flag = flag;
}

static bool is_cancelled(void)
{
    return cancel_flag && atomic_load(cancel_flag);
}

static struct timespec time_after(clockid_t clock, int64_t ms)
{
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_nsec += ms % 1000 * 1000000;
    t.tv_sec += ms / 1000 + t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

bool sm_http_sleep(int64_t ms)
{
    for (; ms > 0 && !is_cancelled(); ms -= CANCEL_MS) {
        int64_t part = ms < CANCEL_MS ? ms : CANCEL_MS;
        nanosleep(&(struct timespec){.tv_nsec = part * 1000000}, NULL);
    }
    return !is_cancelled();
}

/* With the lock: until the call is done, or nobody wants it any more. */
static bool await_call(struct sm_http *h, const struct sm_http_call *c)
{
    while (!c->done && !is_cancelled()) {
        struct timespec until = time_after(CLOCK_REALTIME, CANCEL_MS);
        if (cancel_flag)
            pthread_cond_timedwait(&h->ended, &h->lock, &until);
        else
            pthread_cond_wait(&h->ended, &h->lock);
    }
    return c->done;
}

static void say_failure(const struct sm_http_call *c, struct sm_err *err)
{
    const char *text = *c->error ? c->error : curl_easy_strerror(c->code),
               *file = c->http->authorities;
    if (c->code == CURLE_PEER_FAILED_VERIFICATION || c->code == CURLE_SSL_CACERT_BADFILE)
        sm_err_set(err, SM_ERR_REFUSED, "%s (certificates of authorities: %s; see SSL_CERT_FILE)",
                   text, file ? file : "no file");
    else
        sm_err_set(err, SM_ERR_IO, "%s", text);
}

bool sm_http_has_ended(struct sm_http_call *c)
{
    pthread_mutex_lock(&c->http->lock);
    bool ended = c->done;
    pthread_mutex_unlock(&c->http->lock);
    return ended;
}

bool sm_http_wait(struct sm_http_call *c, struct sm_http_answer *out, struct sm_err *err)
{
    struct sm_http *h = c->http;
    pthread_mutex_lock(&h->lock);
    bool came = await_call(h, c);
    pthread_mutex_unlock(&h->lock);
    if (!came) {
        sm_http_drop(c);
        return sm_err_set(err, SM_ERR_CANCELLED, "cancelled");
    }
    bool ok = c->code == CURLE_OK && !c->answer.body.failed;
    if (ok) {
        *out = c->answer;
        c->answer = (struct sm_http_answer){0};
    } else if (c->too_long) {
        sm_err_set(err, SM_ERR_LIMIT, "the answer has more than %zu bytes", c->limit);
    } else if (c->answer.body.failed) {
        sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    } else {
        say_failure(c, err);
    }
    free_call(c);
    return ok;
}

void sm_http_drop(struct sm_http_call *c)
{
    struct sm_http *h = c->http;
    pthread_mutex_lock(&h->lock);
    bool done = c->done;
    c->dropped = true;
    pthread_mutex_unlock(&h->lock);
    if (done)
        free_call(c);
    else
        curl_multi_wakeup(h->multi);
}

bool sm_http_do(const struct sm_http_request *r, struct sm_http_answer *out, struct sm_err *err)
{
    struct sm_http *h = sm_http_shared(err);
    struct sm_http_call *c = h ? sm_http_start(h, r, err) : NULL;
    return c && sm_http_wait(c, out, err);
}

void sm_http_answer_clear(struct sm_http_answer *a)
{
    sm_str_clear(&a->body);
    sm_str_clear(&a->etag);
    sm_str_clear(&a->region);
    sm_str_clear(&a->location);
    *a = (struct sm_http_answer){0};
}

struct sm_http_counts sm_http_counts(void)
{
    uint64_t lists = atomic_load(&n_sent[SM_HTTP_LIST]);
    return (struct sm_http_counts){.requests = atomic_load(&n_sent[SM_HTTP_OBJECT]) + lists,
                                   .lists = lists,
                                   .logins = atomic_load(&n_sent[SM_HTTP_LOGIN]),
                                   .bytes = atomic_load(&n_bytes)};
}

/* ---- the thread ---- */

/* Frees a call that nobody waits for any more; else wakes who does. */
static void end_call(struct sm_http *h, struct sm_http_call *c, CURLcode code)
{
    long status = 0;
    curl_easy_getinfo(c->curl, CURLINFO_RESPONSE_CODE, &status);
    pthread_mutex_lock(&h->lock);
    c->answer.status = (int)status;
    c->code = code;
    c->done = true;
    bool dropped = c->dropped;
    pthread_cond_broadcast(&h->ended);
    pthread_mutex_unlock(&h->lock);
    if (dropped)
        free_call(c);
}

static void start_waiting(struct sm_http *h)
{
    pthread_mutex_lock(&h->lock);
    struct sm_http_call *c = h->waiting;
    h->waiting = NULL;
    pthread_mutex_unlock(&h->lock);
    struct sm_http_call *in_order = NULL;
    for (struct sm_http_call *next; c; c = next) {
        next = c->next;
        c->next = in_order;
        in_order = c;
    }
    for (struct sm_http_call *next; in_order; in_order = next) {
        next = in_order->next;
        if (curl_multi_add_handle(h->multi, in_order->curl) != CURLM_OK)
            end_call(h, in_order, CURLE_OUT_OF_MEMORY);
    }
}

static void end_finished(struct sm_http *h)
{
    int left;
    for (CURLMsg *m; (m = curl_multi_info_read(h->multi, &left));) {
        struct sm_http_call *c = NULL;
        CURL *curl = m->easy_handle;
        CURLcode code = m->data.result;
        curl_easy_getinfo(curl, CURLINFO_PRIVATE, (char **)&c);
        curl_multi_remove_handle(h->multi, curl);
        end_call(h, c, code);
    }
}

static void *run(void *ctx)
{
    struct sm_http *h = ctx;
    for (;;) {
        int running, ready;
        start_waiting(h);
        curl_multi_perform(h->multi, &running);
        end_finished(h);
        curl_multi_poll(h->multi, NULL, 0, IDLE_MS, &ready);
    }
    return NULL;
}

static struct sm_http *shared;
static void start_shared(void)
{
    static struct sm_http http = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                  .ended = PTHREAD_COND_INITIALIZER};
    pthread_t thread;
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0 || !(http.multi = curl_multi_init()))
        return;
    http.authorities = find_authorities();
    curl_multi_setopt(http.multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)CONNECTIONS);
    if (pthread_create(&thread, NULL, run, &http) == 0) {
        pthread_detach(thread);
        shared = &http;
    }
}

struct sm_http *sm_http_shared(struct sm_err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_shared);
    if (!shared)
        sm_err_set(err, SM_ERR_IO, "libcurl could not be started");
    return shared;
}
