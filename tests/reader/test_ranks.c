/* SPDX-License-Identifier: Apache-2.0 */
/* Quantiles of ranges from sorted blocks, against those of all values of the range. */
#include "reader/base/mem.h"
#include "reader/profile/ranks.h"
#include "reader/tensor/stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

enum { N = 50 * SM_RANKS_BLOCK + 1234, QS = 6 };
static const double qs[QS] = {0, 0.05, 0.5, 0.95, 0.99, 1};

struct place {
    struct sm_ranks ranks;
    double *x;
    size_t looks; /* at values */
};

static double value_of(const void *of, size_t i)
{
    struct place *t = (void *)(uintptr_t)of;
    t->looks++;
    return t->x[i];
}

static int setup(void **state)
{
    struct place *t = calloc(1, sizeof *t);
    t->x = calloc(N, sizeof *t->x);
    *state = t;
    return 0;
}

static int teardown(void **state)
{
    struct place *t = *state;
    sm_ranks_clear(&t->ranks);
    free(t->x);
    free(t);
    return 0;
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

static void check(struct place *t, size_t from, size_t to)
{
    double out[QS], wanted[QS], *copy = calloc(to - from + 1, sizeof *copy);
    for (size_t i = from; i < to; i++)
        copy[i - from] = t->x[i];
    assert_true(sm_quantiles_of(copy, to - from, qs, QS, wanted));
    assert_true(
        sm_ranks_quantiles(&t->ranks, &(struct sm_ranked){t, value_of}, from, to, qs, QS, out));
    for (int i = 0; i < QS; i++)
        assert_true(out[i] == wanted[i] || (isnan(out[i]) && isnan(wanted[i])));
    free(copy);
}

static void check_ranges(struct place *t)
{
    static const size_t ends[] = {0, 1, 2, 4095, 4096, 4097, 8191, 8192, 60000, N - 1, N};
    enum { ENDS = sizeof ends / sizeof *ends };
    assert_true(sm_ranks_add(&t->ranks, &(struct sm_ranked){t, value_of}, N));
    assert_int_equal(t->ranks.n, N - N % SM_RANKS_BLOCK);
    for (int i = 0; i < ENDS; i++)
        for (int k = i; k < ENDS; k++)
            check(t, ends[i], ends[k]);
}

static void percentages(void **state)
{
    struct place *t = *state;
    uint32_t seed = 1;
    for (size_t i = 0; i < N; i++)
        t->x[i] = next(&seed) % 10001 / 100.0;
    check_ranges(t);
}

static void equal_and_negative_values(void **state)
{
    struct place *t = *state;
    for (size_t i = 0; i < N; i++)
        t->x[i] = i % 3 ? 7 : i % 2 ? -3.5 : 0;
    check_ranges(t);
}

/* Keys whose upper halves are the same, in the opposite order. */
static void falling_counters(void **state)
{
    struct place *t = *state;
    for (size_t i = 0; i < N; i++)
        t->x[i] = 1e15 - (double)i;
    check_ranges(t);
}

static void later_values_are_taken_again(void **state)
{
    struct place *t = *state;
    check_ranges(t);
    for (size_t i = 9000; i < N; i++)
        t->x[i] = (double)(i % 17);
    sm_ranks_truncate(&t->ranks, 9000);
    assert_int_equal(t->ranks.n, 2 * SM_RANKS_BLOCK);
    check_ranges(t);
}

/* Not all values of the range are looked at, and twice the range costs less than twice. */
static void cost_is_that_of_the_ends(void **state)
{
    struct place *t = *state;
    static const double q[] = {0.95};
    double out;
    size_t half, all;
    uint32_t seed = 2;
    for (size_t i = 0; i < N; i++)
        t->x[i] = next(&seed) % 10001 / 100.0;
    const struct sm_ranked x = {t, value_of};
    assert_true(sm_ranks_add(&t->ranks, &x, N));
    t->looks = 0;
    assert_true(sm_ranks_quantiles(&t->ranks, &x, 100, N / 2, q, 1, &out));
    half = t->looks;
    t->looks = 0;
    assert_true(sm_ranks_quantiles(&t->ranks, &x, 100, N, q, 1, &out));
    all = t->looks;
    assert_true(all < N / 8 && all - half < N / 16);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(percentages),
        TEST(equal_and_negative_values),
        TEST(falling_counters),
        TEST(later_values_are_taken_again),
        TEST(cost_is_that_of_the_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
