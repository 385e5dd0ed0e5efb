/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor_files/ckpt_file.h"

#include "reader/base/bytes.h"
#include "reader/base/map.h"
#include "reader/base/vec.h"

#include <string.h>

/* What a tensor may have in memory, as a record has (SM_INDEX_LENGTH_BITS); more elements than its
 * storage has, by strides of 0, only so many. */
#define ELEMENT_BYTES_MAX ((uint64_t)1 << 39)
#define REPEATED_MAX      ((uint64_t)1 << 28)
#define PLACE_MAX         ((uint64_t)1 << 56) /* elements in a storage */

void sm_ckpt_file_clear(struct sm_ckpt_file *f)
{
    const char *path = f->path;
    sm_arena_clear(&f->arena);
    sm_free(f->tensors);
    sm_free(f->storages);
    sm_free(f->shapes);
    sm_names_free(f->order);
    sm_run_fields_clear(&f->leaves);
    sm_problems_clear(&f->problems);
    *f = (struct sm_ckpt_file){.path = path};
}

void sm_ckpt_add_problem(struct sm_ckpt_file *f, int64_t offset, const struct sm_err *err)
{
    sm_problems_add(&f->problems, f->path, offset, err);
}

static bool no_memory(struct sm_err *err)
{
    return sm_err_set(err, SM_ERR_MEMORY, "no memory for what a file of tensors holds");
}

/* Says once that something is left out. */
static bool refuse_more(struct sm_ckpt_file *f, const char *what, struct sm_err *err)
{
    f->full = true;
    return sm_err_set(err, SM_ERR_LIMIT, "more %s than are read of one file", what);
}

uint64_t sm_ckpt_stored_bytes(enum sm_dtype d, uint64_t n)
{
    unsigned bits = sm_dtype_stored_bits(d);
    return n / 8 * bits + (n % 8 * bits + 7) / 8;
}

/* ---- storages ---- */

uint32_t sm_ckpt_add_storage(struct sm_ckpt_file *f, const struct sm_ckpt_storage *s,
                             struct sm_err *err)
{
    bool inside = s->file || s->bytes ||
                  (s->offset <= f->size_bytes && s->stored_bytes <= f->size_bytes - s->offset);
    if (!inside || (!s->deflated && s->stored_bytes != s->size_bytes)) {
        sm_err_set(err, SM_ERR_DATA,
                   "%llu bytes of elements at %llu, but the file has %llu bytes in all",
                   (unsigned long long)s->stored_bytes, (unsigned long long)s->offset,
                   (unsigned long long)f->size_bytes);
        return SM_NAME_NONE;
    }
    if (f->n_storages >= SM_CKPT_TENSORS_MAX) {
        refuse_more(f, "storages", err);
        return SM_NAME_NONE;
    }
    if (!SM_VEC_ROOM(f->storages, f->n_storages, f->cap_storages)) {
        no_memory(err);
        return SM_NAME_NONE;
    }
    f->storages[f->n_storages] = *s;
    return (uint32_t)f->n_storages++;
}

/* ---- checks ---- */

static bool count_elements(unsigned n_dims, const uint64_t *dims, uint64_t *n, struct sm_err *err)
{
    uint64_t product = 1;
    bool empty = false;
    if (n_dims > SM_CKPT_DIMS_MAX)
        return sm_err_set(err, SM_ERR_LIMIT, "a shape of %u dimensions, more than %d", n_dims,
                          SM_CKPT_DIMS_MAX);
    for (unsigned i = 0; i < n_dims; i++)
        empty = empty || !dims[i];
    for (unsigned i = 0; i < n_dims && !empty; i++) {
        if (dims[i] > ELEMENT_BYTES_MAX / product)
            return sm_err_set(err, SM_ERR_DATA, "a shape of too many elements");
        product *= dims[i];
    }
    *n = empty ? 0 : product;
    return true;
}

/* Where the last element of a piece is, counted in its storage. False: one of them is before it, or
 * too far behind. Dims are not 0, and no larger than ELEMENT_BYTES_MAX. */
static bool find_last(const struct sm_ckpt_piece *p, unsigned n_dims, uint64_t n, uint64_t *last)
{
    uint64_t least = p->first, most = p->first;
    if (!p->strides) {
        *last = p->first + n - 1;
        return p->first <= PLACE_MAX;
    }
    for (unsigned i = 0; i < n_dims && most <= PLACE_MAX; i++) {
        int64_t stride = p->strides[i];
        uint64_t steps = p->dims[i] - 1,
                 size = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
        if (steps && size > PLACE_MAX / steps)
            return false;
        if (stride < 0 && size * steps > least)
            return false;
        *(stride < 0 ? &least : &most) += stride < 0 ? 0 - size * steps : size * steps;
    }
    *last = most;
    return most <= PLACE_MAX;
}

void sm_ckpt_c_strides(const uint64_t *dims, unsigned n_dims, int64_t *out)
{
    uint64_t stride = 1;
    for (unsigned i = n_dims; i-- > 0; stride *= dims[i] ? dims[i] : 1)
        out[i] = (int64_t)stride;
}

