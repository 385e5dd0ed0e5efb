/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing styles, and applying them to cells. */
#include "plot/grid/style.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_words(void **state)
{
    struct sm_style s;
    struct sm_err err;
    static const char *const bad[] = {
        "mauve", "red mauve", "red blue blinking", "red blue bold bold", "ff88", "ff880g"};
    (void)state;
    assert_true(sm_style_parse("", &s, &err) && !s.set);
    assert_true(sm_style_parse(" red  default bold ", &s, &err) && s.set);
    assert_int_equal(s.role, sm_role_rgb(0xcd, 0, 0));
    assert_int_equal(s.back, SM_ROLE_TEXT);
    assert_int_equal(s.attr, SM_ATTR_BOLD);
    assert_true(sm_style_parse("default FF8800", &s, &err) && s.set);
    assert_int_equal(s.role, SM_ROLE_TEXT);
    assert_int_equal(s.back, sm_role_rgb(0xff, 0x88, 0));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (sm_style_check(bad[i], &err))
            fail_msg("\"%s\" is taken", bad[i]);
}

static void test_cells(void **state)
{
    struct sm_grid g;
    struct sm_styles styles = {0};
    (void)state;
    sm_grid_init(&g, 3, 1);
    sm_grid_put(&g, 0, 0, 'a', SM_ROLE_DIM, SM_ATTR_UNDERLINE);
    sm_grid_put(&g, 1, 0, 'b', SM_ROLE_OK, 0);
    sm_grid_put(&g, 2, 0, 'c', SM_ROLE_HEAT_0, 0);
    assert_true(sm_style_parse("green blue bold", &styles.of[SM_ROLE_DIM], NULL));
    sm_styles_apply(&styles, &g);
    assert_int_equal(g.cells[0].role, sm_role_rgb(0, 0xcd, 0));
    assert_int_equal(g.cells[0].back, sm_role_rgb(0, 0, 0xee));
    assert_int_equal(g.cells[0].attr, SM_ATTR_UNDERLINE | SM_ATTR_BOLD);
    assert_int_equal(g.cells[1].role, SM_ROLE_OK);
    assert_int_equal(g.cells[2].role, SM_ROLE_HEAT_0);
    sm_grid_clear(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words), cmocka_unit_test(test_cells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
