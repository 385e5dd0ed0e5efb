/* SPDX-License-Identifier: Apache-2.0 */
/* The source of a run whose log has values that are no numbers: histograms, images, texts.
 *
 * A trial reads a value as an event record, by file and offset (reader/kind/trial_kind.h). This
 * source has one more file than the folder of the run: SM_LOG_VALUES, such records after one
 * another. None of them is stored: when one is read, the format makes it from its own files. */
#ifndef SM_LOG_SOURCE_H
#define SM_LOG_SOURCE_H

#include "reader/format/event.h"
#include "reader/source/source.h"

#define SM_LOG_VALUES ".values"

/* Where a value stands. */
struct sm_log_origin {
    const char *file; /* relative to the folder of the run */
    uint64_t offset;  /* of what holds it */
    const char *key;  /* its name there */
};
/* Makes the value again, in a worker; the tag is set by the caller. What *out points to is in the
 * arena. */
typedef bool sm_log_make(struct sm_source *files, const struct sm_log_origin *from,
                         struct sm_arena *arena, struct sm_event_value *out, struct sm_err *err);

/* Keeps a reference to `files`. NULL: no memory. */
struct sm_source *sm_log_source_new(struct sm_source *files, sm_log_make *make, struct sm_err *err);
/* Appends a value to that file: gives its offset and length. v: of the same type, shape and sizes
 * as `make` will give, bytes do not matter. False: no memory, or the source is another one. */
struct sm_log_record {
    struct sm_text tag;
    int64_t step;
    double time; /* seconds since 1970; NaN: not known */
    struct sm_log_origin from;
};
bool sm_log_source_add(struct sm_source *s, const struct sm_log_record *r,
                       const struct sm_event_value *v, uint64_t *offset, uint64_t *length);

#endif
