/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of integers beyond 2^53 and of numbers whose squares overflow, and medians. */
#include "reader/tensor/statistic_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { MANY = 5000 };

static struct sm_tensor *tensor_of(enum sm_dtype d, uint64_t n, const void *data)
{
    struct sm_tensor *t = NULL;
    struct sm_err err;
    assert_true(sm_tensor_new(d, 1, &n, data, &t, &err));
    return t;
}

static void measure(enum sm_dtype d, uint64_t n, const void *data, struct sm_stats *out)
{
    struct sm_err err;
    struct sm_tensor *t = tensor_of(d, n, data);
    assert_true(sm_stats_of(t, out, &err));
    sm_tensor_unref(t);
}

static struct sm_exact exact(const struct sm_stats *s, enum sm_dtype d, const char *key)
{
    struct sm_exact x = {0};
    assert_true(sm_statistic_exact(s, d, sm_statistic_find(sm_text(key)), &x));
    return x;
}

static void test_extremes_of_int64(void **state)
{
    (void)state;
    static int64_t x[MANY];
    struct sm_stats s;
    int64_t v;
    for (int i = 0; i < MANY; i++)
        x[i] = i;
    x[10] = INT64_MIN + 1;
    x[4000] = ((int64_t)1 << 53) + 1; /* in another block */
    measure(SM_DTYPE_INT64, MANY, x, &s);
    assert_true(sm_integer_signed(exact(&s, SM_DTYPE_INT64, "min").integer, &v) && v == x[10]);
    assert_true(sm_integer_signed(exact(&s, SM_DTYPE_INT64, "max").integer, &v) && v == x[4000]);
    assert_true(sm_integer_signed(exact(&s, SM_DTYPE_INT64, "abs_max").integer, &v) &&
                v == INT64_MAX);
    assert_true(s.inexact);
}

static void test_extremes_of_uint64(void **state)
{
    (void)state;
    const uint64_t x[] = {UINT64_MAX - 1, UINT64_MAX, ((uint64_t)1 << 53) + 1};
    struct sm_stats s;
    measure(SM_DTYPE_UINT64, 3, x, &s);
    assert_true(exact(&s, SM_DTYPE_UINT64, "max").integer.magnitude == x[1]);
    assert_true(exact(&s, SM_DTYPE_UINT64, "min").integer.magnitude == x[2]);
}

static void test_extremes_of_small_integers(void **state)
{
    (void)state;
    const int8_t x[] = {-3, 0, 2};
    const double y[] = {1, 2};
    struct sm_stats s;
    struct sm_exact v;
    measure(SM_DTYPE_INT8, 3, x, &s);
    assert_true(exact(&s, SM_DTYPE_INT8, "min").integer.negative);
    assert_true(exact(&s, SM_DTYPE_INT8, "abs_max").integer.magnitude == 3);
    assert_false(sm_statistic_exact(&s, SM_DTYPE_INT8, sm_statistic_find(SM_TEXT("mean")), &v));
    assert_false(s.inexact);
    measure(SM_DTYPE_FLOAT64, 2, y, &s);
    assert_false(sm_statistic_exact(&s, SM_DTYPE_FLOAT64, sm_statistic_find(SM_TEXT("min")), &v));
}

/* As numpy.var: infinite, not NaN, in whatever block the large numbers are. */
static void test_squares_that_overflow(void **state)
{
    (void)state;
    static double x[MANY];
    struct sm_stats s;
    for (int at = 0; at < MANY; at += MANY - 1) {
        for (int i = 0; i < MANY; i++)
            x[i] = i % 3;
        x[at] = 1e300;
        measure(SM_DTYPE_FLOAT64, MANY, x, &s);
        assert_true(isinf(s.variance) && isinf(s.abs_variance) && isinf(s.l2));
        assert_true(fabs(s.mean - 1e300 / MANY) < 1e285);
    }
    for (int i = 0; i < MANY; i++)
        x[i] = i % 2 ? -1e300 : 1e300;
    measure(SM_DTYPE_FLOAT64, MANY, x, &s);
    assert_true(isinf(s.variance) && s.mean == 0);
}

