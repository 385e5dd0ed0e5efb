/* What of a tensor stands on the screen: one of its axes runs down and one to the right, the others
 * are turned to a place. A slice leaves out a part of each axis first. Places are counted within
 * the slice. */
#ifndef SM_AXES_H
#define SM_AXES_H

#include "reader/tensor/slice.h"

struct sm_tensor_axes {
    unsigned n;
    uint64_t dims[SM_DIMS_MAX]; /* of the whole tensor */
    struct sm_slice_axis axes[SM_DIMS_MAX];
    int row, col; /* the last two with more than one place, -1: none */
};
/* Where somebody stands, on each axis. */
struct sm_tensor_axes_at {
    uint64_t at[SM_DIMS_MAX];
};

/* slice NULL: the whole. False: the slice does not fit the dims. */
bool sm_tensor_axes_set(struct sm_tensor_axes *a, const uint64_t *dims, unsigned n,
                        const struct sm_slice *slice, struct sm_err *err);
bool sm_tensor_axes_empty(const struct sm_tensor_axes *a);    /* an axis has no place at all */
uint64_t sm_tensor_axes_rows(const struct sm_tensor_axes *a); /* 1 without such an axis */
uint64_t sm_tensor_axes_cols(const struct sm_tensor_axes *a);
/* How often the others can be turned, and how far they are. */
uint64_t sm_tensor_axes_planes(const struct sm_tensor_axes *a);
uint64_t sm_tensor_axes_plane(const struct sm_tensor_axes *a, const struct sm_tensor_axes_at *at);
/* the last possible, if it is beyond */
void sm_tensor_axes_turn_to(const struct sm_tensor_axes *a, struct sm_tensor_axes_at *at,
                            uint64_t plane);
/* Brings a place of other dims or of another slice into these. */
void sm_tensor_axes_clamp(const struct sm_tensor_axes *a, struct sm_tensor_axes_at *at);
/* Moves along an axis as far as it goes; axis -1: nothing. False: it stood at that end already. */
bool sm_tensor_axes_move(const struct sm_tensor_axes *a, struct sm_tensor_axes_at *at, int axis,
                         int64_t by);

/* in the whole tensor */
uint64_t sm_tensor_axes_index(const struct sm_tensor_axes *a, unsigned axis, uint64_t place);
/* of the element, in C order */
uint64_t sm_tensor_axes_flat(const struct sm_tensor_axes *a, const struct sm_tensor_axes_at *at);
/* "[0, 2, :, 3:8]": what the plane shows of the whole; "" where that is everything. */
void sm_tensor_axes_text(struct sm_str *out, const struct sm_tensor_axes *a,
                         const struct sm_tensor_axes_at *at);
/* "[0, 2, 1, 4]": the element. "" for a scalar. */
void sm_tensor_axes_element(struct sm_str *out, const struct sm_tensor_axes *a,
                            const struct sm_tensor_axes_at *at);

#endif
