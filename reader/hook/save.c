/* SPDX-License-Identifier: Apache-2.0 */
/* Saving tensors: decides what is saved, copies values into C order, computes
 * reductions and queues the results. */
#include "reader/hook/hook_private.h"

#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/tensor/statistic_list.h"
#include "reader/tensor/tensor.h"

#include <string.h>

_Static_assert((int)SMDBG_FLOAT32 == (int)SM_DTYPE_FLOAT32 &&
                   (int)SMDBG_COMPLEX128 == (int)SM_DTYPE_COMPLEX128 &&
                   (int)SMDBG_DIMS_MAX == (int)SM_DIMS_MAX,
               "the public codes must equal the reader's");

/* ---- what to save ---- */

uint64_t hook_saved_now(struct smdbg_hook *h)
{
    return atomic_load_explicit(&h->saving, memory_order_relaxed);
}

bool hook_collections_saving(struct smdbg_hook *h, const char *tensor, uint64_t *mask,
                             struct sm_err *err)
{
    bool ok = hook_plan_member(&h->plan, tensor, mask, err);
    *mask = ok ? hook_plan_default(&h->plan, *mask) & hook_saved_now(h) : 0;
    return ok;
}

int smdbg_hook_wants(smdbg_hook *h, const char *tensor)
{
    struct sm_err err;
    uint64_t mask = 1;
    if (!h || !hook_saved_now(h) || !hook_enter(h))
        return 0;
    if (tensor) {
        pthread_mutex_lock(&h->lock);
        hook_collections_saving(h, tensor, &mask, &err);
        pthread_mutex_unlock(&h->lock);
    }
    hook_leave();
    return mask != 0;
}

int smdbg_hook_selects(smdbg_hook *h, const char *tensor)
{
    struct sm_err err;
    uint64_t mask = 0;
    if (!h || !hook_saved_now(h) || !hook_enter(h))
        return 0;
    pthread_mutex_lock(&h->lock);
    hook_plan_member(&h->plan, tensor, &mask, &err);
    pthread_mutex_unlock(&h->lock);
    hook_leave();
    return (mask & hook_saved_now(h)) != 0;
}

/* What to save of a tensor, for all its collections together. */
struct save_request {
    bool raw, shape, scalar, metric;
    const char *histogram; /* collection under which TensorBoard shows a histogram; NULL if none */
    int codes[HOOK_REDUCTIONS_MAX];
    size_t n_codes;
};

static void add_reductions(struct save_request *w, const struct hook_params *p)
{
    for (size_t i = 0; i < p->n_codes; i++) {
        size_t k = 0;
        while (k < w->n_codes && w->codes[k] != p->codes[i])
            k++;
        if (k == w->n_codes && k < HOOK_REDUCTIONS_MAX)
            w->codes[w->n_codes++] = p->codes[i];
    }
}

/* Of several collections, prefers one other than "all". */
static void add_board_request(const struct smdbg_hook *h, struct save_request *w,
                              const struct hook_collection *c)
{
    w->scalar = w->scalar || hook_plan_is_raw(c);
    if (hook_plan_histogram(c, &h->params) && (!w->histogram || strcmp(w->histogram, "all") == 0))
        w->histogram = c->name;
}

static struct save_request save_request_of(const struct smdbg_hook *h, uint64_t mask)
{
    struct save_request w = {0};
    for (size_t i = 0; i < h->plan.n; i++) {
        const struct hook_collection *c = &h->plan.items[i];
        const struct hook_params *p =
            hook_params_has_reductions(&c->params) ? &c->params : &h->params;
        if (!(mask >> i & 1))
            continue;
        if (h->export_board)
            add_board_request(h, &w, c);
        w.metric = w.metric || (h->reports && hook_plan_is_metric(c));
        if (hook_plan_is_raw(c) || !hook_params_has_reductions(p)) {
            w.raw = true;
            continue;
        }
        w.raw = w.raw || p->raw;
        w.shape = w.shape || p->shape;
        add_reductions(&w, p);
    }
    return w;
}

/* A tensor as the caller passes it. */
struct incoming {
    const char *name;
    enum sm_dtype dtype;
    size_t size; /* bytes of an element */
    unsigned n_dims;
    uint64_t dims[SM_DIMS_MAX], n;
    const int64_t *strides; /* NULL: C order */
    const uint8_t *data;
};

