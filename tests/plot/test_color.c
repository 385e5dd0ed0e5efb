/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/grid/color.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static int rgb_distance(uint32_t a, uint32_t b)
{
    int sum = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        int d = (int)(a >> shift & 255) - (int)(b >> shift & 255);
        sum += d * d;
    }
    return sum;
}

/* xterm's 6x6x6 cube and its greys. */
static uint32_t rgb_of_256(int i)
{
    static const uint32_t level[] = {0, 95, 135, 175, 215, 255};
    if (i < 232)
        return level[(i - 16) / 36] << 16 | level[(i - 16) / 6 % 6] << 8 | level[(i - 16) % 6];
    return (uint32_t)(8 + 10 * (i - 232)) * 0x010101;
}

static void test_256_is_the_nearest(void **state)
{
    (void)state;
    for (int light = 0; light < 2; light++)
        for (int role = 0; role <= SM_ROLE_RGB_LAST; role += role < SM_ROLE_COUNT ? 1 : 97) {
            const struct sm_color c = sm_color_of((enum sm_role)role, light);
            int chosen = rgb_distance(c.rgb, rgb_of_256(c.c256));
            for (int i = 16; i < 256; i++)
                if (rgb_distance(c.rgb, rgb_of_256(i)) < chosen)
                    fail_msg("role %d (#%06x): %d is nearer than %d", role, (unsigned)c.rgb, i,
                             c.c256);
        }
}

static void test_series_differ_in_every_depth(void **state)
{
    (void)state;
    for (int light = 0; light < 2; light++)
        for (int i = 0; i < 8; i++)
            for (int k = 0; k < i; k++) {
                const struct sm_color a = sm_color_of((enum sm_role)(SM_ROLE_SERIES_0 + i), light);
                const struct sm_color b = sm_color_of((enum sm_role)(SM_ROLE_SERIES_0 + k), light);
                assert_true(a.rgb != b.rgb && a.c256 != b.c256 && a.c16 != b.c16);
            }
}

static int luminance(int role, bool light)
{
    uint32_t rgb = sm_color_of((enum sm_role)role, light).rgb;
    return (int)(299 * (rgb >> 16) + 587 * (rgb >> 8 & 255) + 114 * (rgb & 255)) / 1000;
}

static void test_heat_runs_away_from_the_background(void **state)
{
    (void)state;
    for (int i = 1; i < 16; i++) {
        assert_true(luminance(SM_ROLE_HEAT_0 + i, false) >
                    luminance(SM_ROLE_HEAT_0 + i - 1, false));
        assert_true(luminance(SM_ROLE_HEAT_0 + i, true) < luminance(SM_ROLE_HEAT_0 + i - 1, true));
        assert_true(luminance(SM_ROLE_CIVIDIS_0 + i, false) >
                    luminance(SM_ROLE_CIVIDIS_0 + i - 1, false));
        assert_true(luminance(SM_ROLE_CIVIDIS_0 + i, true) <
                    luminance(SM_ROLE_CIVIDIS_0 + i - 1, true));
    }
    assert_int_equal(sm_color_of(SM_ROLE_HEAT_0, false).rgb, 0x440154);
    assert_int_equal(sm_color_of(SM_ROLE_HEAT_15, false).rgb, 0xfde725);
}

static void test_themes_read_on_their_background(void **state)
{
    (void)state;
    for (int role = SM_ROLE_TEXT; role <= SM_ROLE_SERIES_7; role++) {
        assert_true(luminance(role, false) > 80);
        assert_true(luminance(role, true) < 190);
    }
}

static void assert_sgr(enum sm_role role, unsigned attr, enum sm_color_depth depth, bool light,
                       const char *want)
{
    struct sm_str s = {0};
    sm_color_sgr(&s, role, attr, depth, light);
    assert_string_equal(sm_str_text(&s), want);
    sm_str_clear(&s);
}

static void test_sgr(void **state)
{
    (void)state;
    assert_sgr(SM_ROLE_SERIES_0, 0, SM_COLOR_TRUE, false, "\033[0;38;2;86;180;233m");
    assert_sgr(SM_ROLE_SERIES_0, 0, SM_COLOR_256, false, "\033[0;38;5;74m");
    assert_sgr(SM_ROLE_SERIES_0, 0, SM_COLOR_16, false, "\033[0;96m");
    assert_sgr(SM_ROLE_SERIES_0, 0, SM_COLOR_16, true, "\033[0;34m");
    assert_sgr(SM_ROLE_SERIES_0, 0, SM_COLOR_MONO, false, "");
    assert_sgr(SM_ROLE_SERIES_0, SM_ATTR_REVERSE, SM_COLOR_MONO, false, "\033[0;7m");
    assert_sgr(SM_ROLE_PROBLEM, 0, SM_COLOR_MONO, false, "\033[0;1m");
    assert_sgr(SM_ROLE_TEXT, 0, SM_COLOR_256, true, "\033[0m");
    assert_sgr(SM_ROLE_TITLE, SM_ATTR_UNDERLINE, SM_COLOR_256, false, "\033[0;1;4m");
    assert_sgr((enum sm_role)(SM_ROLE_RGB_LAST + 1), 0, SM_COLOR_256, false, "\033[0m");
    assert_sgr(sm_role_rgb(255, 255, 255), 0, SM_COLOR_TRUE, true, "\033[0;38;2;255;255;255m");
    assert_sgr(sm_role_rgb(255, 0, 0), 0, SM_COLOR_16, false, "\033[0;91m");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_256_is_the_nearest),
        cmocka_unit_test(test_series_differ_in_every_depth),
        cmocka_unit_test(test_heat_runs_away_from_the_background),
        cmocka_unit_test(test_themes_read_on_their_background),
        cmocka_unit_test(test_sgr),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
