/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics and quantiles of a large record, which is read in pieces, several times, and never
 * held. Internal to summary.c. */
#ifndef SM_SUMMARY_STREAM_H
#define SM_SUMMARY_STREAM_H

#include "reader/fetch/fetch_read.h"
#include "reader/fetch/summary.h"

/* Fills *out and sets x->ok. x is as for sm_read_record; its limit does not count here. False:
 * x->err is the reason, SM_ERR_CANCELLED if *stop became true; or without an error: the record must
 * be read whole. */
bool sm_summary_stream(const struct sm_file *f, const atomic_bool *stop, struct sm_read *x,
                       struct sm_scratch *scratch, struct sm_summary *out);

#endif
