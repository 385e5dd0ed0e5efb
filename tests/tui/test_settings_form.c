/* SPDX-License-Identifier: Apache-2.0 */
/* The set-up screen: words go round, values are typed in their place, what cannot be is refused. */
#include "tui/dashboard/settings_form.h"
#include "tui/program_features.h"
#include "tui/terminal/screen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

struct fixture {
    struct sm_settings_form setup;
    struct sm_settings settings;
    struct sm_grid grid;
};

static int begin(void **state)
{
    static struct fixture f;
    f = (struct fixture){0};
    sm_settings_init(&f.settings, sm_program_features);
    sm_grid_init(&f.grid, 80, 20);
    sm_settings_form_open(&f.setup);
    *state = &f;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;
    sm_settings_form_clear(&f->setup);
    sm_settings_clear(&f->settings);
    sm_grid_clear(&f->grid);
    return 0;
}

static void press(struct fixture *f, const char *keys)
{
    for (; *keys; keys++)
        assert_true(sm_settings_form_key(&f->setup, &f->settings, *keys));
}

static void stand_on(struct fixture *f, const char *name)
{
    f->setup.rows.page = 10;
    press(f, "g");
    for (size_t i = 0; strcmp(sm_setting_row(&f->settings, i)->name, name) != 0; i++)
        press(f, "j");
}

static const char *value(const struct fixture *f, const char *name)
{
    static char text[64];
    struct sm_str s = {0};
    sm_setting_text(&f->settings, sm_setting_named(&f->settings, name), &s);
    strncpy(text, sm_str_text(&s), sizeof text - 1);
    sm_str_clear(&s);
    return text;
}

static void test_words_go_round(void **state)
{
    struct fixture *f = *state;
    stand_on(f, "color");
    press(f, "l");
    assert_string_equal(value(f, "color"), "always");
    press(f, "hh");
    assert_string_equal(value(f, "color"), "never");
    press(f, "\r");
    assert_string_equal(value(f, "color"), "auto");
    stand_on(f, "confirm");
    press(f, " ");
    assert_string_equal(value(f, "confirm"), "off");
    press(f, "\x7f");
    assert_string_equal(value(f, "confirm"), "on");
}

static void test_numbers_are_typed(void **state)
{
    struct fixture *f = *state;
    stand_on(f, "print precision");
    press(f, "\r\x7f"
             "4\r");
    assert_false(f->setup.editing);
    assert_string_equal(value(f, "print precision"), "4");
    press(f, "\r"
             "0\r");
    assert_true(f->setup.editing);
    assert_string_equal(f->setup.err.msg, "40 is out of range: 0 to 16");
    assert_string_equal(value(f, "print precision"), "4");
    press(f, "\x1b");
    assert_false(f->setup.editing);
    assert_string_equal(value(f, "print precision"), "4");
    press(f, "l");
    assert_string_equal(value(f, "print precision"), "4");
    press(f, "q");
    assert_false(f->setup.shown);
}

static void test_other_keys_are_others(void **state)
{
    struct fixture *f = *state;
    assert_false(sm_settings_form_key(&f->setup, &f->settings, 'w'));
    assert_false(sm_settings_form_key(&f->setup, &f->settings, 'Q'));
    stand_on(f, "width");
    press(f, "\rwQ");
    assert_string_equal(sm_str_text(&f->setup.input), "autowQ");
}

static void assert_shows(struct fixture *f, const char *text)
{
    struct sm_str all = {0};
    sm_settings_form_draw(&f->setup, &f->settings, &f->grid,
                          (struct sm_rect){0, 0, f->grid.w, f->grid.h},
                          sm_glyphs(SM_SYMBOLS_ASCII));
    sm_print_plain(&f->grid, &all);
    if (!strstr(sm_str_text(&all), text))
        fail_msg("no \"%s\" in\n%s", text, sm_str_text(&all));
    sm_str_clear(&all);
}

static void test_what_is_seen(void **state)
{
    struct fixture *f = *state;
    stand_on(f, "print elements");
    assert_shows(f, "a number of elements or unlimited; default 200");
    stand_on(f, "print precision");
    assert_shows(f, "0 to 16 digits; default 8");
    press(f, "\r2\r");
    assert_shows(f, "82 is out of range: 0 to 16");
    press(f, "\x7f\x7f"
             "3\r");
    assert_shows(f, "* print precision       3 digits");
    assert_shows(f, "* 1 changed");
    stand_on(f, "color");
    assert_shows(f, "one of auto, always, never; default auto");
    press(f, "G");
    for (int w = 0; w < 90; w += 7)
        for (int h = 0; h < 12; h++) {
            sm_grid_resize(&f->grid, w, h);
            sm_settings_form_draw(&f->setup, &f->settings, &f->grid, (struct sm_rect){0, 0, w, h},
                                  sm_glyphs(SM_SYMBOLS_BRAILLE));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_words_go_round, begin, end),
        cmocka_unit_test_setup_teardown(test_numbers_are_typed, begin, end),
        cmocka_unit_test_setup_teardown(test_other_keys_are_others, begin, end),
        cmocka_unit_test_setup_teardown(test_what_is_seen, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
