/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/utf16.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ENCODING(bytes) sm_text_encoding_of(bytes, sizeof(bytes) - 1)

static void test_encoding(void **state)
{
    (void)state;
    assert_int_equal(ENCODING("\xff\xfe"), SM_TEXT_UTF16LE);
    assert_int_equal(ENCODING("\xfe\xff\0a"), SM_TEXT_UTF16BE);
    assert_int_equal(ENCODING("s\0t\0e\0p\0"), SM_TEXT_UTF16LE);
    assert_int_equal(ENCODING("\0s\0t\0e\0p"), SM_TEXT_UTF16BE);
    assert_int_equal(ENCODING("s\0"), SM_TEXT_UTF8);
    assert_int_equal(ENCODING("step 1"), SM_TEXT_UTF8);
    assert_int_equal(ENCODING("\xef\xbb\xbfstep"), SM_TEXT_UTF8);
    assert_int_equal(ENCODING("P\0\0\0\0\0\0\0"), SM_TEXT_UTF8); /* a length */
    assert_int_equal(ENCODING("\1\0\2\0\3\0"), SM_TEXT_UTF8);
    assert_int_equal(ENCODING(""), SM_TEXT_UTF8);
}

static const char *decoded(enum sm_text_encoding encoding, const char *p, size_t n, size_t taken)
{
    static struct sm_str out;
    sm_str_truncate(&out, 0);
    assert_int_equal(sm_text_decode(encoding, p, n, &out), taken);
    return sm_str_text(&out);
}

static void test_decode(void **state)
{
    (void)state;
    assert_string_equal(decoded(SM_TEXT_UTF16LE, "a\0\xe4\0\xac\x20", 6, 6),
                        "a\xc3\xa4\xe2\x82\xac");
    assert_string_equal(decoded(SM_TEXT_UTF16BE, "\0a\xd8\x3d\xde\0", 6, 6), "a\xf0\x9f\x98\x80");
    assert_string_equal(decoded(SM_TEXT_UTF16LE, "a\0b", 3, 2), "a");
    assert_string_equal(decoded(SM_TEXT_UTF16LE, "\x3d\xd8\0", 3, 0), "");
    assert_string_equal(decoded(SM_TEXT_UTF16LE,
                                "\x3d\xd8"
                                "a\0\0\xde",
                                6, 6),
                        "\xef\xbf\xbd"
                        "a\xef\xbf\xbd");
    assert_string_equal(decoded(SM_TEXT_UTF8, "a\xff", 2, 2), "a\xff");
}

static void test_mark(void **state)
{
    (void)state;
    assert_int_equal(sm_text_mark("\xef\xbb\xbf", 3), 3);
    assert_int_equal(sm_text_mark("\xef\xbb", 2), 0);
    assert_int_equal(sm_text_mark("abc", 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_encoding),
        cmocka_unit_test(test_decode),
        cmocka_unit_test(test_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
