/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/builtin/close.h"

#include <math.h>

bool sm_is_close(double a, double b, const double *args)
{
    if (isnan(a) || isnan(b))
        return args[2] != 0 && isnan(a) && isnan(b);
    return a == b || (isfinite(a) && isfinite(b) && fabs(a - b) <= args[1] + args[0] * fabs(b));
}

void sm_measure_close(const struct sm_tensor *const *t, const double *args, struct sm_numbers *out)
{
    struct sm_elements a = sm_elements(t[0]), b = sm_elements(t[1]);
    double left[SM_BLOCK_ELEMENTS], right[SM_BLOCK_ELEMENTS];
    if (!sm_numbers_alloc(out, SM_CLOSE_NUMBERS))
        return;
    bool same = sm_same_shape(t[0], t[1]) && a.n == b.n;
    double *v = out->v;
    v[SM_CLOSE_SAME_SHAPE] = same;
    v[SM_CLOSE_N] = (double)b.n;
    uint64_t at = 0;
    for (size_t n; same && (n = sm_elements_read(&a, at, left)) > 0; at += n) {
        sm_elements_read(&b, at, right);
        for (size_t i = 0; i < n; i++) {
            double d = fabs(left[i] - right[i]);
            if (sm_is_close(left[i], right[i], args))
                continue;
            if (!v[SM_CLOSE_COUNT]++ || d > v[SM_CLOSE_MAX]) {
                v[SM_CLOSE_MAX] = d;
                v[SM_CLOSE_INDEX] = (double)(at + i);
            }
        }
    }
    v[SM_CLOSE_YES] = same && v[SM_CLOSE_COUNT] == 0;
}

/* A quick test: tensors that differ usually differ in the first elements. */
static bool first_elements_close(const struct sm_elements *a, const struct sm_elements *b,
                                 const double *args)
{
    enum { FIRST = 8 };
    size_t size_a = sm_dtype_info(a->dtype)->size_bytes,
           size_b = sm_dtype_info(b->dtype)->size_bytes;
    bool close = true;
    for (size_t i = 0; close && i < a->n && i < FIRST; i++)
        close = sm_is_close(sm_dtype_load(a->dtype, a->data + i * size_a),
                            sm_dtype_load(b->dtype, b->data + i * size_b), args);
    return close;
}

void sm_measure_all_close(const struct sm_tensor *const *t, const double *args,
                          struct sm_numbers *out)
{
    struct sm_elements a = sm_elements(t[0]), b = sm_elements(t[1]);
    double left[SM_BLOCK_ELEMENTS], right[SM_BLOCK_ELEMENTS];
    if (!sm_numbers_alloc(out, 1))
        return;
    bool close = sm_same_shape(t[0], t[1]) && a.n == b.n && first_elements_close(&a, &b, args);
    uint64_t at = 0;
    for (size_t n; close && (n = sm_elements_read(&a, at, left)) > 0; at += n) {
        sm_elements_read(&b, at, right);
        for (size_t i = 0; close && i < n; i++)
            close = sm_is_close(left[i], right[i], args);
    }
    out->v[SM_CLOSE_YES] = close;
}

enum { LANES = 8 };
struct change {
    double moved[LANES], size[LANES]; /* element i goes to lane i % LANES */
};

static void add_change(struct change *c, const double *old, const double *new, size_t n)
{
    size_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (size_t k = 0; k < LANES; k++) {
            c->moved[k] += fabs(new[i + k] - old[i + k]);
            c->size[k] += fabs(old[i + k]);
        }
    for (; i < n; i++) {
        c->moved[i % LANES] += fabs(new[i] - old[i]);
        c->size[i % LANES] += fabs(old[i]);
    }
}

void sm_measure_change(const struct sm_tensor *const *t, const double *args, struct sm_numbers *out)
{
    struct sm_elements a = sm_elements(t[0]), b = sm_elements(t[1]);
    double old[SM_BLOCK_ELEMENTS], new[SM_BLOCK_ELEMENTS], moved = 0, size = 0;
    (void)args;
    if (!sm_numbers_alloc(out, SM_CHANGE_NUMBERS))
        return;
    bool comparable = sm_same_shape(t[0], t[1]) && a.n == b.n && a.n;
    uint64_t at = 0;
    for (size_t n; comparable && (n = sm_elements_read(&a, at, old)) > 0; at += n) {
        struct change c = {0};
        sm_elements_read(&b, at, new);
        add_change(&c, old, new, n);
        for (size_t k = 0; k < LANES; k++) {
            moved += c.moved[k];
            size += c.size[k];
        }
    }
    out->v[SM_CHANGE_COMPARABLE] = comparable;
    out->v[SM_CHANGE_MOVED] = moved / (double)(a.n ? a.n : 1);
    out->v[SM_CHANGE_SIZE] = size / (double)(a.n ? a.n : 1);
}
