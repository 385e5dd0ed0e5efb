/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a trace to its columns, in pieces.
 *
 * The text is an object whose keys come in any order, among them the list "traceEvents", or that
 * list alone. What json_scan.h accepts is accepted; an object that is no event is counted, and
 * reading goes on at the next one. Time is linear in the bytes. */
#ifndef SM_TRACE_READ_H
#define SM_TRACE_READ_H

#include "reader/trace/trace_data.h"

/* EVENT_BYTES: a longer object, and a longer value beside the list, is given up. DURATION: longer
 * ones are overflows. EVENTS: the rest is left out. */
enum { SM_TRACE_EVENT_BYTES = 4 * 1024 * 1024, SM_TRACE_EVENTS_MAX = 200 * 1000 * 1000 };
#define SM_TRACE_DURATION_MAX_NS (86400 * (int64_t)1000000000)
/* Of times (the year 2043) and of the sum of all durations: sums and differences do not overflow.
 */
#define SM_TRACE_TIME_MAX_NS (INT64_MAX / 4)

struct sm_trace_reader;
/* Fills a trace, which is zero-initialised and borrowed. NULL: no memory. */
struct sm_trace_reader *sm_trace_reader_new(struct sm_trace_data *trace);
void sm_trace_reader_free(struct sm_trace_reader *r); /* may be NULL */
/* Reads what is whole; returns the bytes used: the rest comes again with the next piece, of which
 * at least SM_TRACE_EVENT_BYTES are given if there are as many. */
size_t sm_trace_feed(struct sm_trace_reader *r, const char *p, size_t n);
/* After the last piece: notes whether the text was whole. False: it is no trace at all. */
bool sm_trace_finish(struct sm_trace_reader *r);
/* Whether the first bytes of a file look like those of a trace. */
bool sm_trace_looks_like(const char *p, size_t n);

#endif
