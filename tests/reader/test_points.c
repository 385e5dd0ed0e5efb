/* SPDX-License-Identifier: Apache-2.0 */
/* The points of a scalar are packed without loss, wherever they are added and whatever they are. */
#include "reader/base/mem.h"
#include "reader/format/dtype.h"
#include "reader/points/points.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct sm_scalar_point point_of(double value, double time, uint32_t part)
{
    struct sm_scalar_point p = {.time = time, .part = part, .dtype = SM_DTYPE_FLOAT64};
    memcpy(p.element, &value, sizeof value);
    return p;
}

static void assert_same(const struct sm_scalar_point *a, const struct sm_scalar_point *b)
{
    assert_memory_equal(&a->time, &b->time, sizeof a->time);
    assert_memory_equal(a->element, b->element, sizeof a->element);
    assert_int_equal(a->part, b->part);
    assert_int_equal(a->seq, b->seq);
    assert_int_equal(a->dtype, b->dtype);
}

/* Beside an array, which is right without packing. */
struct pair {
    struct sm_scalar_points *s;
    struct sm_scalar_point *array;
    size_t n;
};
enum { MOST = 6000 };

static void begin(struct pair *x)
{
    x->s = sm_points_new();
    x->array = sm_xalloc(MOST * sizeof *x->array);
    x->n = 0;
}

static void add(struct pair *x, size_t at, const struct sm_scalar_point *p)
{
    assert_true(sm_points_insert(x->s, at, p));
    memmove(&x->array[at + 1], &x->array[at], (x->n++ - at) * sizeof *x->array);
    x->array[at] = *p;
}

static void compare(const struct pair *x)
{
    assert_int_equal(sm_points_count(x->s), x->n);
    for (size_t i = 0; i < x->n; i++) {
        struct sm_scalar_point p = sm_points_get(x->s, i);
        assert_same(&p, &x->array[i]);
        assert_int_equal(sm_points_part(x->s, i), x->array[i].part);
    }
}

static void end(struct pair *x)
{
    sm_points_free(x->s);
    sm_free(x->array);
}

static uint64_t random_bits(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 20;
}

/* ---- tests ---- */

static void points_come_back_as_they_were(void **state)
{
    (void)state;
    static const double values[] = {0.0, -0.0, NAN, INFINITY, -INFINITY, DBL_MAX, DBL_MIN, 1e-320};
    static const double times[] = {NAN,          0.0,  -0.0,  1700000000.25, 1700000001.5,
                                   1.7e9 + 1e-6, -5.5, 1e300, INFINITY,      12.345};
    struct pair x;
    begin(&x);
    for (uint32_t i = 0; i < 1000; i++) {
        struct sm_scalar_point p =
            point_of(values[i % 8], i < 500 ? times[i / 50] : times[i % 10], i * i * 4000 + i % 7);
        p.seq = (uint16_t)(i * 997);
        add(&x, x.n, &p);
    }
    compare(&x);
    end(&x);
}

static void every_type_comes_back(void **state)
{
    (void)state;
    struct pair x;
    begin(&x);
    for (unsigned i = 0; i < 2000; i++) {
        struct sm_scalar_point p = {.part = i, .time = 1.7e9 + i};
        p.dtype = (uint8_t)(i < 1000 ? SM_DTYPE_FLOAT16 + i / 130 : SM_DTYPE_FLOAT16 + i % 7);
        size_t size = sm_dtype_info((enum sm_dtype)p.dtype)->size_bytes;
        for (size_t k = 0; k < size; k++)
            p.element[k] = (uint8_t)(i * 31 + k * 7);
        add(&x, x.n, &p);
    }
    compare(&x);
    end(&x);
}

static void places_in_the_middle_are_found(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int round = 0; round < 4; round++) {
        struct pair x;
        begin(&x);
        for (uint32_t i = 0; i < 3000; i++) {
            size_t at = round == 0   ? 0
                        : round == 1 ? random_bits(&seed) % (x.n + 1)
                        : round == 2 ? x.n / 2
                                     : x.n - x.n % 129;
            struct sm_scalar_point p = point_of(i, 1.7e9 + (double)i / 8, i);
            add(&x, at, &p);
            size_t other = random_bits(&seed) % x.n; /* a block that is kept unpacked may change */
            p = sm_points_get(x.s, other);
            assert_same(&p, &x.array[other]);
        }
        compare(&x);
        end(&x);
    }
}

