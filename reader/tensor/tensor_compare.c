/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor/tensor_compare.h"

#include "reader/tensor/compare_block.h"
#include "reader/tensor/rounding.h"
#include "reader/tensor/stats_block.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 1024 };

const char *sm_likeness_name(enum sm_likeness l)
{
    static const char *const names[] = {"equal", "close", "different", "incomparable"};
    return names[l];
}

/* The elements as real numbers; complex ones as their two parts. */
struct numbers {
    enum sm_dtype dtype;
    const uint8_t *data;
    uint64_t n;
    size_t size;
};

static struct numbers numbers_of(const struct sm_tensor *t)
{
    struct numbers x = {t->dtype, t->data, t->n, 0};
    if (sm_dtype_info(t->dtype)->kind == SM_KIND_COMPLEX) {
        x.dtype = t->dtype == SM_DTYPE_COMPLEX64 ? SM_DTYPE_FLOAT32 : SM_DTYPE_FLOAT64;
        x.n *= 2;
    }
    x.size = sm_dtype_info(x.dtype)->size_bytes;
    return x;
}

static bool is_number(const struct sm_tensor *t)
{
    enum sm_dtype_kind k = sm_dtype_info(t->dtype)->kind;
    return k != SM_KIND_OTHER && k != SM_KIND_STRING;
}

/* ---- distance in units of the type ---- */

static uint64_t magnitude_apart(uint64_t a, uint64_t b, bool negative_a, bool negative_b)
{
    if (negative_a != negative_b)
        return a + b;
    return a > b ? a - b : b - a;
}

static uint64_t float_distance(const uint8_t *pa, const uint8_t *pb, size_t size)
{
    uint64_t a = 0, b = 0, sign = (uint64_t)1 << (8 * size - 1);
    memcpy(&a, pa, size);
    memcpy(&b, pb, size);
    return magnitude_apart(a & ~sign, b & ~sign, (a & sign) != 0, (b & sign) != 0);
}

static uint64_t distance(const struct numbers *a, const struct numbers *b, uint64_t i, double va,
                         double vb)
{
    const uint8_t *pa = a->data + i * a->size, *pb = b->data + i * b->size;
    int64_t ia, ib;
    if (isnan(va) || isnan(vb))
        return isnan(va) && isnan(vb) ? 0 : UINT64_MAX;
    if (sm_dtype_info(a->dtype)->kind == SM_KIND_FLOAT)
        return float_distance(pa, pb, a->size);
    if (sm_dtype_load_i64(a->dtype, pa, &ia) && sm_dtype_load_i64(b->dtype, pb, &ib))
        return ia > ib ? (uint64_t)ia - (uint64_t)ib : (uint64_t)ib - (uint64_t)ia;
    return a->size == 8
               ? magnitude_apart(sm_dtype_load_u64(pa), sm_dtype_load_u64(pb), false, false)
               : va != vb;
}

/* ---- element by element ---- */

/* |a - b|, exact of integers; infinite if only one is a number. */
static double how_far(const struct numbers *a, const struct numbers *b, uint64_t i, double va,
                      double vb)
{
    if (!isfinite(va) || !isfinite(vb))
        return INFINITY;
    if (!sm_dtype_is_wide(a->dtype) && !sm_dtype_is_wide(b->dtype))
        return fabs(va - vb);
    struct sm_exact x = sm_dtype_load_exact(a->dtype, a->data + i * a->size),
                    y = sm_dtype_load_exact(b->dtype, b->data + i * b->size);
    double d = sm_exact_distance(&x, &y);
    return d == 0 && sm_exact_compare(&x, &y) ? 1 : d; /* an integer next to a double */
}

static bool is_same(const struct numbers *a, const struct numbers *b, uint64_t i, double va,
                    double vb)
{
    return (va == vb && (isinf(va) || how_far(a, b, i, va, vb) == 0)) || (isnan(va) && isnan(vb));
}

