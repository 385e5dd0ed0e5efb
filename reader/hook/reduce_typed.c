/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/hook/hook_private.h"

#include <math.h>
#include <string.h>

void hook_reduced_set(struct hook_reduced *r, enum sm_dtype dtype, double re, double im)
{
    float narrow[2] = {(float)re, (float)im};
    double wide[2] = {re, im};
    r->dtype = dtype;
    if (dtype == SM_DTYPE_FLOAT16) {
        uint16_t half = sm_half_of_double(re);
        memcpy(r->bytes, &half, sizeof half);
    } else if (dtype == SM_DTYPE_FLOAT32 || dtype == SM_DTYPE_COMPLEX64) {
        memcpy(r->bytes, narrow, sizeof narrow);
    } else {
        memcpy(r->bytes, wide, sizeof wide);
    }
}

static bool reduce_floats(const struct sm_tensor *t, const int *codes, size_t n,
                          struct hook_reduced *out, struct sm_err *err)
{
    struct sm_stats s;
    double v;
    /* the original library cannot read bfloat16; float32 holds every bfloat16 exactly */
    enum sm_dtype dtype = t->dtype == SM_DTYPE_BFLOAT16 ? SM_DTYPE_FLOAT32 : t->dtype;
    if (!sm_stats_of(t, &s, err))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!hook_reduce(t, &s, codes[i], &v, err))
            return false;
        hook_reduced_set(&out[i], dtype, v, 0);
    }
    return true;
}

/* ---- integers: exact, and modulo 2^64 like numpy and PyTorch ---- */

struct int_totals {
    uint64_t min, max, sum, prod, abs_min, abs_max, abs_sum, abs_prod;
};

static uint64_t load_int(enum sm_dtype d, const uint8_t *p)
{
    int64_t v = 0;
    return d == SM_DTYPE_UINT64          ? sm_dtype_load_u64(p)
           : sm_dtype_load_i64(d, p, &v) ? (uint64_t)v
                                         : 0;
}

static struct int_totals int_totals_of(const struct sm_tensor *t)
{
    bool is_signed = sm_dtype_info(t->dtype)->kind == SM_KIND_INT;
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    uint64_t first = load_int(t->dtype, t->data);
    struct int_totals w = {
        .min = first, .max = first, .prod = 1, .abs_min = UINT64_MAX, .abs_prod = 1};
    for (uint64_t i = 0; i < t->n; i++) {
        uint64_t v = load_int(t->dtype, t->data + i * size);
        uint64_t magnitude = is_signed && (int64_t)v < 0 ? -v : v;
        bool less = is_signed ? (int64_t)v < (int64_t)w.min : v < w.min;
        bool more = is_signed ? (int64_t)v > (int64_t)w.max : v > w.max;
        w.min = less ? v : w.min;
        w.max = more ? v : w.max;
        w.sum += v;
        w.prod *= v;
        w.abs_min = magnitude < w.abs_min ? magnitude : w.abs_min;
        w.abs_max = magnitude > w.abs_max ? magnitude : w.abs_max;
        w.abs_sum += magnitude;
        w.abs_prod *= magnitude;
    }
    return w;
}

/* False: the reduction is not an integer but float64. */
static bool set_int_reduction(const struct sm_tensor *t, const struct int_totals *w, int code,
                              struct hook_reduced *out)
{
    bool absolute = code & SM_REDUCE_ABS;
    enum sm_dtype total =
        sm_dtype_info(t->dtype)->kind == SM_KIND_UINT ? SM_DTYPE_UINT64 : SM_DTYPE_INT64;
    const struct {
        int op;
        enum sm_dtype dtype;
        uint64_t v;
    } rows[] = {
        {SM_REDUCE_MIN, t->dtype, absolute ? w->abs_min : w->min},
        {SM_REDUCE_MAX, t->dtype, absolute ? w->abs_max : w->max},
        {SM_REDUCE_SUM, total, absolute ? w->abs_sum : w->sum},
        {SM_REDUCE_PROD, total, absolute ? w->abs_prod : w->prod},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].op != (code & (SM_REDUCE_ABS - 1)))
            continue;
        out->dtype = rows[i].dtype;
        sm_put_u64(out->bytes, rows[i].v);
        return true;
    }
    return false;
}

static bool reduce_integers(const struct sm_tensor *t, const int *codes, size_t n,
                            struct hook_reduced *out, struct sm_err *err)
{
    struct sm_stats s;
    double v;
    if (!sm_stats_of(t, &s, err))
        return false;
    struct int_totals w = int_totals_of(t);
    for (size_t i = 0; i < n; i++) {
        if (set_int_reduction(t, &w, codes[i], &out[i]))
            continue;
        if (!hook_reduce(t, &s, codes[i], &v, err))
            return false;
        hook_reduced_set(&out[i], SM_DTYPE_FLOAT64, v, 0);
    }
    return true;
}

bool hook_reduce_typed(const struct sm_tensor *t, const int *codes, size_t n,
                       struct hook_reduced *out, struct sm_err *err)
{
    switch (sm_dtype_info(t->dtype)->kind) {
    case SM_KIND_FLOAT:
        return reduce_floats(t, codes, n, out, err);
    case SM_KIND_COMPLEX:
        return hook_reduce_complex(t, codes, n, out, err);
    default:
        return reduce_integers(t, codes, n, out, err);
    }
}
