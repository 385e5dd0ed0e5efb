/* SPDX-License-Identifier: Apache-2.0 */
/* numpy's basic indexing: "[0, :, -1:4:2, ...]", without newaxis. */
#ifndef SM_SLICE_H
#define SM_SLICE_H

#include "reader/tensor/tensor.h"

enum sm_slice_part_kind { SM_SLICE_INDEX, SM_SLICE_RANGE, SM_SLICE_ELLIPSIS };
struct sm_slice_part {
    enum sm_slice_part_kind kind;
    bool has_start, has_stop;
    int64_t start, stop, step; /* INDEX: start; step is never 0 */
};
struct sm_slice {
    unsigned n;
    struct sm_slice_part parts[SM_DIMS_MAX + 1];
};
/* Parses text from '[' to the matching ']'; *used gets the bytes consumed. Error messages have the
 * column. */
bool sm_slice_parse(const char *text, size_t n, struct sm_slice *out, size_t *used,
                    struct sm_err *err);
/* A new tensor with copies of the selected elements; t is its parent. An index out of range is
 * SM_ERR_USAGE with the axis and its size; ranges are clipped. */
bool sm_slice_apply(const struct sm_slice *s, struct sm_tensor *t, struct sm_tensor **out,
                    struct sm_err *err);
/* The elements selected on each axis of a tensor with these dims: start, start + step, ..., `count`
 * of them. */
struct sm_slice_axis {
    int64_t start, step;
    uint64_t count;
    bool kept; /* a single index drops the axis */
};
bool sm_slice_axes(const struct sm_slice *s, unsigned n_dims, const uint64_t *dims,
                   struct sm_slice_axis *axes, struct sm_err *err);
/* Replaces the shape of the whole by that of the selection; false if an index is out of range. */
bool sm_slice_dims(const struct sm_slice *s, unsigned *n_dims, uint64_t *dims);
enum { SM_SAMPLE_ELEMENTS = 1 << 16 }; /* of a value that is too large to be read whole */
/* A sample: every k-th element of each axis, the longest thinned first, so that at most `most`
 * elements are selected. k is a power of 2. */
void sm_slice_sample(unsigned n_dims, const uint64_t *dims, uint64_t most, struct sm_slice *out);
bool sm_slice_same(const struct sm_slice *a, const struct sm_slice *b);
void sm_slice_text(struct sm_str *out, const struct sm_slice *s);

#endif
