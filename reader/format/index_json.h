/* SPDX-License-Identifier: Apache-2.0 */
/* Index files (doc/formats.md): where each value of one step of one worker is stored. */
#ifndef SM_INDEX_JSON_H
#define SM_INDEX_JSON_H

#include "reader/base/err.h"
#include "reader/base/str.h"
#include "reader/format/event.h"

/* The most bits of a record's place that a trial keeps; a longer record makes the file invalid. */
enum { SM_INDEX_OFFSET_BITS = 48, SM_INDEX_LENGTH_BITS = 40 };
#define SM_INDEX_OFFSET_MAX (((uint64_t)1 << SM_INDEX_OFFSET_BITS) - 1)

struct sm_index_payload {
    struct sm_text name;
    uint64_t offset, length; /* of the whole record in the event file */
};
struct sm_index_shape {
    struct sm_text name, original;
    unsigned n_dims;
    uint64_t dims[SM_DIMS_MAX];
};
/* All texts point into `strings`, freed by sm_index_clear. Zero-initialise, then reuse for file
 * after file. */
struct sm_index {
    int mode;                  /* 1..4; 0: missing or unknown (the caller may use the record's) */
    int64_t mode_step;         /* -1 if missing */
    struct sm_text event_file; /* n == 0 if none */
    struct sm_index_payload *payloads;
    size_t n_payloads, cap_payloads;
    struct sm_index_shape *shapes;
    size_t n_shapes, cap_shapes;
    struct sm_str strings;
};
/* Missing lists, meta and members of meta are accepted (empty); wrong types, null, tensors without
 * a name or a length, an empty name of an event file, and negative or overflowing
 * numbers are SM_ERR_DATA with the offset. Unknown keys are skipped: at the top level with any
 * value, deeper only if the value is no list and no object. */
bool sm_index_parse(const char *p, size_t n, struct sm_index *out, struct sm_err *err);
void sm_index_clear(struct sm_index *x);
/* Appends the file's bytes like Python's json.dumps (", " and ": ", non-ASCII as \uXXXX). */
void sm_index_write(struct sm_str *out, const struct sm_index *x);

int sm_mode_of_name(const char *p, size_t n); /* "TRAIN" -> 1 ..., any case; 0 if unknown */
const char *sm_mode_name(int mode);           /* 1 -> "TRAIN"; "-" for 0 */

#endif
