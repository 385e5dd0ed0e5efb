/* SPDX-License-Identifier: Apache-2.0 */
/* A value read from disk: type, shape and bytes, immutable and reference-counted, so that threads
 * and caches can share it.
 *
 * The room reader/tensor computes with such values: slices (slice.h), statistics and quantiles
 * (stats.h; stats_pass.h in pieces, stats_block.h the inner loops), histograms (histogram.h),
 * rounding to a type (rounding.h) and comparing two tensors (tensor_compare.h). Results equal
 * numpy's; doc/numerics.md defines them. */
#ifndef SM_TENSOR_H
#define SM_TENSOR_H

#include "reader/base/err.h"
#include "reader/format/event.h"
#include "reader/format/tfrecord.h"

#include <stdatomic.h>

struct sm_tensor {
    enum sm_dtype dtype;
    int proto_dtype; /* the code of an unknown type */
    unsigned n_dims; /* 0: a scalar with one element */
    uint64_t dims[SM_DIMS_MAX];
    uint64_t n; /* elements */
    /* C order, little endian, any alignment; n * size bytes (unknown type: size_bytes) */
    const uint8_t *data;
    size_t size_bytes;
    const struct sm_text *strings; /* n strings if dtype is STRING */
    double wall_time;              /* of the record; 0 if none */
    enum sm_crc crc;
    bool histogram; /* saved as a histogram: rows of left edge, right edge and count */
    bool table;     /* strings: what it is, and a table as JSON (commands/answer/table_text.h) */
    bool pr_curve;  /* of TensorBoard's plugin: rows of true and false positives, true and false
                       negatives, precision and recall, by threshold from 0 to 1 */
    atomic_uint refs;
    /* the tensor it was cut from, kept alive because it owns the strings; NULL if none */
    struct sm_tensor *parent;
    struct sm_arena arena; /* owned */
    void *buffer;          /* owned bytes, or NULL */
    size_t buffer_bytes;
};

/* The plugin of values that are tables of W&B: two strings. */
#define SM_PLUGIN_TABLE "smdbg_table"

/* An image: rows of columns of planes, 8 bits each. */
struct sm_pixels {
    uint64_t rows, cols, planes;
    uint8_t *bytes; /* in the arena given */
};
/* Decodes a file; false: it cannot. Called in any thread. */
typedef bool sm_image_decoder(struct sm_bytes file, struct sm_arena *arena, struct sm_pixels *out);
/* From now on images are tensors of uint8 (rows, columns, planes), several of one size with their
 * number before that; those that cannot be decoded stay strings. NULL: all stay strings. Set before
 * any value is read. */
void sm_tensor_decode_images(sm_image_decoder *decoder);
/* What is the file of an image, if the strings are an image: "JPEG", "GIF", "WebP", "PNG", or
 * "unknown". NULL: they are none. */
const char *sm_tensor_image_format(const struct sm_tensor *t);

/* Makes the tensor of value number `value` (from 0) of a framed record. Values in TensorBoard's old
 * form are converted as TensorBoard does: simple_value to a float32 scalar, a histogram to rows of
 * left edge, right edge and count in float64, an image to the strings width, height and its file,
 * or to its elements (sm_tensor_decode_images).
 * own_buffer is from sm_alloc and taken over, even on failure: data points into it. A wrong payload
 * checksum is no error; see t->crc. */
bool sm_tensor_from_record(uint8_t *own_buffer, size_t n, bool check_crc, unsigned value,
                           struct sm_tensor **out, struct sm_err *err);
/* The tensor of a value of a parsed event, whose memory it uses: for as long as the event exists.
 */
bool sm_tensor_of_event(const struct sm_event *e, unsigned value, struct sm_tensor **out,
                        struct sm_err *err);
bool sm_tensor_can_be(enum sm_value_kind kind); /* whether a value of this kind has a tensor */
/* A tensor with a copy of data (NULL: zeros). Not for strings and unknown types, which have no
 * element size. For tests, slices and expressions. */
bool sm_tensor_new(enum sm_dtype dtype, unsigned n_dims, const uint64_t *dims, const void *data,
                   struct sm_tensor **out, struct sm_err *err);
/* Copies a matrix with rows and columns exchanged. NULL: no memory, or it has not two dimensions,
 * or is of strings. */
struct sm_tensor *sm_tensor_transpose(const struct sm_tensor *t);
struct sm_tensor *sm_tensor_ref(struct sm_tensor *t);
void sm_tensor_unref(struct sm_tensor *t); /* t may be NULL */
/* Memory it holds, for budgets, without its parent's. */
size_t sm_tensor_bytes(const struct sm_tensor *t);
/* "(8, 1, 3, 3)", "(5,)", "()" */
void sm_shape_text(struct sm_str *out, const uint64_t *dims, unsigned n_dims);

#endif
