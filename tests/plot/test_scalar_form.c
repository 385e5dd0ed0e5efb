/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a chart differ without colour. */
#include "plot/scalar_form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { STYLES = 28 };

static void test_forms_differ_without_colour(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 2 * STYLES; a++)
        for (unsigned b = 0; b < a; b++) {
            struct sm_scalar_form x = sm_scalar_form(a / 2, a % 2),
                                  y = sm_scalar_form(b / 2, b % 2);
            assert_true(x.dash != y.dash || x.marker != y.marker);
            assert_in_range(x.marker, 0, SM_MARKERS - 1);
        }
}

static void test_glyphs_of_markers_differ(void **state)
{
    (void)state;
    for (int set = SM_SYMBOLS_BRAILLE; set <= SM_SYMBOLS_ASCII; set++)
        for (int i = 1; i < SM_MARKERS; i++)
            for (int k = 0; k < i; k++)
                assert_int_not_equal(sm_glyphs((enum sm_symbols)set)->marker[i],
                                     sm_glyphs((enum sm_symbols)set)->marker[k]);
}

/* The first eight by their colours, all of the first 224 by colour, dash and marker. */
static void test_colours(void **state)
{
    (void)state;
    for (unsigned a = 0; a < 224; a++)
        for (unsigned b = 0; b < a; b++) {
            struct sm_scalar_form x = sm_scalar_form(a, 0), y = sm_scalar_form(b, 0);
            assert_true(x.role != y.role || x.dash != y.dash || x.marker != y.marker);
            if (a < 8)
                assert_int_not_equal(x.role, y.role);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms_differ_without_colour),
        cmocka_unit_test(test_glyphs_of_markers_differ),
        cmocka_unit_test(test_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
