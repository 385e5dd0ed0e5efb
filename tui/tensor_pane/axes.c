/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/tensor_pane/axes.h"

#include <string.h>

bool sm_tensor_axes_set(struct sm_tensor_axes *a, const uint64_t *dims, unsigned n,
                        const struct sm_slice *slice, struct sm_err *err)
{
    static const struct sm_slice whole = {.n = 0};
    *a = (struct sm_tensor_axes){.n = n, .row = -1, .col = -1};
    memcpy(a->dims, dims, n * sizeof *dims);
    if (!sm_slice_axes(slice ? slice : &whole, n, dims, a->axes, err))
        return false;
    for (int i = (int)n - 1; i >= 0 && a->row < 0; i--) {
        if (a->axes[i].count > 1)
            *(a->col < 0 ? &a->col : &a->row) = i;
    }
    return true;
}

bool sm_tensor_axes_empty(const struct sm_tensor_axes *a)
{
    bool empty = false;
    for (unsigned i = 0; i < a->n; i++)
        empty = empty || !a->axes[i].count;
    return empty;
}

static uint64_t count_places(const struct sm_tensor_axes *a, int axis)
{
    return axis < 0 ? 1 : a->axes[axis].count;
}

uint64_t sm_tensor_axes_rows(const struct sm_tensor_axes *a)
{
    return count_places(a, a->row);
}

uint64_t sm_tensor_axes_cols(const struct sm_tensor_axes *a)
{
    return count_places(a, a->col);
}

/* ---- planes: the last of the other axes varies fastest ---- */

static bool is_turned(const struct sm_tensor_axes *a, int axis)
{
    return axis != a->row && axis != a->col;
}

uint64_t sm_tensor_axes_planes(const struct sm_tensor_axes *a)
{
    uint64_t n = 1;
    for (unsigned i = 0; i < a->n; i++)
        n *= is_turned(a, (int)i) ? a->axes[i].count : 1;
    return n;
}

uint64_t sm_tensor_axes_plane(const struct sm_tensor_axes *a, const struct sm_tensor_axes_at *at)
{
    uint64_t plane = 0;
    for (unsigned i = 0; i < a->n; i++)
        if (is_turned(a, (int)i))
            plane = plane * a->axes[i].count + at->at[i];
    return plane;
}

void sm_tensor_axes_turn_to(const struct sm_tensor_axes *a, struct sm_tensor_axes_at *at,
                            uint64_t plane)
{
    uint64_t n = sm_tensor_axes_planes(a);
    if (!n)
        return;
    plane = plane < n ? plane : n - 1;
    for (unsigned i = a->n; i-- > 0;)
        if (is_turned(a, (int)i)) {
            at->at[i] = plane % a->axes[i].count;
            plane /= a->axes[i].count;
        }
}

/* ---- places ---- */

void sm_tensor_axes_clamp(const struct sm_tensor_axes *a, struct sm_tensor_axes_at *at)
{
    for (unsigned i = 0; i < SM_DIMS_MAX; i++) {
        uint64_t n = i < a->n ? a->axes[i].count : 0;
        at->at[i] = at->at[i] < n ? at->at[i] : n ? n - 1 : 0;
    }
}

bool sm_tensor_axes_move(const struct sm_tensor_axes *a, struct sm_tensor_axes_at *at, int axis,
                         int64_t by)
{
    if (axis < 0 || !a->axes[axis].count)
        return false;
    uint64_t from = at->at[axis], last = a->axes[axis].count - 1,
             far = by < 0 ? 0 - (uint64_t)by : (uint64_t)by;
    if (by < 0)
        at->at[axis] = far < from ? from - far : 0;
    else
        at->at[axis] = far < last - from ? from + far : last;
    return at->at[axis] != from;
}

uint64_t sm_tensor_axes_index(const struct sm_tensor_axes *a, unsigned axis, uint64_t place)
{
    return (uint64_t)(a->axes[axis].start + (int64_t)place * a->axes[axis].step);
}

uint64_t sm_tensor_axes_flat(const struct sm_tensor_axes *a, const struct sm_tensor_axes_at *at)
{
    uint64_t flat = 0;
    for (unsigned i = 0; i < a->n; i++)
        flat = flat * a->dims[i] + sm_tensor_axes_index(a, i, at->at[i]);
    return flat;
}

/* ---- text ---- */

static void add_range(struct sm_str *out, const struct sm_slice_axis *x, uint64_t size)
{
    int64_t stop = x->start + (int64_t)x->count * x->step;
    if (x->start != (x->step > 0 ? 0 : (int64_t)size - 1))
        sm_str_printf(out, "%lld", (long long)x->start);
    sm_str_addc(out, ':');
    if (stop >= 0 && (x->step < 0 || stop < (int64_t)size))
        sm_str_printf(out, "%lld", (long long)stop);
    if (x->step != 1)
        sm_str_printf(out, ":%lld", (long long)x->step);
}

static bool is_whole(const struct sm_tensor_axes *a)
{
    bool whole = true;
    for (unsigned i = 0; i < a->n; i++)
        whole = whole && a->axes[i].count == a->dims[i] && a->axes[i].step == 1 &&
                (!is_turned(a, (int)i) || a->dims[i] == 1);
    return whole;
}

void sm_tensor_axes_text(struct sm_str *out, const struct sm_tensor_axes *a,
                         const struct sm_tensor_axes_at *at)
{
    if (is_whole(a))
        return;
    for (unsigned i = 0; i < a->n; i++) {
        sm_str_add(out, i ? ", " : "[");
        if (is_turned(a, (int)i) && a->axes[i].count)
            sm_str_printf(out, "%llu", (unsigned long long)sm_tensor_axes_index(a, i, at->at[i]));
        else
            add_range(out, &a->axes[i], a->dims[i]);
    }
    sm_str_addc(out, ']');
}

void sm_tensor_axes_element(struct sm_str *out, const struct sm_tensor_axes *a,
                            const struct sm_tensor_axes_at *at)
{
    for (unsigned i = 0; i < a->n; i++)
        sm_str_printf(out, "%s%llu", i ? ", " : "[",
                      (unsigned long long)sm_tensor_axes_index(a, i, at->at[i]));
    if (a->n)
        sm_str_addc(out, ']');
}
