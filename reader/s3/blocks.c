/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/blocks.h"

#include "reader/base/clock.h"
#include "reader/base/map.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "reader/s3/disk_cache.h"
#include "reader/s3/sha256.h"

#include <pthread.h>
#include <string.h>

enum { KEPT_BYTES = 64 << 20, READ_AT_ONCE = 24 };
/* No more is asked for ahead while so much is on its way. */
enum { FLYING_MAX = 128, FLYING_BYTES = 48 << 20, UNREAD_US = 20000000, TAKEN = 8 };

/* One block: asked for (get), being waited for (waited), or here (bytes). */
struct block {
    uint64_t name; /* the first bytes of its hash */
    char file[2 * SM_SHA256_BYTES + 1];
    struct sm_bucket_get *get;
    bool waited, failed, keep; /* keep: on the disk, too */
    uint8_t *bytes;
    size_t n, asked;   /* bytes that are here, and that were asked for */
    struct sm_err err; /* of a failed one */
    unsigned users;
    int64_t asked_us;
    uint64_t used; /* the clock of sm_object_blocks when it was last used */
};
struct sm_object_blocks {
    struct sm_bucket *bucket;
    char *bucket_name;
    struct sm_disk_cache *disk;
    pthread_mutex_t lock;
    pthread_cond_t came;
    struct block **items;
    size_t n, cap, bytes;
    size_t flying, flying_bytes; /* blocks on their way */
    struct sm_map by_name;
    bool has_small; /* there was a small one */
    uint64_t clock;
};

struct sm_object_blocks *sm_object_blocks_new(struct sm_bucket *bucket, const char *bucket_name)
{
    struct sm_object_blocks *b = sm_alloc_zero(1, sizeof *b);
    if (!b || !(b->bucket_name = sm_strdup(bucket_name))) {
        sm_free(b);
        return NULL;
    }
    b->bucket = bucket;
    b->disk = sm_disk_cache_new();
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->came, NULL);
    return b;
}

static void free_block(struct block *x)
{
    if (x->get)
        sm_bucket_get_drop(x->get);
    sm_free(x->bytes);
    sm_free(x);
}

void sm_object_blocks_free(struct sm_object_blocks *b)
{
    for (size_t i = 0; i < b->n; i++)
        free_block(b->items[i]);
    sm_free(b->items);
    sm_map_clear(&b->by_name);
    sm_disk_cache_free(b->disk);
    pthread_cond_destroy(&b->came);
    pthread_mutex_destroy(&b->lock);
    sm_free(b->bucket_name);
    sm_free(b);
}

/* ---- names, and what is kept ---- */

static uint64_t unit_of(const struct sm_block_place *o)
{
    return o->small ? SM_SMALL_BLOCK_BYTES : SM_BLOCK_BYTES;
}

static uint64_t name_block(const struct sm_object_blocks *b, const struct sm_block_place *o,
                           uint64_t at, char file[2 * SM_SHA256_BYTES + 1])
{
    struct sm_str text = {0};
    uint8_t digest[SM_SHA256_BYTES];
    uint64_t name;
    sm_bucket_add_server(b->bucket, &text);
    sm_str_printf(&text, "\n%s\n%s\n%s\n%llu%s", b->bucket_name, o->key, o->etag,
                  (unsigned long long)at, o->small ? " small" : "");
    sm_sha256(sm_str_text(&text), text.len, digest);
    sm_sha256_hex(digest, file);
    sm_str_clear(&text);
    memcpy(&name, digest, sizeof name);
    return name;
}

/* Counts a block that is on its way, or is not any more. */
static void count_flying(struct sm_object_blocks *b, const struct block *x, bool begins)
{
    if (x->get) {
        b->flying += begins ? 1 : (size_t)-1;
        b->flying_bytes += begins ? x->asked : -x->asked;
    }
}

static void remove_block(struct sm_object_blocks *b, size_t at)
{
    struct block *x = b->items[at];
    sm_map_remove(&b->by_name, x->name);
    b->bytes -= x->n;
    count_flying(b, x, false);
    b->items[at] = b->items[--b->n];
    if (at < b->n)
        sm_map_put(&b->by_name, b->items[at]->name, at);
    free_block(x);
}

