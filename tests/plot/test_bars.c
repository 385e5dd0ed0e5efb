/* SPDX-License-Identifier: Apache-2.0 */
/* Horizontal bars with labels. */
#include "plot/chart.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/plot/screen.h"

static const struct sm_bar bars[] = {{"income", "0.44", 0.44},
                                     {"är", "0.110", 0.11},
                                     {"n", "0", 0},
                                     {"x", "nan", NAN},
                                     {"t", "1e-9", 1e-9}};

static void test_rows(void **state)
{
    (void)state;
    struct sm_grid g = {0};
    sm_bar_rows(&g, bars, 5, 8, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "income   0.44 ########\n"
                      "är      0.110 ##\n"
                      "n           0\n"
                      "x         nan\n"
                      "t        1e-9 :\n");
    sm_bar_rows(&g, bars, 2, 2, sm_glyphs(SM_SYMBOLS_BRAILLE));
    assert_screen(&g, "income   0.44 ██\n"
                      "är      0.110 ▌\n");
    sm_bar_rows(&g, bars, 0, 8, sm_glyphs(SM_SYMBOLS_BRAILLE));
    assert_int_equal(g.h, 0);
    sm_bar_rows(&g, bars, 1, -1, sm_glyphs(SM_SYMBOLS_BRAILLE));
    assert_screen(&g, "income  0.44\n");
    sm_grid_clear(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
