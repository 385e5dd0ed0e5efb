/* SPDX-License-Identifier: Apache-2.0 */
/* The plain prompt on a pseudo-terminal with the real readline. */
#include "reader/base/clock.h"
#include "tests/tui/pty.h"
#include "tui/frontends/frontend.h"
#include "tui/program_features.h"
#include "tui/terminal/terminal.h"

#include <locale.h>

enum { ARGS_MAX = 8, INTERRUPTS = 2000 };

static struct pty term;
static const char *terminal = "dumb";
static char home[] = "/tmp/smdbg-repl-XXXXXX";

/* ---- the child ---- */

static int run_child(int argc, char **argv)
{
    struct sm_options o;
    struct sm_err err = {0};
    setenv("TERM", terminal, 1);
    setenv("HOME", home, 1);
    setenv("INPUTRC", "/dev/null", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("COLUMNS");
    unsetenv("LINES");
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_CONFIG_HOME");
    setlocale(LC_CTYPE, "");
    if (!sm_options_parse(argc, argv, &o, &err))
        return 99;
    struct sm_pool *pool = sm_pool_new(1, 0, &err);
    struct sm_session *s = sm_session_new(pool, sm_program_features, &err);
    struct sm_loop *l = sm_loop_new(s, &err);
    s->term.on_tty = true;
    sm_terminal_size(s);
    int status = sm_frontend_run(l, &o, false);
    sm_loop_free(l);
    sm_session_free(s);
    sm_pool_free(pool);
    sm_options_clear(&o);
    return status;
}

static void start(const char *line, unsigned short rows)
{
    char text[256], name[] = "smdbg-tui", *argv[ARGS_MAX + 1] = {name}, *save = NULL;
    int argc = 1;
    snprintf(text, sizeof text, "%s", line);
    for (char *w = strtok_r(text, "|", &save); w && argc < ARGS_MAX; w = strtok_r(NULL, "|", &save))
        argv[argc++] = w;
    if (!pty_start(&term, 80, rows))
        _exit(run_child(argc, argv));
}

static void expect(const char *text)
{
    pty_expect(&term, text);
}

static void expect_not(const char *text)
{
    if (strstr(sm_str_text(&term.seen), text))
        fail_msg("\"%s\" was shown", text);
}

static void type(const char *text)
{
    pty_type(&term, text);
}

static int finish(void)
{
    return pty_finish(&term);
}

static const char *history(void)
{
    static char text[4096];
    char path[256];
    snprintf(path, sizeof path, "%s/.local/state/smdbg/history", home);
    FILE *f = fopen(path, "r");
    text[f ? fread(text, 1, sizeof text - 1, f) : 0] = 0;
    if (f)
        fclose(f);
    return text;
}

static int make_home(void **state)
{
    (void)state;
    strcpy(strrchr(home, '-'), "-XXXXXX");
    return !mkdtemp(home);
}

static int remove_home(void **state)
{
    char command[128];
    (void)state;
    pty_clear(&term);
    snprintf(command, sizeof command, "rm -rf %s", home);
    return system(command);
}

/* ---- tests ---- */

static void test_a_session(void **state)
{
    (void)state;
    start("tests/trials/cnn_healthy", 50);
    expect("cnn_healthy: smdebug trial, 1 worker, ended\r\n16 steps (TRAIN 0..80, EVAL 0..11), 29 "
           "tensors in 11 collections\r\n(smdbg) ");
    type("print 1+2\r");
    expect("print 1+2\r\n$1 = 3\r\n(smdbg) ");
    type("nosuch\r");
    expect("Undefined command: \"nosuch\".  Try \"help\".\r\n(smdbg) ");
    type("info work\t\r");
    expect("info workers ");
    expect("worker_0");
    expect("(smdbg) ");
    type(" echo hidden\r");
    expect("hidden\r\n(smdbg) ");
    type("\004");
    expect("quit\r\n");
    assert_int_equal(finish(), 0);
    assert_string_equal(history(), "print 1+2\nnosuch\ninfo workers \n");
    start("-q", 50);
    expect("(smdbg) ");
    type("\020\020\r"); /* Ctrl-P twice: two lines back, from the file */
    expect("Undefined command: \"nosuch\"");
    expect("(smdbg) ");
    type("quit 3\r");
    assert_int_equal(finish(), 3);
}

/* The cause is told once, above the prompt; nothing is said of a run that is well. */
static void test_the_cause_is_told(void **state)
{
    (void)state;
    start("tests/trials/mlp_exploding_tensor", 50);
    expect("learning rate too high, since step 1. \"verdict\" shows the evidence.\r\n");
    type("verdict -field cause\r");
    expect("cause  learning_rate_too_high\r\n");
    const char *told = strstr(sm_str_text(&term.seen), "shows the evidence");
    assert_null(strstr(told + 1, "shows the evidence")); /* once */
    type("quit\r");
    expect("quit\r\n");
    finish();
    start("tests/trials/cnn_healthy", 50);
    expect("(smdbg) ");
    type("verdict -field cause\r"); /* answers when all was read */
    expect("cause  none\r\n(smdbg) ");
    expect_not("shows the evidence");
    type("quit\r");
    finish();
}

static void test_empty_lines_repeat(void **state)
{
    (void)state;
    start("-q", 50);
    expect("(smdbg) ");
    type("print 5\r");
    expect("$1 = 5\r\n(smdbg) ");
    type("\r");
    expect("$2 = 5\r\n(smdbg) ");
    type("print 6 + \\\r");
    expect("\r\n> ");
    type("7\r");
    expect("$3 = 13\r\n(smdbg) ");
    type("quit\r");
    assert_int_equal(finish(), 0);
}

static void test_interrupts(void **state)
{
    (void)state;
    start("-q|tests/trials/killed_midrun", 50);
    expect("(smdbg) ");
    type("print 1");
    expect("print 1");
    type("\003");
    expect("^C\r\n(smdbg) ");
    type("print 7\r");
    expect("$1 = 7\r\n(smdbg) ");
    type("wait step 100000 -timeout 1h\r");
    expect("Ctrl-C stops it"); /* it runs, and says so */
    type("\003");
    expect("Quit\r\n(smdbg) ");
    type("\022prin"); /* a search is left, too */
    expect("print 7");
    type("\003");
    expect("^C\r\n(smdbg) ");
    type("print 8\r");
    expect("$2 = 8\r\n(smdbg) ");
    type("quit\r");
    assert_int_equal(finish(), 0);
}

/* Twice within a second: here all happens at once. */
static void test_two_interrupts_ask(void **state)
{
    (void)state;
    sm_clock_freeze(1, 1); /* the child's */
    start("-q", 50);
    sm_clock_thaw();
    expect("(smdbg) ");
    type("\003");
    expect("^C\r\n(smdbg) ");
    type("\003");
    expect("^C\r\nQuit? (y or n) ");
    type("n\r");
    expect("(smdbg) ");
    type("\003");
    expect("^C\r\n(smdbg) ");
    type("\003");
    expect("Quit? (y or n) ");
    type("y\r");
    assert_int_equal(finish(), 0);
}

/* The terminal throws away what was typed before Ctrl-C, also what poll has already told of. */
static void test_keys_that_an_interrupt_takes_back(void **state)
{
    (void)state;
    start("-q", 50);
    expect("(smdbg) ");
    for (int i = 0; i < INTERRUPTS; i++) {
        type("x");
        expect("x");
        type("y");
        for (volatile int moment = 0; moment < i % 64 * 400; moment++)
            ; /* at ever another point of the child's turn */
        type("\003");
        expect("^C\r\n(smdbg) ");
    }
    type("print 1\r");
    expect("$1 = 1\r\n(smdbg) ");
    type("\004");
    assert_int_equal(finish(), 0);
}

static void test_pages(void **state)
{
    (void)state;
    static const char question[] =
        "--Type <RET> for more, q to quit, c to continue without paging--";
    start("-q|tests/trials/cnn_healthy", 7); /* 17 lines in pages of 6 */
    expect("(smdbg) ");
    type("info steps\r");
    expect("\r\n  30  EVAL");
    expect(question);
    expect_not(" 64  EVAL");
    type("\r");
    expect("\r\n  64  EVAL");
    expect(question);
    type("q");
    expect("(smdbg) ");
    expect_not(" 101  EVAL");
    type("\r"); /* belongs to the q: repeats nothing */
    expect("(smdbg) ");
    type("print 1\r");
    expect("$1 = 1\r\n(smdbg) ");
    type("info steps\r");
    expect(question);
    type("c");
    expect("\r\n 101  EVAL");
    expect("(smdbg) ");
    type("info steps\r");
    expect(question);
    type("\003");
    expect("(smdbg) ");
    type("set pagination off\r");
    expect("(smdbg) ");
    size_t begin = term.at;
    type("info steps\r");
    expect("(smdbg) ");
    assert_null(strstr(term.seen.data + begin, question));
    type("quit\r");
    assert_int_equal(finish(), 0);
}

static void test_commands_first_then_the_prompt(void **state)
{
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s/.smdbginit", home);
    FILE *f = fopen(path, "w");
    fputs("echo from the init file\\n\nset print elements 17\n", f);
    fclose(f);
    start("-ex|show print elements|-iex|echo early\\n|-ex|bad command|tests/trials/cnn_healthy",
          50);
    expect("from the init file\r\n");
    expect("early\r\n");
    expect("17");
    expect("Undefined command: \"bad\"");
    expect("(smdbg) ");
    type("quit\r");
    assert_int_equal(finish(), 1);
}

static void test_ending_by_a_signal_keeps_the_history(void **state)
{
    (void)state;
    struct termios before, after;
    start("-q", 50);
    expect("(smdbg) ");
    assert_int_equal(tcgetattr(term.fd, &before), 0);
    assert_false(before.c_lflag & ICANON);
    type("echo kept\r");
    expect("kept\r\n(smdbg) ");
    kill(term.pid, SIGTERM);
    while (pty_hear(&term))
        ;
    assert_int_equal(tcgetattr(term.fd, &after), 0);
    assert_true(after.c_lflag & ICANON);
    assert_int_equal(finish(), 128 + SIGTERM);
    assert_string_equal(history(), "echo kept\n");
}

static void test_a_paste_of_lines(void **state)
{
    (void)state;
    start("-q", 50);
    expect("(smdbg) ");
    type("print 1\rprint 2\rprint 3\r");
    expect("$1 = 1\r\n");
    expect("$2 = 2\r\n");
    expect("$3 = 3\r\n(smdbg) ");
    type("shell echo from the shell\r");
    expect("\nfrom the shell\r\n");
    expect("(smdbg) ");
    type("print 4 | cat -n\r");
    expect("     1\t$4 = 4\r\n");
    expect("(smdbg) ");
    close(term.fd); /* the terminal goes away: a hangup */
    int status;
    assert_int_equal(waitpid(term.pid, &status, 0), term.pid);
    term.pid = 0;
    assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGHUP : WEXITSTATUS(status) == 0);
    assert_non_null(strstr(history(), "print 4 | cat -n\n"));
}

