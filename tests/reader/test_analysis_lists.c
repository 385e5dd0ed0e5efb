/* SPDX-License-Identifier: Apache-2.0 */
/* Events, problems and trends of shipped and written trials. */
#include "reader/analysis/analysis.h"
#include "tests/reader/live.h"

#include <math.h>

static void test_events_newest_first(void **state)
{
    struct live *l = *state;
    struct sm_trial_events e = {0};
    open_shipped(l, "ddp_worker_lost");
    sm_trial_events_read(l->trial, sm_clock_wall_us(), &e);
    assert_int_equal(e.n, 3);
    for (size_t i = 1; i < e.n; i++)
        assert_true(e.items[i - 1].time_us >= e.items[i].time_us);
    assert_int_equal(e.items[0].kind, SM_TRIAL_EVENT_END);
    sm_trial_events_add(
        &e, (struct sm_trial_event){.time_us = INT64_MAX, .step = 3, .text = "one", .sequence = 1});
    sm_trial_events_add(
        &e, (struct sm_trial_event){.time_us = INT64_MAX, .step = 1, .text = "two", .sequence = 2});
    sm_trial_events_sort(&e);
    assert_string_equal(e.items[0].text, "two");
    assert_string_equal(e.items[1].text, "one");
    sm_trial_events_read(NULL, 0, &e);
    assert_int_equal(e.n, 0);
    sm_trial_events_clear(&e);
}

static void test_an_error_and_a_stall_are_events(void **state)
{
    struct live *l = *state;
    struct sm_trial_events e = {0};
    struct sm_err err;
    write_collections(l, "worker_0", 1);
    write_step(l, "worker_0", 0);
    live_open(l);
    sm_err_set(&err, SM_ERR_DATA, "bad");
    sm_trial_report(l->trial, "events/x", 12, &err);
    sm_trial_report(l->trial, "events/x", 12, &err);
    sm_clock_advance(2 * (int64_t)STALL_US);
    live_settle(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_STALLED);
    sm_trial_events_read(l->trial, sm_clock_wall_us(), &e);
    size_t errors = 0, stalls = 0;
    for (size_t i = 0; i < e.n; i++) {
        if (e.items[i].kind == SM_TRIAL_EVENT_ERROR)
            assert_string_equal(e.items[i].text, "events/x: bad (2 times)");
        errors += e.items[i].kind == SM_TRIAL_EVENT_ERROR;
        stalls += e.items[i].kind == SM_TRIAL_EVENT_STALL;
    }
    assert_int_equal(errors, 1);
    assert_int_equal(stalls, 1);
    sm_trial_events_clear(&e);
}

/* In order, with what is said of each. */
static void test_problems(void **state)
{
    static const char *const texts[] = {
        "damaged: collections/x: bad",
        "1 saved step is missing before step 4",
        "worker_1 is missing at step 4",
        "worker_1 is lost: nothing at step 7 and after it",
    };
    struct live *l = *state;
    struct sm_trial_problems p = {0};
    struct sm_err err;
    write_collections(l, "worker_0", 2);
    write_collections(l, "worker_1", 2);
    for (int64_t n = 0; n < 9; n++)
        for (int w = 0; n != 3 && w < 2 - (n == 4 || n > 6); w++)
            write_step(l, w ? "worker_1" : "worker_0", n);
    write_end(l);
    live_open(l);
    sm_err_set(&err, SM_ERR_DATA, "bad");
    sm_trial_report(l->trial, "collections/x", -1, &err);
    while (sm_trial_problems_read(l->trial, l->fetch, (struct sm_step){8}, SM_WORKER_ANY, &p))
        live_settle(l);
    sm_trial_problems_sort(&p);
    assert_int_equal(p.n, sizeof texts / sizeof *texts);
    for (size_t i = 0; i < p.n; i++) {
        struct sm_str text = {0};
        const struct sm_trial_tensor *x = sm_trial_problem_tensor(l->trial, &p.items[i]);
        sm_trial_problem_describe(l->trial, &p.items[i], x, 0, &text);
        assert_string_equal(sm_str_text(&text), texts[i]);
        sm_str_clear(&text);
    }
    sm_trial_problems_clear(&p);
}

static void test_values_that_are_not_finite(void **state)
{
    struct live *l = *state;
    struct sm_trial_problems p = {0};
    struct sm_str text = {0};
    open_shipped(l, "mlp_exploding_tensor");
    while (sm_trial_problems_read(l->trial, l->fetch, (struct sm_step){23}, SM_WORKER_ANY, &p))
        live_settle(l);
    assert_int_equal(p.n, 23);
    sm_trial_problems_sort(&p);
    assert_int_equal(p.items[0].kind, SM_TRIAL_PROBLEM_VALUE);
    const struct sm_trial_tensor *x = sm_trial_problem_tensor(l->trial, &p.items[0]);
    sm_trial_problem_describe(l->trial, &p.items[0], x, 0, &text);
    assert_string_equal(sm_str_text(&text), "MLP_fc0.bias at step 23: 12 NaN");
    sm_str_clear(&text);
    sm_trial_problems_clear(&p);
}

/* Of TRAIN alone where there is any, each step once. */
static void test_trend(void **state)
{
    struct live *l = *state;
    struct sm_trend trend;
    struct sm_err err;
    write_collections(l, "worker_0", 2);
    for (int64_t step = 0; step < 6; step++)
        for (int w = 0; w < 2; w++)
            write_mode_step(l, w ? "worker_1" : "worker_0", step,
                            step % 3 ? SM_MODE_TRAIN : SM_MODE_EVAL, step);
    live_open(l);
    while (!sm_fetch_all(l->fetch, l->trial, tensor(l, "loss"), &err))
        live_settle(l);
    sm_tensor_health_trend(l->trial, l->fetch, NULL, tensor(l, "loss"), SM_WORKER_ANY, 16, &trend);
    assert_int_equal(trend.n, 4);
    for (size_t i = 0; i < trend.n; i++)
        assert_true(trend.v[i] == (double)(i < 2 ? i + 1 : i + 2));
}

#define TEST(NAME) cmocka_unit_test_setup_teardown(NAME, live_setup, live_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_events_newest_first),
        TEST(test_an_error_and_a_stall_are_events),
        TEST(test_problems),
        TEST(test_values_that_are_not_finite),
        TEST(test_trend),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