/* float32 is squared in float64, which holds it. */
static void test_largest_float32(void **state)
{
    (void)state;
    const float x[] = {3e38f, -3e38f, 3e38f};
    struct sm_stats s;
    sm_stats_f32(x, 3, &s);
    assert_true(fabs(sqrt(s.variance) / 2.828426970e38 - 1) < 1e-6);
}

/* Sums of squares and of squared differences: neither overflows nor vanishes, at any length. */
static void test_squares_of_float32(void **state)
{
    (void)state;
    enum { LONGEST = 37 };
    float x[LONGEST], y[LONGEST];
    double sum = 0, changed = 0;
    for (int i = 0; i < LONGEST; i++) {
        x[i] = i % 2 ? 3e38f : 1e-30f;
        y[i] = i % 3 ? 1e-30f : -3e38f;
    }
    for (size_t n = 0; n <= LONGEST; n++) {
        assert_true(fabs(sm_squares_f32(x, NULL, n) - sum) <= 1e-12 * sum);
        assert_true(fabs(sm_squares_f32(x, y, n) - changed) <= 1e-12 * changed);
        if (n == LONGEST)
            break;
        sum += (double)x[n] * (double)x[n];
        changed += ((double)x[n] - (double)y[n]) * ((double)x[n] - (double)y[n]);
    }
    const float nan = NAN;
    assert_true(isnan(sm_squares_f32(&nan, NULL, 1)));
}

static double median_of(enum sm_dtype d, uint64_t n, const void *data)
{
    const double q = SM_MEDIAN;
    double out;
    struct sm_err err;
    struct sm_tensor *t = tensor_of(d, n, data);
    assert_true(sm_quantiles(t, false, &q, 1, &out, &err));
    sm_tensor_unref(t);
    return out;
}

/* Computed by numpy.median. */
static void test_median_is_numpys(void **state)
{
    (void)state;
    const float single[] = {0.31903910636901855f, -0.24937038123607635f, 1.4621078968048096f,
                            -2.060140609741211f},
                huge[] = {3e38f, 3e38f};
    const uint16_t half[] = {0xb185, 0xbb06, 0x2967, 0x38aa};
    const int64_t whole[] = {2, 5, 1, 4};
    const uint8_t truth[] = {1, 0};
    assert_true(median_of(SM_DTYPE_FLOAT32, 4, single) == 0.034834362566471100);
    assert_true(median_of(SM_DTYPE_FLOAT32, 3, single) == (double)single[0]);
    assert_true(isinf(median_of(SM_DTYPE_FLOAT32, 2, huge)));
    assert_true(median_of(SM_DTYPE_FLOAT16, 4, half) == -0.06512451171875);
    assert_true(median_of(SM_DTYPE_INT64, 4, whole) == 3);
    assert_true(median_of(SM_DTYPE_BOOL, 2, truth) == 0.5);
}

/* One number without a tensor has the statistics of a tensor of it, to the last bit. */
static void test_one_number(void **state)
{
    (void)state;
    static const double x[] = {0.0,    -0.0,   1.5,         -2.25,    1e300,     -1e300,
                               1e-320, 3e-200, (double)NAN, HUGE_VAL, -HUGE_VAL, 0.1,
                               -0.3,   65504,  1e154,       7};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        struct sm_stats all, one;
        measure(SM_DTYPE_FLOAT64, 1, &x[i], &all);
        sm_stats_of_real(x[i], &one);
        assert_memory_equal(&all.min, &one.min,
                            offsetof(struct sm_stats, min_bits) - offsetof(struct sm_stats, min));
        assert_memory_equal(&all, &one, offsetof(struct sm_stats, min));
        assert_true(all.lacks == one.lacks && all.inexact == one.inexact &&
                    all.min_bits == one.min_bits && all.max_bits == one.max_bits);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_extremes_of_int64),
        cmocka_unit_test(test_extremes_of_uint64),
        cmocka_unit_test(test_extremes_of_small_integers),
        cmocka_unit_test(test_squares_that_overflow),
        cmocka_unit_test(test_largest_float32),
        cmocka_unit_test(test_squares_of_float32),
        cmocka_unit_test(test_median_is_numpys),
        cmocka_unit_test(test_one_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
