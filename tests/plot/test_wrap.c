/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/wrap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static size_t wrap_length(const char *text, int w)
{
    return sm_wrap_line(text, strlen(text), w);
}

static void test_lines_end_at_blanks(void **state)
{
    (void)state;
    assert_int_equal(wrap_length("a word or two", 13), 13);
    assert_int_equal(wrap_length("a word or two", 12), 9);
    assert_int_equal(wrap_length("a word or two", 9), 9);
    assert_int_equal(wrap_length("a word or two", 8), 6);
    assert_int_equal(wrap_length("a word    or", 7), 6); /* no blanks at the end of a line */
    assert_int_equal(wrap_length("", 4), 0);
}

static void test_what_has_no_blank_is_cut(void **state)
{
    (void)state;
    assert_int_equal(wrap_length("longword next", 4), 4);
    assert_int_equal(wrap_length("\u6f22\u6f22", 3), 3); /* two columns each, three bytes */
    assert_int_equal(wrap_length("\u6f22", 1), 3);       /* always at least one character */
    assert_int_equal(wrap_length("\xff\xff", 0), 1);
}

/* A line of a long text is the same, whether its whole length is known or not. */
static void test_long_texts(void **state)
{
    static const char *const pieces[] = {"a",      "word ",      " ",    "\u6f22",
                                         "\u0301", "\U0001f600", "\xff", "\x01"};
    char text[3000];
    uint64_t seed = 1;
    (void)state;
    for (int round = 0; round < 300; round++) {
        size_t n = 0;
        while (n + 8 < sizeof text) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const char *piece = pieces[(seed >> 33) % (round % 8 + 1)];
            memcpy(text + n, piece, strlen(piece));
            n += strlen(piece);
        }
        text[n] = 0;
        for (int w = 0; w < 300; w += 7)
            assert_int_equal(sm_wrap_text(text, w), wrap_length(text, w));
    }
    assert_int_equal(sm_wrap_text("", 4), 0);
    assert_int_equal(sm_wrap_text("a word or two", 8), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_end_at_blanks),
        cmocka_unit_test(test_what_has_no_blank_is_cut),
        cmocka_unit_test(test_long_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
