/* SPDX-License-Identifier: Apache-2.0 */
/* Doubles converted to a tensor's own type, like numpy's astype. */
#include "reader/tensor/rounding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_float16(void **state)
{
    (void)state;
    assert_true(sm_round_to(SM_DTYPE_FLOAT16, 65519.9) == 65504.0);
    assert_true(sm_round_to(SM_DTYPE_FLOAT16, 65520) > 1e300);
    /* a tie rounds to even */
    assert_true(sm_round_to(SM_DTYPE_FLOAT16, 1.00048828125) == 1.0);
    assert_true(sm_round_to(SM_DTYPE_FLOAT16, 5.9604644775390625e-08) == 5.9604644775390625e-08);
    assert_true(sm_round_to(SM_DTYPE_FLOAT16, 2.9e-08) == 0.0);
}

static void test_float32_and_others(void **state)
{
    (void)state;
    assert_true(sm_round_to(SM_DTYPE_FLOAT32, 16777217.0) == 16777216.0);
    assert_true(sm_round_to(SM_DTYPE_FLOAT64, 16777217.0) == 16777217.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_float16),
                                       cmocka_unit_test(test_float32_and_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
