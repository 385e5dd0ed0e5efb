/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a tensor on the screen: one axis is shown as rows and one as columns; each of the
 * others is at a fixed place. A slice selects a part of each axis first. Places are counted within
 * the slice. */
#ifndef SM_AXES_H
#define SM_AXES_H

#include "reader/tensor/slice.h"

struct sm_tensor_axes {
    unsigned n;
    uint64_t dims[SM_DIMS_MAX]; /* of the complete tensor */
    struct sm_slice_axis axes[SM_DIMS_MAX];
    int row, col; /* the last two axes with more than one place; -1 if there is none */
};
/* A place on each axis. */
struct sm_tensor_axes_at {
    uint64_t at[SM_DIMS_MAX];
};

/* slice NULL: the complete tensor. Returns false if the slice does not fit the dims. */
bool sm_tensor_axes_set(struct sm_tensor_axes *a, const uint64_t *dims, unsigned n,
                        const struct sm_slice *slice, struct sm_err *err);
bool sm_tensor_axes_empty(const struct sm_tensor_axes *a);    /* an axis has no places */
uint64_t sm_tensor_axes_rows(const struct sm_tensor_axes *a); /* 1 without such an axis */
uint64_t sm_tensor_axes_cols(const struct sm_tensor_axes *a);
/* A plane is one combination of places on the other axes: how many there are, and the index of the
 * plane at `at`. */
uint64_t sm_tensor_axes_planes(const struct sm_tensor_axes *a);
uint64_t sm_tensor_axes_plane(const struct sm_tensor_axes *a, const struct sm_tensor_axes_at *at);
/* Moves to a plane, to the last one if there are fewer. */
void sm_tensor_axes_turn_to(const struct sm_tensor_axes *a, struct sm_tensor_axes_at *at,
                            uint64_t plane);
/* Brings a place of other dims or of another slice into the range of these axes. */
void sm_tensor_axes_clamp(const struct sm_tensor_axes *a, struct sm_tensor_axes_at *at);
/* Moves along an axis, at most to its end; does nothing for axis -1. Returns false if it has not
 * moved. */
bool sm_tensor_axes_move(const struct sm_tensor_axes *a, struct sm_tensor_axes_at *at, int axis,
                         int64_t by);

/* the index in the complete tensor */
uint64_t sm_tensor_axes_index(const struct sm_tensor_axes *a, unsigned axis, uint64_t place);
/* the index of the element, in C order */
uint64_t sm_tensor_axes_flat(const struct sm_tensor_axes *a, const struct sm_tensor_axes_at *at);
/* Adds "[0, 2, :, 3:8]", the part of the tensor that the plane shows; nothing if that is all of it.
 */
void sm_tensor_axes_text(struct sm_str *out, const struct sm_tensor_axes *a,
                         const struct sm_tensor_axes_at *at);
/* Adds the element, "[0, 2, 1, 4]"; nothing for a scalar. */
void sm_tensor_axes_element(struct sm_str *out, const struct sm_tensor_axes *a,
                            const struct sm_tensor_axes_at *at);

#endif
