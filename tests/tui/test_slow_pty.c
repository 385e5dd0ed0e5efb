/* SPDX-License-Identifier: Apache-2.0 */
/* The dashboard on a terminal that is not read, that is gone, or that was stopped for a while. */
#include "tests/tui/dashboard_child.h"

enum { FRAMES = 60, WIDE = 300, HIGH = 100, FRAME_BYTES = 12000 };

/* ---- a program that cannot be seen, but asked to write files ---- */

static char answer_path[64];

/* By the number of what it is the answer to. */
static void ask(int number)
{
    char line[128];
    snprintf(answer_path, sizeof answer_path, "%s/%d", home, number);
    snprintf(line, sizeof line, ":screen save %s\r", answer_path);
    type(line);
}

static void expect_answer(void)
{
    while (access(answer_path, F_OK) != 0) {
        if (!pty_patience(&term))
            fail_msg("%s does not come", answer_path);
        poll(NULL, 0, 1);
    }
}

/* Until nothing more fits between it and us, and then some. */
static void fill(void)
{
    start_on_the_trial("");
    resize(WIDE, HIGH);
    for (int i = 0; i < FRAMES; i++) {
        type("\014");
        ask(i);
        expect_answer();
    }
}

/* Nobody reads what it says at the end. */
static int end_unread(void)
{
    int status;
    assert_int_equal(waitpid(term.pid, &status, 0), term.pid);
    close(term.fd);
    term.pid = 0;
    return pty_status(status);
}

/* ---- tests ---- */

static void test_frames_are_dropped(void **state)
{
    (void)state;
    fill();
    size_t before = term.seen.len;
    type("q");
    resize(GOLDEN_W, GOLDEN_H);
    vt_resize(&screen, GOLDEN_W, GOLDEN_H);
    type("?");
    expect("q closes");
    type("q");
    expect_golden();
    assert_in_range(term.seen.len - before, 1, FRAMES / 2 * FRAME_BYTES);
    type("Q");
    assert_int_equal(finish(), 0);
}

static void test_it_ends_unread(void **state)
{
    (void)state;
    fill();
    type(":quit 3\r");
    assert_int_equal(end_unread(), 3);
    fill();
    assert_int_equal(kill(term.pid, SIGTERM), 0);
    assert_int_equal(end_unread(), 128 + SIGTERM);
}

static int lose_the_terminal(void)
{
    int status;
    close(term.fd);
    assert_int_equal(waitpid(term.pid, &status, 0), term.pid);
    term.pid = 0;
    return pty_status(status);
}

static void test_the_terminal_is_lost(void **state)
{
    (void)state;
    start_on_the_trial("");
    assert_int_equal(lose_the_terminal(), 128 + SIGHUP);
    signal(SIGHUP, SIG_IGN); /* under nohup no signal tells */
    start_on_the_trial("");
    signal(SIGHUP, SIG_DFL);
    assert_int_equal(lose_the_terminal(), 128 + SIGHUP);
}

static void test_stopped_while_the_size_changes(void **state)
{
    (void)state;
    start_on_the_trial("");
    int status;
    assert_int_equal(kill(term.pid, SIGSTOP), 0);
    assert_int_equal(waitpid(term.pid, &status, WUNTRACED), term.pid);
    assert_true(WIFSTOPPED(status));
    for (int y = 0; y < GOLDEN_H; y++)
        for (int x = 0; x < GOLDEN_W; x++)
            screen.cells[y][x].rune = '#'; /* another program wrote here */
    resize(1, 1);
    resize(GOLDEN_W, GOLDEN_H);
    assert_int_equal(kill(term.pid, SIGCONT), 0);
    expect_golden();
    type("Q");
    assert_int_equal(finish(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_frames_are_dropped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_it_ends_unread, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_terminal_is_lost, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stopped_while_the_size_changes, set_up, tear_down),
    };
    if (!prepare())
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
