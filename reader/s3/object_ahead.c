/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/s3/object_ahead.h"

#include "reader/base/map.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"

#include <pthread.h>
#include <string.h>

enum {
    NOTED_MAX = 4096,
    SMALL_BYTES = 256 << 10, /* objects up to this are read one after the other */
    FIRST = 8,               /* so many of them are noted at first, then twice as many, */
    NEXT = 60,               /* and so many at most */
    PLACES = 16,
    BLOCKS = 16, /* of a large object, that are noted at most */
    FEW_BYTES = 256,
    FAR_BYTES = 64 << 10
};

struct noted {
    const char *key; /* valid as long as the list */
    uint64_t offset, end;
    bool few; /* bytes that lie far from others */
};
/* Where reading may go on: at the object behind the one that was read, or at the one of the same
 * name in the next folder. */
enum order { BEHIND, BESIDE, ORDERS };
struct place {
    enum order order;
    uint64_t read, expected; /* the identities of the one that was read and of that object */
    size_t noted, window;    /* objects from there on that are noted; how many there are to be */
};
/* A large object that is read from one block to the next. */
struct course {
    uint64_t identity, next, noted; /* the block to come; the first one that is not noted */
    unsigned window;
};
struct sm_object_ahead {
    struct sm_bucket *bucket;
    struct sm_object_list *list;
    struct sm_object_blocks *blocks;
    pthread_mutex_t lock;
    struct noted *items; /* in the order in which they were noted */
    size_t n, cap;
    uint64_t lists;     /* sm_object_list_count() when those without a list were looked at */
    size_t unlisted;    /* so many of the first items had none */
    struct sm_map told; /* identities of what was said to be read; what follows them is not guessed
                         */
    struct place places[PLACES];
    struct course courses[PLACES];
    unsigned turn, course_turn;
    uint64_t few, few_end; /* the object of which few bytes were noted last, and their end */
};

struct sm_object_ahead *sm_object_ahead_new(struct sm_bucket *bucket, struct sm_object_list *list,
                                            struct sm_object_blocks *blocks)
{
    struct sm_object_ahead *a = sm_alloc_zero(1, sizeof *a);
    if (!a)
        return NULL;
    pthread_mutex_init(&a->lock, NULL);
    a->bucket = bucket;
    a->list = list;
    a->blocks = blocks;
    return a;
}

void sm_object_ahead_free(struct sm_object_ahead *a)
{
    sm_free(a->items);
    sm_map_clear(&a->told);
    pthread_mutex_destroy(&a->lock);
    sm_free(a);
}

/* With the lock. */
static void note(struct sm_object_ahead *a, const char *key, uint64_t offset, uint64_t n, bool few)
{
    if (a->n == NOTED_MAX) { /* the oldest one, whose folder nobody asks for */
        memmove(a->items, a->items + 1, --a->n * sizeof *a->items);
        a->unlisted -= a->unlisted > 0;
    }
    if (n && SM_VEC_ROOM(a->items, a->n, a->cap))
        a->items[a->n++] =
            (struct noted){key, offset, n < UINT64_MAX - offset ? offset + n : UINT64_MAX, few};
}

void sm_object_ahead_add(struct sm_object_ahead *a, const char *key, uint64_t offset, uint64_t n)
{
    struct sm_listed e;
    if (!sm_object_list_expect(a->list, key, &e))
        return;
    pthread_mutex_lock(&a->lock);
    bool few = !n, near = few && a->few == e.identity && offset >= a->few_end &&
                          offset < a->few_end + FAR_BYTES;
    n = few ? FEW_BYTES : n;
    if (!few)
        sm_map_put(&a->told, e.identity, 1);
    note(a, e.path, offset, n, few && !near);
    if (few) {
        a->few = e.identity;
        a->few_end = offset + n;
    }
    pthread_mutex_unlock(&a->lock);
}

/* Asks for the blocks of what was noted. False: there is no room for all of them. */
static bool start(struct sm_object_ahead *a, struct noted *x, const struct sm_listed *e)
{
    struct sm_block_place o = {e->path, e->etag, e->size_bytes,
                               x->few && e->size_bytes > SM_BLOCK_BYTES};
    uint64_t end = x->end < e->size_bytes ? x->end : e->size_bytes;
    uint64_t unit = o.small ? SM_SMALL_BLOCK_BYTES : SM_BLOCK_BYTES;
    for (x->offset -= x->offset % unit; x->offset < end; x->offset += unit)
        if (!sm_object_blocks_ahead(a->blocks, &o, x->offset))
            return false;
    return true;
}

void sm_object_ahead_start(struct sm_object_ahead *a)
{
    if (!sm_bucket_is_ready(a->bucket))
        return;
    pthread_mutex_lock(&a->lock);
    uint64_t lists = sm_object_list_count(a->list);
    if (lists != a->lists)
        a->unlisted = 0;
    size_t i = a->unlisted, kept = i;
    bool room = true;
    for (; i < a->n; i++) {
        struct sm_listed e;
        bool known = room && sm_object_list_known(a->list, a->items[i].key, &e);
        if (known && !e.is_dir)
            room = start(a, &a->items[i], &e);
        known = known || (room && sm_object_list_has_folder(a->list, a->items[i].key));
        if (!known || !room)
            a->items[kept++] = a->items[i];
        if (room && !known)
            a->unlisted = kept;
    }
    a->n = kept;
    a->lists = lists;
    pthread_mutex_unlock(&a->lock);
}

