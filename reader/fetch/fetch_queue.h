/* SPDX-License-Identifier: Apache-2.0 */
/* Requests in order, from which those for one event file can be taken together. Internal to
 * reader/fetch/fetch.c.
 *
 * A series of a tensor reads one value from each of many files; a table of a step reads all values
 * of one file. If all requests for a file are taken with the first one, files are opened and read
 * once. */
#ifndef SM_FETCH_QUEUE_H
#define SM_FETCH_QUEUE_H

#include "reader/base/map.h"
#include "reader/fetch/cache.h"

struct sm_fetch_queue {
    struct sm_cache_node *first, *last; /* linked by `before` and `after` */
    size_t n;
    struct sm_map files; /* file -> its first request; the ring next_in_file has the others */
};
void sm_fetch_queue_add(struct sm_fetch_queue *q, struct sm_cache_node *x);
void sm_fetch_queue_remove(struct sm_fetch_queue *q, struct sm_cache_node *x);
void sm_fetch_queue_clear(struct sm_fetch_queue *q); /* frees its memory; it must be empty */

/* Removes the first request and others for the same job: those of its file, by offset, then those
 * of the next files of its trial. At most `most`, fewer if many files or bytes would be read.
 * Returns how many; 0: the queue is empty. */
size_t sm_fetch_queue_take(struct sm_fetch_queue *q, struct sm_cache_node **out, size_t most);

#endif
