/* SPDX-License-Identifier: Apache-2.0 */
/* What the dashboard asks of a terminal and lets it do: whole frames, the alternate screen. */
#include "tests/tui/dashboard_child.h"

static const char question[] = "\033[?2026$p", from[] = "\033[?2026h", to[] = "\033[?2026l";

static bool was_sent(const char *text)
{
    return strstr(sm_str_text(&term.seen), text) != NULL;
}

/* Where it shows frames whole, each begins and ends; the answer is nothing that was typed, however
 * late it is. */
static void test_whole_frames(void **state)
{
    (void)state;
    start_on_the_trial("");
    assert_true(was_sent(question));
    assert_false(was_sent(from));
    type("\033[?2026;2$y");
    type("?");
    expect("q closes");
    type("q");
    expect_golden();
    assert_true(was_sent(from));
    const char *last = sm_str_text(&term.seen) + term.seen.len - strlen(to);
    while (strcmp(last, to) != 0 && pty_hear(&term))
        last = sm_str_text(&term.seen) + term.seen.len - strlen(to);
    assert_string_equal(last, to);
    type("\033[?2026;0$y");
    sm_str_truncate(&term.seen, 0);
    screen.taken = 0;
    type("?");
    expect("q closes");
    assert_false(was_sent(from));
    type("qQ");
    assert_int_equal(finish(), 0);
}

static void test_terminals_that_are_not_asked(void **state)
{
    (void)state;
    start("TERM=vt100 -n tests/trials/cnn_healthy");
    expect("NORMAL");
    type("Q");
    assert_int_equal(finish(), 0);
    assert_false(was_sent("2026"));
}

static void expect_no_alternate_screen(void)
{
    for (vt_take(&screen, &term); screen.alternate; vt_take(&screen, &term))
        assert_true(pty_hear(&term));
    expect("NORMAL");
}

static void test_no_alternate_screen(void **state)
{
    (void)state;
    start_on_the_trial("");
    assert_true(screen.alternate);
    type(":set tui altscreen off\r");
    expect_no_alternate_screen();
    type("Q");
    assert_int_equal(finish(), 0);
    start("-iex set~tui~altscreen~off -n tests/trials/cnn_healthy");
    expect_no_alternate_screen();
    type("Q");
    assert_int_equal(finish(), 0);
}

static void expect_sent(const char *text)
{
    while (!was_sent(text))
        if (!pty_hear(&term))
            fail_msg("\"%s\" was not sent", text);
}

static void test_the_clipboard(void **state)
{
    (void)state;
    start_on_the_trial("");
    type("c");
    expect_sent("\033]52;c;Q05OX2NvbnYxLmJpYXM=\a"); /* CNN_conv1.bias */
    type(":info modes\r");
    expect("q closes");
    type("c");
    expect("copied the answer");
    type("qQ");
    assert_int_equal(finish(), 0);
    start("TERM=vt100 -n tests/trials/cnn_healthy");
    expect("NORMAL");
    expect("statistics");
    type("jc");
    expect("The terminal has no clipboard");
    type("Q");
    assert_int_equal(finish(), 0);
    assert_false(was_sent("]52;"));
}

static void test_a_pane_is_printed(void **state)
{
    (void)state;
    start_on_the_trial("");
    type("P");
    expect_sent("\033[?1049l");
    expect("printed above the dashboard");
    assert_true(was_sent("tensors\r\n"));
    assert_true(screen.alternate);
    type("Q");
    assert_int_equal(finish(), 0);
}

static void expect_init(const char *text)
{
    char path[128], got[512] = "";
    snprintf(path, sizeof path, "%s/.config/smdbg/init", home);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    got[fread(got, 1, sizeof got - 1, f)] = 0;
    fclose(f);
    assert_string_equal(got, text);
}

/* What people wrote themselves stays. */
static void test_settings_are_written(void **state)
{
    char line[256];
    (void)state;
    snprintf(
        line, sizeof line,
        "mkdir -p %s/.config/smdbg; printf 'set confirm off\necho mine' > %s/.config/smdbg/init",
        home, home);
    assert_int_equal(system(line), 0);
    for (int i = 0; i < 2; i++) {
        start("tests/trials/cnn_healthy");
        expect("NORMAL");
        type(i ? ":set smoothing 0.9\r:print 6*7\r" : ":set smoothing 0.8\r:print 6*7\r");
        expect("$1 = 42");
        type("w");
        expect("2 settings written");
        type("Q");
        assert_int_equal(finish(), 0);
        expect_init(i ? "set confirm off\necho mine\n# written by the dashboard's key w\nset "
                        "confirm off\nset smoothing 0.9\n# end of what it wrote\n"
                      : "set confirm off\necho mine\n# written by the dashboard's key w\nset "
                        "confirm off\nset smoothing 0.8\n# end of what it wrote\n");
    }
    start("--readonly tests/trials/cnn_healthy");
    expect("NORMAL");
    type("w");
    expect("--readonly does not allow");
    type("Q");
    assert_int_equal(finish(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_whole_frames, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_terminals_that_are_not_asked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_alternate_screen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_clipboard, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_pane_is_printed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_settings_are_written, set_up, tear_down),
    };
    if (!prepare())
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