static bool check_piece(const struct sm_ckpt_file *f, const struct sm_ckpt_piece *p,
                        enum sm_dtype dtype, unsigned n_dims, struct sm_err *err)
{
    uint64_t n, last;
    if (p->storage >= f->n_storages)
        return sm_err_set(err, SM_ERR_DATA, "its elements are in no storage of the file");
    if (!count_elements(n_dims, p->dims, &n, err))
        return false;
    if (!n)
        return true;
    uint64_t size = f->storages[p->storage].size_bytes;
    if (!find_last(p, n_dims, n, &last) || sm_ckpt_stored_bytes(dtype, last + 1) > size)
        return sm_err_set(err, SM_ERR_DATA,
                          "its elements do not lie in its storage, which has %llu bytes",
                          (unsigned long long)size);
    if (n > REPEATED_MAX && sm_ckpt_stored_bytes(dtype, n) > size)
        return sm_err_set(err, SM_ERR_LIMIT, "%llu elements in a storage of %llu bytes",
                          (unsigned long long)n, (unsigned long long)size);
    return true;
}

static bool is_in_tensor(const struct sm_ckpt_piece *p, const uint64_t *dims, unsigned n_dims)
{
    for (unsigned i = 0; i < n_dims; i++) {
        uint64_t at = p->origin ? p->origin[i] : 0;
        if (at > dims[i] || p->dims[i] > dims[i] - at)
            return false;
    }
    return true;
}

static bool check_view(struct sm_ckpt_file *f, const struct sm_ckpt_view *v, uint64_t *n,
                       struct sm_err *err)
{
    bool text = v->dtype == SM_DTYPE_STRING;
    unsigned size = text ? 1 : sm_dtype_info(v->dtype)->size_bytes;
    if (!size)
        return sm_err_set(err, SM_ERR_DATA, "elements of an unknown type");
    if (!count_elements(v->n_dims, v->dims, n, err))
        return false;
    if (*n > ELEMENT_BYTES_MAX / size)
        return sm_err_set(err, SM_ERR_DATA, "a shape of too many elements");
    if (v->name.n > SM_CKPT_NAME_MAX || memchr(v->name.p, 0, v->name.n))
        return sm_err_set(err, SM_ERR_DATA, "a name of %zu bytes, or with a 0 in it", v->name.n);
    if (f->n >= SM_CKPT_TENSORS_MAX || f->strings + v->name.n > SM_CKPT_STRINGS_MAX)
        return refuse_more(f, "tensors", err);
    return true;
}

/* ---- copies ---- */

/* NULL if there is no memory, or nothing to copy; see is_lost. */
static void *copy_words(struct sm_ckpt_file *f, const void *from, unsigned n)
{
    void *to = from ? sm_arena_alloc(&f->arena, (n ? n : 1) * sizeof(uint64_t)) : NULL;
    return to ? memcpy(to, from, n * sizeof(uint64_t)) : NULL;
}

static bool is_lost(const void *from, const void *to)
{
    return from && !to;
}

static bool copy_piece(struct sm_ckpt_file *f, struct sm_ckpt_piece *p, unsigned n_dims)
{
    struct sm_ckpt_piece from = *p;
    p->dims = copy_words(f, from.dims, n_dims);
    p->strides = copy_words(f, from.strides, n_dims);
    p->origin = copy_words(f, from.origin, n_dims);
    return p->dims && !is_lost(from.strides, p->strides) && !is_lost(from.origin, p->origin);
}

/* The tensor with its pieces, which were checked. */
static struct sm_ckpt_tensor *take_tensor(struct sm_ckpt_file *f, const struct sm_ckpt_view *v,
                                          const struct sm_ckpt_piece *pieces, size_t n)
{
    struct sm_ckpt_tensor t = {
        .name = sm_arena_strndup(&f->arena, v->name.n ? v->name.p : "", v->name.n),
        .name_n = (uint32_t)v->name.n,
        .dtype = (uint8_t)v->dtype,
        .change = v->change,
        .parameter = v->parameter,
        .n_dims = v->n_dims,
        .dims = copy_words(f, v->dims, v->n_dims),
        .n_pieces = (uint32_t)n};
    struct sm_ckpt_piece *copies = sm_arena_alloc(&f->arena, (n ? n : 1) * sizeof *copies);
    bool ok = t.name && t.dims && copies && SM_VEC_ROOM(f->tensors, f->n, f->cap);
    for (size_t i = 0; i < n && ok; i++) {
        copies[i] = pieces[i];
        ok = copy_piece(f, &copies[i], v->n_dims);
    }
    t.pieces = copies;
    if (!ok)
        return NULL;
    f->tensors[f->n] = t;
    f->strings += v->name.n;
    return &f->tensors[f->n++];
}

