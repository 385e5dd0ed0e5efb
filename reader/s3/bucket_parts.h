/* SPDX-License-Identifier: Apache-2.0 */
/* Internal to buckets: for bucket.c and bucket_refusal.c. */
#ifndef SM_BUCKET_PARTS_H
#define SM_BUCKET_PARTS_H

#include "reader/s3/bucket.h"
#include "reader/s3/login.h"

#include <pthread.h>

struct sm_bucket {
    char *name;
    pthread_mutex_t lock; /* guards login and skew_s */
    struct sm_login login;
    bool logged_in;
    int64_t skew_s; /* the server's clock less ours, once it has refused a time */
};

/* With the lock. Takes a login that was found, with the region that is known for the bucket. */
void sm_bucket_take_login(struct sm_bucket *b, const struct sm_login *fresh);

/* What is asked for; kept for retries. */
struct sm_bucket_ask {
    struct sm_bucket *bucket;
    const char *path_key; /* "" for the bucket itself */
    const char *place;    /* the key, or the folder that is listed, for messages: "" or "/KEY" */
    const char *query;    /* encoded */
    uint64_t offset, n;
    const char *etag; /* NULL: any */
    size_t limit;     /* bytes of the answer */
};

/* What an answer that says no is good for. LEARNT: the login is right now (region, clock, fresh
 * credentials), so ask again; BUSY: ask again later. */
enum sm_refusal { SM_REFUSAL_FINAL, SM_REFUSAL_LEARNT, SM_REFUSAL_BUSY };
/* Reads such an answer, and sets *err to what is wrong: always, also if it is worth another try. */
enum sm_refusal sm_bucket_refused(const struct sm_bucket_ask *a,
                                  const struct sm_http_answer *answer, struct sm_err *err);

#endif
