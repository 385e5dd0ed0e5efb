/* SPDX-License-Identifier: Apache-2.0 */
/* readline without a terminal: history files, completion and the prompt that curses draws. */
#include "tui/program_features.h"
#include "tui/terminal/history.h"
#include "tui/terminal/lineedit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <readline/history.h>

static struct sm_pool *pool;
static struct sm_session *session;
static char dir[] = "/tmp/smdbg-lineedit-XXXXXX";
static struct sm_str lines; /* what the prompt gave, each behind '|' */

static void on_line(void *ctx, const char *line)
{
    (void)ctx;
    sm_str_printf(&lines, "|%s", line ? line : "<end>");
}

static int set_up_all(void **state)
{
    struct sm_err err = {0};
    (void)state;
    setlocale(LC_CTYPE, "C.UTF-8");
    if (!mkdtemp(dir))
        return 1;
    setenv("HOME", dir, 1);
    setenv("TERM", "xterm", 1);
    setenv("INPUTRC", "/dev/null", 1);
    unsetenv("XDG_STATE_HOME");
    unsetenv("SMDBG_HISTFILE");
    unsetenv("SMDBG_HISTSIZE");
    pool = sm_pool_new(0, 0, &err);
    session = sm_session_new(pool, sm_program_features, &err);
    sm_lineedit_init(session);
    return 0;
}

static int tear_down_all(void **state)
{
    char command[128];
    (void)state;
    sm_session_free(session);
    sm_pool_free(pool);
    sm_str_clear(&lines);
    snprintf(command, sizeof command, "rm -r %s", dir);
    return system(command);
}

static int set_up(void **state)
{
    (void)state;
    sm_str_truncate(&lines, 0);
    unsetenv("SMDBG_HISTFILE");
    unsetenv("SMDBG_HISTSIZE");
    clear_history();
    sm_history_load(session);
    return 0;
}

static const char *contents(const char *path)
{
    static char text[4096];
    FILE *f = fopen(path, "r");
    text[f ? fread(text, 1, sizeof text - 1, f) : 0] = 0;
    if (f)
        fclose(f);
    return text;
}

