/* SPDX-License-Identifier: Apache-2.0 */
/* Steps around a number, and names around a name. */
#include "reader/analysis/similar_tensor.h"
#include "reader/nearest.h"
#include "tests/reader/live.h"

static void expect_nearest(const struct live *l, const char *name, enum sm_mode mode,
                           const char *worker, int64_t number, int64_t closest,
                           const char *expected)
{
    struct sm_nearest near;
    struct sm_str text = {0};
    uint16_t w = worker ? sm_trial_find_worker(l->trial, worker) : SM_WORKER_ANY;
    sm_nearest_find(l->trial, name ? tensor(l, name) : NULL, mode, w, number, &near);
    const struct sm_near_step *s = sm_nearest_of(&near, number);
    assert_int_equal(s ? s->step.n : -1, closest);
    sm_nearest_format(&near, &text);
    assert_string_equal(sm_str_text(&text), expected);
    sm_str_clear(&text);
}

static void test_global_steps(void **state)
{
    struct live *l = *state;
    open_shipped(l, "cnn_healthy");
    expect_nearest(l, "CrossEntropyLoss_output_0", SM_MODE_ANY, NULL, 31, 30, "30, 32");
    expect_nearest(l, "CrossEntropyLoss_output_0", SM_MODE_ANY, NULL, 30, 30, "20, 32");
    expect_nearest(l, "CrossEntropyLoss_output_0", SM_MODE_ANY, NULL, 500, 100, "100");
    expect_nearest(l, "CrossEntropyLoss_output_0", SM_MODE_ANY, NULL, INT64_MAX, 100, "100");
    expect_nearest(l, "CrossEntropyLoss_output_0", SM_MODE_ANY, NULL, INT64_MIN, 0, "0");
    expect_nearest(l, NULL, SM_MODE_ANY, NULL, -5, 0, "0");
}

static void test_steps_of_a_mode(void **state)
{
    struct live *l = *state;
    open_shipped(l, "cnn_healthy");
    expect_nearest(l, "CrossEntropyLoss_output_0", SM_MODE_EVAL, NULL, 2, 32, "0, 4");
    expect_nearest(l, "CrossEntropyLoss_output_0", SM_MODE_PREDICT, NULL, 2, -1, "");
}

static void test_steps_of_a_worker(void **state)
{
    struct live *l = *state;
    open_shipped(l, "ddp_worker_lost");
    expect_nearest(l, "MLP_fc0.bias", SM_MODE_ANY, "worker_0", 16, 16, "14, 18");
    expect_nearest(l, "MLP_fc0.bias", SM_MODE_ANY, "worker_1", 16, 8, "8");
}

static void expect_similar(const struct live *l, const char *name, const char *similar)
{
    const char *got = sm_similar_tensor(l->trial, sm_text(name));
    if (similar)
        assert_string_equal(got, similar);
    else
        assert_null(got);
}

static void test_similar_names(void **state)
{
    struct live *l = *state;
    char longest[300];
    open_shipped(l, "cnn_healthy");
    expect_similar(l, "CNN_conv0.wieght", "CNN_conv0.weight");
    expect_similar(l, "conv0_weight", "CNN_conv0.weight");
    expect_similar(l, "zebra", NULL);
    expect_similar(l, "", NULL);
    expect_similar(l, "w", NULL);
    memset(longest, 'x', sizeof longest);
    assert_null(sm_similar_tensor(l->trial, (struct sm_text){longest, sizeof longest}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_global_steps, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_steps_of_a_mode, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_steps_of_a_worker, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_similar_names, live_setup, live_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
