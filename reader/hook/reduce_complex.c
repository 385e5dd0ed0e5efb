/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/hook/hook_private.h"

#include "reader/base/mem.h"

#include <math.h>
#include <stdlib.h>

/* An element, widened to double. */
struct complex_value {
    double re, im;
};

static bool no_memory(struct sm_err *err)
{
    return sm_err_set(err, SM_ERR_MEMORY, "no memory to reduce complex numbers");
}

static struct complex_value *widen_complex(const struct sm_tensor *t)
{
    size_t size = sm_dtype_info(t->dtype)->size_bytes;
    struct complex_value *x = sm_alloc(t->n * sizeof *x);
    for (uint64_t i = 0; x && i < t->n; i++)
        x[i] = (struct complex_value){sm_dtype_load(t->dtype, t->data + i * size),
                                      sm_dtype_imag(t->dtype, t->data + i * size)};
    return x;
}

static int compare_parts(const void *a, const void *b)
{
    const struct complex_value *x = a, *y = b;
    return x->re != y->re ? (x->re > y->re) - (x->re < y->re) : (x->im > y->im) - (x->im < y->im);
}

static bool is_nan(struct complex_value x)
{
    return isnan(x.re) || isnan(x.im);
}

static struct complex_value sum_of(const struct complex_value *x, size_t n)
{
    struct complex_value sum = {0};
    for (size_t i = 0; i < n; i++) {
        sum.re += x[i].re;
        sum.im += x[i].im;
    }
    return sum;
}

static struct complex_value product_of(const struct complex_value *x, size_t n)
{
    struct complex_value p = {1, 0};
    for (size_t i = 0; i < n; i++)
        p = (struct complex_value){p.re * x[i].re - p.im * x[i].im,
                                   p.re * x[i].im + p.im * x[i].re};
    return p;
}

/* The sum of the squared distances to the mean, divided by n - 1. */
static double variance_of(const struct complex_value *x, size_t n)
{
    struct complex_value mean = sum_of(x, n);
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        double re = x[i].re - mean.re / (double)n, im = x[i].im - mean.im / (double)n;
        squares += re * re + im * im;
    }
    return n > 1 ? squares / (double)(n - 1) : (double)NAN;
}

/* Minimum, maximum or median; sorts x. If an element is NaN, returns it. */
static struct complex_value ranked_complex(struct complex_value *x, size_t n, int op)
{
    for (size_t i = 0; i < n; i++)
        if (is_nan(x[i]))
            return x[i];
    qsort(x, n, sizeof *x, compare_parts);
    if (op != SM_REDUCE_MEDIAN)
        return x[op == SM_REDUCE_MIN ? 0 : n - 1];
    struct complex_value low = x[(n - 1) / 2], high = x[n / 2];
    return (struct complex_value){low.re / 2 + high.re / 2, low.im / 2 + high.im / 2};
}

static bool is_of_magnitudes(int code)
{
    int op = code & (SM_REDUCE_ABS - 1);
    return code & SM_REDUCE_ABS || op == SM_REDUCE_L1 || op == SM_REDUCE_L2;
}

static void reduce_complex_op(struct complex_value *x, size_t n, int op, enum sm_dtype dtype,
                              struct hook_reduced *out)
{
    struct complex_value v = {0};
    enum sm_dtype part = dtype == SM_DTYPE_COMPLEX64 ? SM_DTYPE_FLOAT32 : SM_DTYPE_FLOAT64;
    if (op == SM_REDUCE_STD || op == SM_REDUCE_VARIANCE) {
        double variance = variance_of(x, n);
        hook_reduced_set(out, part, op == SM_REDUCE_STD ? sqrt(variance) : variance, 0);
        return;
    }
    if (op == SM_REDUCE_SUM || op == SM_REDUCE_MEAN)
        v = sum_of(x, n);
    else if (op == SM_REDUCE_PROD)
        v = product_of(x, n);
    else
        v = ranked_complex(x, n, op);
    double by = op == SM_REDUCE_MEAN ? (double)n : 1;
    hook_reduced_set(out, dtype, v.re / by, v.im / by);
}

static bool reduce_magnitudes(const struct sm_tensor *t, const struct complex_value *x,
                              const int *codes, size_t n, struct hook_reduced *out,
                              struct sm_err *err)
{
    struct sm_stats s;
    double v, *magnitudes = sm_alloc(t->n * sizeof *magnitudes);
    if (!magnitudes)
        return no_memory(err);
    for (uint64_t i = 0; i < t->n; i++)
        magnitudes[i] = hypot(x[i].re, x[i].im);
    struct sm_tensor real = {.dtype = SM_DTYPE_FLOAT64,
                             .n_dims = 1,
                             .dims = {t->n},
                             .n = t->n,
                             .data = (uint8_t *)magnitudes,
                             .size_bytes = t->n * sizeof *magnitudes};
    bool ok = sm_stats_of(&real, &s, err);
    for (size_t i = 0; ok && i < n; i++) {
        if (!is_of_magnitudes(codes[i]))
            continue;
        ok = hook_reduce(&real, &s, codes[i], &v, err);
        hook_reduced_set(&out[i],
                         t->dtype == SM_DTYPE_COMPLEX64 ? SM_DTYPE_FLOAT32 : SM_DTYPE_FLOAT64,
                         ok ? v : 0, 0);
    }
    sm_free(magnitudes);
    return ok;
}

bool hook_reduce_complex(const struct sm_tensor *t, const int *codes, size_t n,
                         struct hook_reduced *out, struct sm_err *err)
{
    struct complex_value *x = widen_complex(t);
    if (!x)
        return no_memory(err);
    bool ok = reduce_magnitudes(t, x, codes, n, out, err);
    for (size_t i = 0; ok && i < n; i++)
        if (!is_of_magnitudes(codes[i]))
            reduce_complex_op(x, t->n, codes[i], t->dtype, &out[i]);
    sm_free(x);
    return ok;
}
