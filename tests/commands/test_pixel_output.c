/* SPDX-License-Identifier: Apache-2.0 */
/* When images are sent to the terminal as pixels. */
#include "tests/commands/driver.h"

static struct driver d;

static int set_up(void **state)
{
    (void)state;
    driver_open(&d, "cnn_healthy", false);
    d.session->term.on_tty = true;
    unsetenv("TMUX");
    unsetenv("STY");
    setenv("TERM", "xterm-256color", 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    driver_close(&d);
    return 0;
}

/* The output of `image`: 'P' sixel, '_' kitty, 'b' blocks, '!' an error. */
static char image_output(const char *options)
{
    struct sm_str line = {0};
    sm_str_printf(&line, "image CNN_conv0.weight[0,0] step 10 %s", options);
    sm_str_truncate(&d.out, 0);
    sm_str_truncate(&d.err, 0);
    sm_str_truncate(&d.shell, 0);
    driver_prompt(&d, sm_str_text(&line));
    sm_str_clear(&line);
    const char *text = d.shell.len ? sm_str_text(&d.shell) : sm_str_text(&d.out);
    if (d.err.len)
        return '!';
    return strstr(text, "\033P0;1;0q") ? 'P' : strstr(text, "\033_Ga=T") ? '_' : 'b';
}

static void pixels_only_if_selected(void **state)
{
    (void)state;
    assert_int_equal(image_output(""), 'b');
    assert_int_equal(image_output("-as sixel"), 'P');
    assert_int_equal(image_output("-as kitty"), '_');
    driver_prompt(&d, "set images kitty");
    assert_int_equal(image_output(""), '_');
    assert_int_equal(image_output("-as blocks"), 'b');
    assert_int_equal(image_output("| cat"), 'b');
    assert_int_equal(image_output("-as sixel | cat"), 'P');
    d.session->term.on_tty = false;
    assert_int_equal(image_output(""), 'b');
}

static void setting_is_ignored_in_multiplexers(void **state)
{
    (void)state;
    driver_prompt(&d, "set images sixel");
    assert_int_equal(image_output(""), 'P');
    setenv("TMUX", "/tmp/x,1,0", 1);
    assert_int_equal(image_output(""), 'b');
    assert_int_equal(image_output("-as sixel"), 'P');
    setenv("TMUX", "", 1);
    assert_int_equal(image_output(""), 'P');
    setenv("TERM", "screen.xterm", 1);
    assert_int_equal(image_output(""), 'b');
    setenv("TERM", "tmux-256color", 1);
    assert_int_equal(image_output(""), 'b');
}

static void the_dashboard_has_blocks_only(void **state)
{
    (void)state;
    driver_prompt(&d, "set images sixel");
    d.session->term.full_screen = true;
    assert_int_equal(image_output(""), 'b');
    assert_int_equal(image_output("-as sixel"), '!');
}

/* The size of the image is that of its cells, from the size of the terminal's characters. */
static void size_in_pixels_follows_the_cells(void **state)
{
    (void)state;
    assert_int_equal(image_output("-as sixel -w 4 -h 2"), 'P');
    /* 32 x 32 pixels: 5 x 5 elements fit at a zoom of four */
    assert_non_null(strstr(sm_str_text(&d.out), "\"1;1;20;20#"));
    d.session->term.cell_w = 20;
    d.session->term.cell_h = 40;
    assert_int_equal(image_output("-as sixel -w 4 -h 2"), 'P');
    assert_non_null(strstr(sm_str_text(&d.out), "\"1;1;80;80#"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pixels_only_if_selected, set_up, tear_down),
        cmocka_unit_test_setup_teardown(setting_is_ignored_in_multiplexers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_dashboard_has_blocks_only, set_up, tear_down),
        cmocka_unit_test_setup_teardown(size_in_pixels_follows_the_cells, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
