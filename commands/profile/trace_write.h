/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a profile as trace events (Chrome's format, which Perfetto opens): the same form as that
 * of timelines (doc/formats.md), with the use of the machines as counters. It is written in parts,
 * so that whoever waits for it can do something else, or give up. */
#ifndef SM_TRACE_WRITE_H
#define SM_TRACE_WRITE_H

#include "commands/profile/profile_window.h"

#include <stdio.h>

struct sm_trace_written {
    uint64_t events, samples;
    uint64_t bytes;
};
struct sm_trace_writer;
/* What is in the window. It borrows f and the text of the window. NULL: no memory. */
struct sm_trace_writer *sm_trace_writer_new(FILE *f, const struct sm_profile_window *w);
void sm_trace_writer_free(struct sm_trace_writer *w); /* may be NULL */
enum sm_trace_state { SM_TRACE_MORE, SM_TRACE_DONE, SM_TRACE_FAILED };
/* Goes on for about `work` events or samples, of the same profile each time, which may have grown.
 * FAILED: no memory, or the file cannot be written; what is there is no trace then. */
enum sm_trace_state sm_trace_writer_go(struct sm_trace_writer *w, const struct sm_profile *p,
                                       size_t work, struct sm_err *err);
/* What is written so far. */
const struct sm_trace_written *sm_trace_writer_done(const struct sm_trace_writer *w);

#endif
