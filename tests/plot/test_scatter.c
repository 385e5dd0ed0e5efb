/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/scatter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/plot/screen.h"

#include <math.h>

static const double x[] = {0, 1, 1, 1, 2, NAN}, y[] = {0, 1, 1, 1, 2, 1};
static const unsigned group[] = {0, 0, 1, 1, 2, 2};
static const uint32_t marks[] = {'0', '1', '2'};

static void test_groups(void **state)
{
    (void)state;
    const struct sm_scatter s = {.x = x, .y = y, .n = 6, .group = group, .marks = marks};
    struct sm_grid g;
    sm_grid_init(&g, 15, 7);
    sm_scatter_draw(&g, (struct sm_rect){0, 0, 15, 7}, &s, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "2 +           2\n"
                      "  |\n"
                      "1 +      1\n"
                      "  |\n"
                      "0 +0\n"
                      "  ++----------+\n"
                      "   0       2.00\n");
    assert_int_equal(sm_grid_at(&g, 9, 2)->role, SM_ROLE_SERIES_0 + 1); /* two against one */
    sm_grid_clear(&g);
}

static void test_dots(void **state)
{
    (void)state;
    const struct sm_scatter s = {.x = x, .y = y, .n = 6};
    struct sm_grid g;
    sm_grid_init(&g, 5, 2);
    sm_scatter_draw(&g, (struct sm_rect){0, 0, 5, 2}, &s, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "    '\n. '\n");
    sm_grid_clear(&g);
}

static void draw_any(struct sm_grid *g, struct sm_rect r, const void *arg)
{
    const struct sm_scatter s = {.x = x, .y = y, .n = 6, .group = group, .marks = marks};
    sm_scatter_draw(g, r, &s, sm_glyphs(*(const enum sm_symbols *)arg));
}

static void test_any_size(void **state)
{
    (void)state;
    assert_any_size(draw_any);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_dots),
        cmocka_unit_test(test_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
