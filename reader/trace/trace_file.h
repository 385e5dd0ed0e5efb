/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one file of a trace, in a worker: piece by piece, decompressed if its bytes say that it is
 * compressed, whatever its name. */
#ifndef SM_TRACE_FILE_H
#define SM_TRACE_FILE_H

#include "reader/source/source.h"
#include "reader/trace/trace_data.h"

#include <stdatomic.h>

struct sm_trace_file {
    struct sm_source *source;     /* in, like path; borrowed */
    const char *path;             /* as stored: with .gz */
    const atomic_bool *cancelled; /* NULL: never */
    struct sm_trace_data trace;   /* out; of a damaged file, what comes before the damage */
    struct sm_err err;            /* out: what is wrong; no code: nothing */
    int64_t err_at;               /* offset in the text; -1: the whole file */
};
/* False: nothing could be read. */
bool sm_trace_file_read(struct sm_trace_file *f);

#endif