struct sm_ckpt_tensor *sm_ckpt_add_pieces(struct sm_ckpt_file *f, const struct sm_ckpt_view *v,
                                          const struct sm_ckpt_piece *pieces, size_t n,
                                          struct sm_err *err)
{
    static const uint64_t none[1];
    struct sm_ckpt_view view = *v;
    uint64_t elements;
    view.dims = v->dims ? v->dims : none;
    bool ok = check_view(f, &view, &elements, err) &&
              (n < UINT32_MAX || sm_err_set(err, SM_ERR_LIMIT, "too many pieces"));
    if (ok && n && v->dtype == SM_DTYPE_STRING)
        ok = sm_err_set(err, SM_ERR_DATA, "texts in a storage");
    for (size_t i = 0; i < n && ok; i++) {
        ok = check_piece(f, &pieces[i], v->dtype, v->n_dims, err);
        if (ok && !is_in_tensor(&pieces[i], view.dims, v->n_dims))
            ok = sm_err_set(err, SM_ERR_DATA, "a piece of it lies outside of its shape");
    }
    if (!ok)
        return NULL;
    struct sm_ckpt_tensor *t = take_tensor(f, &view, pieces, n);
    if (t)
        t->n = elements;
    else
        no_memory(err);
    return t;
}

struct sm_ckpt_tensor *sm_ckpt_add_strings(struct sm_ckpt_file *f, struct sm_text name,
                                           unsigned n_dims, const uint64_t *dims,
                                           const struct sm_text *strings, struct sm_err *err)
{
    struct sm_ckpt_view v = {
        .name = name, .dtype = SM_DTYPE_STRING, .n_dims = n_dims, .dims = dims};
    struct sm_ckpt_tensor *t = sm_ckpt_add_pieces(f, &v, NULL, 0, err);
    struct sm_text *copies = t ? sm_arena_alloc(&f->arena, (t->n + 1) * sizeof *copies) : NULL;
    bool ok = copies;
    for (uint64_t i = 0; ok && i < t->n; i++) {
        f->strings += strings[i].n;
        copies[i] =
            (struct sm_text){sm_arena_strndup(&f->arena, strings[i].p, strings[i].n), strings[i].n};
        ok = copies[i].p && f->strings <= SM_CKPT_STRINGS_MAX;
    }
    if (ok) {
        t->strings = copies;
        return t;
    }
    f->n -= t != NULL;
    if (t)
        no_memory(err);
    return NULL;
}

struct sm_ckpt_tensor *sm_ckpt_add_tensor(struct sm_ckpt_file *f, const struct sm_ckpt_view *v,
                                          struct sm_err *err)
{
    static const uint64_t none[1];
    struct sm_ckpt_piece whole = {.storage = v->storage,
                                  .first = v->first,
                                  .dims = v->dims ? v->dims : none,
                                  .strides = v->strides};
    return sm_ckpt_add_pieces(f, v, &whole, 1, err);
}

bool sm_ckpt_add_shape(struct sm_ckpt_file *f, struct sm_text name, unsigned n_dims,
                       const uint64_t *dims, struct sm_err *err)
{
    uint64_t n;
    struct sm_ckpt_view v = {.name = name, .dtype = SM_DTYPE_UINT8, .n_dims = n_dims, .dims = dims};
    if (!check_view(f, &v, &n, err))
        return false;
    struct sm_ckpt_shape s = {.name = sm_arena_strndup(&f->arena, name.p, name.n),
                              .n_dims = n_dims,
                              .dims = copy_words(f, dims, n_dims)};
    if (!s.name || !s.dims || !SM_VEC_ROOM(f->shapes, f->n_shapes, f->cap_shapes))
        return no_memory(err);
    f->shapes[f->n_shapes++] = s;
    f->strings += name.n;
    return true;
}

struct sm_ckpt_tensor *sm_ckpt_add_number(struct sm_ckpt_file *f, struct sm_text name, double v,
                                          struct sm_err *err)
{
    uint8_t *bytes = sm_arena_alloc(&f->arena, sizeof v);
    uint64_t bits;
    if (!bytes) {
        no_memory(err);
        return NULL;
    }
    memcpy(&bits, &v, sizeof v);
    sm_put_u64(bytes, bits);
    struct sm_ckpt_storage s = {.stored_bytes = sizeof v, .size_bytes = sizeof v, .bytes = bytes};
    struct sm_ckpt_view view = {
        .name = name, .dtype = SM_DTYPE_FLOAT64, .storage = sm_ckpt_add_storage(f, &s, err)};
    return view.storage == SM_NAME_NONE ? NULL : sm_ckpt_add_tensor(f, &view, err);
}

bool sm_ckpt_add_leaf(struct sm_ckpt_file *f, struct sm_text path, struct sm_text json)
{
    if (f->leaves.n >= SM_CKPT_LEAVES_MAX || path.n > SM_CKPT_NAME_MAX ||
        json.n > SM_CKPT_LEAF_MAX || f->strings + path.n + json.n > SM_CKPT_STRINGS_MAX) {
        f->full = true;
        return true;
    }
    f->strings += path.n + json.n;
    return sm_run_fields_set(&f->leaves, path.p, path.n, json.p, json.n);
}
