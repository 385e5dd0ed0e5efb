/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tensor/stats.h"

#include "reader/base/bytes.h"
#include "reader/tensor/statistic_list.h"
#include "reader/tensor/stats_pass.h"

#include <math.h>
#include <string.h>

/* ---- one pass, block after block ----
 * One loop over a block computes sums and extremes (stats_block.h). The block is read again, still
 * in the cache, only if
 *   - it has a non-finite element (the sum of squares shows it): the finite ones are compacted;
 *   - sum of squares - n * mean^2 would cancel digits: makes the second pass of numpy.var;
 *   - the product is still within double's range. */

static void total_add(struct sm_total *t, double v)
{
    double sum = t->high + v;
    t->low += fabs(t->high) >= fabs(v) ? t->high - sum + v : v - sum + t->high;
    t->high = sum;
}

static double total_value(const struct sm_total *t)
{
    return isfinite(t->high) ? t->high + t->low : t->high;
}

/* Squares of finite elements that overflowed: infinite, also where infinities were subtracted. */
static double variance_of(double m2, double count)
{
    return isnan(m2) ? HUGE_VAL : m2 / count;
}

static uint64_t bits_of(struct sm_integer v)
{
    return v.negative ? 0 - v.magnitude : v.magnitude;
}

static void finish(struct sm_stats_pass *p)
{
    struct sm_stats *s = p->out;
    s->pos = s->finite - s->zero - s->neg + s->pos_inf;
    s->neg += s->neg_inf;
    if (!s->finite) {
        s->min = s->max = s->abs_min = s->prod = 0;
        return;
    }
    double count = (double)s->finite;
    s->sum = total_value(&p->sum);
    s->sum_squares = total_value(&p->squares);
    s->l1 = total_value(&p->l1);
    s->mean = s->sum / count;
    s->variance = variance_of(p->x.m2, count);
    s->abs_variance = variance_of(p->magnitude.m2, count);
    s->min_bits = p->measured ? bits_of(p->least) : 0;
    s->max_bits = p->measured ? bits_of(p->most) : 0;
    s->l2 = sqrt(s->sum_squares);
    s->abs_max = fmax(fabs(s->min), fabs(s->max));
    s->abs_prod = fabs(s->prod);
}

/* Joins the moments of n elements with those of n_before others (Chan, Golub, LeVeque 1979). */
static void merge(struct sm_moments *m, double n_before, const struct sm_moments *block, double n)
{
    double delta = block->mean - m->mean, total = n_before + n;
    if (n_before == 0) {
        *m = *block;
        return;
    }
    m->mean += delta * (n / total);
    m->m2 += block->m2 + delta * (delta * (n_before * n / total));
}

/* Whether the difference keeps at least 53 - 10 bits of the squares. */
static bool keeps_digits(double m2, double squares)
{
    return m2 > squares / 1024 || squares == 0;
}

/* The block's moments from its sums alone. False: not accurate, a second pass over x is needed. */
static bool moments_of_sums(const struct sm_stats_block *b, double n, struct sm_moments *x,
                            struct sm_moments *magnitude)
{
    double mean = b->sum / n, abs_mean = b->l1 / n;
    *x = (struct sm_moments){mean, b->squares - b->sum * mean};
    *magnitude = (struct sm_moments){abs_mean, b->squares - b->l1 * abs_mean};
    return keeps_digits(x->m2, b->squares) && keeps_digits(magnitude->m2, b->squares);
}

/* No finite factor changes a product of 0, and once it is infinite only signs and zeros matter. */
static bool product_settled(double prod)
{
    return prod == 0 || !isfinite(prod);
}

static double multiply(double prod, const struct sm_stats_block *b, const double *x, size_t n)
{
    if (isinf(prod) && b->zero)
        return (double)NAN;
    if (product_settled(prod))
        return isinf(prod) && b->neg % 2 ? -prod : prod;
    if (b->abs_min > 0.75 && b->max < 1.375 && b->min > -1.375)
        return prod * sm_block_product(x, n);
    for (size_t i = 0; i < n; i++) /* in numpy's order, to overflow where numpy does */
        prod *= x[i];
    return prod;
}

static void take_extremes(struct sm_stats *s, const struct sm_stats_block *b)
{
    s->min = b->min < s->min ? b->min : s->min;
    s->max = b->max > s->max ? b->max : s->max;
    s->abs_min = b->abs_min < s->abs_min ? b->abs_min : s->abs_min;
    s->zero += b->zero;
    s->neg += b->neg;
}

