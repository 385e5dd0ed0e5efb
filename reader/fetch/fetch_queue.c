/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/fetch/fetch_queue.h"

#include <stdlib.h>

/* Limits on a job, so that an urgent one need not wait long: files to open, bytes to read. */
enum { FILES_PER_JOB = 32, BYTES_PER_JOB = 8 << 20 };

static bool same_file(const struct sm_cache_node *a, const struct sm_cache_node *b)
{
    return a->trial == b->trial && a->part == b->part;
}

/* Two files may have the same key: their requests are then in one ring. */
static uint64_t file_key(const struct sm_cache_node *x)
{
    return (uintptr_t)x->trial ^ (uint64_t)x->part << 32;
}

/* If the map has no memory, the ring cannot be found again: its requests then go one by one. */
static void set_head(struct sm_fetch_queue *q, struct sm_cache_node *x)
{
    uint64_t key = file_key(x);
    if (!sm_map_put(&q->files, key, (uintptr_t)x))
        sm_map_remove(&q->files, key);
}

static void join_file(struct sm_fetch_queue *q, struct sm_cache_node *x)
{
    uint64_t head;
    x->next_in_file = x->last_in_file = x;
    if (!sm_map_get(&q->files, file_key(x), &head)) {
        set_head(q, x);
        return;
    }
    struct sm_cache_node *first = (struct sm_cache_node *)(uintptr_t)head;
    x->next_in_file = first;
    x->last_in_file = first->last_in_file;
    first->last_in_file->next_in_file = x;
    first->last_in_file = x;
}

static void leave_file(struct sm_fetch_queue *q, struct sm_cache_node *x)
{
    uint64_t head;
    struct sm_cache_node *next = x->next_in_file;
    x->last_in_file->next_in_file = next;
    next->last_in_file = x->last_in_file;
    if (!sm_map_get(&q->files, file_key(x), &head) || head != (uintptr_t)x)
        return;
    if (next != x)
        set_head(q, next);
    else
        sm_map_remove(&q->files, file_key(x));
}

void sm_fetch_queue_add(struct sm_fetch_queue *q, struct sm_cache_node *x)
{
    x->before = q->last;
    x->after = NULL;
    *(q->last ? &q->last->after : &q->first) = x;
    q->last = x;
    q->n++;
    join_file(q, x);
}

void sm_fetch_queue_remove(struct sm_fetch_queue *q, struct sm_cache_node *x)
{
    *(x->before ? &x->before->after : &q->first) = x->after;
    *(x->after ? &x->after->before : &q->last) = x->before;
    q->n--;
    leave_file(q, x);
}

void sm_fetch_queue_clear(struct sm_fetch_queue *q)
{
    sm_map_clear(&q->files);
}

/* ---- taking ---- */

static uint64_t read_cost(const struct sm_cache_node *x)
{
    return x->queued == SM_WANT_HEAD ? 0 : x->length;
}

static int by_offset(const void *a, const void *b)
{
    const struct sm_cache_node *x = *(struct sm_cache_node *const *)a,
                               *y = *(struct sm_cache_node *const *)b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Takes the first request, whatever its cost if nothing was taken yet, and others of its file while
 * they fit. */
static size_t take_file(struct sm_fetch_queue *q, struct sm_cache_node **out, size_t most,
                        uint64_t *bytes)
{
    struct sm_cache_node *first = q->first, *x = first, *next;
    size_t n = 0, seen = 0;
    for (bool more = true; more && n < most && seen < 2 * most; x = next, seen++) {
        next = x->next_in_file;
        more = next != first;
        bool fits = *bytes + read_cost(x) <= BYTES_PER_JOB || !*bytes;
        if (same_file(x, first) && fits) {
            *bytes += read_cost(x);
            out[n++] = x;
        }
    }
    for (size_t i = 0; i < n; i++)
        sm_fetch_queue_remove(q, out[i]);
    qsort(out, n, sizeof *out, by_offset);
    return n;
}

size_t sm_fetch_queue_take(struct sm_fetch_queue *q, struct sm_cache_node **out, size_t most)
{
    const struct sm_trial *trial = q->first ? q->first->trial : NULL;
    uint64_t bytes = 0;
    size_t n = 0;
    for (int files = 0; q->first && q->first->trial == trial && n < most && files < FILES_PER_JOB;
         files++) {
        if (n && bytes + read_cost(q->first) > BYTES_PER_JOB)
            break;
        n += take_file(q, out + n, most - n, &bytes);
    }
    return n;
}
