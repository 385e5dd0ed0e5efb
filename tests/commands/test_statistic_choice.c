/* SPDX-License-Identifier: Apache-2.0 */
/* Which statistic maps of many tensors show when nobody has chosen one. */
#include "commands/place/statistic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { OF_X, OF_ABS };

static const char *chosen(const struct sm_trial_tensor *x, size_t n)
{
    const struct sm_trial_tensor *rows[8];
    for (size_t i = 0; i < n; i++)
        rows[i] = &x[i];
    return sm_statistic_most_have(sm_statistic_find(sm_text("abs_mean")), rows, n)->key;
}

/* Values have every statistic. */
static void test_values(void **state)
{
    (void)state;
    const struct sm_trial_tensor x[] = {{.has_value = true}, {.has_value = true}};
    assert_string_equal(chosen(x, 2), "abs_mean");
    assert_string_equal(chosen(x, 0), "abs_mean");
}

/* mean, std, abs_max and l2_norm are what smdbg.attach saves of weights; scalars have values. */
static void test_reductions(void **state)
{
    (void)state;
    const struct sm_trial_tensor weight = {
        .reductions = {[OF_X] = 1u << SM_REDUCE_MEAN | 1u << SM_REDUCE_STD | 1u << SM_REDUCE_L2,
                       [OF_ABS] = 1u << SM_REDUCE_MAX}};
    const struct sm_trial_tensor x[] = {weight, {.has_value = true}, weight};
    assert_string_equal(chosen(x, 3), "abs_max");
}

static void test_usual_reduction(void **state)
{
    (void)state;
    const struct sm_trial_tensor x[] = {
        {.reductions = {[OF_X] = 1u << SM_REDUCE_MEAN, [OF_ABS] = 1u << SM_REDUCE_MEAN}},
        {.reductions = {[OF_X] = 1u << SM_REDUCE_MEAN, [OF_ABS] = 1u << SM_REDUCE_MEAN}}};
    assert_string_equal(chosen(x, 2), "abs_mean");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_usual_reduction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
