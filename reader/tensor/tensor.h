/* A value read from disk: type, shape and bytes, immutable and counted, so that threads and caches
 * may share it. */
#ifndef SM_TENSOR_H
#define SM_TENSOR_H

#include "reader/base/err.h"
#include "reader/format/event.h"
#include "reader/format/tfrecord.h"

#include <stdatomic.h>

struct sm_tensor {
    enum sm_dtype dtype;
    int proto_dtype; /* names an unknown type */
    unsigned n_dims; /* 0: a scalar, one element */
    uint64_t dims[SM_DIMS_MAX];
    uint64_t n; /* elements */
    /* C order, little endian, any alignment; n * size bytes (unknown type: size_bytes) */
    const uint8_t *data;
    size_t size_bytes;
    const struct sm_text *strings; /* n of them when dtype is STRING */
    double wall_time;              /* of the record; 0: none */
    enum sm_crc crc;
    atomic_uint refs;
    /* what it was cut from, kept alive: strings are still there. NULL: none */
    struct sm_tensor *parent;
    struct sm_arena arena; /* owned */
    void *buffer;          /* owned bytes, or NULL */
    size_t buffer_bytes;
};

/* Makes the tensor of a framed record's value, counted from 0. Values in TensorBoard's old form
 * become what TensorBoard makes of them: simple_value a float32 scalar, a histogram rows of left
 * edge, right edge and count in float64, an image the strings width, height and its file.
 * own_buffer is from sm_alloc and taken over, even on failure: data points into it. A bad payload
 * checksum is no error, t->crc says so. */
bool sm_tensor_from_record(uint8_t *own_buffer, size_t n, bool check_crc, unsigned value,
                           struct sm_tensor **out, struct sm_err *err);
bool sm_tensor_can_be(enum sm_value_kind kind); /* a value of this kind has a tensor */
/* From parts; data is copied (NULL: zeros). Not for strings and unknown types, which have no size.
 * For tests, slices and expressions. */
bool sm_tensor_new(enum sm_dtype dtype, unsigned n_dims, const uint64_t *dims, const void *data,
                   struct sm_tensor **out, struct sm_err *err);
struct sm_tensor *sm_tensor_ref(struct sm_tensor *t);
void sm_tensor_unref(struct sm_tensor *t); /* NULL is fine */
/* memory it holds, for budgets; its parent's is not counted */
size_t sm_tensor_bytes(const struct sm_tensor *t);
/* "(8, 1, 3, 3)", "(5,)", "()" */
void sm_shape_text(struct sm_str *out, const uint64_t *dims, unsigned n_dims);

#endif
