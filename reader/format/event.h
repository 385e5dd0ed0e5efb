/* Event messages (doc/formats.md): protobuf to plain values and back.
 *
 * Small messages go through protobuf-c; the bytes of a large tensor_content are located by walking
 * the wire format and borrowed, never copied. Everything in an sm_event points into its arena or
 * into the record. */
#ifndef SM_EVENT_H
#define SM_EVENT_H

#include "reader/base/bytes.h"
#include "reader/base/err.h"
#include "reader/base/mem.h"
#include "reader/base/str.h"
#include "reader/format/dtype.h"

enum { SM_DIMS_MAX = 32 }; /* numpy's own limit */

enum sm_value_kind {
    SM_VALUE_TENSOR,
    SM_VALUE_SCALAR,
    SM_VALUE_HISTOGRAM,
    SM_VALUE_IMAGE,
    SM_VALUE_OTHER
};

struct sm_event_value {
    struct sm_text tag;
    enum sm_value_kind kind;
    enum sm_dtype dtype;
    int proto_dtype; /* the code as written, to name unknown types */
    unsigned n_dims;
    uint64_t dims[SM_DIMS_MAX];
    uint64_t n_elements; /* product of dims, checked against what is there */
    /* C order, little endian; widened from *_val fields if those were used */
    struct sm_bytes content;
    const struct sm_text *strings; /* n_elements of them for SM_DTYPE_STRING */
    float simple;                  /* SM_VALUE_SCALAR */
    bool has_mode;
    int mode; /* 1..4 of the record's plugin_data; the index file's wins (doc/formats.md) */
    int64_t mode_step;
    struct {
        double min, max, num, sum, sum_squares;
        const double *limits, *counts;
        size_t n;
    } histo;
    struct {
        int32_t width, height;
        struct sm_bytes encoded; /* a PNG file, usually */
    } image;
};

struct sm_event {
    double wall_time;            /* seconds since 1970 */
    int64_t step;                /* global step */
    struct sm_text file_version; /* "brain.Event:2" or empty */
    struct sm_event_value *values;
    size_t n_values;
};

/* Parses one payload. Refuses: dims that overflow or do not fit the content, more than SM_DIMS_MAX
 * dims, wrong wire types, string counts that do not fit. SM_ERR_DATA's message has the byte offset
 * in the payload. */
bool sm_event_parse(struct sm_bytes payload, struct sm_arena *arena, struct sm_event *out,
                    struct sm_err *err);

/* What the first bytes of a payload say of its first tensor: dtype, dims, n_elements, tag and the
 * length of its content (in content.n; content.p is NULL). False: the prefix is too short or holds
 * no such tensor; read the whole then. */
bool sm_event_head(struct sm_bytes prefix, struct sm_event_value *out, double *wall_time);

/* For reading that content in pieces: *at is where it begins in a payload of that many bytes, when
 * at most the value's metadata follows it (sm_event_is_rest knows). False: not so, or not to be
 * seen in the prefix. */
bool sm_event_content(struct sm_bytes prefix, uint64_t payload_bytes, uint64_t *at);
/* what follows the content changes nothing of the tensor */
bool sm_event_is_rest(struct sm_bytes rest);

/* Appends the payload of one smdebug record: fields and order of doc/formats.md (dim names
 * "<tag>_<size>", plugin_data mode_step then mode, step omitted when 0, dtype omitted for strings).
 * Byte-identical to smdebug's. Scalars and histograms are written as in TensorBoard's files. */
bool sm_event_write(struct sm_str *out, const struct sm_event *e, struct sm_err *err);
/* The same of one value, without its content: what stands in front of it and what behind. Nothing
 * large is copied. */
bool sm_event_write_around(struct sm_str *head, struct sm_str *tail, const struct sm_event *e,
                           struct sm_err *err);

#endif
