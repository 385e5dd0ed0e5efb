/* SPDX-License-Identifier: Apache-2.0 */
/* Items of the queue: their memory, which is used again, and what they cost. */
#include "reader/hook/hook_private.h"

#include "reader/base/mem.h"

#include <string.h>

/* Buffers of less are neither page-aligned nor kept. */
enum { SMALL_BUFFER = 4096 };

/* An item whose buffer is large enough, and at most twice as large. The caller holds the lock. */
static struct hook_item *take_spare_item(struct hook_queue *q, size_t bytes)
{
    for (struct hook_item **link = &q->spare, *x; (x = *link); link = &x->next) {
        if (x->room < bytes || x->room / 2 > bytes)
            continue;
        *link = x->next;
        q->spare_bytes -= x->room;
        return x;
    }
    return NULL;
}

struct hook_item *hook_queue_item(struct hook_queue *q, enum hook_item_kind kind, const char *name,
                                  size_t bytes)
{
    pthread_mutex_lock(&q->lock);
    struct hook_item *x = bytes >= SMALL_BUFFER ? take_spare_item(q, bytes) : NULL;
    pthread_mutex_unlock(&q->lock);
    if (!x)
        x = sm_alloc_zero(1, sizeof *x);
    if (!x)
        return NULL;
    uint8_t *data = x->data;
    size_t room = x->room;
    *x = (struct hook_item){.kind = kind,
                            .data = data,
                            .room = room,
                            .bytes = bytes,
                            .name = name ? sm_strdup(name) : NULL};
    if (bytes && !data) {
        x->data = bytes < SMALL_BUFFER ? sm_alloc(bytes) : sm_alloc_pages(bytes);
        x->room = x->data ? bytes : 0;
    }
    if ((name && !x->name) || (bytes && !x->data)) {
        hook_queue_recycle(q, x);
        return NULL;
    }
    return x;
}

void hook_queue_recycle(struct hook_queue *q, struct hook_item *x)
{
    sm_free(x->name);
    sm_free(x->histogram);
    x->name = x->histogram = NULL;
    pthread_mutex_lock(&q->lock);
    bool keep = x->room >= SMALL_BUFFER && q->spare_bytes + x->room <= q->limit_bytes;
    if (keep) {
        x->next = q->spare;
        q->spare = x;
        q->spare_bytes += x->room;
    }
    pthread_mutex_unlock(&q->lock);
    if (keep)
        return;
    sm_free(x->data);
    sm_free(x);
}

size_t hook_item_cost(const struct hook_item *x)
{
    enum { HEADER = 16 };
    size_t texts = (x->name ? strlen(x->name) + 1 + HEADER : 0) +
                   (x->histogram ? strlen(x->histogram) + 1 + HEADER : 0);
    return sizeof *x + HEADER + texts + (x->room ? x->room + HEADER : 0);
}

void hook_queue_free_spares(struct hook_queue *q)
{
    for (struct hook_item *x = q->spare, *next; x; x = next) {
        next = x->next;
        sm_free(x->data);
        sm_free(x);
    }
    q->spare = NULL;
}
