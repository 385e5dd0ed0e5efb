/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/fetch/cache.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"

#include <string.h>

enum {
    FIRST_BUCKETS = 256,
    PAYLOAD_REST_US = 1000000,
    FACTS_REST_US = 5000000,
    RETRY_US = 20000,
    REQUESTS_PER_TICK = 1000
};
enum { ASIDE_BYTES = 16 << 20, LAPS = 2, LAPS_UNUSED = 64 };
/* Rules look back some steps, and request again what they look at. */
enum { ASIDE_NODES = 4096, ASIDE_LAPS = 256 };

/* ---- table and lists ---- */

/* All values of a record have its offset. */
static size_t node_bucket(const struct sm_cache *c, const struct sm_trial *t, uint32_t part,
                          uint64_t offset, uint16_t value)
{
    uint64_t h = (offset ^ (uint64_t)value << 44 ^ value ^ (uint64_t)part << 40 ^ (uint64_t)part ^
                  (uintptr_t)t) *
                 0x9e3779b97f4a7c15u;
    return (size_t)(h ^ h >> 31) & (c->n_buckets - 1);
}

static bool grow_buckets(struct sm_cache *c)
{
    size_t n = c->n_buckets, want = n ? n * 2 : FIRST_BUCKETS;
    struct sm_cache_node **old = c->buckets, **buckets = sm_alloc_zero(want, sizeof *buckets);
    if (!buckets)
        return n > 0; /* on failure the chains just get longer */
    c->buckets = buckets;
    c->n_buckets = want;
    for (size_t i = 0; i < n; i++)
        for (struct sm_cache_node *x = old[i], *next; x; x = next) {
            next = x->hash_next;
            size_t k = node_bucket(c, x->trial, x->part, x->offset, x->value);
            x->hash_next = buckets[k];
            buckets[k] = x;
        }
    sm_free(old);
    return true;
}

static size_t link_index(enum sm_cache_list l)
{
    return l < SM_CACHE_LISTS ? l : l - SM_CACHE_LISTS;
}

/* A list is a ring through the cache's own link. */
static struct sm_cache_link *list_link(struct sm_cache *c, struct sm_cache_node *x,
                                       enum sm_cache_list l)
{
    return x ? &x->links[link_index(l)] : &c->lists[l];
}

static void unlink_used(struct sm_cache *c, struct sm_cache_node *x, enum sm_cache_list l)
{
    const struct sm_cache_link *own = list_link(c, x, l);
    list_link(c, own->newer, l)->older = own->older;
    list_link(c, own->older, l)->newer = own->newer;
}

static void link_newest(struct sm_cache *c, struct sm_cache_node *x, enum sm_cache_list l)
{
    *list_link(c, x, l) = (struct sm_cache_link){.older = c->lists[l].older};
    list_link(c, c->lists[l].older, l)->newer = x;
    c->lists[l].older = x;
}

/* Whether the running command has requested it; then it is in the lists of the command. */
static bool is_pinned(const struct sm_cache *c, const struct sm_cache_node *x)
{
    return c->in_command && x->command == c->command;
}

static enum sm_cache_list node_list(const struct sm_cache *c, const struct sm_cache_node *x)
{
    return is_pinned(c, x) ? SM_CACHE_PINNED : SM_CACHE_ALL;
}

/* Puts the list of the command at the newest end of the list of the rest. */
static void unpin(struct sm_cache *c, enum sm_cache_list pinned)
{
    struct sm_cache_link *from = &c->lists[pinned];
    enum sm_cache_list l = (enum sm_cache_list)link_index(pinned);
    if (!from->newer)
        return;
    list_link(c, c->lists[l].older, l)->newer = from->newer;
    list_link(c, from->newer, l)->older = c->lists[l].older;
    c->lists[l].older = from->older;
    *from = (struct sm_cache_link){0};
}

void sm_cache_end(struct sm_cache *c)
{
    unpin(c, SM_CACHE_PINNED);
    unpin(c, SM_CACHE_PINNED_PAYLOADS);
    c->in_command = false;
    c->retry_us = 0;
}

