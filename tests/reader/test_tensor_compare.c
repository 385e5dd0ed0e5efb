/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing two values: limits, ULPs, non-finite values. Expected figures are numpy's (allclose,
 * spacing). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reader/tensor/tensor_compare.h"

#include <math.h>
#include <string.h>

static struct sm_comparison compare_arrays(enum sm_dtype da, const void *a, enum sm_dtype db,
                                           const void *b, uint64_t n,
                                           struct sm_tensor_compare_limits limits)
{
    struct sm_tensor *x, *y;
    struct sm_err err;
    struct sm_comparison out;
    assert_true(sm_tensor_new(da, 1, &n, a, &x, &err));
    assert_true(sm_tensor_new(db, 1, &n, b, &y, &err));
    sm_tensor_compare(x, y, &limits, NULL, &out);
    sm_tensor_unref(x);
    sm_tensor_unref(y);
    return out;
}

static const struct sm_tensor_compare_limits usual = {1e-5, 1e-8, 0}, none = {0};

static void equal_values(void **state)
{
    (void)state;
    const float a[] = {1, NAN, INFINITY, 0.0f}, b[] = {1, -NAN, INFINITY, -0.0f};
    struct sm_comparison c = compare_arrays(SM_DTYPE_FLOAT32, a, SM_DTYPE_FLOAT32, b, 4, none);
    assert_int_equal(c.likeness, SM_LIKE_EQUAL);
    assert_true(c.max_abs == 0 && c.max_rel == 0 && c.ulp == 0);
    c = compare_arrays(SM_DTYPE_FLOAT32, a, SM_DTYPE_FLOAT64, (double[]){1, NAN, INFINITY, 0}, 4,
                       none);
    assert_int_equal(c.likeness, SM_LIKE_EQUAL);
    assert_false(c.has_ulp);
}

static void empty_values(void **state)
{
    (void)state;
    struct sm_comparison c =
        compare_arrays(SM_DTYPE_FLOAT32, NULL, SM_DTYPE_FLOAT32, NULL, 0, none);
    assert_int_equal(c.likeness, SM_LIKE_EQUAL);
    c = compare_arrays(SM_DTYPE_COMPLEX64, NULL, SM_DTYPE_FLOAT32, NULL, 0, none);
    assert_int_equal(c.likeness, SM_LIKE_EQUAL);
}

static void limits_decide(void **state)
{
    (void)state;
    const double a[] = {100.0009, 1}, b[] = {100, 1};
    struct sm_comparison c = compare_arrays(SM_DTYPE_FLOAT64, a, SM_DTYPE_FLOAT64, b, 2, usual);
    assert_int_equal(c.likeness, SM_LIKE_CLOSE);
    c = compare_arrays(SM_DTYPE_FLOAT64, a, SM_DTYPE_FLOAT64, b, 2,
                       (struct sm_tensor_compare_limits){1e-6, 0, 0});
    assert_int_equal(c.likeness, SM_LIKE_DIFFERENT);
    assert_true(fabs(c.max_abs - 0.0009) < 1e-9 && fabs(c.max_rel - 9e-6) < 1e-9);
    assert_int_equal(c.different, 1);
    assert_int_equal(c.worst, 0);
    c = compare_arrays(SM_DTYPE_FLOAT64, b, SM_DTYPE_FLOAT64, (double[]){0, 1}, 2, usual);
    assert_true(isinf(c.max_rel));
}

