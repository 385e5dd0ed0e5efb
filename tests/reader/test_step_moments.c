/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of a trial and moments of its profile. */
#include "reader/analysis/step_moments.h"
#include "tests/reader/live.h"

/* Step of mode train i at [10 i, 10 i + 4) s; of eval 0 at [101, 103) s. */
static void write_profile(struct live *l)
{
    struct sm_str text = {0};
    sm_str_add(&text, "[{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":"
                      "\"Step:ModeKeys.TRAIN\"}},"
                      "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":2,\"args\":{\"name\":\"Step:"
                      "ModeKeys.EVAL\"}},");
    for (int i = 0; i < 10; i++)
        sm_str_printf(
            &text,
            "{\"name\":\"s\",\"pid\":1,\"ph\":\"X\",\"ts\":%d0000000,\"dur\":4000000,\"args\":{"
            "\"step_num\":%d}},",
            i, i);
    sm_str_add(&text,
               "{\"name\":\"s\",\"pid\":2,\"ph\":\"X\",\"ts\":101000000,\"dur\":2000000,\"args\":{"
               "\"step_num\":0}}]");
    mkdir(in(l, "framework"), 0777);
    mkdir(in(l, "framework/pevents"), 0777);
    put_file(in(l, "framework/pevents/103000000_1-vm_pythontimeline.json"), text.data, text.len);
    sm_str_clear(&text);
}

static const struct sm_profile *open_both(struct live *l)
{
    for (int i = 0; i < 10; i += 2)
        write_step(l, "worker_0", i);
    write_mode_step(l, "worker_0", 20, SM_MODE_EVAL, 0);
    write_profile(l);
    live_open(l);
    assert_string_equal(sm_trial_profile_root(l->trial), l->path);
    struct sm_profile *p = sm_trial_profile(l->trial);
    assert_non_null(p);
    assert_false(sm_profile_is_read(p));
    live_settle(l);
    assert_true(sm_profile_is_read(p));
    return p;
}

static void a_step_is_a_range_of_time(void **state)
{
    struct live *l = *state;
    const struct sm_profile *p = open_both(l);
    int64_t from, to;
    assert_true(sm_step_moment(l->trial, p, 2, &from, &to));
    assert_int_equal(from, 40000000000);
    assert_int_equal(to, 44000000000);
    assert_true(sm_step_moment(l->trial, p, 5, &from, &to));
    assert_int_equal(from, 101000000000);
}

/* Expects the saved steps of these seconds. */
static void expect(const struct live *l, const struct sm_profile *p, int64_t from, int64_t to,
                   int64_t first, int64_t last)
{
    size_t i, k;
    assert_true(sm_steps_of_moments(l->trial, p, from * 1000000000, to * 1000000000, &i, &k));
    assert_int_equal(sm_trial_step(l->trial, i)->step.n, first);
    assert_int_equal(sm_trial_step(l->trial, k)->step.n, last);
}

static void a_range_of_time_is_steps(void **state)
{
    struct live *l = *state;
    const struct sm_profile *p = open_both(l);
    expect(l, p, 0, 1, 0, 0);
    expect(l, p, 19, 45, 2, 4);
    expect(l, p, 43, 44, 4, 4);
    expect(l, p, 0, 1000, 0, 20);
    expect(l, p, 50, 52, 4, 6); /* step 5 was not saved: those around it */
    expect(l, p, 200, 300, 20, 20);
    expect(l, p, 102, 103, 20, 20);
}

/* As those of a CSV beside a profile. */
static void steps_of_no_mode_are_those_of_the_training(void **state)
{
    struct live *l = *state;
    int64_t from, to;
    for (int i = 0; i < 10; i += 2)
        write_mode_step(l, "worker_0", i, SM_MODE_GLOBAL, i);
    write_profile(l);
    live_open(l);
    struct sm_profile *p = sm_trial_profile(l->trial);
    live_settle(l);
    assert_true(sm_step_moment(l->trial, p, 1, &from, &to));
    assert_int_equal(from, 20000000000);
    assert_int_equal(to, 24000000000);
    expect(l, p, 43, 44, 4, 4);
}

static void a_run_without_a_profile_has_none(void **state)
{
    struct live *l = *state;
    write_step(l, "worker_0", 0);
    live_open(l);
    assert_null(sm_trial_profile_root(l->trial));
    assert_null(sm_trial_profile(l->trial));
    /* it may come later */
    write_profile(l);
    for (int i = 0; i < 10; i++)
        live_beat(l);
    assert_non_null(sm_trial_profile_root(l->trial));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_step_is_a_range_of_time),
        TEST(a_range_of_time_is_steps),
        TEST(steps_of_no_mode_are_those_of_the_training),
        TEST(a_run_without_a_profile_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