static bool check_incoming(struct incoming *x, const int64_t *shape, struct sm_err *err)
{
    if (x->dtype <= SM_DTYPE_NONE || x->dtype >= SM_DTYPE_STRING)
        return sm_err_set(err, SM_ERR_USAGE, "%s: %d is not an element type", x->name,
                          (int)x->dtype);
    if (x->n_dims > SM_DIMS_MAX)
        return sm_err_set(err, SM_ERR_USAGE, "%s: %u dimensions, at most %d", x->name, x->n_dims,
                          SM_DIMS_MAX);
    if (x->n_dims && !shape)
        return sm_err_set(err, SM_ERR_USAGE, "%s: the shape is NULL", x->name);
    x->size = sm_dtype_info(x->dtype)->size_bytes;
    x->n = 1;
    for (unsigned d = 0; d < x->n_dims; d++) {
        x->dims[d] = (uint64_t)shape[d];
        if (shape[d] < 0 || __builtin_mul_overflow(x->n, x->dims[d], &x->n) ||
            x->n > PTRDIFF_MAX / x->size)
            return sm_err_set(err, SM_ERR_USAGE, "%s: invalid shape", x->name);
    }
    if (x->n && !x->data)
        return sm_err_set(err, SM_ERR_USAGE, "%s: no memory behind the value (NULL)", x->name);
    return true;
}

/* Copies the elements in C order, axis by axis, and a contiguous innermost axis with one memcpy. */
static uint8_t *copy_strided(const struct incoming *x, unsigned axis, const uint8_t *from,
                             uint8_t *to)
{
    if (axis == x->n_dims) {
        memcpy(to, from, x->size);
        return to + x->size;
    }
    if (axis + 1 == x->n_dims && x->strides[axis] == (int64_t)x->size) {
        memcpy(to, from, x->dims[axis] * x->size);
        return to + x->dims[axis] * x->size;
    }
    for (uint64_t i = 0; i < x->dims[axis]; i++)
        to = copy_strided(x, axis + 1, from + (int64_t)i * x->strides[axis], to);
    return to;
}

static bool is_contiguous(const struct incoming *x)
{
    int64_t expected = (int64_t)x->size;
    for (unsigned d = x->n_dims; x->strides && d-- > 0; expected *= (int64_t)x->dims[d])
        if (x->dims[d] != 1 && x->strides[d] != expected)
            return false;
    return true;
}

/* False: no memory. */
static bool set_board_names(struct hook_item *item, const struct save_request *w)
{
    struct sm_str name = {0};
    item->scalar = w->scalar && item->n == 1;
    if (!w->histogram)
        return true;
    sm_str_printf(&name, "%s/%s", w->histogram, item->name);
    item->histogram = name.failed ? NULL : sm_strdup(sm_str_text(&name));
    sm_str_clear(&name);
    return item->histogram;
}

static struct hook_item *raw_item(struct smdbg_hook *h, const struct incoming *x,
                                  const struct save_request *w)
{
    enum hook_item_kind kind = w->raw ? HOOK_TENSOR : HOOK_BOARD;
    struct hook_item *item = hook_queue_item(&h->queue, kind, x->name, x->n * x->size);
    if (!item)
        return NULL;
    item->dtype = x->dtype;
    item->n_dims = x->n_dims;
    item->n = x->n;
    item->wall_time = sm_clock_wall_s();
    memcpy(item->dims, x->dims, sizeof item->dims);
    if (is_contiguous(x))
        memcpy(item->data, x->data, item->bytes);
    else
        copy_strided(x, 0, x->data, item->data);
    if (set_board_names(item, w))
        return item;
    hook_queue_recycle(&h->queue, item);
    return NULL;
}

static struct hook_item *shape_item(struct smdbg_hook *h, const struct incoming *x)
{
    struct hook_item *item = hook_queue_item(&h->queue, HOOK_SHAPE, x->name, 0);
    if (item) {
        item->n_dims = x->n_dims;
        memcpy(item->dims, x->dims, sizeof item->dims);
    }
    return item;
}