void sm_cache_begin(struct sm_cache *c)
{
    sm_cache_end(c);
    c->command++;
    sm_cache_tick(c);
    c->in_command = true;
}

/* ---- payloads ---- */

static enum sm_cache_list payload_list(const struct sm_cache *c, const struct sm_cache_node *x)
{
    return is_pinned(c, x) ? SM_CACHE_PINNED_PAYLOADS
           : x->aside      ? SM_CACHE_BACKGROUND
                           : SM_CACHE_PAYLOADS;
}

static void link_payload(struct sm_cache *c, struct sm_cache_node *x)
{
    link_newest(c, x, payload_list(c, x));
    c->background_bytes += x->aside ? x->payload_bytes : 0;
}

static void unlink_payload(struct sm_cache *c, struct sm_cache_node *x)
{
    unlink_used(c, x, payload_list(c, x));
    c->background_bytes -= x->aside ? x->payload_bytes : 0;
}

/* ---- nodes ---- */

static size_t node_bytes(const struct sm_cache_node *x)
{
    return sizeof *x +
           (x->facts.n_dims + (x->facts.quantiles ? SM_FACTS_QUANTILES : 0)) *
               sizeof *x->facts.dims +
           x->payload_bytes + (x->err ? sizeof *x->err : 0);
}

static struct sm_cache_node *new_node(struct sm_cache *c, struct sm_trial *t,
                                      const struct sm_entry *e, size_t bucket)
{
    struct sm_cache_node *x = sm_alloc_zero(1, sizeof *x);
    if (!x)
        return NULL;
    x->trial = t;
    x->part = e->part;
    x->offset = e->offset;
    x->length = e->length;
    x->value = e->value;
    x->entry = *e;
    x->aside = true;
    x->hash_next = c->buckets[bucket];
    c->buckets[bucket] = x;
    link_newest(c, x, SM_CACHE_ALL);
    link_newest(c, x, SM_CACHE_ASIDE);
    c->n_aside++;
    c->n_nodes++;
    c->used += node_bytes(x);
    return x;
}

void sm_cache_tick(struct sm_cache *c)
{
    c->now_us = sm_clock_mono_us();
    c->n_requests = 0;
}

/* Moves it to the newest end of the nodes that no command has requested, or out of them. */
static void set_asked(struct sm_cache *c, struct sm_cache_node *x, bool asked)
{
    if (!x->asked) {
        unlink_used(c, x, SM_CACHE_ASIDE);
        c->n_aside--;
    }
    x->asked = asked;
    if (!asked) {
        link_newest(c, x, SM_CACHE_ASIDE);
        c->n_aside++;
    }
}

/* A node already asked for since the last tick is among the newest and need not move. */
static void touch_node(struct sm_cache *c, struct sm_cache_node *x)
{
    if (!c->now_us || c->n_requests++ == REQUESTS_PER_TICK)
        sm_cache_tick(c);
    x->lap = c->lap;
    bool pins = !c->aside && c->in_command && !is_pinned(c, x);
    if (x->requested_us == c->now_us && x->aside <= c->aside && !pins)
        return;
    x->requested_us = c->now_us;
    unlink_used(c, x, node_list(c, x));
    if (x->tensor)
        unlink_payload(c, x);
    x->command = c->aside ? x->command : c->command;
    x->aside = x->aside && c->aside;
    set_asked(c, x, x->asked || (c->in_command && !c->aside));
    link_newest(c, x, node_list(c, x));
    if (x->tensor)
        link_payload(c, x);
}

struct sm_cache_node *sm_cache_node(struct sm_cache *c, struct sm_trial *t,
                                    const struct sm_entry *e)
{
    if (c->n_nodes >= c->n_buckets && !grow_buckets(c))
        return NULL;
    size_t k = node_bucket(c, t, e->part, e->offset, e->value);
    struct sm_cache_node *x = c->buckets[k];
    while (x && (x->trial != t || x->part != e->part || x->offset != e->offset ||
                 x->length != e->length || x->value != e->value))
        x = x->hash_next;
    if (!x && !(x = new_node(c, t, e, k)))
        return NULL;
    touch_node(c, x);
    return x;
}

