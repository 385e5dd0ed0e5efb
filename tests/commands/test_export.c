/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors as files for other programs. */
#include "commands/values/export.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void strings_are_quoted_if_needed(void **state)
{
    (void)state;
    const struct sm_text strings[] = {
        {NULL, 0}, SM_TEXT("plain"), SM_TEXT("a,b"), SM_TEXT("say \"x\""), SM_TEXT("two\rlines")};
    const struct sm_tensor t = {
        .dtype = SM_DTYPE_STRING, .n_dims = 1, .dims = {5}, .n = 5, .strings = strings};
    struct sm_str out = {0};
    sm_export_csv(&t, &out);
    assert_string_equal(sm_str_text(&out), ",plain,\"a,b\",\"say \"\"x\"\"\",\"two\rlines\"\n");
    sm_str_clear(&out);
}

/* The format of numpy.save: the data start at a multiple of 64 bytes. */
static void npy_has_numpys_header(void **state)
{
    (void)state;
    static const float x[] = {1, 2, 3};
    const struct sm_tensor t = {.dtype = SM_DTYPE_FLOAT32,
                                .n_dims = 1,
                                .dims = {3},
                                .n = 3,
                                .data = (const uint8_t *)x,
                                .size_bytes = sizeof x};
    static const char header[] =
        "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
    struct sm_str out = {0};
    assert_true(sm_export_npy(&t, &out, NULL));
    assert_int_equal(out.len, 128 + sizeof x);
    assert_memory_equal(out.data, header, sizeof header - 1);
    assert_int_equal(out.data[127], '\n');
    assert_memory_equal(out.data + 128, x, sizeof x);
    sm_str_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_are_quoted_if_needed),
        cmocka_unit_test(npy_has_numpys_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
