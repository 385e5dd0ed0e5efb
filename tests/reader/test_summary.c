/* SPDX-License-Identifier: Apache-2.0 */
/* Quantiles and histograms: small tensors at once, large ones by a worker, with equal results. */
#include "tests/reader/live.h"

#include "reader/fetch/summary.h"

enum { SMALL = 1000, LARGE = 400000 };

static struct sm_summaries *summaries;

static int setup(void **state)
{
    struct sm_err err;
    if (live_setup(state) != 0)
        return -1;
    struct live *l = *state;
    summaries = sm_summaries_new(l->pool, l->fetch, &err);
    return summaries ? 0 : -1;
}

static int teardown(void **state)
{
    struct live *l = *state;
    if (l->trial)
        sm_summaries_forget(summaries, l->trial);
    live_close(l);
    sm_summaries_free(summaries);
    return live_teardown(state);
}

/* 0 1 2 ... n - 1, as "ramp" at step 0. */
static struct sm_entry ramp(struct live *l, size_t n)
{
    struct sm_err err;
    float *x = malloc(n * sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = (float)i;
    struct sm_event_value v = {.tag = sm_text("ramp"),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_FLOAT32,
                               .n_dims = 1,
                               .dims = {n},
                               .n_elements = n,
                               .content = {(const uint8_t *)x, n * sizeof *x}};
    write_collections(l, "worker_0", 1);
    struct sm_writer *w = writer(l, "worker_0");
    assert_true(sm_writer_begin_step(w, 0, SM_MODE_TRAIN, 0, &err));
    assert_true(sm_writer_tensor(w, &v, 1.5, &err));
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
    free(x);
    live_open(l);
    return value_at(l, "ramp", 0);
}

/* Repeats the request until it is answered; returns the number of attempts that had to wait. */
static unsigned read_until_known(struct live *l, const struct sm_entry *e,
                                 const struct sm_summary_spec *spec, struct sm_summary *out)
{
    struct sm_err err;
    unsigned waits = 0;
    while (!sm_summary_read(summaries, l->trial, e, spec, out, &err)) {
        assert_int_equal(err.code, SM_ERR_WAIT);
        assert_true(waits++ < 10);
        live_settle(l);
    }
    return waits;
}

static void check_ramp(struct live *l, size_t n)
{
    struct sm_summary x;
    struct sm_entry e = ramp(l, n);
    assert_true(read_until_known(l, &e, &(struct sm_summary_spec){0}, &x) > 0);
    assert_int_equal(x.n, n);
    assert_int_equal(x.stats.max, n - 1);
    assert_float_equal(x.quantiles[3], (double)(n - 1) / 2, 0.51);
    sm_summary_clear(&x);
    read_until_known(l, &e, &(struct sm_summary_spec){.want = SM_SUMMARY_HISTOGRAM, .bins = 4}, &x);
    assert_int_equal(x.histogram.bins, 4);
    assert_int_equal(x.histogram.counts[0], n / 4);
    sm_summary_clear(&x);
}

static void test_small(void **state)
{
    check_ramp(*state, SMALL);
}

static void test_large_is_the_same(void **state)
{
    struct live *l = *state;
    check_ramp(l, LARGE);
    assert_true(sm_fetch_memory(l->fetch) < LARGE); /* the payload was not kept */
}

static void test_a_slice_is_another_question(void **state)
{
    struct live *l = *state;
    struct sm_summary x;
    struct sm_slice slice;
    struct sm_err err;
    size_t used;
    struct sm_entry e = ramp(l, LARGE);
    assert_true(sm_slice_parse("[10:20]", 7, &slice, &used, &err));
    read_until_known(l, &e, &(struct sm_summary_spec){.slice = &slice}, &x);
    assert_int_equal(x.n, 10);
    assert_int_equal(x.stats.min, 10);
    read_until_known(l, &e, &(struct sm_summary_spec){0}, &x);
    assert_int_equal(x.n, LARGE);
}

static void test_known_is_not_read_again(void **state)
{
    struct live *l = *state;
    struct sm_summary x;
    struct sm_entry e = ramp(l, LARGE);
    read_until_known(l, &e, &(struct sm_summary_spec){0}, &x);
    assert_int_equal(read_until_known(l, &e, &(struct sm_summary_spec){0}, &x), 0);
    assert_int_equal(sm_summaries_open(summaries), 0);
}

static void test_a_wrong_slice_is_reported(void **state)
{
    struct live *l = *state;
    struct sm_summary x;
    struct sm_slice slice;
    struct sm_err err;
    size_t used;
    struct sm_entry e = ramp(l, LARGE);
    assert_true(sm_slice_parse("[400000]", 8, &slice, &used, &err));
    struct sm_summary_spec spec = {.slice = &slice};
    assert_false(sm_summary_read(summaries, l->trial, &e, &spec, &x, &err));
    live_settle(l);
    assert_false(sm_summary_read(summaries, l->trial, &e, &spec, &x, &err));
    assert_int_equal(err.code, SM_ERR_USAGE);
    assert_non_null(strstr(err.msg, "out of bounds"));
}

/* The event file is truncated although the index has its full length. */
static void test_unreadable_values_are_reported(void **state)
{
    struct live *l = *state;
    struct sm_summary x;
    struct sm_err err;
    struct sm_entry e = ramp(l, LARGE);
    assert_int_equal(
        truncate(in(l, "%s", sm_trial_event_path(l->trial, sm_trial_part(l->trial, e.part))), 5000),
        0);
    struct sm_summary_spec spec = {0};
    for (int i = 0; i < 5; i++) {
        assert_false(sm_summary_read(summaries, l->trial, &e, &spec, &x, &err));
        live_settle(l);
    }
    assert_int_equal(err.code, SM_ERR_DATA);
}

static void test_closing_while_it_is_computed(void **state)
{
    struct live *l = *state;
    struct sm_summary x;
    struct sm_entry e = ramp(l, LARGE);
    assert_false(sm_summary_read(summaries, l->trial, &e, &(struct sm_summary_spec){0}, &x, NULL));
    assert_int_equal(sm_summaries_open(summaries), 1);
    sm_summaries_forget(summaries, l->trial);
    live_close(l);
    assert_int_equal(sm_summaries_open(summaries), 0);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(test_small),
        T(test_large_is_the_same),
        T(test_a_slice_is_another_question),
        T(test_known_is_not_read_again),
        T(test_a_wrong_slice_is_reported),
        T(test_unreadable_values_are_reported),
        T(test_closing_while_it_is_computed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