/* ---- contents ---- */

static void drop_tensor(struct sm_cache *c, struct sm_cache_node *x)
{
    if (!x->tensor)
        return;
    unlink_payload(c, x);
    c->used -= x->payload_bytes;
    x->payload_bytes = 0;
    sm_tensor_unref(x->tensor);
    x->tensor = NULL;
    x->have &= (uint8_t)~SM_WANT_TENSOR;
}

bool sm_cache_answer(struct sm_cache *c, struct sm_cache_node *x, const struct sm_facts *facts,
                     bool counted, struct sm_tensor **tensor)
{
    size_t n_quantiles = facts->quantiles ? SM_FACTS_QUANTILES : 0;
    /* the quantiles follow the dims */
    uint64_t *dims = sm_alloc((facts->n_dims + n_quantiles) * sizeof *dims);
    if (!dims)
        return false;
    if (facts->n_dims)
        memcpy(dims, facts->dims, facts->n_dims * sizeof *dims);
    if (n_quantiles)
        memcpy(dims + facts->n_dims, facts->quantiles, n_quantiles * sizeof *facts->quantiles);
    c->used -= node_bytes(x);
    if ((x->facts.whole && !facts->whole) || ((x->have & SM_WANT_STATS) && !counted)) {
        sm_free(dims); /* a late answer with less information */
    } else {
        sm_free((void *)(uintptr_t)x->facts.dims);
        x->facts = *facts;
        x->facts.dims = dims;
        x->facts.quantiles =
            n_quantiles ? (const double *)(const void *)(dims + facts->n_dims) : NULL;
        x->have |= SM_WANT_HEAD | (counted ? SM_WANT_STATS : 0);
    }
    if (*tensor && !x->tensor) {
        x->tensor = *tensor;
        x->payload_bytes = sm_tensor_bytes(x->tensor);
        link_payload(c, x);
        x->have |= SM_WANT_TENSOR;
        *tensor = NULL;
    }
    x->fresh = true;
    c->used += node_bytes(x);
    return true;
}

void sm_cache_fail(struct sm_cache *c, struct sm_cache_node *x, const struct sm_err *err,
                   uint64_t when)
{
    if (!x->err) {
        x->err = sm_alloc(sizeof *x->err);
        c->used += x->err ? sizeof *x->err : 0;
    }
    if (x->err)
        *x->err = *err;
    x->failed_at = when;
}

bool sm_cache_may_succeed(const struct sm_cache *c, const struct sm_cache_node *x)
{
    if (x->err->code == SM_ERR_MEMORY || x->err->code == SM_ERR_LIMIT)
        return x->failed_at != c->command;
    return x->failed_at != sm_trial_arrivals(x->trial);
}

void sm_cache_forgive(struct sm_cache *c, struct sm_cache_node *x)
{
    c->used -= x->err ? sizeof *x->err : 0;
    sm_free(x->err);
    x->err = NULL;
}

void sm_cache_remove(struct sm_cache *c, struct sm_cache_node *x)
{
    struct sm_cache_node **link =
        &c->buckets[node_bucket(c, x->trial, x->part, x->offset, x->value)];
    while (*link != x)
        link = &(*link)->hash_next;
    *link = x->hash_next;
    drop_tensor(c, x);
    unlink_used(c, x, node_list(c, x));
    set_asked(c, x, true);
    c->used -= node_bytes(x);
    c->n_nodes--;
    sm_free((void *)(uintptr_t)x->facts.dims);
    sm_free(x->err);
    sm_free(x);
}

static void forget_list(struct sm_cache *c, enum sm_cache_list l, const struct sm_trial *t)
{
    for (struct sm_cache_node *x = c->lists[l].newer, *next; x; x = next) {
        next = x->links[SM_CACHE_ALL].newer;
        if (!t || x->trial == t)
            sm_cache_remove(c, x);
    }
}

