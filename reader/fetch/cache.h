/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of records: facts for all, payloads for some, within a budget. Internal to
 * reader/fetch/fetch.c.
 *
 * A node is one record of one trial. Nodes are in a hash table by (trial, part, offset), and in
 * lists by the time of the last request: one of all nodes, and one of those with a payload. Over
 * budget, the payloads requested longest ago are freed first, then whole nodes. A node stays if it
 * is being read, belongs to the running command, was not yet handed out, or was requested a moment
 * ago; so asking again always makes progress. A cache that is too small is slow and somewhat over
 * its budget, but never reads in circles. What the running command requested is in lists of its
 * own, so that freeing the rest does not look at it again and again. */
#ifndef SM_CACHE_H
#define SM_CACHE_H

#include "reader/fetch/fetch.h"

/* Statistics and payload both include the head. */
enum sm_want { SM_WANT_HEAD = 1, SM_WANT_STATS = 2, SM_WANT_TENSOR = 4 };

struct sm_cache_node;
enum sm_cache_list {
    SM_CACHE_ALL,
    SM_CACHE_PAYLOADS,
    SM_CACHE_BACKGROUND, /* payloads requested only by the background */
    SM_CACHE_ASIDE,      /* all nodes that no command has requested */
    SM_CACHE_LISTS,
    /* in place of ALL and PAYLOADS, through the same links: what the running command requested */
    SM_CACHE_PINNED = SM_CACHE_LISTS,
    SM_CACHE_PINNED_PAYLOADS,
    SM_CACHE_HEADS,
};
struct sm_cache_link {
    /* in the list's own link: its oldest and its newest node */
    struct sm_cache_node *newer, *older;
};

struct sm_cache_node {
    struct sm_trial *trial; /* first the fields that every lookup reads, close together */
    uint64_t offset, length;
    uint32_t part;
    uint16_t value;                /* index in the record */
    uint16_t jobs;                 /* jobs that contain it */
    uint8_t have, queued, running; /* enum sm_want: known; waiting to be submitted; in jobs */
    uint8_t urgency;               /* SM_URGENCY_*: the most urgent requester */
    bool aside;                    /* requested only by the background */
    bool asked;                    /* requested by a command */
    bool fresh;                    /* answered, not yet handed out */
    struct sm_cache_node *hash_next;
    struct sm_err *err;   /* why it could not be read; NULL if it could */
    uint64_t command;     /* the last command that requested it */
    int64_t requested_us; /* time of the last request, monotonic */
    uint64_t lap;         /* lap of the last request */
    struct sm_tensor *tensor;
    size_t payload_bytes; /* bytes of the payload; 0: no tensor */
    struct sm_cache_link links[SM_CACHE_LISTS];
    /* links in the queue (reader/fetch/fetch_queue.h) */
    struct sm_cache_node *before, *after, *next_in_file, *last_in_file;
    /* sm_trial_arrivals when it failed (after lack of memory: the command's number) */
    uint64_t failed_at;
    struct sm_entry entry; /* as requested, for its brief */
    struct sm_facts facts;
};

struct sm_cache {
    struct sm_cache_node **buckets;
    size_t n_buckets, n_nodes, n_aside; /* n_aside: nodes that no command has requested */
    struct sm_cache_link lists[SM_CACHE_HEADS];
    size_t budget, used, background_bytes; /* the last: bytes of the background's payloads */
    uint64_t lap;
    uint64_t command; /* number of the last command; 0: none yet */
    bool in_command;
    int64_t now_us;      /* time of the last tick, monotonic; 0: none yet */
    unsigned n_requests; /* requests since the last tick */
    int64_t retry_us;    /* monotonic; no eviction is possible before */
    bool aside;          /* requests are the background's, not the command's */
    uint64_t walked;     /* nodes that sm_cache_evict has looked at */
};

void sm_cache_tick(struct sm_cache *c); /* sets the time of the requests that follow */
void sm_cache_clear(struct sm_cache *c);
/* The node of an entry, existing or new, moved to the newest end. NULL if there is no memory. */
struct sm_cache_node *sm_cache_node(struct sm_cache *c, struct sm_trial *t,
                                    const struct sm_entry *e);
/* A command begins or ends; what it requested is from then on like the rest. */
void sm_cache_begin(struct sm_cache *c);
void sm_cache_end(struct sm_cache *c);
/* Stores what was read; counted: facts have the statistics. Copies dims, takes over the tensor (may
 * be NULL). False: no memory, nothing changed. */
bool sm_cache_answer(struct sm_cache *c, struct sm_cache_node *x, const struct sm_facts *facts,
                     bool counted, struct sm_tensor **tensor);
void sm_cache_fail(struct sm_cache *c, struct sm_cache_node *x, const struct sm_err *err,
                   uint64_t when);
/* Whether a failed request is worth repeating, after changes in the trial. */
bool sm_cache_may_succeed(const struct sm_cache *c, const struct sm_cache_node *x);
void sm_cache_forgive(struct sm_cache *c, struct sm_cache_node *x);
/* Removes the nodes of a trial, NULL: all; none is queued or running. */
void sm_cache_forget(struct sm_cache *c, const struct sm_trial *t);
/* The node must be neither queued nor running. */
void sm_cache_remove(struct sm_cache *c, struct sm_cache_node *x);
/* Starts a lap of the background: of the payloads that only it requested, those of the last two
 * laps stay, and some more; of the nodes, some thousands, and those of the last hundreds of laps.
 */
void sm_cache_lap(struct sm_cache *c);
void sm_cache_evict(struct sm_cache *c);

#endif
