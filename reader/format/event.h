/* SPDX-License-Identifier: Apache-2.0 */
/* Event messages (doc/formats.md): protobuf to plain values and back.
 *
 * The room reader/format parses and writes the files of a trial, from bytes in memory to plain
 * structs, without I/O: TFRecord frames (tfrecord.h), event messages (event.h, wire.h), index and
 * collections files (index_json.h, collections_json.h, python_json.h), file names (location.h),
 * element types (dtype.h) and the frames of archives (smdz.h).
 *
 * Small messages go through protobuf-c; the bytes of a large tensor_content are located by walking
 * the wire format and borrowed, never copied. All pointers in an sm_event point into its arena or
 * into the record. */
#ifndef SM_EVENT_H
#define SM_EVENT_H

#include "reader/base/bytes.h"
#include "reader/base/err.h"
#include "reader/base/mem.h"
#include "reader/base/str.h"
#include "reader/format/dtype.h"

enum { SM_DIMS_MAX = 32 }; /* numpy's limit */

enum sm_value_kind {
    SM_VALUE_TENSOR,
    SM_VALUE_SCALAR,
    SM_VALUE_HISTOGRAM,
    SM_VALUE_IMAGE,
    SM_VALUE_OTHER
};

/* What a value is for those who show it. */
enum sm_value_form { SM_FORM_TENSOR, SM_FORM_SCALAR, SM_FORM_HISTOGRAM };

struct sm_event_value {
    struct sm_text tag;
    enum sm_value_kind kind;
    enum sm_dtype dtype;
    int proto_dtype; /* the code as written, to name unknown types */
    unsigned n_dims;
    uint64_t dims[SM_DIMS_MAX];
    uint64_t n_elements; /* product of dims, checked against the content */
    /* C order, little endian; widened from *_val fields if those were used */
    struct sm_bytes content;
    const struct sm_text *strings; /* n_elements strings, for SM_DTYPE_STRING */
    float simple;                  /* SM_VALUE_SCALAR */
    struct sm_text plugin;         /* TensorBoard's: "scalars", "histograms" ...; empty if none */
    bool has_mode;
    /* 1..4, from the record's plugin_data; the index file's mode has priority (doc/formats.md) */
    int mode;
    int64_t mode_step;
    struct {
        double min, max, num, sum, sum_squares;
        const double *limits, *counts;
        size_t n;
    } histo;
    struct {
        int32_t width, height;
        struct sm_bytes encoded; /* usually a PNG file */
    } image;
};

struct sm_event {
    double wall_time;            /* seconds since 1970 */
    int64_t step;                /* global step */
    struct sm_text file_version; /* "brain.Event:2" or empty */
    bool starts_session;         /* a session log START: values from this step on are void */
    struct sm_event_value *values;
    size_t n_values;
};

/* Parses one payload. Rejects dims that overflow or do not match the content, more than
 * SM_DIMS_MAX dims, wrong wire types, and wrong string counts: SM_ERR_DATA with the byte offset in
 * the payload. */
bool sm_event_parse(struct sm_bytes payload, struct sm_arena *arena, struct sm_event *out,
                    struct sm_err *err);

/* A number alone is a scalar. A histogram is one in the old form, or rows of left edge, right edge
 * and count of TensorBoard's plugin "histograms". */
enum sm_value_form sm_value_form_of(const struct sm_event_value *v);

/* Parses the start of a payload: dtype, dims, n_elements and tag of its first tensor, and the
 * length of its content (in content.n; content.p is NULL). False: the prefix is too short or holds
 * no such tensor; read the whole payload then. */
bool sm_event_head(struct sm_bytes prefix, struct sm_event_value *out, double *wall_time);

/* For reading that content in pieces: *at is its offset in a payload of payload_bytes, if at most
 * the value's metadata follows it (sm_event_is_valid_tail checks that). False: something else
 * follows, or the prefix is too short to know. */
bool sm_event_content(struct sm_bytes prefix, uint64_t payload_bytes, uint64_t *at);
/* Whether the bytes after the content do not affect the tensor. */
bool sm_event_is_valid_tail(struct sm_bytes rest);

/* Appends the payload of one smdebug record: fields and order of doc/formats.md (dim names
 * "<tag>_<size>", plugin_data mode_step then mode, step omitted when 0, dtype omitted for strings).
 * Byte-identical to smdebug's. Scalars and histograms are written as in TensorBoard's files, and so
 * is the name of a plugin. */
bool sm_event_write(struct sm_str *out, const struct sm_event *e, struct sm_err *err);
/* Appends a framed record of one number: a real one, as stored. */
bool sm_event_write_number(struct sm_str *out, struct sm_text tag, int64_t step, double wall_time,
                           enum sm_dtype dtype, const uint8_t element[8]);
/* The same for one value, without its content: `head` gets the bytes before the content, `tail`
 * those after it. Nothing large is copied. */
bool sm_event_write_around(struct sm_str *head, struct sm_str *tail, const struct sm_event *e,
                           struct sm_err *err);

#endif