/* Adds a block of n finite elements to the pass. */
static void take_sums(struct sm_stats_pass *p, const struct sm_stats_block *b, size_t n,
                      const struct sm_moments *x, const struct sm_moments *magnitude)
{
    merge(&p->x, (double)p->out->finite, x, (double)n);
    merge(&p->magnitude, (double)p->out->finite, magnitude, (double)n);
    total_add(&p->sum, b->sum);
    total_add(&p->squares, b->squares);
    total_add(&p->l1, b->l1);
    take_extremes(p->out, b);
    p->out->finite += n;
}

static bool fits_avx2(size_t n)
{
    return n % SM_LANES == 0 && sm_avx2_here();
}

static void sums(const double *x, size_t n, struct sm_stats_block *b)
{
    (fits_avx2(n) ? sm_avx2_sums : sm_block_sums)(x, n, b);
}

static void spread(const double *x, size_t n, struct sm_moments *m, struct sm_moments *magnitude)
{
    (fits_avx2(n) ? sm_avx2_spread : sm_block_spread)(x, n, m->mean, magnitude->mean, &m->m2,
                                                      &magnitude->m2);
}

static void take_finite(struct sm_stats_pass *p, const struct sm_stats_block *b, const double *x,
                        size_t n)
{
    struct sm_moments plain, magnitude;
    if (!moments_of_sums(b, (double)n, &plain, &magnitude))
        spread(x, n, &plain, &magnitude);
    p->out->prod = multiply(p->out->prod, b, x, n);
    take_sums(p, b, n, &plain, &magnitude);
}

/* Counts non-finite elements and compacts the rest. Returns how many are left. */
static size_t sort_out(struct sm_stats *s, double *x, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (isfinite(x[i]))
            x[kept++] = x[i];
        else if (isnan(x[i]))
            s->nan++;
        else
            *(x[i] > 0 ? &s->pos_inf : &s->neg_inf) += 1;
    }
    return kept;
}

/* At most SM_BLOCK elements; removes non-finite ones from x. */
static void take_finite_of(struct sm_stats_pass *p, double *x, size_t n)
{
    struct sm_stats_block b;
    n = sort_out(p->out, x, n);
    if (!n)
        return;
    sums(x, n, &b);
    take_finite(p, &b, x, n);
}

static void take_floats(struct sm_stats_pass *p, const uint8_t *bytes, size_t n)
{
    double wide[SM_BLOCK];
    struct sm_stats_block b;
    struct sm_moments x, magnitude;
    sm_avx2_sums_f32(bytes, n, &b); /* squares of finite float32 values do not overflow a double */
    if (isfinite(b.squares) && product_settled(p->out->prod) &&
        moments_of_sums(&b, (double)n, &x, &magnitude)) {
        p->out->prod = multiply(p->out->prod, &b, NULL, n);
        take_sums(p, &b, n, &x, &magnitude);
        return;
    }
    sm_avx2_widen(bytes, n, wide);
    if (isfinite(b.squares))
        take_finite(p, &b, wide, n);
    else
        take_finite_of(p, wide, n);
}

static void take_integer(struct sm_stats_pass *p, struct sm_integer v)
{
    if (!p->measured || sm_integer_compare(v, p->least) < 0)
        p->least = v;
    if (!p->measured || sm_integer_compare(v, p->most) > 0)
        p->most = v;
    p->measured = true;
    p->beyond = p->beyond || v.magnitude > (uint64_t)1 << 53;
}

/* Looks at integers of 64 bits exactly, as 2^53 + 1 reads as 2^53. Those of a block within 2^53
 * are exact as doubles. */
static void take_integers(struct sm_stats_pass *p, const struct sm_stats_block *b,
                          const uint8_t *bytes, size_t n)
{
    if (!sm_dtype_is_wide(p->dtype))
        return;
    if (b->max < 0x1p53 && b->min > -0x1p53) {
        take_integer(p, sm_integer_of((int64_t)b->min));
        take_integer(p, sm_integer_of((int64_t)b->max));
        return;
    }
    for (size_t i = 0; i < n; i++)
        take_integer(p, sm_dtype_load_exact(p->dtype, bytes + i * 8).integer);
}

static void take_any(struct sm_stats_pass *p, const uint8_t *bytes, size_t n)
{
    double wide[SM_BLOCK];
    struct sm_stats_block b;
    sm_dtype_widen(p->dtype, bytes, n, wide);
    sums(wide, n, &b);
    take_integers(p, &b, bytes, n);
    if (isfinite(b.squares))
        take_finite(p, &b, wide, n);
    else
        take_finite_of(p, wide, n);
}