static void a_place_that_was_opened_needs_no_memory(void **state)
{
    (void)state;
    uint64_t seed = 3;
    struct pair x;
    begin(&x);
    for (uint32_t i = 0; i + 8 < 3000; i += 8) {
        size_t at = i % 3 ? x.n : random_bits(&seed) % (x.n + 1);
        assert_true(sm_points_open(x.s, at, 8));
        unsigned long before = sm_mem_count();
        for (uint32_t k = 0; k < 8; k++) {
            struct sm_scalar_point p = point_of(i + k, NAN, i + k);
            add(&x, at + k, &p);
        }
        assert_int_equal(sm_mem_count(), before);
    }
    compare(&x);
    end(&x);
}

/* Each allocation fails once: nothing is lost. */
static void nothing_is_lost_without_memory(void **state)
{
    (void)state;
    for (unsigned long nth = 1; nth < 40; nth++) {
        uint64_t seed = nth;
        struct pair x;
        begin(&x);
        for (uint32_t i = 0; i < 600; i++) {
            struct sm_scalar_point p = point_of(i, i, i);
            size_t at = random_bits(&seed) % (x.n + 1);
            if (i == 300)
                sm_mem_fail_at(nth);
            if (sm_points_open(x.s, at, 1))
                add(&x, at, &p);
            else
                compare(&x);
        }
        sm_mem_fail_at(0);
        compare(&x);
        end(&x);
    }
}

static bool is_even(const struct sm_scalar_point *p, void *user)
{
    (void)user;
    return p->part % 2 == 0;
}

static void filtering_keeps_the_rest(void **state)
{
    (void)state;
    static const size_t froms[] = {0, 1, 127, 128, 129, 500, 999, 1000};
    for (size_t f = 0; f < sizeof froms / sizeof *froms; f++) {
        struct pair x;
        size_t kept = 0;
        begin(&x);
        for (uint32_t i = 0; i < 1000; i++) {
            struct sm_scalar_point p = point_of(i, i, i);
            add(&x, f % 2 ? 0 : x.n, &p);
        }
        assert_true(sm_points_filter(x.s, froms[f], is_even, NULL));
        for (size_t i = 0; i < x.n; i++)
            if (i < froms[f] || is_even(&x.array[i], NULL))
                x.array[kept++] = x.array[i];
        x.n = kept;
        compare(&x);
        struct sm_scalar_point more = point_of(5, 5, 5);
        add(&x, x.n, &more);
        add(&x, x.n / 3, &more);
        compare(&x);
        end(&x);
    }
}

static void extremes_are_those_of_the_range(void **state)
{
    (void)state;
    uint64_t seed = 11;
    struct pair x;
    begin(&x);
    for (uint32_t i = 0; i < 2000; i++) {
        double v = i % 300 < 20 ? (i % 2 ? (double)NAN : (double)INFINITY)
                                : (double)(random_bits(&seed) % 1000) - 500;
        struct sm_scalar_point p = point_of(v, i, i);
        add(&x, x.n, &p);
    }
    for (int round = 0; round < 500; round++) {
        size_t from = random_bits(&seed) % (x.n + 1),
               to = from + random_bits(&seed) % (x.n - from + 1);
        size_t bad = 0, first_bad = SIZE_MAX, low = SIZE_MAX, high = SIZE_MAX;
        for (size_t i = from; i < to; i++) {
            double v = sm_scalar_number(&x.array[i]);
            if (!isfinite(v)) {
                first_bad = bad++ ? first_bad : i;
                continue;
            }
            low = low == SIZE_MAX || v < sm_scalar_number(&x.array[low]) ? i : low;
            high = high == SIZE_MAX || v > sm_scalar_number(&x.array[high]) ? i : high;
        }
        struct sm_points_range r;
        sm_points_range(x.s, from, to, &r);
        assert_int_equal(r.n, to - from);
        assert_int_equal(r.bad, bad);
        assert_true(r.first_bad == first_bad);
        assert_true(r.low == low && r.high == high);
        assert_true(low == SIZE_MAX ? isnan(r.min) : r.min == sm_scalar_number(&x.array[low]));
    }
    end(&x);
}

