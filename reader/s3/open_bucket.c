/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/open_bucket.h"

#include "reader/base/mem.h"

#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list and refs */
static struct sm_open_bucket *first;

static void free_bucket(struct sm_open_bucket *b)
{
    if (b->ahead)
        sm_object_ahead_free(b->ahead);
    if (b->blocks)
        sm_object_blocks_free(b->blocks);
    if (b->list)
        sm_object_list_free(b->list);
    sm_bucket_free(b->bucket);
    sm_free(b->name);
    sm_free(b);
}

static struct sm_open_bucket *make_bucket(const char *name, size_t n, struct sm_err *err)
{
    struct sm_open_bucket *b = sm_alloc_zero(1, sizeof *b);
    sm_err_set(err, SM_ERR_MEMORY, "out of memory");
    if (!b)
        return NULL;
    b->name = sm_strndup(name, n);
    b->bucket = b->name ? sm_bucket_new(b->name, err) : NULL;
    b->list = b->bucket ? sm_object_list_new(b->bucket) : NULL;
    b->blocks = b->list ? sm_object_blocks_new(b->bucket, b->name) : NULL;
    b->ahead = b->blocks ? sm_object_ahead_new(b->bucket, b->list, b->blocks) : NULL;
    if (b->ahead)
        return b;
    free_bucket(b);
    return NULL;
}

/* With the lock. */
static struct sm_open_bucket *find(const char *name, size_t n)
{
    struct sm_open_bucket *b = first;
    while (b && (strlen(b->name) != n || memcmp(b->name, name, n) != 0))
        b = b->next;
    if (b)
        b->refs++;
    return b;
}

struct sm_open_bucket *sm_open_bucket_ref(const char *name, size_t n, struct sm_err *err)
{
    pthread_mutex_lock(&lock);
    struct sm_open_bucket *b = find(name, n);
    if (!b && (b = make_bucket(name, n, err))) {
        b->refs = 1;
        b->next = first;
        first = b;
    }
    pthread_mutex_unlock(&lock);
    return b;
}

struct sm_open_bucket *sm_open_bucket_find(const char *name, size_t n)
{
    pthread_mutex_lock(&lock);
    struct sm_open_bucket *b = find(name, n);
    pthread_mutex_unlock(&lock);
    return b;
}

void sm_open_buckets_each(void (*each)(void *ctx, const struct sm_open_bucket *b), void *ctx)
{
    pthread_mutex_lock(&lock);
    for (const struct sm_open_bucket *b = first; b; b = b->next)
        each(ctx, b);
    pthread_mutex_unlock(&lock);
}

void sm_open_bucket_unref(struct sm_open_bucket *b)
{
    if (!b)
        return;
    pthread_mutex_lock(&lock);
    bool last = --b->refs == 0;
    struct sm_open_bucket **at = &first;
    while (last && *at != b)
        at = &(*at)->next;
    if (last)
        *at = b->next;
    pthread_mutex_unlock(&lock);
    if (last)
        free_bucket(b);
}
