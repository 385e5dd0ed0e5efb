/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void assert_escaped(const char *p, size_t n, const char *want)
{
    struct sm_str s = {0};
    sm_str_add_escaped(&s, p, n);
    assert_string_equal(sm_str_text(&s), want);
    sm_str_clear(&s);
}

static void test_every_rune_survives(void **state)
{
    (void)state;
    for (uint32_t r = 0; r <= 0x10ffff; r++) {
        if (r == 0xd800)
            r = 0xe000;
        char bytes[4];
        uint32_t back = ~r;
        size_t n = sm_utf8_encode(r, bytes);
        assert_int_equal(sm_utf8_decode(bytes, n, &back), n);
        assert_int_equal(back, r);
        assert_int_equal(sm_utf8_decode(bytes, n - 1, &back), 0); /* truncated */
    }
}

static void test_bad_utf8_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\x80",         "\xbf",         "\xc0\x80",         "\xc1\xbf",
        "\xe0\x80\x80", "\xe0\x9f\xbf", "\xf0\x80\x80\x80", "\xf0\x8f\xbf\xbf",
        "\xed\xa0\x80", "\xed\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
        "\xff",         "\xc3(",        "\xe2\x82(",        "\xf0\x9f\x98(",
    };
    uint32_t r;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(sm_utf8_decode(bad[i], strlen(bad[i]), &r), 0);
    assert_int_equal(sm_utf8_decode("a", 0, &r), 0);
}

static void test_controls_are_escaped(void **state)
{
    (void)state;
    assert_escaped("a\033]0;x\007\n\t\x7f", 10, "a\\x1b]0;x\\x07\\x0a\\x09\\x7f");
    assert_escaped("\0b", 2, "\\x00b");
    assert_escaped("\xc2\x9b"
                   "2J",
                   4, "\\x9b2J"); /* CSI as one C1 character */
    assert_escaped("\x9b\xff\xe2\x82", 4, "\\x9b\\xff\\xe2\\x82");
}

static void test_hidden_and_reordering_are_escaped(void **state)
{
    (void)state;
    assert_escaped("\u202eabc\u2069", 9, "\\u{202e}abc\\u{2069}");
    assert_escaped("\u200b\ufeff\u061c", 8, "\\u{200b}\\u{feff}\\u{061c}");
    assert_escaped("\U000e0041", 4, "\\u{e0041}");
}

static void test_print_passes(void **state)
{
    (void)state;
    const char *text = "conv0/W:0 \\x \u00e9 e\u0301 \u6f22 \U0001f600 ~";
    assert_escaped(text, strlen(text), text);
    assert_escaped("", 0, "");
}

static void test_widths(void **state)
{
    (void)state;
    static const struct {
        uint32_t rune;
        int width;
    } want[] = {
        {0, 0},       {'\n', 0},    {0x7f, 0},     {0x9f, 0},    {' ', 1},    {'~', 1},
        {0xa0, 1},    {0xad, 1},    {0xe9, 1},     {0x2ff, 1},   {0x300, 0},  {0x36f, 0},
        {0x370, 1},   {0x5d0, 1},   {0x5b0, 0},    {0x10ff, 1},  {0x1100, 2}, {0x1160, 0},
        {0x200b, 0},  {0x200d, 0},  {0x2014, 1},   {0x2500, 1},  {0x2588, 1}, {0x28ff, 1},
        {0x231a, 2},  {0x3000, 2},  {0x303f, 1},   {0x3042, 2},  {0x4e00, 2}, {0x9fff, 2},
        {0xac00, 2},  {0xd7a3, 2},  {0xfe0f, 0},   {0xff01, 2},  {0xff61, 1}, {0x1f600, 2},
        {0x1f3fb, 2}, {0x1d538, 1}, {0x20000, 2},  {0xe0101, 0}, {0x0e31, 0}, {0x093c, 0},
        {0x0939, 1},  {0x2603, 1},  {0x10ffff, 1},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        if (sm_rune_width(want[i].rune) != want[i].width)
            fail_msg("U+%04X: %d columns, not %d", (unsigned)want[i].rune,
                     sm_rune_width(want[i].rune), want[i].width);
    assert_int_equal(sm_text_width("a\u6f22e\u0301\xff", 8), 5);
    assert_int_equal(sm_text_width("", 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_rune_survives),
        cmocka_unit_test(test_bad_utf8_is_refused),
        cmocka_unit_test(test_controls_are_escaped),
        cmocka_unit_test(test_hidden_and_reordering_are_escaped),
        cmocka_unit_test(test_print_passes),
        cmocka_unit_test(test_widths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
