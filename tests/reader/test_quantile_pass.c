/* SPDX-License-Identifier: Apache-2.0 */
/* Quantiles by counting are those of the sorted elements, for each type; and statistics of types
 * that are widened to float32 first are those of their doubles. */
#include "reader/tensor/quantile_pass.h"
#include "reader/tensor/stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { MANY = 40000, POINTS = 9 };
static const double points[POINTS] = {0, 0.01, 0.25, 0.5, SM_MEDIAN, 0.75, 0.993, 0.99999, 1};

static uint64_t next_random(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1du;
}

/* Bits of all kinds: those of float types have NaN and infinities, most of them near others. */
static struct sm_tensor *random_tensor(enum sm_dtype d, uint64_t n, uint64_t mask)
{
    size_t size = sm_dtype_info(d)->size_bytes;
    uint8_t *bytes = malloc(n * size);
    struct sm_tensor *t = NULL;
    assert_non_null(bytes);
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = next_random() & (i % 3 ? mask : UINT64_MAX);
        bits = d == SM_DTYPE_BOOL ? bits & 1 : bits;
        memcpy(bytes + i * size, &bits, size);
    }
    assert_true(sm_tensor_new(d, 1, &n, bytes, &t, NULL));
    free(bytes);
    return t;
}

/* What is expected, from sorted elements. */
static void by_sorting(const struct sm_tensor *t, bool absolute, double *out)
{
    double *x = malloc((size_t)t->n * 2 * sizeof *x);
    size_t n = 0, below, above;
    assert_non_null(x);
    sm_dtype_widen(t->dtype, t->data, (size_t)t->n, x);
    for (size_t i = 0; i < t->n; i++)
        if (isfinite(x[i]))
            x[n++] = absolute ? fabs(x[i]) : x[i];
    const double *sorted = n ? sm_doubles_sort(x, x + t->n, n) : x;
    for (int i = 0; i < POINTS; i++) {
        out[i] = (double)NAN;
        if (!n)
            continue;
        sm_quantile_places(n, points[i], &below, &above);
        out[i] = sm_quantile_at(n, points[i], sorted[below], sorted[above], t->dtype);
    }
    free(x);
}

static void check_quantiles(const struct sm_tensor *t)
{
    double want[POINTS], got[2][POINTS];
    const struct sm_quantile_query queries[] = {{false, points, POINTS, got[0]},
                                                {true, points, POINTS, got[1]}};
    assert_true(sm_quantile_queries(t, queries, 2, NULL));
    for (int absolute = 0; absolute < 2; absolute++) {
        by_sorting(t, absolute, want);
        assert_memory_equal(got[absolute], want, sizeof want);
        assert_true(sm_quantiles(t, absolute, points, POINTS, got[absolute], NULL));
        assert_memory_equal(got[absolute], want, sizeof want);
    }
}

static bool has_quantiles(enum sm_dtype d)
{
    return sm_dtype_info(d)->size_bytes && sm_quantile_type_ok(d, NULL);
}

static void test_all_types(void **state)
{
    static const uint64_t masks[] = {UINT64_MAX, 0x8000ffff3c00bfffu, 0x7f};
    (void)state;
    for (int d = 0; d < SM_DTYPE_COUNT; d++)
        for (size_t i = 0; has_quantiles((enum sm_dtype)d) && i < 3; i++) {
            struct sm_tensor *t = random_tensor((enum sm_dtype)d, MANY + i, masks[i]);
            check_quantiles(t);
            sm_tensor_unref(t);
        }
}

static void test_nothing_finite(void **state)
{
    (void)state;
    static float x[MANY];
    struct sm_tensor *t = NULL;
    uint64_t n = MANY;
    for (int i = 0; i < MANY; i++)
        x[i] = i % 2 ? (float)NAN : -INFINITY;
    assert_true(sm_tensor_new(SM_DTYPE_FLOAT32, 1, &n, x, &t, NULL));
    check_quantiles(t);
    sm_tensor_unref(t);
}

/* One pass for each 16 bits, and no more for bytes. */
static void test_passes(void **state)
{
    static const struct {
        enum sm_dtype dtype;
        int passes;
    } rows[] = {{SM_DTYPE_FLOAT8_E4M3FN, 1},
                {SM_DTYPE_BFLOAT16, 1},
                {SM_DTYPE_FLOAT32, 2},
                {SM_DTYPE_INT64, 4}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double out[POINTS];
        struct sm_tensor *t = random_tensor(rows[i].dtype, 100, UINT64_MAX);
        struct sm_quantile_query query = {false, points, POINTS, out};
        struct sm_quantile_pass *p = sm_quantile_pass_new(t->dtype, &query, 1, NULL);
        int passes = 0;
        for (bool more = true; more; passes++) {
            sm_quantile_pass_add(p, t->data, (size_t)t->size_bytes);
            assert_true(sm_quantile_pass_end(p, &more, NULL));
        }
        assert_int_equal(passes, rows[i].passes);
        sm_quantile_pass_free(p);
        sm_tensor_unref(t);
    }
}

/* ---- statistics ---- */

static void check_stats(enum sm_dtype d, uint64_t mask)
{
    struct sm_tensor *t = random_tensor(d, MANY + 3, mask), *wide = NULL;
    struct sm_stats narrow_stats, wide_stats;
    double *x = malloc((size_t)t->n * sizeof *x);
    assert_non_null(x);
    sm_dtype_widen(d, t->data, (size_t)t->n, x);
    assert_true(sm_tensor_new(SM_DTYPE_FLOAT64, 1, &t->n, x, &wide, NULL));
    assert_true(sm_stats_of(t, &narrow_stats, NULL));
    assert_true(sm_stats_of(wide, &wide_stats, NULL));
    assert_memory_equal(&narrow_stats, &wide_stats, sizeof wide_stats);
    free(x);
    sm_tensor_unref(t);
    sm_tensor_unref(wide);
}

static void test_narrow_types(void **state)
{
    (void)state;
    for (int d = 0; d < SM_DTYPE_COUNT; d++)
        if (has_quantiles((enum sm_dtype)d) && sm_dtype_info((enum sm_dtype)d)->size_bytes <= 2) {
            check_stats((enum sm_dtype)d, UINT64_MAX);
            check_stats((enum sm_dtype)d, 0x3f);
            check_stats((enum sm_dtype)d, 0xbfff);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_types),
        cmocka_unit_test(test_nothing_finite),
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_narrow_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