void sm_cache_forget(struct sm_cache *c, const struct sm_trial *t)
{
    forget_list(c, SM_CACHE_ALL, t);
    forget_list(c, SM_CACHE_PINNED, t);
}

void sm_cache_clear(struct sm_cache *c)
{
    sm_cache_forget(c, NULL);
    sm_free(c->buckets);
    *c = (struct sm_cache){0};
}

/* ---- eviction ---- */

static bool is_protected(const struct sm_cache *c, const struct sm_cache_node *x)
{
    return x->queued || x->jobs || is_pinned(c, x);
}

/* Whether a view draws it again, or rules still look back at it. Without news views draw seldom. */
static bool is_in_use(const struct sm_cache *c, const struct sm_cache_node *x, int64_t now)
{
    if (x->aside)
        return c->lap - x->lap <= ASIDE_LAPS;
    return now - x->requested_us < FACTS_REST_US || sm_trial_state(x->trial) == SM_TRIAL_ENDED;
}

/* Frees the nodes of steps that were judged or shown long ago, so that following a job needs no
 * more memory the longer it takes. */
static void evict_aside(struct sm_cache *c)
{
    int64_t now = c->n_aside > ASIDE_NODES ? sm_clock_mono_us() : 0;
    for (struct sm_cache_node *x = c->lists[SM_CACHE_ASIDE].newer, *next;
         x && c->n_aside > ASIDE_NODES && !is_in_use(c, x, now); x = next) {
        next = x->links[SM_CACHE_ASIDE].newer;
        if (!is_protected(c, x))
            sm_cache_remove(c, x);
    }
}

/* Payloads not yet handed out stay for their lap, unless that lap seems never to come. */
void sm_cache_lap(struct sm_cache *c)
{
    c->lap++;
    evict_aside(c);
    for (struct sm_cache_node *x = c->lists[SM_CACHE_BACKGROUND].newer, *next;
         x && c->background_bytes > ASIDE_BYTES; x = next) {
        next = x->links[SM_CACHE_BACKGROUND].newer;
        uint64_t age = c->lap - x->lap;
        if (age <= LAPS)
            break;
        if (!is_protected(c, x) && (!x->fresh || age > LAPS_UNUSED))
            drop_tensor(c, x);
    }
}

static void evict_payloads(struct sm_cache *c, enum sm_cache_list l, int64_t now, size_t target)
{
    for (struct sm_cache_node *x = c->lists[l].newer, *next; x && c->used > target; x = next) {
        next = x->links[l].newer;
        c->walked++;
        if (now - x->requested_us < PAYLOAD_REST_US)
            break;
        if (!is_protected(c, x) && (!x->fresh || now - x->requested_us >= FACTS_REST_US))
            drop_tensor(c, x);
    }
}

/* The lists are ordered by the time of asking or answering, so the first node asked for recently
 * ends the walk. Frees somewhat more than necessary, and pauses when nothing can be freed. */
void sm_cache_evict(struct sm_cache *c)
{
    int64_t now = c->used > c->budget ? sm_clock_mono_us() : 0;
    size_t target = c->budget - c->budget / 8;
    evict_aside(c);
    if (c->used <= c->budget || now < c->retry_us)
        return;
    evict_payloads(c, SM_CACHE_BACKGROUND, now, target);
    evict_payloads(c, SM_CACHE_PAYLOADS, now, target);
    for (struct sm_cache_node *x = c->lists[SM_CACHE_ALL].newer, *next; x && c->used > target;
         x = next) {
        next = x->links[SM_CACHE_ALL].newer;
        c->walked++;
        if (now - x->requested_us < FACTS_REST_US)
            break;
        if (!is_protected(c, x))
            sm_cache_remove(c, x);
    }
    c->retry_us = c->used > c->budget ? now + RETRY_US : 0;
}
