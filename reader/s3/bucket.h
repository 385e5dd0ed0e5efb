/* SPDX-License-Identifier: Apache-2.0 */
/* A bucket of S3: signed requests, with retries, and errors that say what is wrong.
 *
 * A bucket is shared by threads. Retried are answers 500, 502, 503, 504, 429, SlowDown and
 * RequestTimeout, connections that broke, and bodies that are shorter than they should be: up to 5
 * times, after 0.1 s doubled each time, times a random number from 0.5 to 1, or after what
 * Retry-After says. An answer that names another region or asks for new credentials is asked once
 * again. */
#ifndef SM_BUCKET_H
#define SM_BUCKET_H

#include "reader/base/err.h"
#include "reader/s3/http.h"

struct sm_bucket;

/* name: of the bucket. The login (login.h) is looked for at the first request. */
struct sm_bucket *sm_bucket_new(const char *name, struct sm_err *err);
void sm_bucket_free(struct sm_bucket *b); /* b may be NULL; no request is on its way */

/* Appends where its server is, as the login says it; empty: AWS, or nothing was asked for yet. */
void sm_bucket_add_server(struct sm_bucket *b, struct sm_str *out);

/* Whether a request can begin without a login or its renewal. */
bool sm_bucket_is_ready(struct sm_bucket *b);

struct sm_object {
    const char *key; /* valid during the call */
    bool is_prefix;  /* a common prefix, which ends with the delimiter */
    uint64_t size_bytes;
    int64_t modified_us;
    const char *etag; /* with quotes */
};
typedef bool sm_object_each(void *ctx, const struct sm_object *o);

/* Lists objects below a prefix, in order, all pages. delimiter: "/" for one folder, NULL for all.
 * after: begins behind this key, or NULL. Stops early when each returns false. */
bool sm_bucket_list(struct sm_bucket *b, const char *prefix, const char *delimiter,
                    const char *after, sm_object_each *each, void *ctx, struct sm_err *err);
/* One page, of up to 1000 objects, of all that is below a prefix behind a key; *more: there are
 * others. */
bool sm_bucket_list_page(struct sm_bucket *b, const char *prefix, const char *after,
                         sm_object_each *each, void *ctx, bool *more, struct sm_err *err);
/* Gets n bytes at offset of an object, fewer at its end; n 0: all. etag not NULL: SM_ERR_DATA if
 * the object has changed since. A missing object is SM_ERR_MISSING; a range behind the end is an
 * empty body. out: begin with {0}. */
bool sm_bucket_get(struct sm_bucket *b, const char *key, uint64_t offset, uint64_t n,
                   const char *etag, struct sm_http_answer *out, struct sm_err *err);

/* The same in two parts, so that many are on their way. The first request is under way when start
 * returns; finish retries, waits and frees. NULL: no memory. */
struct sm_bucket_get;
struct sm_bucket_get *sm_bucket_get_start(struct sm_bucket *b, const char *key, uint64_t offset,
                                          uint64_t n, const char *etag, struct sm_err *err);
bool sm_bucket_get_finish(struct sm_bucket_get *g, struct sm_http_answer *out, struct sm_err *err);
/* Whether the first answer is here; finish may have to ask again nevertheless. */
bool sm_bucket_get_is_answered(const struct sm_bucket_get *g);
void sm_bucket_get_drop(struct sm_bucket_get *g);

#endif
