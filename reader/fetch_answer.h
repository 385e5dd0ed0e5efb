/* Merges what a worker has read of a record into the cache, in the loop's thread. Internal to
 * reader/fetch.c. */
#ifndef SM_FETCH_ANSWER_H
#define SM_FETCH_ANSWER_H

#include "reader/cache.h"
#include "reader/fetch_read.h"

/* r->node must not be NULL; r->tensor is taken over if the cache has room. Bad data is reported to
 * the trial. */
void sm_fetch_answer(struct sm_cache *c, struct sm_read *r);

#endif