/* Makes room: the least recently used go that nobody reads. */
static void evict(struct sm_object_blocks *b)
{
    while (b->bytes > KEPT_BYTES) {
        size_t oldest = b->n;
        for (size_t i = 0; i < b->n; i++) {
            const struct block *x = b->items[i];
            if (!x->users && x->bytes && (oldest == b->n || x->used < b->items[oldest]->used))
                oldest = i;
        }
        if (oldest == b->n)
            return;
        remove_block(b, oldest);
    }
}

/* With the lock. The block, made and asked for if it is new; NULL: no memory. */
static struct block *want_block(struct sm_object_blocks *b, const struct sm_block_place *o,
                                uint64_t at)
{
    char file[2 * SM_SHA256_BYTES + 1];
    uint64_t name = name_block(b, o, at, file), place;
    if (sm_map_get(&b->by_name, name, &place) && !b->items[place]->failed)
        return b->items[place];
    if (sm_map_get(&b->by_name, name, &place) && !b->items[place]->users)
        remove_block(b, place);
    struct block *x = SM_VEC_ROOM(b->items, b->n, b->cap) ? sm_alloc_zero(1, sizeof *x) : NULL;
    if (!x || !sm_map_put(&b->by_name, name, b->n)) {
        sm_free(x);
        return NULL;
    }
    b->has_small = b->has_small || o->small;
    x->name = name;
    memcpy(x->file, file, sizeof file);
    b->items[b->n++] = x;
    uint64_t n = o->size_bytes - at < unit_of(o) ? o->size_bytes - at : unit_of(o);
    if (*o->etag && sm_disk_cache_get(b->disk, file, n, &x->bytes)) {
        x->n = n;
        b->bytes += n;
        return x;
    }
    x->get = sm_bucket_get_start(b->bucket, o->key, at, n, *o->etag ? o->etag : NULL, &x->err);
    x->asked = n;
    x->keep = *o->etag;
    x->asked_us = sm_clock_mono_us();
    x->failed = !x->get;
    count_flying(b, x, true);
    return x;
}

/* ---- waiting ---- */

/* With the lock, given back while the answer is waited for. */
static void finish(struct sm_object_blocks *b, struct block *x)
{
    struct sm_http_answer answer = {0};
    struct sm_bucket_get *get = x->get;
    x->waited = true;
    pthread_mutex_unlock(&b->lock);
    bool ok = sm_bucket_get_finish(get, &answer, &x->err);
    uint8_t *bytes = ok ? sm_alloc(answer.body.len + 1) : NULL;
    size_t n = bytes ? answer.body.len : 0;
    if (bytes)
        memcpy(bytes, sm_str_text(&answer.body), n);
    else if (ok)
        sm_err_set(&x->err, SM_ERR_MEMORY, "out of memory");
    if (bytes && x->keep)
        sm_disk_cache_put(b->disk, x->file, bytes, n);
    sm_http_answer_clear(&answer);
    pthread_mutex_lock(&b->lock);
    count_flying(b, x, false);
    x->get = NULL;
    x->waited = false;
    x->bytes = bytes;
    x->n = n;
    x->failed = !bytes;
    b->bytes += n;
    pthread_cond_broadcast(&b->came);
}

/* With the lock. False: it failed. */
static bool await(struct sm_object_blocks *b, struct block *x, struct sm_err *err)
{
    while (!x->bytes && !x->failed) {
        if (x->waited)
            pthread_cond_wait(&b->came, &b->lock);
        else
            finish(b, x);
    }
    x->used = ++b->clock;
    if (x->failed && err)
        *err = x->err;
    return !x->failed;
}

/* A block's part of what is wanted. */
static bool copy_part(struct sm_object_blocks *b, struct block *x, uint64_t at, uint64_t offset,
                      uint8_t *buf, size_t n, size_t *got, struct sm_err *err)
{
    x->users++;
    bool ok = await(b, x, err);
    uint64_t from = offset > at ? offset - at : 0;
    if (ok && from < x->n) {
        size_t part = x->n - from < n ? x->n - from : n;
        memcpy(buf, x->bytes + from, part);
        *got = part;
    }
    x->users--;
    return ok;
}

/* With the lock. Whether the bytes are in one small block that was asked for. */
static bool is_in_small(const struct sm_object_blocks *b, const struct sm_block_place *o,
                        uint64_t offset, size_t n)
{
    char file[2 * SM_SHA256_BYTES + 1];
    uint64_t at = offset - offset % SM_SMALL_BLOCK_BYTES, place;
    return b->has_small && n && n <= SM_SMALL_BLOCK_BYTES &&
           offset - at + n <= SM_SMALL_BLOCK_BYTES && o->small &&
           sm_map_get(&b->by_name, name_block(b, o, at, file), &place);
}

