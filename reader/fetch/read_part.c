/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/fetch/read_part.h"

#include "reader/base/mem.h"

#include <string.h>

/* The file is read through a window: large where elements are close together, small where most of
 * what lies between is not needed. */
enum { WINDOW_BYTES = 64 << 10, SMALL_WINDOW_BYTES = 4 << 10 };

struct part_reader {
    const struct sm_file *file;
    struct sm_read *read;
    const atomic_bool *stop;
    const struct sm_slice_axis *axes;
    unsigned n_dims, whole_from;      /* the axes from whole_from on are selected whole */
    size_t size;                      /* of an element */
    uint64_t content_at, content_end; /* in the record */
    uint8_t *to, *window;
    uint64_t window_at; /* offset of the window's bytes in the record */
    size_t window_n;
    bool ok;
};

static bool read_bytes(struct part_reader *r, uint64_t at, uint8_t *to, size_t n)
{
    struct sm_err *err = &r->read->err;
    size_t got;
    if (r->stop && atomic_load(r->stop))
        return sm_err_set(err, SM_ERR_CANCELLED, "cancelled");
    if (!sm_file_read(r->file, r->read->offset + at, to, n, &got, err))
        return false;
    return got == n || sm_err_set(err, SM_ERR_WAIT, "the file ends inside the record");
}

/* Moves the window to n bytes at `at`; backwards it ends there. */
static bool move_window(struct part_reader *r, uint64_t at, size_t n)
{
    bool back = at < r->window_at;
    uint64_t gap = back ? r->window_at - at : at - r->window_at;
    size_t w = gap > (uint64_t)2 * WINDOW_BYTES ? SMALL_WINDOW_BYTES : WINDOW_BYTES;
    uint64_t from = back && at + n > r->content_at + w ? at + n - w : back ? r->content_at : at;
    uint64_t left = r->content_end - from;
    r->window_at = from;
    r->window_n = left < w ? (size_t)left : w;
    return read_bytes(r, from, r->window, r->window_n);
}

/* Appends n bytes of the record at `at`. */
static void add_run(struct part_reader *r, uint64_t at, size_t n)
{
    bool inside = at >= r->window_at && at + n <= r->window_at + r->window_n;
    if (n >= SMALL_WINDOW_BYTES) {
        r->ok = r->ok && read_bytes(r, at, r->to, n);
    } else {
        r->ok = r->ok && (inside || move_window(r, at, n));
        if (r->ok)
            memcpy(r->to, r->window + (at - r->window_at), n);
    }
    r->to += n;
}

/* The elements below `axis`, of which the first has index `base`, in C order. */
static void add_axis(struct part_reader *r, unsigned axis, uint64_t base, uint64_t stride)
{
    if (axis == r->n_dims) {
        add_run(r, r->content_at + base * r->size, r->size);
        return;
    }
    const struct sm_slice_axis *a = &r->axes[axis];
    uint64_t below =
        axis + 1 < r->n_dims && r->read->dims[axis + 1] ? stride / r->read->dims[axis + 1] : 1;
    if (axis + 1 >= r->whole_from && a->step == 1) {
        add_run(r, r->content_at + (base + (uint64_t)a->start * stride) * r->size,
                (size_t)(a->count * stride) * r->size);
        return;
    }
    for (uint64_t i = 0; i < a->count && r->ok; i++)
        add_axis(r, axis + 1, base + (uint64_t)(a->start + (int64_t)i * a->step) * stride, below);
}

static bool is_whole(const struct sm_slice_axis *a, uint64_t size)
{
    return a->start == 0 && a->step == 1 && a->count == size;
}

/* A tensor for the selected elements. */
static bool new_part(const struct sm_slice *slice, struct sm_read *x, struct sm_tensor **out)
{
    const struct sm_facts *f = &x->facts;
    uint64_t dims[SM_DIMS_MAX], n = 1;
    unsigned n_dims = f->n_dims;
    memcpy(dims, x->dims, sizeof dims);
    if (!sm_slice_dims(slice, &n_dims, dims))
        return sm_err_set(&x->err, SM_ERR_USAGE, "the slice is out of range");
    for (unsigned i = 0; i < n_dims; i++)
        n *= dims[i]; /* no more than the whole has */
    n *= sm_dtype_info(f->dtype)->size_bytes;
    if (x->limit && n > x->limit)
        return sm_read_too_large(n, x->limit, &x->err);
    return sm_tensor_new(f->dtype, n_dims, dims, NULL, out, &x->err);
}

static bool gather_part(const struct sm_file *f, const struct sm_slice *slice,
                        const atomic_bool *stop, uint64_t content_at, struct sm_read *x)
{
    struct sm_slice_axis axes[SM_DIMS_MAX];
    const struct sm_facts *facts = &x->facts;
    if (!sm_slice_axes(slice, facts->n_dims, x->dims, axes, &x->err) ||
        !new_part(slice, x, &x->tensor))
        return false;
    struct part_reader r = {.file = f,
                            .read = x,
                            .stop = stop,
                            .axes = axes,
                            .n_dims = facts->n_dims,
                            .size = sm_dtype_info(facts->dtype)->size_bytes,
                            .content_at = content_at,
                            .content_end = content_at + facts->content_bytes,
                            .to = x->tensor->buffer,
                            .window = sm_alloc(WINDOW_BYTES),
                            .ok = true};
    if (!r.window)
        r.ok = sm_err_set(&x->err, SM_ERR_MEMORY, "no memory to read a slice");
    uint64_t stride = 1;
    for (unsigned i = 1; i < r.n_dims; i++)
        stride *= x->dims[i];
    r.whole_from = r.n_dims;
    while (r.whole_from && is_whole(&axes[r.whole_from - 1], x->dims[r.whole_from - 1]))
        r.whole_from--;
    if (x->tensor->n)
        add_axis(&r, 0, 0, stride);
    sm_free(r.window);
    x->tensor->wall_time = facts->wall_time;
    x->tensor->crc = facts->crc;
    if (r.ok)
        return true;
    sm_tensor_unref(x->tensor);
    x->tensor = NULL;
    return false;
}

/* It is read whole, within the limit. */
static void slice_whole(const struct sm_file *f, const struct sm_slice *slice, struct sm_read *x,
                        struct sm_scratch *scratch)
{
    sm_read_record(f, SM_CHECKSUM_AUTO, x, scratch);
    struct sm_tensor *whole = x->tensor;
    x->tensor = NULL;
    x->ok = x->ok && sm_slice_apply(slice, whole, &x->tensor, &x->err);
    sm_tensor_unref(whole);
}

void sm_read_part(const struct sm_file *f, const struct sm_slice *slice, const atomic_bool *stop,
                  struct sm_read *x, struct sm_scratch *scratch)
{
    uint64_t content_at = 0;
    bool large = x->length >= SM_PART_FROM_BYTES || (x->limit && x->length > x->limit);
    bool pieces = !x->value && large && sm_read_head(f, x, &content_at) && content_at;
    if (pieces)
        x->ok = gather_part(f, slice, stop, content_at, x);
    else if (!x->err.code)
        slice_whole(f, slice, x, scratch);
}
