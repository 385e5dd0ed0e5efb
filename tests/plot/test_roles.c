/* SPDX-License-Identifier: Apache-2.0 */
/* Converts cells to text and back: every look survives, and anything else is text. */
#include "plot/grid/grid_print.h"
#include "plot/grid/roles.h"
#include "reader/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void test_there_and_back(void **state)
{
    struct sm_grid g, again;
    struct sm_str text = {0}, bytes = {0};
    struct sm_role_run *looks;
    size_t n;
    (void)state;
    sm_grid_init(&g, 12, 1);
    sm_grid_init(&again, 12, 1);
    sm_grid_text(&g, 0, 0, 12, SM_ROLE_DIM, 0, "dim");
    sm_grid_text(&g, 3, 0, 9, SM_ROLE_PROBLEM, SM_ATTR_BOLD, "12 NaN");
    sm_grid_halves(&g, 9, 0, SM_ROLE_SERIES_0, sm_role_rgb(255, 0, 0), 'x');
    sm_grid_text(&g, 10, 0, 2, SM_ROLE_TEXT, SM_ATTR_REVERSE, "ok");
    sm_print_ansi(&g, SM_COLOR_ROLES, false, &text);
    sm_roles_parse(sm_str_text(&text), text.len, &bytes, &looks, &n);
    assert_int_equal(sm_str_text(&bytes)[bytes.len - 1], '\n');
    assert_int_equal(
        sm_roles_draw(&again, 0, 0, 12, sm_str_text(&bytes), 0, bytes.len - 1, looks, n), 12);
    assert_memory_equal(again.cells, g.cells, 12 * sizeof *g.cells);
    sm_grid_blank(&again, (struct sm_rect){0, 0, 12, 1});
    assert_int_equal(sm_roles_draw(&again, 0, 0, 12, sm_str_text(&bytes), 6, 3, looks, n), 3);
    /* from the middle of a run */
    assert_memory_equal(again.cells, g.cells + 6, 3 * sizeof *g.cells);
    sm_free(looks);
    sm_str_clear(&text);
    sm_str_clear(&bytes);
    sm_grid_clear(&g);
    sm_grid_clear(&again);
}

static void test_what_is_no_mark(void **state)
{
    static const char *const texts[] = {"\033",          "\033[",     "\033[1;2;3~", "\033[1;2;3;4",
                                        "\033[1;2;3;x~", "a\033[0mb", "\033[;;;~x"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sm_str out = {0};
        struct sm_role_run *looks;
        size_t n;
        sm_roles_parse(texts[i], strlen(texts[i]), &out, &looks, &n);
        assert_int_equal(n, i == 6);
        assert_string_equal(sm_str_text(&out), i == 6 ? "x" : texts[i]);
        sm_free(looks);
        sm_str_clear(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_there_and_back),
        cmocka_unit_test(test_what_is_no_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
