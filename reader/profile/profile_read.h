/* SPDX-License-Identifier: Apache-2.0 */
/* Reading one piece of one file of a profiler's tree, in a worker. Internal to the room. */
#ifndef SM_PROFILE_READ_H
#define SM_PROFILE_READ_H

#include "reader/profile/metric_lines.h"
#include "reader/profile/profile_files.h"

enum { SM_PROFILE_PIECE_BYTES = 8 * 1024 * 1024 };
struct sm_profile_piece {
    /* in: a copy of the record of the file; its timeline is lent */
    struct sm_profile_file file;
    struct sm_source *source;
    const char *node;
    bool growing; /* more data may come */
    /* out */
    uint64_t used;       /* bytes */
    uint64_t seen_bytes; /* of the file, with those that were not used */
    bool more;           /* the file goes on */
    bool failed;         /* err says why; nothing was read */
    struct sm_str head;
    struct sm_metric_batch metrics;
    struct sm_event_batch events;
    struct sm_err err;
};
void sm_profile_piece_read(struct sm_profile_piece *x);
void sm_profile_piece_clear(struct sm_profile_piece *x);

#endif
