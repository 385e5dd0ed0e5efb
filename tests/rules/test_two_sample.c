/* SPDX-License-Identifier: Apache-2.0 */
/* Two samples, compared with scipy 1.17 (ks_2samp) and numpy 2.4; and the choice of distinct
 * samples. */
#include "rules/builtin/distinct.h"
#include "rules/builtin/two_sample.h"
#include "tests/rules/normal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SAMPLES = 1000 };
static struct sm_weighted a[2 * SAMPLES], b[2 * SAMPLES];

static void fill(struct sm_weighted *x, size_t n, uint64_t seed, double scale, double shift)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (struct sm_weighted){scale * next_normal(&seed) + shift, 1};
}

static void fill_classes(struct sm_weighted *x, size_t n, uint64_t seed, double classes)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (struct sm_weighted){floor(classes * next_uniform(&seed)), 1};
}

static struct sm_two_sample compare(size_t n, size_t m)
{
    struct sm_two_sample r;
    sm_two_sample(a, n, b, m, &r);
    assert_float_equal(r.n, n, 1e-9);
    assert_float_equal(r.m, m, 1e-9);
    return r;
}

/* p: kstwobign.sf(D sqrt(n m / (n + m))), the limit distribution; ks_2samp's exact p is smaller. */
static void assert_result(struct sm_two_sample r, double d, double p, double exact, double psi)
{
    assert_float_equal(r.d, d, 1e-12);
    assert_float_equal(r.p / p, 1, 1e-9);
    assert_true(r.p > exact);
    assert_float_equal(r.psi, psi, 1e-12);
}

static void test_against_scipy(void **state)
{
    (void)state;
    fill(a, 500, 1, 1, 0);
    fill(b, 400, 2, 1, 0);
    assert_result(compare(500, 400), 0.0665, 0.279416882508, 0.267803, 0.0363561708762704);
    fill(b, 400, 2, 1, 0.5);
    assert_result(compare(500, 400), 0.1845, 5.37760351442e-07, 4.44036e-07, 0.249382717686472);
    fill(a, 300, 3, 1, 0);
    fill(b, 700, 4, 1.5, 0);
    assert_result(compare(300, 700), 0.134761904761905, 0.000973729874451, 0.000880334,
                  0.300651494028918);
    fill_classes(a, 400, 5, 4);
    fill_classes(b, 300, 6, 5);
    assert_result(compare(400, 300), 0.193333333333333, 5.43804511969e-06, 4.55728e-06,
                  1.50618911627866);
}

/* A constant feature that sometimes has another value, below the only decile. */
static void test_constant(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (size_t i = 0; i < 200; i++) {
        a[i] = (struct sm_weighted){0, 1};
        b[i] = (struct sm_weighted){next_uniform(&seed) < .3 ? -1 : 0, 1};
    }
    assert_result(compare(200, 200), 0.325, 1.33831721826e-09, 9.59424e-10, 2.75501353958832);
    struct sm_two_sample r = compare(200, 200);
    memcpy(b, a, sizeof b);
    r = compare(200, 200);
    assert_float_equal(r.d, 0, 0);
    assert_float_equal(r.p, 1, 0);
    assert_float_equal(r.psi, 0, 0);
}

/* Every value three times says no more than once; and values that come more often count more. */
static void test_weights(void **state)
{
    (void)state;
    fill(a, 500, 1, 1, 0);
    fill(b, 400, 2, 1, 0.5);
    for (size_t i = 0; i < 400; i++)
        b[i].weight = 3;
    assert_result(compare(500, 400), 0.1845, 5.37760351442e-07, 0, 0.249382717686472);
    a[0] = (struct sm_weighted){1, 3};
    a[1] = (struct sm_weighted){2, 1};
    b[0] = (struct sm_weighted){1, 1};
    b[1] = (struct sm_weighted){NAN, 5};
    b[2] = (struct sm_weighted){2, 1};
    b[3] = (struct sm_weighted){INFINITY, 5};
    struct sm_two_sample r;
    sm_two_sample(a, 2, b, 4, &r);
    assert_float_equal(r.d, 0.25, 1e-15);
    assert_float_equal(r.n, 1.6, 1e-12);
    assert_float_equal(r.m, 2, 1e-12);
    sm_two_sample(a, 0, b, 2, &r);
    assert_float_equal(r.n, 0, 0);
}

static void test_limit(void **state)
{
    (void)state;
    const double p[] = {0.05, 0.001, 1e-6, 1e-12};
    for (size_t i = 0; i < 4; i++)
        assert_float_equal(sm_kolmogorov_p(sm_kolmogorov_d(p[i], 500, 300), 500, 300) / p[i], 1,
                           1e-4);
    assert_float_equal(sm_kolmogorov_p(0, 10, 10), 1, 0);
    assert_float_equal(sm_kolmogorov_p(1, 10000, 10000), 0, 0);
}

/* ---- distinct samples ---- */

static void add_range(struct sm_distinct *d, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        double v = (double)i;
        assert_true(sm_distinct_add(d, sm_distinct_hash(&v, sizeof v), 1, &v));
    }
}

static void test_distinct(void **state)
{
    (void)state;
    struct sm_distinct x, y;
    sm_distinct_init(&x, 1);
    sm_distinct_init(&y, 1);
    add_range(&x, 0, 100000);
    assert_in_range(x.n, SM_DISTINCT_MAX / 4, SM_DISTINCT_MAX);
    assert_true(x.room <= SM_DISTINCT_MAX);
    assert_float_equal(sm_distinct_total(&x) / 100000, 1, 0.1);
    double mean = 0, first = x.counts[0];
    for (size_t i = 0; i < x.n; i++)
        mean += x.values[i] / (double)x.n;
    assert_float_equal(mean / 50000, 1, 0.1);
    add_range(&x, 0, 100000); /* an epoch more adds counts only */
    assert_float_equal(x.counts[0], first + 1, 0);
    add_range(&y, 50000, 100000); /* another order gives the same choice */
    add_range(&y, 0, 50000);
    assert_int_equal(x.n, y.n);
    for (size_t i = 0; i < y.n; i++)
        assert_true(sm_distinct_takes(&x, y.hashes[i]));
    assert_true(sm_distinct_raise(&x, 40));
    assert_int_equal(x.n, 0);
    sm_distinct_clear(&x);
    sm_distinct_clear(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_scipy), cmocka_unit_test(test_constant),
        cmocka_unit_test(test_weights),       cmocka_unit_test(test_limit),
        cmocka_unit_test(test_distinct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