/* With the lock, which is given back while blocks are waited for. */
static bool read_blocks(struct sm_object_blocks *b, const struct sm_block_place *o, uint64_t offset,
                        uint64_t end, uint8_t *buf, size_t *got, struct sm_err *err)
{
    uint64_t unit = unit_of(o), asked = offset - offset % unit;
    bool ok = true;
    for (uint64_t at = asked; ok && offset + *got < end; at += unit) {
        for (; asked < end && asked < at + READ_AT_ONCE * unit; asked += unit)
            want_block(b, o, asked);
        struct block *x = want_block(b, o, at);
        size_t part = 0;
        if (!x)
            ok = sm_err_set(err, SM_ERR_MEMORY, "out of memory");
        else
            ok = copy_part(b, x, at, offset + *got, buf + *got, (size_t)(end - offset) - *got,
                           &part, err);
        *got += part;
        if (ok && !part)
            break;
        evict(b);
    }
    return ok;
}

bool sm_object_blocks_read(struct sm_object_blocks *b, const struct sm_block_place *o,
                           uint64_t offset, void *buf, size_t n, size_t *got, struct sm_err *err)
{
    uint64_t end =
        offset < o->size_bytes && n < o->size_bytes - offset ? offset + n : o->size_bytes;
    struct sm_block_place small = *o;
    small.small = o->size_bytes > SM_BLOCK_BYTES;
    *got = 0;
    pthread_mutex_lock(&b->lock);
    bool ok =
        read_blocks(b, is_in_small(b, &small, offset, n) ? &small : o, offset, end, buf, got, err);
    pthread_mutex_unlock(&b->lock);
    return ok;
}

/* With the lock. */
static bool is_here(struct sm_object_blocks *b, const struct sm_block_place *o, uint64_t at)
{
    char file[2 * SM_SHA256_BYTES + 1];
    uint64_t name = name_block(b, o, at, file), place;
    return sm_map_get(&b->by_name, name, &place) || (*o->etag && sm_disk_cache_has(b->disk, file));
}

static bool is_full(const struct sm_object_blocks *b)
{
    return b->flying >= FLYING_MAX || b->flying_bytes >= FLYING_BYTES;
}

/* With the lock, which is given back meanwhile. Takes a few answers that are here and that nobody
 * has read yet. */
static void take_answers(struct sm_object_blocks *b)
{
    struct block *some[TAKEN];
    size_t n = 0;
    for (size_t i = 0; i < b->n && n < TAKEN; i++) {
        struct block *x = b->items[i];
        if (x->get && !x->waited && !x->users && sm_bucket_get_is_answered(x->get)) {
            x->users++; /* so that it stays */
            some[n++] = x;
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (some[i]->get && !some[i]->waited)
            finish(b, some[i]);
        some[i]->used = ++b->clock;
        some[i]->users--;
    }
    if (n)
        evict(b);
}

/* With the lock. Whether more may be asked for. What was asked for long ago and nobody has read
 * goes then: whoever wanted it does not any more. */
static bool has_room(struct sm_object_blocks *b)
{
    int64_t old = sm_clock_mono_us() - UNREAD_US;
    bool full = is_full(b);
    if (full)
        take_answers(b);
    full = is_full(b);
    for (size_t i = b->n; full && i-- > 0;)
        if (b->items[i]->get && !b->items[i]->users && b->items[i]->asked_us < old)
            remove_block(b, i);
    return !is_full(b);
}

bool sm_object_blocks_ahead(struct sm_object_blocks *b, const struct sm_block_place *o,
                            uint64_t offset)
{
    struct sm_block_place whole = *o;
    whole.small = false;
    pthread_mutex_lock(&b->lock);
    uint64_t at = offset - offset % unit_of(o);
    if (o->small && is_here(b, &whole, offset - offset % SM_BLOCK_BYTES)) {
        pthread_mutex_unlock(&b->lock);
        return true;
    }
    bool room = has_room(b);
    if (room && at < o->size_bytes && !is_here(b, o, at))
        want_block(b, o, at);
    pthread_mutex_unlock(&b->lock);
    return room;
}
