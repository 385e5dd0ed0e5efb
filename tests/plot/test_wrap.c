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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_end_at_blanks),
        cmocka_unit_test(test_what_has_no_blank_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
