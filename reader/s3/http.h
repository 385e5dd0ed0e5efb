/* SPDX-License-Identifier: Apache-2.0 */
/* HTTP requests, many at a time, by libcurl in a thread of its own.
 *
 * Any thread may start requests and wait for them. Nothing is retried here, and no redirect is
 * followed: a signature is for one host and path. */
#ifndef SM_HTTP_H
#define SM_HTTP_H

#include "reader/base/err.h"
#include "reader/base/str.h"

#include <stdatomic.h>
#include <stdint.h>

struct sm_http;      /* the thread and its connections */
struct sm_http_call; /* one request on its way */

/* What a request is counted as. */
enum sm_http_purpose { SM_HTTP_OBJECT, SM_HTTP_LIST, SM_HTTP_LOGIN };
struct sm_http_request {
    enum sm_http_purpose purpose;
    const char *method;  /* "GET", "HEAD", "PUT", "POST" */
    const char *url;     /* sent as it is written */
    const char *headers; /* "Name: value\n" lines, or NULL */
    const char *body;    /* what is sent, or NULL */
    uint64_t offset, n;  /* of the answer's body; n 0: all of it */
    size_t limit;        /* bytes of an answer that are taken; more is an error; 0: 64 MiB */
    int64_t timeout_ms;  /* of the whole request; 0: 60 s */
};
/* Begin with {0}, clear with sm_http_answer_clear. */
struct sm_http_answer {
    int status;                    /* 200 and so on */
    struct sm_str body;            /* bytes, also of an answer that says no */
    struct sm_str etag;            /* with its quotes, or empty */
    struct sm_str region;          /* x-amz-bucket-region, or empty */
    struct sm_str location;        /* Location, or empty */
    uint64_t total;                /* of the whole object: Content-Range, else Content-Length */
    int64_t modified_us, server_s; /* Last-Modified and Date since 1970, 0: not said */
    int64_t retry_after_s;         /* Retry-After, 0: not said */
};

/* The one of the process, started when it is first needed and never stopped. NULL: no memory, or
 * libcurl does not work. */
struct sm_http *sm_http_shared(struct sm_err *err);
/* Copies the request. NULL: no memory. */
struct sm_http_call *sm_http_start(struct sm_http *h, const struct sm_http_request *r,
                                   struct sm_err *err);
/* Waits until the request has ended, and frees the call. False: no answer came (SM_ERR_IO with the
 * reason; SM_ERR_REFUSED: the certificate of the server is not trusted). An answer that says no is
 * true, with its status. */
bool sm_http_wait(struct sm_http_call *call, struct sm_http_answer *out, struct sm_err *err);
/* Whether sm_http_wait would return at once. */
bool sm_http_has_ended(struct sm_http_call *call);
/* While the flag is set, what this thread waits for ends with SM_ERR_CANCELLED. NULL: nothing does.
 */
void sm_http_cancel_by(const atomic_bool *flag);
/* Sleeps; false: cancelled. */
bool sm_http_sleep(int64_t ms);
/* Ends it without waiting for its answer, and frees it. */
void sm_http_drop(struct sm_http_call *call);
/* Both. */
bool sm_http_do(const struct sm_http_request *r, struct sm_http_answer *out, struct sm_err *err);
void sm_http_answer_clear(struct sm_http_answer *a);

/* What was asked for since the start: for `info session`. */
struct sm_http_counts {
    uint64_t requests, lists, logins; /* lists are requests, too, logins are not */
    uint64_t bytes;                   /* of the answers to requests */
};
struct sm_http_counts sm_http_counts(void);

#endif
