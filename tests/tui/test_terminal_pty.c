/* What the dashboard asks of a terminal and lets it do: whole frames, the alternate screen. */
#include "tests/tui/dashboard_child.h"

static const char question[] = "\033[?2026$p", from[] = "\033[?2026h", to[] = "\033[?2026l";

static bool was_sent(const char *text)
{
    return strstr(sm_str_text(&term.seen), text) != NULL;
}

/* Where it shows frames whole, each begins and ends; the answer is nothing that was typed, however late it is. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_whole_frames, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_terminals_that_are_not_asked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_alternate_screen, set_up, tear_down),
    };
    if (!prepare())
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