/* The place that an object was expected at; NULL: it is a new one. With the lock. */
static struct place *place_of(struct sm_object_ahead *a, enum order order, uint64_t identity)
{
    for (unsigned i = 0; i < PLACES; i++)
        if (a->places[i].order == order && a->places[i].expected == identity)
            return &a->places[i];
    return NULL;
}

/* Of the n objects behind the one that is read, notes as many as there are to be, once half of
 * those before are read. With the lock. */
static void note_next(struct sm_object_ahead *a, struct place *p, const struct sm_listed *next,
                      size_t n)
{
    p->noted -= p->noted > 0;
    if (p->noted > p->window / 2)
        return;
    p->window = !p->window ? FIRST : 2 * p->window < NEXT ? 2 * p->window : NEXT;
    for (; p->noted < n && p->noted < p->window; p->noted++)
        if (next[p->noted].size_bytes <= SMALL_BYTES)
            note(a, next[p->noted].path, 0, next[p->noted].size_bytes, false);
}

/* What is read without having been announced: if it was expected, what follows is noted. With the
 * lock. */
static void go_on(struct sm_object_ahead *a, enum order order, uint64_t identity,
                  const struct sm_listed *next, size_t n)
{
    struct place *p = place_of(a, order, identity);
    if (p) {
        note_next(a, p, next, n);
    } else if (!place_of(a, order, next[0].identity)) {
        p = &a->places[a->turn++ % PLACES];
        *p = (struct place){.order = order};
    }
    if (p) {
        p->read = identity;
        p->expected = next[0].identity;
    }
}

/* Whether nothing is to be learnt from a read: the object was announced, or is read in parts. */
static bool is_no_news(struct sm_object_ahead *a, uint64_t identity)
{
    uint64_t told;
    pthread_mutex_lock(&a->lock);
    bool old = sm_map_get(&a->told, identity, &told);
    for (unsigned i = 0; i < PLACES && !old; i++)
        old = a->places[i].read == identity;
    pthread_mutex_unlock(&a->lock);
    return old;
}

/* Where an object is read that reaches a block, or is read in it again; NULL: it is a new place.
 * With the lock. */
static struct course *course_of(struct sm_object_ahead *a, uint64_t identity, uint64_t block)
{
    for (unsigned i = 0; i < PLACES; i++) {
        struct course *c = &a->courses[i];
        if (c->identity == identity && (c->next == block || c->next == block + 1))
            return c;
    }
    return NULL;
}

/* Blocks from first to last of a large object are read. With the lock. */
static void go_on_within(struct sm_object_ahead *a, const struct sm_listed *e, uint64_t first,
                         uint64_t last)
{
    struct course *c = course_of(a, e->identity, first);
    if (!c) {
        a->courses[a->course_turn++ % PLACES] =
            (struct course){.identity = e->identity, .next = last + 1, .noted = last + 1};
        return;
    }
    if (last < c->next)
        return;
    c->next = last + 1;
    if (c->noted > c->next + c->window / 2)
        return;
    c->window = c->window ? 2 * c->window : 2;
    c->window = c->window < BLOCKS ? c->window : BLOCKS;
    uint64_t from = c->noted > c->next ? c->noted : c->next;
    c->noted = c->next + c->window;
    note(a, e->path, from * SM_BLOCK_BYTES, (c->noted - from) * SM_BLOCK_BYTES, false);
}

static void follow_within(struct sm_object_ahead *a, const struct sm_listed *e, uint64_t offset,
                          uint64_t n)
{
    uint64_t told, end = e->size_bytes > offset ? e->size_bytes - offset : 0;
    n = n < end ? n : end;
    if (!n)
        return;
    pthread_mutex_lock(&a->lock);
    if (!sm_map_get(&a->told, e->identity, &told))
        go_on_within(a, e, offset / SM_BLOCK_BYTES, (offset + n - 1) / SM_BLOCK_BYTES);
    pthread_mutex_unlock(&a->lock);
}

void sm_object_ahead_follow(struct sm_object_ahead *a, const struct sm_listed *e, uint64_t offset,
                            uint64_t bytes)
{
    static size_t (*const follow[ORDERS])(struct sm_object_list *, const char *, struct sm_listed *,
                                          size_t) = {
        [BEHIND] = sm_object_list_behind, [BESIDE] = sm_object_list_beside};
    struct sm_listed next[NEXT];
    if (e->size_bytes > SM_BLOCK_BYTES)
        follow_within(a, e, offset, bytes);
    if (e->size_bytes > SMALL_BYTES || is_no_news(a, e->identity))
        return;
    for (enum order o = 0; o < ORDERS; o++) {
        size_t n = follow[o](a->list, e->path, next, NEXT);
        pthread_mutex_lock(&a->lock);
        if (n)
            go_on(a, o, e->identity, next, n);
        pthread_mutex_unlock(&a->lock);
    }
}