static void distances_in_ulp(void **state)
{
    (void)state;
    const float one = 1, next = nextafterf(1, 2), tiny = 1e-45f, minus = -1e-45f;
    struct sm_comparison c =
        compare_arrays(SM_DTYPE_FLOAT32, &one, SM_DTYPE_FLOAT32, &next, 1, none);
    assert_int_equal(c.ulp, 1);
    assert_int_equal(c.likeness, SM_LIKE_DIFFERENT);
    c = compare_arrays(SM_DTYPE_FLOAT32, &one, SM_DTYPE_FLOAT32, &next, 1,
                       (struct sm_tensor_compare_limits){0, 0, 1});
    assert_int_equal(c.likeness, SM_LIKE_CLOSE);
    c = compare_arrays(SM_DTYPE_FLOAT32, &tiny, SM_DTYPE_FLOAT32, &minus, 1, none);
    assert_int_equal(c.ulp, 2);
    const double d = -1, e = 1;
    c = compare_arrays(SM_DTYPE_FLOAT64, &d, SM_DTYPE_FLOAT64, &e, 1, none);
    assert_true(c.ulp == 2 * UINT64_C(0x3ff0000000000000));
    const int64_t low = INT64_MIN, high = INT64_MAX;
    c = compare_arrays(SM_DTYPE_INT64, &low, SM_DTYPE_INT64, &high, 1, none);
    assert_true(c.ulp == UINT64_MAX);
    const uint64_t big = UINT64_MAX, less = UINT64_MAX - 3;
    c = compare_arrays(SM_DTYPE_UINT64, &big, SM_DTYPE_UINT64, &less, 1, none);
    assert_true(c.ulp == 3 && c.likeness == SM_LIKE_DIFFERENT);
}

static void non_numbers_differ(void **state)
{
    (void)state;
    const float a[] = {1, NAN, 2}, b[] = {1, 1, INFINITY};
    struct sm_comparison c = compare_arrays(SM_DTYPE_FLOAT32, a, SM_DTYPE_FLOAT32, b, 3,
                                            (struct sm_tensor_compare_limits){1e9, 1e9, 5});
    assert_int_equal(c.likeness, SM_LIKE_DIFFERENT);
    assert_int_equal(c.different, 2);
    assert_true(isinf(c.max_abs) && c.ulp == UINT64_MAX);
}

static void other_shapes_and_types(void **state)
{
    (void)state;
    struct sm_tensor *x, *y;
    struct sm_err err;
    struct sm_comparison c;
    assert_true(sm_tensor_new(SM_DTYPE_FLOAT32, 2, (uint64_t[]){2, 3}, NULL, &x, &err));
    assert_true(sm_tensor_new(SM_DTYPE_FLOAT32, 2, (uint64_t[]){3, 2}, NULL, &y, &err));
    sm_tensor_compare(x, y, &usual, NULL, &c);
    assert_int_equal(c.likeness, SM_LIKE_INCOMPARABLE);
    assert_string_equal(c.why, "other shape");
    sm_tensor_unref(x);
    sm_tensor_unref(y);
    const float complex_a[] = {1, 2}, complex_b[] = {1, 3};
    c = compare_arrays(SM_DTYPE_COMPLEX64, complex_a, SM_DTYPE_COMPLEX64, complex_b, 1, usual);
    assert_int_equal(c.likeness, SM_LIKE_DIFFERENT);
    assert_true(c.max_abs == 1);
}

static struct sm_comparison compare_texts(const struct sm_text *a, const struct sm_text *b,
                                          uint64_t n)
{
    struct sm_tensor x = {.dtype = SM_DTYPE_STRING, .n_dims = 1, .dims = {n}, .n = n, .strings = a},
                     y = x;
    struct sm_comparison c;
    y.strings = b;
    sm_tensor_compare(&x, &y, &usual, NULL, &c);
    return c;
}

/* Empty ones have no bytes. */
static void texts(void **state)
{
    (void)state;
    const struct sm_text a[] = {{NULL, 0}, {"ab", 2}, {NULL, 0}},
                         b[] = {{NULL, 0}, {"ab", 2}, {"", 0}},
                         c[] = {{NULL, 0}, {"b", 1}, {"x", 1}};
    assert_int_equal(compare_texts(a, b, 3).likeness, SM_LIKE_EQUAL);
    assert_int_equal(compare_texts(a, c, 3).different, 2);
}

