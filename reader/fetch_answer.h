/* What a worker has read of a record, merged into the cache by the loop. Inside of reader/fetch.c.
 */
#ifndef SM_FETCH_ANSWER_H
#define SM_FETCH_ANSWER_H

#include "reader/cache.h"
#include "reader/fetch_read.h"

/* r->node is not NULL; r->tensor is taken over where there is room for it. Bad data is reported to
 * the trial. */
void sm_fetch_answer(struct sm_cache *c, struct sm_read *r);

#endif
