/* SPDX-License-Identifier: Apache-2.0 */
/* A value larger than memory-limit: what shows it reads a sample and says so. */
#include "tests/commands/live.h"

#include "reader/tensor/slice.h"

enum { N = 400000 };

static struct live l;

static int set_up(void **state)
{
    (void)state;
    float *x = malloc(N * sizeof *x), one = 1;
    for (size_t i = 0; i < N; i++)
        x[i] = (float)i;
    live_create(&l);
    live_begin_step(&l, 0);
    live_tensor(&l, "ramp", x, N);
    live_tensor(&l, "loss", &one, 1);
    live_end_step(&l);
    free(x);
    live_open(&l);
    driver_prompt(&l.d, "set memory-limit 1Mi");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return live_close(&l);
}

static void expect(const char *line, const char *text)
{
    const char *got = driver_prompt(&l.d, line);
    if (!strstr(got, text))
        fail_msg("%s: %s (%s)", line, got, sm_str_text(&l.d.err));
}

static void test_views_show_a_sample(void **state)
{
    (void)state;
    expect("hist ramp", "ramp[::8]");
    expect("hist ramp", "A sample: the value has 1.5 MiB, more than memory-limit.");
    expect("hist ramp -bins 2 -json", "\"counts\":[25000,25000]");
    expect("hist ramp -bins 2 -json", "\"sample\":\"[::8]\"");
    expect("heatmap ramp -w 40", "ramp[::8]  step 0 (train 0)  float32 (50000,)\nA sample: ");
    expect("heatmap ramp -w 4 -json", "\"shape\":[50000],\"sample\":\"[::8]\"");
    expect("print ramp[399999]", "399999");
}

static void test_within_the_limit_nothing_is_left_out(void **state)
{
    (void)state;
    driver_prompt(&l.d, "set memory-limit 64Mi");
    expect("hist ramp -bins 2 -json", "\"counts\":[200000,200000]");
    assert_null(strstr(driver_prompt(&l.d, "hist ramp"), "sample"));
    assert_null(strstr(driver_prompt(&l.d, "heatmap ramp -json"), "sample"));
}

static void expect_sample(unsigned n_dims, const uint64_t *dims, uint64_t most, const char *text)
{
    struct sm_slice s;
    struct sm_str got = {0};
    sm_slice_sample(n_dims, dims, most, &s);
    sm_slice_text(&got, &s);
    assert_string_equal(sm_str_text(&got), text);
    sm_str_clear(&got);
}

static void test_the_longest_axis_is_thinned_first(void **state)
{
    (void)state;
    expect_sample(2, (uint64_t[]){1024, 1 << 21}, 1 << 16, "[::4,::8192]");
    expect_sample(3, (uint64_t[]){3, 1000, 500}, 30000, "[:,::16,::4]");
    expect_sample(2, (uint64_t[]){4, 5}, 20, "[:,:]");
    expect_sample(2, (uint64_t[]){INT64_MAX, INT64_MAX}, 4,
                  "[::4611686018427387904,::4611686018427387904]");
    expect_sample(2, (uint64_t[]){0, 100}, 10, "[:,:]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_views_show_a_sample, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_within_the_limit_nothing_is_left_out, set_up,
                                        tear_down),
        cmocka_unit_test(test_the_longest_axis_is_thinned_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
