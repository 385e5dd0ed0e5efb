/* SPDX-License-Identifier: Apache-2.0 */
/* The encoding of steps in archives: parts of a batch to bytes and back. */
#ifndef SM_ARCHIVE_STEPS_H
#define SM_ARCHIVE_STEPS_H

#include "reader/archive/archive.h"
#include "reader/base/bytes.h"

/* Appends parts [from, to) of b. files: number of each event file, by the id of its name. False if
 * there is no memory. */
bool sm_archive_put_steps(const struct sm_batch *b, size_t from, size_t to, const uint32_t *files,
                          struct sm_str *out);

struct sm_archive_steps {
    const struct sm_trial_options *options; /* selects the parts to read */
    /* Called for each event file; false if there is no memory. */
    bool (*file)(void *ctx, struct sm_text path, uint32_t number);
    void *ctx;
    uint64_t most; /* limit on names, and on values, shapes and parts; more is bad data */
};
/* Adds the selected parts to b; if the rest is broken, the parts before it stay. */
bool sm_archive_get_steps(const struct sm_archive_steps *s, struct sm_bytes bytes,
                          struct sm_batch *b, struct sm_err *err);

/* Decodes a time as stored in archives (folded); false if it is outside the range of
 * sm_clock_us_of, on either side of 1970. */
bool sm_archive_get_time(uint64_t folded, int64_t *time_us);

#endif