/* Sets t to the tensor in C order, in the memory of x or in *copy, which the caller frees. */
static bool c_order_view(const struct incoming *x, struct sm_tensor *t, uint8_t **copy,
                         struct sm_err *err)
{
    *t = (struct sm_tensor){.dtype = x->dtype,
                            .n_dims = x->n_dims,
                            .n = x->n,
                            .data = x->data,
                            .size_bytes = x->n * x->size};
    memcpy(t->dims, x->dims, sizeof t->dims);
    *copy = NULL;
    if (is_contiguous(x))
        return true;
    *copy = sm_alloc(t->size_bytes);
    if (!*copy)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory to reduce %s", x->name);
    copy_strided(x, 0, x->data, *copy);
    t->data = *copy;
    return true;
}

static bool save_reductions(struct smdbg_hook *h, const struct incoming *x,
                            const struct save_request *w, struct sm_err *err)
{
    struct hook_reduced numbers[HOOK_REDUCTIONS_MAX];
    struct sm_tensor t;
    uint8_t *copy;
    bool ok = c_order_view(x, &t, &copy, err) &&
              hook_reduce_typed(&t, w->codes, w->n_codes, numbers, err);
    for (size_t i = 0; ok && i < w->n_codes; i++)
        hook_push(h, hook_reduction_item(h, x->name, w->codes[i], &numbers[i]));
    sm_free(copy);
    return ok;
}

/* Adds the mean for SageMaker's metrics. */
static bool add_metric_item(struct smdbg_hook *h, const struct incoming *x, struct sm_err *err)
{
    static const int mean = SM_REDUCE_MEAN;
    struct hook_reduced number;
    struct sm_tensor t;
    uint8_t *copy;
    double v;
    if (sm_dtype_info(x->dtype)->kind == SM_KIND_COMPLEX)
        return true;
    bool ok = c_order_view(x, &t, &copy, err) && hook_reduce_typed(&t, &mean, 1, &number, err);
    sm_free(copy);
    struct hook_item *item = ok ? hook_queue_item(&h->queue, HOOK_METRIC, x->name, sizeof v) : NULL;
    if (!item)
        return ok && sm_err_set(err, SM_ERR_MEMORY, "no memory to report %s", x->name);
    v = sm_dtype_load(number.dtype, number.bytes);
    memcpy(item->data, &v, sizeof v);
    item->metric = true;
    item->mode = h->mode;
    item->mode_step = h->mode_step;
    hook_push(h, item);
    return true;
}

static bool save_parts(struct smdbg_hook *h, const struct incoming *x, const struct save_request *w,
                       struct sm_err *err)
{
    if (w->n_codes && !save_reductions(h, x, w, err))
        return false;
    if (w->raw || w->scalar || w->histogram)
        hook_push(h, raw_item(h, x, w));
    if (w->shape)
        hook_push(h, shape_item(h, x));
    return !w->metric || add_metric_item(h, x, err);
}

static int save_wanted(struct smdbg_hook *h, struct incoming *x, const int64_t *shape)
{
    struct sm_err err = {0};
    uint64_t mask;
    pthread_mutex_lock(&h->lock);
    bool ok = hook_offer(h, x->name, &mask, &err) && (!mask || check_incoming(x, shape, &err));
    if (ok && mask && x->n) {
        struct save_request w = save_request_of(h, mask);
        if (!h->in_step)
            hook_push_step(h);
        ok = save_parts(h, x, &w, &err);
    }
    pthread_mutex_unlock(&h->lock);
    return ok ? hook_result(h) : hook_fail_now(h, &err);
}

int smdbg_hook_number(smdbg_hook *h, const char *tensor, double value)
{
    static const int64_t shape[] = {1};
    return smdbg_hook_save(h, tensor, SMDBG_FLOAT64, 1, shape, NULL, &value);
}

int smdbg_hook_save(smdbg_hook *h, const char *tensor, smdbg_dtype dtype, unsigned n_dims,
                    const int64_t *shape, const int64_t *strides, const void *data)
{
    struct incoming x; /* not initialised: most calls save nothing */
    if (!hook_enter(h))
        return -1;
    x.name = tensor;
    x.dtype = (enum sm_dtype)dtype;
    x.n_dims = n_dims;
    x.strides = strides;
    x.data = data;
    int result = save_wanted(h, &x, shape);
    hook_leave();
    return result;
}