/* 2^53 + 1 is 2^53 as a double. */
static void large_integers(void **state)
{
    (void)state;
    const int64_t a[] = {((int64_t)1 << 53) + 1, ((int64_t)1 << 53) + 1},
                  b[] = {((int64_t)1 << 53) + 3, (int64_t)1 << 53};
    const uint64_t u[] = {((uint64_t)1 << 53) + 1, (uint64_t)1 << 53};
    const double d[] = {0x1p53, 0x1p53};
    struct sm_comparison c = compare_arrays(SM_DTYPE_INT64, a, SM_DTYPE_INT64, b, 2, none);
    assert_true(c.max_abs == 2 && c.ulp == 2 && c.worst == 0 && c.different == 2);
    c = compare_arrays(SM_DTYPE_INT64, a, SM_DTYPE_UINT64, u, 2, none);
    assert_true(c.different == 1 && c.max_abs == 1 && c.worst == 1);
    c = compare_arrays(SM_DTYPE_INT64, a, SM_DTYPE_FLOAT64, d, 2, none);
    assert_true(c.different == 2 && c.max_abs == 1);
}

/* A cast of the one gives the other: float32 1.00390625 is 1 in bfloat16, by ties to even. */
static void casts_are_equal(void **state)
{
    (void)state;
    const float a[] = {1.00390625F, 1.01171875F, -3.0F, 1e-41F, NAN, INFINITY};
    const uint16_t b[] = {0x3f80, 0x3f82, 0xc040, 0x0000, 0x7fc0, 0x7f80};
    const uint8_t e4m3[] = {0x38, 0x38, 0xc4, 0x00, 0x7f, 0x7f};
    struct sm_comparison c = compare_arrays(SM_DTYPE_FLOAT32, a, SM_DTYPE_BFLOAT16, b, 6, none);
    assert_int_equal(c.likeness, SM_LIKE_EQUAL);
    assert_int_equal(c.equal_as, SM_DTYPE_BFLOAT16);
    assert_int_equal(c.different, 0);
    assert_true(c.max_abs > 0);
    c = compare_arrays(SM_DTYPE_BFLOAT16, b, SM_DTYPE_FLOAT32, a, 6, none);
    assert_int_equal(c.equal_as, SM_DTYPE_BFLOAT16);
    c = compare_arrays(SM_DTYPE_FLOAT32, a, SM_DTYPE_FLOAT8_E4M3FN, e4m3, 6, none);
    assert_int_equal(c.equal_as, SM_DTYPE_FLOAT8_E4M3FN);
    const uint16_t other[] = {0x3f81, 0x3f82, 0xc040, 0x0000, 0x7fc0, 0x7f80};
    c = compare_arrays(SM_DTYPE_FLOAT32, a, SM_DTYPE_BFLOAT16, other, 6, none);
    assert_int_equal(c.equal_as, SM_DTYPE_NONE);
    assert_int_equal(c.likeness, SM_LIKE_DIFFERENT);
}

/* Pieces of a value, joined, are as the whole. */
static void pieces_are_joined(void **state)
{
    (void)state;
    float a[3000], b[3000];
    for (int i = 0; i < 3000; i++) {
        a[i] = (float)i / 7;
        b[i] = i % 100 ? a[i] : a[i] * 1.5F + 1;
    }
    struct sm_comparison whole =
        compare_arrays(SM_DTYPE_FLOAT32, a, SM_DTYPE_FLOAT32, b, 3000, usual);
    struct sm_comparison joined = {0};
    for (uint64_t at = 0, n; at < 3000; at += n) {
        n = at % 2 ? 701 : 300;
        n = 3000 - at < n ? 3000 - at : n;
        struct sm_comparison piece =
            compare_arrays(SM_DTYPE_FLOAT32, a + at, SM_DTYPE_FLOAT32, b + at, n, usual);
        sm_comparison_join(&joined, &piece);
    }
    assert_int_equal(joined.n, whole.n);
    assert_int_equal(joined.different, whole.different);
    assert_int_equal(joined.worst, whole.worst);
    assert_int_equal(joined.ulp, whole.ulp);
    assert_int_equal(joined.likeness, whole.likeness);
    assert_true(joined.max_abs == whole.max_abs && joined.max_rel == whole.max_rel);
}