static void look_at(const struct numbers *a, const struct numbers *b, uint64_t i, double va,
                    double vb, const struct sm_tensor_compare_limits *limits,
                    struct sm_comparison *out)
{
    uint64_t ulp = out->has_ulp ? distance(a, b, i, va, vb) : 0;
    if (out->has_ulp ? ulp == 0 : is_same(a, b, i, va, vb))
        return;
    double d = how_far(a, b, i, va, vb);
    double rel = isfinite(d) && vb != 0 ? d / fabs(vb) : INFINITY;
    bool close = (isfinite(d) && d <= limits->atol + limits->rtol * fabs(vb)) ||
                 (out->has_ulp && ulp <= limits->ulp);
    if (d > out->max_abs) {
        out->max_abs = d;
        out->worst = i;
    }
    out->max_rel = fmax(out->max_rel, rel);
    out->ulp = ulp > out->ulp ? ulp : out->ulp;
    out->different += !close;
    enum sm_likeness l = close ? SM_LIKE_CLOSE : SM_LIKE_DIFFERENT;
    out->likeness = l > out->likeness ? l : out->likeness;
}

/* The type to which elements of the other may have been cast; NONE: none. */
static enum sm_dtype narrower(const struct numbers *a, const struct numbers *b)
{
    if (a->dtype == b->dtype || sm_dtype_info(a->dtype)->kind != SM_KIND_FLOAT ||
        sm_dtype_info(b->dtype)->kind != SM_KIND_FLOAT)
        return SM_DTYPE_NONE;
    return sm_dtype_stored_bits(a->dtype) < sm_dtype_stored_bits(b->dtype) ? a->dtype : b->dtype;
}

/* Whether the elements of the wider type are cast to the others. */
static bool are_cast(enum sm_dtype d, const double *wide, const double *narrow, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double cast = sm_cast_to(d, wide[i]);
        if (cast != narrow[i] && !(isnan(cast) && isnan(narrow[i])))
            return false;
    }
    return true;
}

/* The elements of a block as float32, which has all their values; NULL: it has not. */
static const float *floats_of(const struct numbers *x, uint64_t at, size_t n, float *out)
{
    const uint8_t *raw = x->data + at * x->size;
    if (x->dtype == SM_DTYPE_FLOAT32)
        memcpy(out, raw, n * sizeof *out);
    else if (!sm_avx2_narrow(x->dtype, raw, n, out))
        return NULL;
    return out;
}

/* The first element that is so far from the other. */
static uint64_t find_worst(const float *a, const float *b, size_t n, double max_abs)
{
    size_t i = 0;
    while (i + 1 < n && fabs((double)a[i] - (double)b[i]) != max_abs)
        i++;
    return i;
}

/* Compares a block of two tensors of one type at once. False: it has to be done one by one. */
static bool compare_block(const struct numbers *a, const struct numbers *b, uint64_t at, size_t n,
                          const struct sm_tensor_compare_limits *limits, struct sm_comparison *out)
{
    float fa[BLOCK], fb[BLOCK];
    struct sm_compared_block x;
    if (!out->has_ulp || n % SM_LANES != 0 || !sm_avx2_here() || a->size < 2 ||
        a->size > sizeof *fa || sm_dtype_info(a->dtype)->kind != SM_KIND_FLOAT ||
        !floats_of(a, at, n, fa) || !floats_of(b, at, n, fb) ||
        !sm_compare_block(a->dtype, a->data + at * a->size, b->data + at * a->size, fa, fb, n,
                          limits, &x))
        return false;
    if (x.max_abs > out->max_abs) {
        out->max_abs = x.max_abs;
        out->worst = at + find_worst(fa, fb, n, x.max_abs);
    }
    out->max_rel = fmax(out->max_rel, x.max_rel);
    out->ulp = x.ulp > out->ulp ? x.ulp : out->ulp;
    out->different += x.different;
    enum sm_likeness l = x.different ? SM_LIKE_DIFFERENT : x.equal ? SM_LIKE_EQUAL : SM_LIKE_CLOSE;
    out->likeness = l > out->likeness ? l : out->likeness;
    return true;
}

