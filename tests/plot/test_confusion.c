/* SPDX-License-Identifier: Apache-2.0 */
#include "plot/confusion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/plot/screen.h"

static const char *const labels[] = {"cat", "dog", "a_rather_long_name"};
static const uint64_t cells[] = {10, 0, 0, 3, 120, 1, 0, 0, 0};
static const struct sm_confusion_map map = {.labels = labels, .cells = cells, .n = 3};

static void test_matrix(void **state)
{
    (void)state;
    struct sm_grid g;
    int w, h;
    sm_confusion_size(&map, &w, &h);
    assert_int_equal(w, 16 + 3 * 5);
    assert_int_equal(h, 4);
    sm_grid_init(&g, w, h);
    sm_confusion_draw(&g, (struct sm_rect){0, 0, w, h}, &map, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "true              cat  dog  a~e\n"
                      "             cat @ 10    .    .\n"
                      "             dog .  3 @120 .  1\n"
                      "a_rathe...g_name    .    .    .\n");
    assert_int_equal(sm_grid_at(&g, 20, 1)->attr, SM_ATTR_BOLD);
    assert_int_equal(sm_grid_at(&g, 20, 2)->role, SM_ROLE_WARN);
    sm_grid_clear(&g);
}

static void test_what_does_not_fit_is_counted(void **state)
{
    (void)state;
    struct sm_grid g;
    sm_grid_init(&g, 27, 3);
    sm_confusion_draw(&g, (struct sm_rect){0, 0, 27, 3}, &map, sm_glyphs(SM_SYMBOLS_ASCII));
    assert_screen(&g, "true              cat  dog\n"
                      "             cat @ 10    .\n"
                      "+2 more\n");
    sm_grid_clear(&g);
}

static void draw_any(struct sm_grid *g, struct sm_rect r, const void *arg)
{
    sm_confusion_draw(g, r, &map, sm_glyphs(*(const enum sm_symbols *)arg));
}

static void test_any_size(void **state)
{
    (void)state;
    assert_any_size(draw_any);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_what_does_not_fit_is_counted),
        cmocka_unit_test(test_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
