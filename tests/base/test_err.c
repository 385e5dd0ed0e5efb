/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/err.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

static void test_set_keeps_code_and_text(void **state)
{
    (void)state;
    struct sm_err err = {0};
    assert_false(sm_err_set(&err, SM_ERR_DATA, "length %d at %s", 7, "x"));
    assert_int_equal(err.code, SM_ERR_DATA);
    assert_string_equal(err.msg, "length 7 at x");
    sm_err_clear(&err);
    assert_int_equal(err.code, SM_OK);
    assert_string_equal(err.msg, "");
}

static void test_a_kind_stays_until_the_next_error(void **state)
{
    (void)state;
    struct sm_err err;
    sm_err_set(&err, SM_ERR_MISSING, "no such tensor");
    assert_int_equal(err.kind, SM_ERR_IS_PLAIN);
    assert_false(sm_err_kind(&err, SM_ERR_IS_NO_TENSOR));
    sm_err_prefix(&err, "line 3");
    assert_int_equal(err.kind, SM_ERR_IS_NO_TENSOR);
    assert_int_equal(err.code, SM_ERR_MISSING);
    sm_err_set(&err, SM_ERR_MISSING, "no such step");
    assert_int_equal(err.kind, SM_ERR_IS_PLAIN);
}

static void test_nobody_wants_it(void **state)
{
    (void)state;
    assert_false(sm_err_set(NULL, SM_ERR_DATA, "x"));
    assert_false(sm_err_prefix(NULL, "x"));
    assert_false(sm_err_kind(NULL, SM_ERR_IS_NO_TENSOR));
    assert_false(sm_err_errno(NULL, "x"));
    sm_err_clear(NULL);
}

static void test_hostile_bytes_are_escaped(void **state)
{
    (void)state;
    struct sm_err err;
    sm_err_set(&err, SM_ERR_DATA, "%s",
               "a\033[2Jb\nc\xff\x7f"
               "\u202e\xc2\x85"
               "\u00e9");
    assert_string_equal(err.msg, "a\\x1b[2Jb\\x0ac\\xff\\x7f\\u{202e}\\x85\u00e9");
    sm_err_prefix(&err, "%s", "\r");
    assert_string_equal(err.msg, "\\x0d: a\\x1b[2Jb\\x0ac\\xff\\x7f\\u{202e}\\x85\u00e9");
}

static void test_long_text_ends_between_characters(void **state)
{
    (void)state;
    struct sm_err err;
    char text[600];
    for (size_t shift = 0; shift < 3; shift++) {
        memset(text, 'a', shift);
        for (size_t i = shift; i + 3 < sizeof text; i += 3)
            memcpy(text + i, "\u20ac", 4);
        sm_err_set(&err, SM_ERR_DATA, "%s", text);
        size_t n = strlen(err.msg);
        assert_in_range(n, sizeof err.msg - 3, sizeof err.msg - 1);
        assert_int_equal((n - shift) % 3, 0);
    }
    memset(text, 1, sizeof text - 1);
    text[sizeof text - 1] = 0;
    sm_err_set(&err, SM_ERR_DATA, "%s", text);
    assert_int_equal(strlen(err.msg) % 4, 0); /* no half of an escape such as \x01 */
}

static void test_prefix_goes_before(void **state)
{
    (void)state;
    struct sm_err err;
    sm_err_set(&err, SM_ERR_LIMIT, "too long");
    assert_false(sm_err_prefix(&err, "step %d", 3));
    assert_string_equal(err.msg, "step 3: too long");
    assert_int_equal(err.code, SM_ERR_LIMIT);
}

static void test_reason_survives_a_long_path(void **state)
{
    (void)state;
    struct sm_err err;
    char path[5000];
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = 0;
    sm_err_set(&err, SM_ERR_DATA, "checksum differs");
    sm_err_prefix(&err, "%s", path);
    assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
    assert_non_null(strstr(err.msg, "ppp: checksum differs"));
    errno = ENOENT;
    sm_err_errno(&err, "%s", path);
    assert_non_null(strstr(err.msg, "ppp: No such file or directory"));
    sm_err_set(&err, SM_ERR_DATA, "%s", path);
    sm_err_prefix(&err, "%s", "file");
    assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
    assert_int_equal(strncmp(err.msg, "file: ppp", 9), 0);
}

static void test_strip_takes_only_what_is_shown_beside(void **state)
{
    (void)state;
    struct sm_err err;
    sm_err_set(&err, SM_ERR_IO, "index/a\x1b: Permission denied");
    sm_err_strip(&err, "index");
    assert_string_equal(err.msg, "index/a\\x1b: Permission denied");
    sm_err_strip(&err, "index/a\x1b");
    assert_string_equal(err.msg, "Permission denied");
    sm_err_strip(&err, "");
    assert_string_equal(err.msg, "Permission denied");
}

static void test_errno(void **state)
{
    (void)state;
    struct sm_err err;
    errno = EACCES;
    assert_false(sm_err_errno(&err, "open %s", "x"));
    assert_int_equal(err.code, SM_ERR_IO);
    assert_string_equal(err.msg, "open x: Permission denied");
    errno = ENOMEM;
    sm_err_errno(&err, "map");
    assert_int_equal(err.code, SM_ERR_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_keeps_code_and_text),
        cmocka_unit_test(test_a_kind_stays_until_the_next_error),
        cmocka_unit_test(test_nobody_wants_it),
        cmocka_unit_test(test_hostile_bytes_are_escaped),
        cmocka_unit_test(test_long_text_ends_between_characters),
        cmocka_unit_test(test_prefix_goes_before),
        cmocka_unit_test(test_reason_survives_a_long_path),
        cmocka_unit_test(test_strip_takes_only_what_is_shown_beside),
        cmocka_unit_test(test_errno),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