static void count_complex(enum sm_dtype d, const uint8_t *bytes, size_t n, struct sm_stats *out)
{
    size_t size = sm_dtype_info(d)->size_bytes;
    for (size_t i = 0; i < n; i++) {
        double re = sm_dtype_load(d, bytes + i * size), im = sm_dtype_imag(d, bytes + i * size);
        if (isnan(re) || isnan(im))
            out->nan++;
        else if (isinf(re) || isinf(im))
            out->pos_inf++;
        else if (re == 0 && im == 0)
            out->zero++;
    }
}

static bool is_complex(enum sm_dtype d)
{
    return sm_dtype_info(d)->kind == SM_KIND_COMPLEX;
}

static void take_block(struct sm_stats_pass *p, const uint8_t *bytes, size_t n)
{
    float floats[SM_BLOCK];
    p->n += n;
    if (is_complex(p->dtype))
        count_complex(p->dtype, bytes, n, p->out);
    else if (!fits_avx2(n))
        take_any(p, bytes, n);
    else if (p->dtype == SM_DTYPE_FLOAT32)
        take_floats(p, bytes, n);
    else if (sm_avx2_narrow(p->dtype, bytes, n, floats))
        take_floats(p, (const uint8_t *)floats, n);
    else
        take_any(p, bytes, n);
}

/* ---- in pieces ---- */

bool sm_stats_begin(struct sm_stats_pass *p, enum sm_dtype d, struct sm_stats *out,
                    struct sm_err *err)
{
    enum sm_dtype_kind kind = sm_dtype_info(d)->kind;
    *out = (struct sm_stats){0};
    if (kind == SM_KIND_OTHER || kind == SM_KIND_STRING)
        return sm_err_set(err, SM_ERR_USAGE, "no statistics of %s elements",
                          sm_dtype_info(d)->name);
    if (!is_complex(d))
        *out = (struct sm_stats){.min = HUGE_VAL, .max = -HUGE_VAL, .abs_min = HUGE_VAL, .prod = 1};
    p->dtype = d;
    p->out = out;
    p->n = 0;
    p->sum = p->squares = p->l1 = (struct sm_total){0};
    p->x = p->magnitude = (struct sm_moments){0};
    p->beyond = p->measured = false;
    p->held = 0;
    return true;
}

/* Adds bytes to the held ones until they are a whole block or none are left. Returns how many were
 * used. */
static size_t hold(struct sm_stats_pass *p, const uint8_t *bytes, size_t n, size_t block_bytes)
{
    size_t more = block_bytes - p->held < n ? block_bytes - p->held : n;
    if (more)
        memcpy(p->block + p->held, bytes, more);
    p->held += more;
    return more;
}

void sm_stats_add(struct sm_stats_pass *p, const void *bytes, size_t n)
{
    const uint8_t *at = bytes;
    size_t block_bytes = SM_BLOCK * (size_t)sm_dtype_info(p->dtype)->size_bytes;
    while (n) {
        size_t taken = block_bytes;
        if (p->held || n < block_bytes)
            taken = hold(p, at, n, block_bytes);
        else
            take_block(p, at, SM_BLOCK);
        if (p->held == block_bytes) {
            take_block(p, p->block, SM_BLOCK);
            p->held = 0;
        }
        at += taken;
        n -= taken;
    }
}

/* While l1 is within 2^53, so is every element and every partial sum. */
static bool is_inexact(const struct sm_stats_pass *p)
{
    if (sm_dtype_info(p->dtype)->kind == SM_KIND_FLOAT || p->out->l1 < 0x1p53)
        return false;
    return p->out->l1 > 0x1p53 || p->beyond;
}

void sm_stats_end(struct sm_stats_pass *p)
{
    size_t left = p->held / sm_dtype_info(p->dtype)->size_bytes;
    if (left)
        take_block(p, p->block, left);
    p->out->n = p->n;
    if (is_complex(p->dtype))
        return;
    finish(p);
    p->out->inexact = is_inexact(p);
}

/* ---- tensors ---- */

