/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a profile as trace events (Chrome's format, which Perfetto opens): the same form as that
 * of timelines (doc/formats.md), with the use of the machines as counters. */
#ifndef SM_TRACE_WRITE_H
#define SM_TRACE_WRITE_H

#include "commands/profile/profile_window.h"

#include <stdio.h>

struct sm_trace_written {
    uint64_t events, samples;
    uint64_t bytes;
};
/* Writes what is in the window. False: no memory, or the file cannot be written. */
bool sm_trace_write(FILE *f, const struct sm_profile *p, const struct sm_profile_window *w,
                    struct sm_trace_written *out, struct sm_err *err);

#endif
