/* SPDX-License-Identifier: Apache-2.0 */
/* The buckets that are open in the process: one login, one set of lists and one set of blocks for
 * all sources of a bucket. */
#ifndef SM_OPEN_BUCKET_H
#define SM_OPEN_BUCKET_H

#include "reader/s3/object_ahead.h"

struct sm_open_bucket {
    char *name;
    struct sm_bucket *bucket;
    struct sm_object_list *list;
    struct sm_object_blocks *blocks;
    struct sm_object_ahead *ahead;
    unsigned refs; /* for open_bucket.c alone */
    struct sm_open_bucket *next;
};

/* A reference to the one of this name (n bytes), made if there is none. Without requests. NULL: no
 * memory. */
struct sm_open_bucket *sm_open_bucket_ref(const char *name, size_t n, struct sm_err *err);
/* A reference to the one of this name if it is open, else NULL. */
struct sm_open_bucket *sm_open_bucket_find(const char *name, size_t n);
/* Calls each for all that are open; each opens none. */
void sm_open_buckets_each(void (*each)(void *ctx, const struct sm_open_bucket *b), void *ctx);
void sm_open_bucket_unref(struct sm_open_bucket *b); /* b may be NULL; the last one frees it */

#endif