struct sm_exact sm_stats_extreme(const struct sm_stats *s, enum sm_dtype d, bool largest)
{
    uint8_t bytes[8];
    double v = largest ? s->max : s->min;
    if (sm_dtype_info(d)->kind == SM_KIND_FLOAT || !s->finite)
        return sm_exact_real(v);
    if (fabs(v) < 0x1p53)
        return sm_exact_integer(sm_integer_of((int64_t)v));
    if (!sm_statistic_known(s, sm_statistic_find(SM_TEXT("max_bits"))))
        return sm_exact_real(v);
    sm_put_u64(bytes, largest ? s->max_bits : s->min_bits);
    return sm_dtype_load_exact(d, bytes);
}

static void join_counts(struct sm_stats *s, const struct sm_stats *more)
{
    s->n += more->n;
    s->nan += more->nan;
    s->pos_inf += more->pos_inf;
    s->neg_inf += more->neg_inf;
    s->zero += more->zero;
    s->neg += more->neg;
    s->pos += more->pos;
    s->inexact = s->inexact || more->inexact;
    s->lacks |= more->lacks;
}

static void join_extremes(struct sm_stats *s, const struct sm_stats *more, enum sm_dtype d)
{
    struct sm_exact min = sm_stats_extreme(s, d, false), max = sm_stats_extreme(s, d, true),
                    less = sm_stats_extreme(more, d, false), most = sm_stats_extreme(more, d, true);
    s->min_bits = sm_exact_compare(&less, &min) < 0 ? more->min_bits : s->min_bits;
    s->max_bits = sm_exact_compare(&most, &max) > 0 ? more->max_bits : s->max_bits;
    s->min = fmin(s->min, more->min);
    s->max = fmax(s->max, more->max);
    s->abs_min = fmin(s->abs_min, more->abs_min);
    s->abs_max = fmax(s->abs_max, more->abs_max);
}

static void join_moments(struct sm_stats *s, const struct sm_stats *more)
{
    double n = (double)s->finite, n_more = (double)more->finite, all = n + n_more;
    struct sm_moments x = {s->mean, s->variance * n}, y = {more->mean, more->variance * n_more},
                      magnitude = {s->l1 / n, s->abs_variance * n},
                      other = {more->l1 / n_more, more->abs_variance * n_more};
    merge(&x, n, &y, n_more);
    merge(&magnitude, n, &other, n_more);
    s->variance = variance_of(x.m2, all);
    s->abs_variance = variance_of(magnitude.m2, all);
    s->sum += more->sum;
    s->sum_squares += more->sum_squares;
    s->l1 += more->l1;
    s->prod *= more->prod;
    s->abs_prod *= more->abs_prod;
    s->mean = s->sum / all;
    s->l2 = sqrt(s->sum_squares);
}

void sm_stats_join(struct sm_stats *s, const struct sm_stats *more, enum sm_dtype d)
{
    struct sm_stats before = *s;
    if (more->finite && !before.finite)
        *s = *more;
    else
        join_counts(s, more);
    if (more->finite && !before.finite)
        join_counts(s, &before);
    else if (more->finite) {
        join_extremes(s, more, d);
        join_moments(s, more);
        s->finite += more->finite;
    }
}

void sm_stats_f32(const float *x, size_t n, struct sm_stats *out)
{
    struct sm_stats_pass p;
    sm_stats_begin(&p, SM_DTYPE_FLOAT32, out, NULL);
    sm_stats_add(&p, x, n * sizeof *x);
    sm_stats_end(&p);
}

bool sm_stats_of(const struct sm_tensor *t, struct sm_stats *out, struct sm_err *err)
{
    struct sm_stats_pass p;
    if (!sm_stats_begin(&p, t->dtype, out, err)) {
        out->n = t->n;
        return false;
    }
    sm_stats_add(&p, t->data, (size_t)t->n * sm_dtype_info(t->dtype)->size_bytes);
    sm_stats_end(&p);
    return true;
}

void sm_stats_of_real(double v, struct sm_stats *out)
{
    double size = fabs(v);
    *out = (struct sm_stats){.n = 1,
                             .nan = isnan(v),
                             .pos_inf = isinf(v) && v > 0,
                             .neg_inf = isinf(v) && v < 0,
                             .zero = v == 0,
                             .neg = v<0, .pos = v> 0,
                             .finite = isfinite(v)};
    if (!out->finite)
        return;
    out->min = out->max = out->prod = v;
    out->sum = out->mean = v + 0.0; /* of -0.0 it is 0.0 */
    out->l1 = out->abs_min = out->abs_max = out->abs_prod = size;
    out->sum_squares = v * v;
    out->l2 = sqrt(out->sum_squares);
}