static const char *in_dir(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

/* ---- history ---- */

static void test_where_history_is(void **state)
{
    (void)state;
    char *path = sm_history_path();
    assert_string_equal(path, in_dir(".local/state/smdbg/history"));
    sm_free(path);
    setenv("XDG_STATE_HOME", "relative/is/ignored", 1);
    path = sm_history_path();
    assert_string_equal(path, in_dir(".local/state/smdbg/history"));
    sm_free(path);
    setenv("XDG_STATE_HOME", "/state", 1);
    path = sm_history_path();
    assert_string_equal(path, "/state/smdbg/history");
    sm_free(path);
    unsetenv("XDG_STATE_HOME");
    unsetenv("HOME");
    assert_null(sm_history_path());
    setenv("HOME", dir, 1);
    setenv("SMDBG_HISTFILE", "/tmp/x", 1);
    path = sm_history_path();
    assert_string_equal(path, "/tmp/x");
    sm_free(path);
}

static void test_history_is_kept_private(void **state)
{
    (void)state;
    struct stat st;
    struct sm_err err = {0};
    sm_lineedit_remember(session, "info trial");
    sm_lineedit_remember(session, "info trial");
    sm_lineedit_remember(session, " secret");
    sm_lineedit_remember(session, "");
    sm_lineedit_remember(session, "tensors");
    session->readonly = true;
    assert_true(sm_history_save(session, &err)); /* --readonly: not even a directory */
    assert_int_equal(stat(in_dir(".local"), &st), -1);
    session->readonly = false;
    assert_true(sm_history_save(session, &err));
    assert_string_equal(contents(in_dir(".local/state/smdbg/history")), "info trial\ntensors\n");
    assert_int_equal(stat(in_dir(".local/state/smdbg/history"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(stat(in_dir(".local/state/smdbg"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_true(sm_history_save(session, &err)); /* nothing new */
    sm_lineedit_remember(session, "quit");
    assert_true(sm_history_save(session, &err));
    assert_string_equal(contents(in_dir(".local/state/smdbg/history")),
                        "info trial\ntensors\nquit\n");
}

static void test_history_has_a_size(void **state)
{
    (void)state;
    setenv("SMDBG_HISTFILE", in_dir("short"), 1);
    setenv("SMDBG_HISTSIZE", "3", 1);
    FILE *f = fopen(in_dir("short"), "w");
    fputs("one\ntwo\nthree\nfour\n", f);
    fclose(f);
    chmod(in_dir("short"), 0644);
    sm_history_load(session);
    assert_int_equal(history_length, 3);
    sm_lineedit_remember(session, "five");
    assert_true(sm_history_save(session, NULL));
    assert_string_equal(contents(in_dir("short")), "three\nfour\nfive\n");
    struct stat st;
    stat(in_dir("short"), &st);
    assert_int_equal(st.st_mode & 0777, 0600);
}

static void test_history_can_be_off(void **state)
{
    (void)state;
    setenv("SMDBG_HISTFILE", in_dir("off"), 1);
    const struct sm_setting *row = sm_setting_named(&session->settings, "history save");
    sm_lineedit_remember(session, "x");
    sm_setting_set(&session->settings, row, "off", NULL);
    assert_true(sm_history_save(session, NULL));
    assert_int_not_equal(access(in_dir("off"), F_OK), 0);
    sm_setting_set(&session->settings, row, "on", NULL);
    setenv("SMDBG_HISTSIZE", "0", 1);
    assert_true(sm_history_save(session, NULL));
    assert_int_not_equal(access(in_dir("off"), F_OK), 0);
}

static void test_no_home_is_a_message(void **state)
{
    (void)state;
    struct sm_err err = {0};
    setenv("HOME", in_dir("nobody"), 1);
    sm_lineedit_remember(session, "x");
    assert_false(sm_history_save(session, &err));
    assert_non_null(strstr(err.msg, "history not saved: "));
    assert_int_not_equal(access(in_dir("nobody"), F_OK), 0);
    unsetenv("HOME");
    assert_false(sm_history_save(session, &err));
    setenv("HOME", dir, 1);
    sm_lineedit_save(session); /* quiet, whatever happens */
}

/* Two sessions that end at once lose nothing: all lines of both are there, each whole. */
static void test_two_savers(void **state)
{
    (void)state;
    enum { EACH = 20 };
    setenv("SMDBG_HISTFILE", in_dir("both"), 1);
    sm_history_load(session);
    pid_t pid = fork();
    for (int i = 0; i < EACH; i++) {
        char line[64];
        snprintf(line, sizeof line, "%s %d", pid ? "parent" : "child", i);
        sm_lineedit_remember(session, line);
        if (!sm_history_save(session, NULL) && pid == 0)
            _exit(1);
    }
    if (pid == 0)
        _exit(0);
    int status, n = 0;
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
    for (const char *p = contents(in_dir("both")); *p; p += strcspn(p, "\n") + 1)
        n++;
    assert_int_equal(n, 2 * EACH);
}

/* A lock that is never given back ends in a message, not in a hang. */
static void test_a_held_lock(void **state)
{
    (void)state;
    struct sm_err err = {0};
    setenv("SMDBG_HISTFILE", in_dir("held"), 1);
    int fd = open(in_dir("held"), O_RDWR | O_CREAT, 0600);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    sm_lineedit_remember(session, "held");
    assert_false(sm_history_save(session, &err));
    close(fd);
    assert_true(sm_history_save(session, &err));
    assert_string_equal(contents(in_dir("held")), "held\n");
}

/* ---- the prompt inside curses ---- */

static void type(const char *text)
{
    for (; *text; text++)
        sm_prompt_key((unsigned char)*text);
}

static void expect_view(const char *prompt, const char *line, int column)
{
    const char *p, *t;
    int c;
    sm_prompt_view(&p, &t, &c);
    assert_string_equal(p, prompt);
    assert_string_equal(t, line);
    assert_int_equal(c, column);
}

static int open_prompt(void **state)
{
    set_up(state);
    sm_prompt_open(on_line, NULL);
    return 0;
}

static int close_prompt(void **state)
{
    (void)state;
    sm_prompt_close();
    return 0;
}

static void test_typing_and_editing(void **state)
{
    (void)state;
    expect_view("(smdbg) ", "", 8);
    type("tensor x");
    expect_view("(smdbg) ", "tensor x", 16);
    type("\001"); /* Ctrl-A */
    expect_view("(smdbg) ", "tensor x", 8);
    type("\033[C\033[C-"); /* Right, Right */
    expect_view("(smdbg) ", "te-nsor x", 11);
    type("\025\013"); /* Ctrl-U, Ctrl-K */
    expect_view("(smdbg) ", "", 8);
    type("quit\r");
    assert_string_equal(sm_str_text(&lines), "|quit");
    expect_view("(smdbg) ", "", 8);
    sm_prompt_set("info ");
    type("trial\r\r");
    assert_string_equal(sm_str_text(&lines), "|quit|info trial|");
    type("\004");
    assert_string_equal(sm_str_text(&lines), "|quit|info trial||<end>");
}

static void test_columns_of_wide_and_odd_text(void **state)
{
    (void)state;
    type("é漢");
    expect_view("(smdbg) ", "é漢", 11);
    type("\002"); /* Ctrl-B */
    expect_view("(smdbg) ", "é漢", 9);
    type("\177");
    expect_view("(smdbg) ", "漢", 8);
    type("\026\033"); /* Ctrl-V Esc: shown, not sent */
    expect_view("(smdbg) ", "\\x1b漢", 12);
    type("\r");
    assert_string_equal(sm_str_text(&lines), "|\033漢");
}

static void test_searching_backwards(void **state)
{
    (void)state;
    sm_lineedit_remember(session, "stat conv0");
    sm_lineedit_remember(session, "stät");
    sm_lineedit_remember(session, "quit");
    type("\022stä");
    const char *prompt, *line;
    int column;
    sm_prompt_view(&prompt, &line, &column);
    assert_non_null(strstr(prompt, "reverse-i-search"));
    assert_string_equal(line, "stät");
    type("\r");
    assert_string_equal(sm_str_text(&lines), "|stät");
    type("\033[A\033[A\033[A\r");
    assert_string_equal(sm_str_text(&lines), "|stät|stat conv0");
    type("\022qui");
    sm_prompt_set("list"); /* Esc leaves the search, too */
    expect_view("(smdbg) ", "list", 12);
    type("\033"); /* half a key, then another line */
    sm_prompt_set("");
    type("\022qui");
}

static void test_context_in_the_prompt(void **state)
{
    (void)state;
    struct sm_err err = {0};
    sm_setting_set(&session->settings, sm_setting_named(&session->settings, "prompt context"), "on",
                   NULL);
    expect_view("(smdbg) ", "", 8);
    assert_true(sm_session_open(session, "tests/trials/cnn_healthy", "run\033", true, &err));
    while (!sm_trial_scanned(sm_session_trial(session)))
        sm_session_pump(session);
    expect_view("(smdbg run\\x1b@101) ", "", 20);
    session->at.tensor = sm_trial_tensor(sm_session_trial(session), 1)->name;
    session->at.step.n = 20;
    session->at.follow = false;
    expect_view("(smdbg run\\x1b:CNN_conv0.weight@20) ", "", 36);
    sm_session_close(session, 0);
    sm_setting_set(&session->settings, sm_setting_named(&session->settings, "prompt context"),
                   "off", NULL);
}

static void expect_candidates(size_t n, const char *first, const char *last)
{
    size_t found;
    const char *const *c = sm_prompt_candidates(&found);
    assert_int_equal(found, n);
    if (!n)
        return;
    assert_string_equal(c[0], first);
    assert_string_equal(c[n - 1], last);
}

static void test_completion(void **state)
{
    (void)state;
    struct sm_err err = {0};
    assert_true(sm_session_open(session, "tests/trials/cnn_healthy", NULL, true, &err));
    while (!sm_trial_scanned(sm_session_trial(session)))
        sm_session_pump(session);
    type("inspe\t");
    expect_view("(smdbg) ", "inspect ", 16);
    type("\025info work\t");
    expect_view("(smdbg) ", "info workers ", 21);
    type("\025tensor CNN_fc1.w\t");
    expect_view("(smdbg) ", "tensor CNN_fc1.weight ", 30);
    type("\025print 2*CNN_conv0.w\t");
    expect_view("(smdbg) ", "print 2*CNN_conv0.weight", 32);
    type("\025tensor CNN_c\t");
    expect_view("(smdbg) ", "tensor CNN_conv", 23);
    expect_candidates(4, "CNN_conv0.bias", "CNN_conv1.weight");
    type("0");
    expect_candidates(0, NULL, NULL);
    type("\025");
    sm_session_close(session, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_where_history_is, set_up),
        cmocka_unit_test_setup(test_history_is_kept_private, set_up),
        cmocka_unit_test_setup(test_history_has_a_size, set_up),
        cmocka_unit_test_setup(test_history_can_be_off, set_up),
        cmocka_unit_test_setup(test_no_home_is_a_message, set_up),
        cmocka_unit_test_setup(test_two_savers, set_up),
        cmocka_unit_test_setup(test_a_held_lock, set_up),
        cmocka_unit_test_setup_teardown(test_typing_and_editing, open_prompt, close_prompt),
        cmocka_unit_test_setup_teardown(test_columns_of_wide_and_odd_text, open_prompt,
                                        close_prompt),
        cmocka_unit_test_setup_teardown(test_searching_backwards, open_prompt, close_prompt),
        cmocka_unit_test_setup_teardown(test_context_in_the_prompt, open_prompt, close_prompt),
        cmocka_unit_test_setup_teardown(test_completion, open_prompt, close_prompt),
    };
    return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