static void compare_numbers(const struct numbers *a, const struct numbers *b,
                            const struct sm_tensor_compare_limits *limits, const atomic_bool *stop,
                            struct sm_comparison *out)
{
    double va[BLOCK], vb[BLOCK];
    enum sm_dtype cast = a->n ? narrower(a, b) : SM_DTYPE_NONE;
    for (uint64_t at = 0; at < a->n && !(stop && atomic_load(stop)); at += BLOCK) {
        size_t n = a->n - at < BLOCK ? (size_t)(a->n - at) : BLOCK;
        if (compare_block(a, b, at, n, limits, out))
            continue;
        sm_dtype_widen(a->dtype, a->data + at * a->size, n, va);
        sm_dtype_widen(b->dtype, b->data + at * b->size, n, vb);
        for (size_t i = 0; i < n; i++)
            look_at(a, b, at + i, va[i], vb[i], limits, out);
        bool a_is_wide = cast == b->dtype;
        if (cast && !are_cast(cast, a_is_wide ? va : vb, a_is_wide ? vb : va, n))
            cast = SM_DTYPE_NONE;
    }
    out->equal_as = cast;
    out->likeness_apart = out->likeness;
    out->apart = out->different;
    if (cast) {
        out->likeness = SM_LIKE_EQUAL;
        out->different = 0;
    }
}

static void compare_strings(const struct sm_tensor *a, const struct sm_tensor *b,
                            struct sm_comparison *out)
{
    for (uint64_t i = 0; i < a->n; i++)
        out->different += !sm_text_same(a->strings[i], b->strings[i]);
    out->likeness = out->different ? SM_LIKE_DIFFERENT : SM_LIKE_EQUAL;
}

static void refuse(struct sm_comparison *out, const char *why)
{
    out->likeness = SM_LIKE_INCOMPARABLE;
    out->why = why;
}

void sm_tensor_compare(const struct sm_tensor *a, const struct sm_tensor *b,
                       const struct sm_tensor_compare_limits *limits, const atomic_bool *stop,
                       struct sm_comparison *out)
{
    *out = (struct sm_comparison){.n = a->n};
    if (a->n_dims != b->n_dims || memcmp(a->dims, b->dims, a->n_dims * sizeof *a->dims) != 0) {
        refuse(out, "other shape");
    } else if (a->dtype == SM_DTYPE_STRING && b->dtype == SM_DTYPE_STRING) {
        compare_strings(a, b, out);
    } else if (!is_number(a) || !is_number(b)) {
        refuse(out, "no numbers");
    } else {
        struct numbers x = numbers_of(a), y = numbers_of(b);
        out->has_numbers = true;
        out->has_ulp = a->dtype == b->dtype;
        bool same_bytes =
            !x.n || (out->has_ulp && x.n == y.n && memcmp(x.data, y.data, x.n * x.size) == 0);
        if (x.n != y.n)
            refuse(out, "complex and real");
        else if (!same_bytes)
            compare_numbers(&x, &y, limits, stop, out);
    }
}

void sm_comparison_join(struct sm_comparison *to, const struct sm_comparison *more)
{
    uint64_t before = to->n;
    if (!before) {
        *to = *more;
        return;
    }
    bool cast = to->equal_as && to->equal_as == more->equal_as;
    enum sm_likeness l = cast                                        ? SM_LIKE_EQUAL
                         : to->likeness_apart > more->likeness_apart ? to->likeness_apart
                                                                     : more->likeness_apart;
    if (more->max_abs > to->max_abs) {
        to->max_abs = more->max_abs;
        to->worst = before + more->worst;
    }
    to->max_rel = fmax(to->max_rel, more->max_rel);
    to->ulp = more->ulp > to->ulp ? more->ulp : to->ulp;
    to->apart += more->apart;
    to->likeness_apart =
        to->likeness_apart > more->likeness_apart ? to->likeness_apart : more->likeness_apart;
    to->equal_as = cast ? to->equal_as : SM_DTYPE_NONE;
    to->likeness = l;
    to->different = cast ? 0 : to->apart;
    to->n += more->n;
}
