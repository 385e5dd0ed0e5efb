/* SPDX-License-Identifier: Apache-2.0 */
/* The values of all codes, as ml_dtypes 0.5 has them, and back. */
#include "reader/format/minifloat.h"
#include "tests/reader/minifloat_values.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Also the sign of zero; any nan is like another. */
static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
}

static void test_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof minifloats / sizeof *minifloats; i++)
        for (unsigned code = 0; code < minifloats[i].n; code++) {
            double want = minifloats[i].values[code],
                   got = sm_minifloat_value(minifloats[i].dtype, (uint8_t)code);
            assert_true(same(want, got));
        }
}

static void test_codes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof minifloats / sizeof *minifloats; i++)
        for (size_t k = 0; k < minifloats[i].n_casts; k++)
            assert_int_equal(sm_minifloat_code(minifloats[i].dtype, minifloat_inputs[k]),
                             minifloats[i].casts[k]);
}

static void test_widen_is_load(void **state)
{
    (void)state;
    uint8_t codes[1000];
    double wide[1000];
    for (size_t i = 0; i < sizeof codes; i++)
        codes[i] = (uint8_t)(i * 7);
    for (size_t i = 0; i < sizeof minifloats / sizeof *minifloats; i++) {
        enum sm_dtype d = minifloats[i].dtype;
        sm_dtype_widen(d, codes, sizeof codes, wide);
        for (size_t k = 0; k < sizeof codes; k++) {
            double one = sm_dtype_load(d, &codes[k]);
            assert_true(same(one, wide[k]));
        }
    }
}

static void test_stored_bits(void **state)
{
    (void)state;
    assert_int_equal(sm_dtype_stored_bits(SM_DTYPE_FLOAT4_E2M1FN), 4);
    assert_int_equal(sm_dtype_stored_bits(SM_DTYPE_FLOAT6_E3M2FN), 6);
    assert_int_equal(sm_dtype_stored_bits(SM_DTYPE_FLOAT8_E5M2), 8);
    assert_int_equal(sm_dtype_stored_bits(SM_DTYPE_COMPLEX128), 128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_widen_is_load),
        cmocka_unit_test(test_stored_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