static uint64_t any_bits(void)
{
    static uint64_t seed = 1;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return seed >> 33;
}

/* Bits with an exponent of ones are infinite or no number: few are left if `special`. */
static uint32_t tame(enum sm_dtype d, bool special, uint32_t bits)
{
    uint32_t ones = d == SM_DTYPE_FLOAT32 ? 0x7f800000 : d == SM_DTYPE_FLOAT16 ? 0x7c00 : 0x7f80;
    bool stays = (bits & ones) != ones || (special && any_bits() % 4 == 0);
    return stays ? bits : bits & ~(ones & (ones << 1));
}

/* Bits near others: the same, neighbours, of another sign, 0. */
static uint32_t near(uint32_t bits, size_t size)
{
    switch (any_bits() % 8) {
    case 0:
        return bits ^ 1u << (8 * size - 1);
    case 1:
        return 0;
    case 2:
    case 3:
        return bits + 1;
    case 4:
        return bits ^ 64;
    default:
        return bits;
    }
}

static void make_pair(enum sm_dtype d, bool special, uint8_t *a, uint8_t *b, size_t n)
{
    size_t size = sm_dtype_info(d)->size_bytes;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = (uint32_t)(any_bits() << 1 ^ any_bits()) >> (size == 2 ? 16 : 0),
                 x = tame(d, special, bits), y = tame(d, special, near(bits, size));
        memcpy(a + i * size, &x, size);
        memcpy(b + i * size, &y, size);
    }
}

/* Whole blocks give what comparing one element after another gives. */
static void blocks_are_elements(void **state)
{
    static const enum sm_dtype types[] = {SM_DTYPE_FLOAT32, SM_DTYPE_FLOAT16, SM_DTYPE_BFLOAT16};
    static const struct sm_tensor_compare_limits limits[] = {
        {1e-5, 1e-8, 0}, {0, 0, 0}, {0, 0, 1}, {0.1, 1e-3, 200}, {0, 0, UINT64_MAX}};
    enum { N = 4096 };
    static uint8_t a[4 * N], b[4 * N];
    (void)state;
    for (size_t i = 0; i < 30; i++) {
        enum sm_dtype d = types[i % 3];
        size_t size = sm_dtype_info(d)->size_bytes;
        const struct sm_tensor_compare_limits *l = &limits[i % 5];
        struct sm_comparison each = {0}, one;
        make_pair(d, i >= 15, a, b, N);
        for (size_t k = 0; k < N; k++) {
            one = compare_arrays(d, a + k * size, d, b + k * size, 1, *l);
            sm_comparison_join(&each, &one);
        }
        one = compare_arrays(d, a, d, b, N, *l);
        assert_int_equal(one.likeness, each.likeness);
        assert_true(one.max_abs == each.max_abs && one.max_rel == each.max_rel);
        assert_int_equal(one.ulp, each.ulp);
        assert_int_equal(one.different, each.different);
        assert_int_equal(one.worst, each.worst);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_values),
        cmocka_unit_test(empty_values),
        cmocka_unit_test(limits_decide),
        cmocka_unit_test(distances_in_ulp),
        cmocka_unit_test(non_numbers_differ),
        cmocka_unit_test(other_shapes_and_types),
        cmocka_unit_test(texts),
        cmocka_unit_test(large_integers),
        cmocka_unit_test(casts_are_equal),
        cmocka_unit_test(pieces_are_joined),
        cmocka_unit_test(blocks_are_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