/* The point, the variables and the history stay; the terminal is each time as it must be. */
static void test_to_the_dashboard_and_back(void **state)
{
    (void)state;
    terminal = "xterm-256color";
    start("-n|--no-tui|tests/trials/cnn_healthy", 24);
    terminal = "dumb";
    expect("(smdbg) ");
    type("set $x = 41\n");
    expect("(smdbg) ");
    type("goto 20\n");
    expect("step 20 (train 20)");
    expect("(smdbg) ");
    type("tui enable\n");
    expect("at step 20 (train 20)");
    expect("NORMAL");
    type(":tui disable\r");
    expect("(smdbg) ");
    type("print $_step + $x\n");
    expect("$1 = 61\r\n");
    type("tui disable\n");
    expect("(smdbg) ");
    type("layout main\n");
    expect("The dashboard is not active: \"tui enable\" shows it.\r\n");
    type("quit 3\n");
    assert_int_equal(finish(), 3);
}

static void test_nothing_to_go_to(void **state)
{
    (void)state;
    start("-n|--no-tui|tests/trials/cnn_healthy", 24);
    type("tui enable\n");
    expect("The dashboard needs a terminal.\r\n");
    type("quit\n");
    assert_int_equal(finish(), 0);
}

static void test_a_title(void **state)
{
    (void)state;
    terminal = "xterm-256color";
    start("-n|--no-tui|tests/trials/cnn_healthy", 24);
    terminal = "dumb";
    expect("(smdbg) ");
    type("set title on\n");
    expect("\033[22;2t\033]2;smdbg cnn_healthy step 101 ended\033\\");
    type("goto 20\n");
    expect("\033]2;smdbg cnn_healthy step 20 ended\033\\");
    type("quit\n");
    expect("\033[23;2t");
    assert_int_equal(finish(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_session, make_home, remove_home),
        cmocka_unit_test_setup_teardown(test_the_cause_is_told, make_home, remove_home),
        cmocka_unit_test_setup_teardown(test_empty_lines_repeat, make_home, remove_home),
        cmocka_unit_test_setup_teardown(test_interrupts, make_home, remove_home),
        cmocka_unit_test_setup_teardown(test_two_interrupts_ask, make_home, remove_home),
        cmocka_unit_test_setup_teardown(test_keys_that_an_interrupt_takes_back, make_home,
                                        remove_home),
        cmocka_unit_test_setup_teardown(test_pages, make_home, remove_home),
        cmocka_unit_test_setup_teardown(test_commands_first_then_the_prompt, make_home,
                                        remove_home),
        cmocka_unit_test_setup_teardown(test_ending_by_a_signal_keeps_the_history, make_home,
                                        remove_home),
        cmocka_unit_test_setup_teardown(test_a_paste_of_lines, make_home, remove_home),
        cmocka_unit_test_setup_teardown(test_to_the_dashboard_and_back, make_home, remove_home),
        cmocka_unit_test_setup_teardown(test_nothing_to_go_to, make_home, remove_home),
        cmocka_unit_test_setup_teardown(test_a_title, make_home, remove_home),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
