/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of the mouse, character by character. */
#include "tui/terminal/mouse_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Whether the text is one report, to the last character. */
static bool reads(const char *text, struct sm_mouse *out)
{
    struct sm_mouse_report r = {0};
    for (; *text; text++) {
        enum sm_mouse_reading got = sm_mouse_report_add(&r, (unsigned char)*text, out);
        if (got != SM_MOUSE_READS_ON)
            return got == SM_MOUSE_READ && !text[1];
    }
    return false;
}

static void assert_report(const char *text, enum sm_mouse_kind kind, int x, int y)
{
    struct sm_mouse m = {0};
    assert_true(reads(text, &m));
    assert_int_equal(m.kind, kind);
    assert_int_equal(m.x, x);
    assert_int_equal(m.y, y);
}

static void test_reports(void **state)
{
    (void)state;
    assert_report("0;1;1M", SM_MOUSE_CLICK, 0, 0);
    assert_report("0;300;5m", SM_MOUSE_RELEASE, 299, 4);
    assert_report("32;13;19M", SM_MOUSE_MOVE, 12, 18);
    assert_report("64;2;3M", SM_MOUSE_WHEEL_UP, 1, 2);
    assert_report("65;2;3M", SM_MOUSE_WHEEL_DOWN, 1, 2);
    assert_report("66;2;3M", SM_MOUSE_OTHER, 1, 2); /* sideways */
    assert_report("2;2;3M", SM_MOUSE_OTHER, 1, 2);  /* the right button */
    assert_report("35;2;3M", SM_MOUSE_OTHER, 1, 2); /* moves without a button */
}

static void test_what_is_none(void **state)
{
    static const char *const texts[] = {"M",        "0;1M",   "0;0;1M",  "0;1;1;1M",
                                        "0;;1M",    "0;1;1x", "-1;1;1M", "0;99999999999;1M",
                                        "\033[0;1", "0;1;1 M"};
    (void)state;
    struct sm_mouse m;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_false(reads(texts[i], &m));
}

/* One that is too long is dropped, and the next one is read. */
static void test_the_next_one(void **state)
{
    (void)state;
    struct sm_mouse_report r = {0};
    struct sm_mouse m;
    enum sm_mouse_reading got = SM_MOUSE_READS_ON;
    for (int i = 0; i < 24 && got == SM_MOUSE_READS_ON; i++)
        got = sm_mouse_report_add(&r, '1', &m);
    assert_int_equal(got, SM_MOUSE_NOT_ONE);
    for (const char *p = "0;7;8M"; *p; p++)
        got = sm_mouse_report_add(&r, *p, &m);
    assert_int_equal(got, SM_MOUSE_READ);
    assert_int_equal(m.x, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reports),
        cmocka_unit_test(test_what_is_none),
        cmocka_unit_test(test_the_next_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
