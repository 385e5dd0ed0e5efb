/* What is remembered of records: facts for all, payloads for some, within a budget. Inside of
 * reader/fetch.c.
 *
 * A node stands for one record of one trial. Nodes are in a hash table by (trial, part, offset) and
 * in lists by the time somebody last asked: all of them, and those with a payload. Over budget the
 * payloads asked for longest ago go first, then whole nodes. What is on its way, belongs to the
 * command that runs, was not yet handed out, or was asked for a moment ago stays, so that asking
 * again always gets further; a cache that is too small is then slow and somewhat over its budget,
 * but never in a circle. */
#ifndef SM_CACHE_H
#define SM_CACHE_H

#include "reader/fetch.h"

/* Statistics and payload each bring the head along. */
enum sm_want { SM_WANT_HEAD = 1, SM_WANT_STATS = 2, SM_WANT_TENSOR = 4 };

struct sm_cache_node;
enum sm_cache_list {
    SM_CACHE_ALL,
    SM_CACHE_PAYLOADS,
    SM_CACHE_ASIDE, /* payloads that only the background asked for */
    SM_CACHE_LISTS,
};
struct sm_cache_link {
    struct sm_cache_node *newer, *older; /* of a list itself: its oldest and its newest */
};

struct sm_cache_node {
    struct sm_trial *trial; /* first what every question looks at: near each other */
    uint64_t offset, length;
    uint32_t part;
    uint16_t value;                /* of the record's */
    uint16_t jobs;                 /* that have it */
    uint8_t have, queued, running; /* enum sm_want: known; waiting to be submitted; in jobs */
    uint8_t urgency;               /* SM_URGENCY_*: who waits for it */
    bool aside;                    /* only the background has asked */
    bool fresh;                    /* answered and not handed out yet */
    struct sm_cache_node *hash_next;
    struct sm_err *err; /* why it could not be read; NULL: no failure */
    uint64_t command;   /* the last that asked */
    int64_t asked_us;   /* monotonic */
    uint64_t lap;       /* when it was asked for */
    struct sm_tensor *tensor;
    size_t payload_bytes; /* it holds; 0: no tensor */
    struct sm_cache_link links[SM_CACHE_LISTS];
    /* in the queue (reader/fetch_queue.h) */
    struct sm_cache_node *before, *after, *next_in_file, *last_in_file;
    uint64_t failed_at; /* sm_trial_arrivals (memory: the command's number) when it failed */
    struct sm_facts facts;
};

struct sm_cache {
    struct sm_cache_node **buckets;
    size_t n_buckets, n_nodes;
    struct sm_cache_link lists[SM_CACHE_LISTS];
    size_t budget, used, aside_bytes; /* the last: of the payloads aside */
    uint64_t lap;
    uint64_t command; /* number of the last; 0: none yet */
    bool in_command;
    int64_t now_us;   /* monotonic, of the last tick; 0: none yet */
    unsigned asks;    /* since then */
    int64_t retry_us; /* monotonic; nothing more could be evicted before */
    bool aside;       /* what is asked now is not the command's */
};

void sm_cache_tick(struct sm_cache *c); /* what is asked from now on is asked now */
void sm_cache_clear(struct sm_cache *c);
/* The node of an entry, new or old, as the newest. NULL: no memory. */
struct sm_cache_node *sm_cache_node(struct sm_cache *c, struct sm_trial *t,
                                    const struct sm_entry *e);
/* What was read; counted: facts have the statistics. dims are copied, the tensor (NULL: none) is
 * taken over. False: no memory, nothing changed. */
bool sm_cache_answer(struct sm_cache *c, struct sm_cache_node *x, const struct sm_facts *facts,
                     bool counted, struct sm_tensor **tensor);
void sm_cache_fail(struct sm_cache *c, struct sm_cache_node *x, const struct sm_err *err,
                   uint64_t when);
/* what has failed, now: there was news */
bool sm_cache_may_succeed(const struct sm_cache *c, const struct sm_cache_node *x);
void sm_cache_forgive(struct sm_cache *c, struct sm_cache_node *x);
/* not one that is queued or running */
void sm_cache_remove(struct sm_cache *c, struct sm_cache_node *x);
/* A lap of the background begins: of the payloads that only it asked for, the last two laps' stay,
 * and some more. */
void sm_cache_lap(struct sm_cache *c);
void sm_cache_evict(struct sm_cache *c);

#endif
