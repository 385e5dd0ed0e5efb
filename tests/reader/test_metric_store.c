/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of metrics, and the columns that they are merged into. */
#include "reader/base/mem.h"
#include "reader/base/str.h"
#include "reader/profile/metric_store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct place {
    struct sm_metric_store store;
    struct sm_str text;
    struct sm_metric_batch batch;
};

static int setup(void **state)
{
    struct place *t = calloc(1, sizeof *t);
    t->store.names = sm_names_new();
    *state = t;
    return 0;
}

static int teardown(void **state)
{
    struct place *t = *state;
    struct sm_names *names = t->store.names;
    sm_metric_store_clear(&t->store);
    sm_metric_batch_clear(&t->batch);
    sm_names_free(names);
    sm_str_clear(&t->text);
    free(t);
    return 0;
}

static void add(struct place *t, const char *name, double seconds, double value)
{
    sm_str_printf(
        &t->text,
        "{\"Type\":\"cpu\",\"Name\":\"%s\",\"Dimension\":\"CPUUtilization\",\"Value\":%.17g,"
        "\"NodeId\":\"algo-1\",\"Timestamp\":%.9f}\n",
        name, value, seconds);
}

/* Merges the text, so many rows at a time. */
static size_t merge(struct place *t, size_t at_once)
{
    struct sm_metric_merge at = {0};
    bool done = false;
    size_t used = sm_metric_lines_read(&t->batch, sm_str_text(&t->text), t->text.len, "algo-9");
    while (!done) {
        size_t work = at_once;
        assert_true(sm_metric_store_merge(&t->store, &t->batch, &at, &work, &done));
    }
    sm_metric_batch_clear(&t->batch);
    sm_str_truncate(&t->text, 0);
    return used;
}

static const struct sm_metric_series *cpu(struct place *t, const char *name)
{
    const struct sm_metric_series *s =
        sm_metric_find(&t->store, "algo-1", "cpu", name, "CPUUtilization");
    assert_non_null(s);
    return s;
}

static void lines_are_read_in_any_form(void **state)
{
    struct place *t = *state;
    sm_str_add(&t->text,
               "[ {\"Timestamp\": 2.5, \"Value\": \"7\", \"Dimension\":\"\",\"Type\":\"memory\"},\n"
               "{\"Type\":\"memory\",\"Value\":NaN,\"Timestamp\":3}\n"
               "garbage\n"
               "{\"Type\":\"memory\",\"Value\":1}\n"
               "{\"Type\":\"memory\",\"Value\":8,\"Timestamp\":4} ]");
    merge(t, 100);
    const struct sm_metric_series *s = sm_metric_find(&t->store, "algo-9", "memory", "", "");
    assert_non_null(s);
    assert_int_equal(s->n, 2);
    assert_true(s->values[0] == 7 && s->values[1] == 8);
    assert_int_equal(sm_metric_time(&t->store, s, 0), 2500000000);
}

/* Null is a name that is not given. */
static void names_may_be_null(void **state)
{
    struct place *t = *state;
    sm_str_add(&t->text, "{\"Type\":\"memory\",\"Name\":null,\"Dimension\":null,\"NodeId\":null,"
                         "\"Value\":3,\"Timestamp\":1}\n"
                         "{\"Type\":\"memory\",\"Value\":4,\"Timestamp\":2}\n"
                         "{\"Type\":null,\"Value\":5,\"Timestamp\":3}\n");
    merge(t, 100);
    const struct sm_metric_series *s = sm_metric_find(&t->store, "algo-9", "memory", "", "");
    assert_non_null(s);
    assert_int_equal(s->n, 2);
    assert_int_equal(t->store.n_series, 1);
}

static void bad_lines_are_counted(void **state)
{
    struct place *t = *state;
    const char text[] =
        "{\"Type\":\"cpu\"}\n\n{}\n{\"Type\":\"a\",\"Value\":1,\"Timestamp\":\"x\"}\n{\"Ty";
    assert_int_equal(sm_metric_lines_read(&t->batch, text, sizeof text - 1, "n"), sizeof text - 5);
    assert_int_equal(t->batch.bad, 3);
    assert_int_equal(t->batch.bad_at, 0);
    assert_int_equal(t->batch.n_rows, 0);
}

static void a_torn_line_comes_again(void **state)
{
    struct place *t = *state;
    add(t, "cpu0", 1, 5);
    for (size_t n = 0; n + 2 < t->text.len; n++) {
        assert_int_equal(sm_metric_lines_read(&t->batch, t->text.data, n, "n"), 0);
        assert_int_equal(t->batch.n_rows, 0);
    }
    assert_int_equal(sm_metric_lines_read(&t->batch, t->text.data, t->text.len - 1, "n"),
                     t->text.len - 1);
    assert_int_equal(t->batch.n_rows, 1);
}

