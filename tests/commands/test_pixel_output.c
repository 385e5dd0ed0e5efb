/* When pictures go to the terminal as pixels. */
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

/* What `image` answers: 'P' sixel, '_' kitty, 'b' blocks. */
static char shown(const char *options)
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

static void only_where_it_is_asked_for(void **state)
{
    (void)state;
    assert_int_equal(shown(""), 'b');
    assert_int_equal(shown("-as sixel"), 'P');
    assert_int_equal(shown("-as kitty"), '_');
    driver_prompt(&d, "set images kitty");
    assert_int_equal(shown(""), '_');
    assert_int_equal(shown("-as blocks"), 'b');
    assert_int_equal(shown("| cat"), 'b');
    assert_int_equal(shown("-as sixel | cat"), 'P');
    d.session->term.on_tty = false;
    assert_int_equal(shown(""), 'b');
}

static void not_by_setting_within_others(void **state)
{
    (void)state;
    driver_prompt(&d, "set images sixel");
    assert_int_equal(shown(""), 'P');
    setenv("TMUX", "/tmp/x,1,0", 1);
    assert_int_equal(shown(""), 'b');
    assert_int_equal(shown("-as sixel"), 'P');
    setenv("TMUX", "", 1);
    assert_int_equal(shown(""), 'P');
    setenv("TERM", "screen.xterm", 1);
    assert_int_equal(shown(""), 'b');
    setenv("TERM", "tmux-256color", 1);
    assert_int_equal(shown(""), 'b');
}

static void the_dashboard_has_none(void **state)
{
    (void)state;
    driver_prompt(&d, "set images sixel");
    d.session->term.full_screen = true;
    assert_int_equal(shown(""), 'b');
    assert_int_equal(shown("-as sixel"), '!');
}

/* The picture has the size of its room, by the terminal's own characters. */
static void pixels_follow_the_characters(void **state)
{
    (void)state;
    assert_int_equal(shown("-as sixel -w 4 -h 2"), 'P');
    /* 32 x 32 of which five fit four times */
    assert_non_null(strstr(sm_str_text(&d.out), "\"1;1;20;20#"));
    d.session->term.cell_w = 20;
    d.session->term.cell_h = 40;
    assert_int_equal(shown("-as sixel -w 4 -h 2"), 'P');
    assert_non_null(strstr(sm_str_text(&d.out), "\"1;1;80;80#"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(only_where_it_is_asked_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(not_by_setting_within_others, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_dashboard_has_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(pixels_follow_the_characters, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
