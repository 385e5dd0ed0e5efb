/* SPDX-License-Identifier: Apache-2.0 */
/* Merges what a worker has read of a record into the cache, in the loop's thread. Internal to
 * reader/fetch/fetch.c and reader/fetch/survey.c. */
#ifndef SM_FETCH_ANSWER_H
#define SM_FETCH_ANSWER_H

#include "reader/fetch/cache.h"
#include "reader/fetch/fetch_read.h"

/* r->node must not be NULL; r->tensor is taken over if the cache has room. Bad data is reported to
 * the trial. */
void sm_fetch_answer(struct sm_cache *c, struct sm_read *r);
/* Reports what is wrong with a record, r->err. In a file that may still grow, missing bytes are no
 * problem yet; the requester gets the reason in any case. */
void sm_fetch_report(struct sm_trial *t, const struct sm_read *r);
/* The same of a record at an offset: the file and the byte where its elements lie are named, if its
 * source makes records of another format. */
void sm_fetch_report_at(struct sm_trial *t, const char *path, uint64_t offset,
                        const struct sm_err *err);
/* r->ok and r->counted */
void sm_fetch_keep_brief(struct sm_trial *t, const struct sm_read *r);

#endif