static void a_line_without_an_end_is_given_up(void **state)
{
    struct place *t = *state;
    sm_str_add(&t->text, "{\"Type\":\"");
    sm_str_fill(&t->text, 'x', SM_METRIC_LINE_MAX);
    assert_int_equal(sm_metric_lines_read(&t->batch, t->text.data, t->text.len, "n"), t->text.len);
    assert_int_equal(t->batch.bad, 1);
}

static void cores_have_a_mean(void **state)
{
    struct place *t = *state;
    for (int i = 0; i < 3; i++)
        for (int core = 0; core < 4; core++)
            add(t, (const char *[]){"cpu0", "cpu1", "cpu2", "cpu3"}[core], i, 10 * i + core);
    merge(t, 1);
    const struct sm_metric_series *mean = cpu(t, NULL);
    assert_int_equal(mean->n, 3);
    assert_int_equal(mean->members, 4);
    for (size_t i = 0; i < 3; i++)
        assert_true(fabs(mean->values[i] - (10 * (double)i + 1.5)) < 1e-12);
    assert_int_equal(t->store.n_samples, 12);
    assert_int_equal(t->store.n_ticks, 3);
}

static double value_of(size_t i)
{
    return (double)(i * 7919 % 1009);
}

/* The reference: all values of the range. */
static void check_range(const struct sm_metric_series *s, size_t from, size_t to)
{
    double min = INFINITY, max = -INFINITY, sum = 0;
    for (size_t i = from; i < to; i++) {
        min = s->values[i] < min ? s->values[i] : min;
        max = s->values[i] > max ? s->values[i] : max;
        sum += s->values[i];
    }
    struct sm_metric_range r = sm_metric_range_of(s, from, to);
    assert_int_equal(r.n, to - from);
    assert_true(r.min == min && r.max == max && fabs(r.mean - sum / (double)(to - from)) < 1e-9);
}

static void ranges_come_from_the_pyramid(void **state)
{
    struct place *t = *state;
    enum { N = 5000 };
    for (size_t i = 0; i < N; i++)
        add(t, "x", (double)i, value_of(i));
    merge(t, 333);
    const struct sm_metric_series *s = cpu(t, "x");
    for (size_t from = 0; from < N; from += 97)
        for (size_t to = from + 1; to <= N; to += 411)
            check_range(s, from, to);
    check_range(s, 0, N);
    assert_int_equal(s->levels[2].n, 1);
    assert_true(isnan(sm_metric_range_of(s, 3, 3).mean));
}

/* Rows that come late are sorted in; the ranges are those of the sorted rows. */
static void late_rows_are_sorted_in(void **state)
{
    struct place *t = *state;
    for (size_t part = 0; part < 4; part++) {
        for (size_t i = 0; i < 1000; i++)
            add(t, "x", (double)(i * 4 + 3 - part), value_of(i * 4 + 3 - part));
        merge(t, 100);
    }
    const struct sm_metric_series *s = cpu(t, "x");
    assert_int_equal(s->n, 4000);
    for (size_t i = 0; i < s->n; i++) {
        assert_int_equal(sm_metric_time(&t->store, s, i), (int64_t)i * 1000000000);
        assert_true(s->values[i] == value_of(i));
    }
    for (size_t from = 0; from < 4000; from += 313)
        check_range(s, from, 4000);
    assert_int_equal(sm_metric_at(&t->store, s, 1500000000), 2);
}

static void samples_cost_18_bytes(void **state)
{
    struct place *t = *state;
    char name[16];
    for (int i = 0; i < 2000; i++)
        for (int core = 0; core < 32; core++) {
            snprintf(name, sizeof name, "cpu%d", core);
            add(t, name, i * 0.5, i % 100);
        }
    merge(t, 100000);
    size_t bytes = sm_metric_store_bytes(&t->store) - t->store.cap_series * sizeof *t->store.series;
    assert_true(bytes <= 18 * t->store.n_samples);
}

static void quantiles_are_those_of_numpy(void **state)
{
    struct place *t = *state;
    static const double q[] = {0, 0.25, 0.5, 0.9, 1};
    double out[5];
    for (int i = 0; i < 5; i++)
        add(t, "x", i, (i * 2 + 3) % 5);
    merge(t, 100);
    assert_true(sm_metric_quantiles(cpu(t, "x"), 0, 5, q, 5, out));
    assert_true(out[0] == 0 && out[1] == 1 && out[2] == 2 && fabs(out[3] - 3.6) < 1e-12 &&
                out[4] == 4);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(lines_are_read_in_any_form),
        TEST(names_may_be_null),
        TEST(bad_lines_are_counted),
        TEST(a_torn_line_comes_again),
        TEST(a_line_without_an_end_is_given_up),
        TEST(cores_have_a_mean),
        TEST(ranges_come_from_the_pyramid),
        TEST(late_rows_are_sorted_in),
        TEST(samples_cost_18_bytes),
        TEST(quantiles_are_those_of_numpy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
