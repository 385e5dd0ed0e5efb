/* Requests in the order of asking, from which the values of one event file can be taken together.
 * Inside of reader/fetch.c.
 *
 * A tensor's series asks one value of each of many files, a step's table all values of one. Files
 * are opened and read once if whatever is asked of a file goes with the first request for it. */
#ifndef SM_FETCH_QUEUE_H
#define SM_FETCH_QUEUE_H

#include "reader/base/map.h"
#include "reader/cache.h"

struct sm_fetch_queue {
    struct sm_cache_node *first, *last; /* by `before` and `after` */
    size_t n;
    struct sm_map files; /* of a file's first request, whose ring (next_in_file) has the others */
};
void sm_fetch_queue_add(struct sm_fetch_queue *q, struct sm_cache_node *x);
void sm_fetch_queue_remove(struct sm_fetch_queue *q, struct sm_cache_node *x);
void sm_fetch_queue_clear(struct sm_fetch_queue *q); /* its own memory; it must be empty */

/* Removes the first request and what belongs in the same job: others of its file, by offset, and
 * then of the next files of its trial. At most `most`; fewer when there is much to open or to read.
 * How many; 0: the queue is empty. */
size_t sm_fetch_queue_take(struct sm_fetch_queue *q, struct sm_cache_node **out, size_t most);

#endif