/* As loggers write them: a number a step, with a clock that is not quite regular. */
static void a_point_takes_at_most_16_bytes(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        struct sm_scalar_points *s = sm_points_new();
        uint64_t seed = 5;
        double time = 1.7e9;
        for (uint32_t i = 0; i < 100000; i++) {
            time += 0.25 + (double)(random_bits(&seed) % 1000) / 4096;
            struct sm_scalar_point p = point_of(sqrt(i), time, 3 + i * 2 + (i % 5 == 0));
            float narrow = (float)i;
            if (!wide) {
                p.dtype = SM_DTYPE_FLOAT32;
                memset(p.element, 0, sizeof p.element);
                memcpy(p.element, &narrow, sizeof narrow);
            }
            p.seq = (uint16_t)(i % 3);
            assert_true(sm_points_insert(s, i, &p));
        }
        double each = (double)sm_points_memory(s) / 100000;
        assert_true(wide ? each < 16 : each < 12);
        sm_points_free(s);
    }
}

/* Points of a log that counts down: those behind are told where they begin when a block is full,
 * not for each point. */
static void a_point_in_front_costs_its_block(void **state)
{
    enum { MANY = 20000 };
    struct sm_scalar_points *s = sm_points_new();
    (void)state;
    for (uint32_t i = 0; i < MANY; i++) {
        struct sm_scalar_point p = point_of(i, 1.7e9 - i, i);
        assert_true(sm_points_insert(s, 0, &p));
        assert_true(sm_points_part(s, i) == 0);
    }
    for (uint32_t i = 0; i < MANY; i++)
        assert_true(sm_points_part(s, i) == MANY - 1 - i);
    assert_in_range(sm_points_shifted(s), 1, 4 * MANY);
    sm_points_free(s);
}

/* Points are read between those that are added, in front, in the middle and at the end. */
static void reading_in_between_changes_nothing(void **state)
{
    struct pair x;
    (void)state;
    begin(&x);
    for (uint32_t i = 0; i < 3000; i++) {
        struct sm_scalar_point p = point_of(i * 0.5, 1.6e9 + i, i * 7 % 13);
        size_t at = i % 3 ? x.n : i % 2 ? x.n / 2 : 0, from = i * 31 % (x.n + 1);
        add(&x, at, &p);
        for (size_t k = from; k < x.n && k < from + 5; k++) {
            p = sm_points_get(x.s, k);
            assert_same(&p, &x.array[k]);
            assert_int_equal(sm_points_part(x.s, k), x.array[k].part);
        }
    }
    compare(&x);
    end(&x);
}

static void finite_ranges_are_known(void **state)
{
    struct pair x;
    (void)state;
    begin(&x);
    for (uint32_t i = 0; i < 1000; i++) {
        struct sm_scalar_point p = point_of(i == 300 || i == 990 ? NAN : (double)i, 1.6e9 + i, i);
        add(&x, x.n, &p);
    }
    for (size_t from = 0; from < x.n; from += 7)
        for (size_t to = from; to <= x.n; to += 13) {
            size_t bad = from <= 300 && 300 < to ? 300 : from <= 990 && 990 < to ? 990 : to;
            assert_int_equal(sm_points_finite_to(x.s, from, to), bad);
        }
    end(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_come_back_as_they_were),
        cmocka_unit_test(every_type_comes_back),
        cmocka_unit_test(places_in_the_middle_are_found),
        cmocka_unit_test(a_place_that_was_opened_needs_no_memory),
        cmocka_unit_test(nothing_is_lost_without_memory),
        cmocka_unit_test(filtering_keeps_the_rest),
        cmocka_unit_test(extremes_are_those_of_the_range),
        cmocka_unit_test(a_point_takes_at_most_16_bytes),
        cmocka_unit_test(a_point_in_front_costs_its_block),
        cmocka_unit_test(reading_in_between_changes_nothing),
        cmocka_unit_test(finite_ranges_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
