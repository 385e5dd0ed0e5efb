/* SPDX-License-Identifier: Apache-2.0 */
/* The program itself on a pseudo-terminal: its dashboard, what it does to the terminal, and what
 * happens without one. */
#include "reader/hook/replay.h"
#include "reader/hook/writer.h"
#include "reader/trial.h"
#include "tests/remove_tree.h"
#include "tests/tui/dashboard_child.h"

#include <sys/stat.h>

/* ---- tests ---- */

static void test_keys(void **state)
{
    (void)state;
    start_on_the_trial("");
    assert_true(screen.alternate);
    assert_true(screen.hidden);
    assert_false(is_cooked());
    assert_true(screen.colors > 0);
    type("?");
    expect("q closes");
    type("q");
    expect_golden();
    type(":print 6*7\r");
    expect("$1 = 42");
    type("q");
    expect("q again to quit");
    type("j");
    vt_expect_gone(&screen, &term, "q again to quit");
    type("Q");
    assert_int_equal(finish(), 0);
    assert_true(vt_shows(&screen, "cnn_healthy: smdebug trial, 1 worker, ended"));
}

/* Without the list of tensors on the screen, too, there is one to look at. */
static void test_a_tensor_is_chosen_at_the_start(void **state)
{
    (void)state;
    start("--tui -ex layout~health tests/trials/cnn_healthy");
    expect("float32 ()");
    type("Q");
    assert_int_equal(finish(), 0);
}

/* What other programs have written over the screen goes away. */
static void test_refresh(void **state)
{
    (void)state;
    start_on_the_trial("");
    screen.cells[14][5].rune = 'X';
    type(":echo here\r");
    expect("here");
    assert_int_equal(screen.cells[14][5].rune, 'X');
    type(":refresh\r");
    expect("(0 new)");
    assert_int_not_equal(screen.cells[14][5].rune, 'X');
    type("Q");
    assert_int_equal(finish(), 0);
}

static void test_pastes(void **state)
{
    (void)state;
    start_on_the_trial("");
    assert_true(screen.pastes);
    type("\033[200~Qq\r\033[201~");
    expect("(smdbg) Qq");
    type("\033");
    expect("NORMAL");
    type("\033[200~print 6*7\rprint 6*8\r\033[201~");
    expect("Pasted 2 lines");
    type("\r");
    expect("$2 = 48");
    type("Q");
    assert_int_equal(finish(), 0);
}

static void test_quit_command(void **state)
{
    (void)state;
    start_on_the_trial("");
    type(":quit 3\r");
    assert_int_equal(finish(), 3);
}

/* What was never written to again shows so, though nothing comes from the disk any more. */
static void test_a_job_that_hangs(void **state)
{
    char line[256];
    (void)state;
    snprintf(line, sizeof line,
             "cp -R tests/trials/killed_midrun %s/hangs; find %s/hangs -type f -exec touch {} +",
             home, home);
    assert_int_equal(system(line), 0);
    snprintf(line, sizeof line, "-n -iex set~stall~2s %s/hangs", home);
    start(line);
    expect("NORMAL");
    expect("stalled");
    snprintf(line, sizeof line, "mv %s/hangs %s/gone", home, home);
    assert_int_equal(system(line), 0);
    expect("waiting");
    for (int i = 0; i < 2; i++) { /* and the age goes on */
        char age[32] = "", *at = strstr(vt_row(&screen, 0), " s old");
        assert_non_null(at);
        snprintf(age, sizeof age, "%.12s", at - 6);
        vt_expect_gone(&screen, &term, age);
        expect(" s old");
    }
    type("Q");
    assert_int_equal(finish(), 0);
}

static void test_suspended_and_continued(void **state)
{
    (void)state;
    char line[PATH_MAX + 128];
    memset(&screen, 0, sizeof screen);
    vt_resize(&screen, GOLDEN_W, GOLDEN_H);
    if (!pty_start(&term, GOLDEN_W, GOLDEN_H)) {
        clean_environment();
        execl("/bin/sh", "sh", "-i", (char *)NULL);
        _exit(127);
    }
    pty_expect(&term, "$ ");
    snprintf(line, sizeof line, "%s -n --no-rules %s\r", program, trial);
    type(line);
    expect("NORMAL");
    expect("statistics");
    type("jjj");
    expect_golden();
    for (int i = 0; i < 2; i++) {
        type("\032");
        expect("Stopped");
        assert_false(screen.alternate);
        assert_false(screen.hidden);
        type("stty -a | grep -c ' icanon.* echo '\r");
        expect("1");
        type("fg\r");
        expect_golden();
        assert_true(screen.alternate);
    }
    type("Q");
    expect("TRAIN 0..80");
    type("echo status=$?\r");
    expect("status=0");
    type("exit\r");
    while (pty_hear(&term))
        ;
    pty_finish(&term);
}

/* Nobody is there to continue it (ssh -t HOST smdbg-tui): it does not stop. */
static void test_suspended_without_a_shell(void **state)
{
    (void)state;
    start_on_the_trial("");
    type("\032");
    type("?");
    expect("q closes");
    type("q");
    expect_golden();
    assert_int_equal(kill(term.pid, SIGTSTP), 0);
    type("?");
    expect("q closes");
    type("qQ");
    assert_int_equal(finish(), 0);
}

static void end_by(int signo)
{
    start_on_the_trial("");
    type(":echo kept\r");
    expect("kept");
    kill(term.pid, signo);
    assert_int_equal(finish(), 128 + signo);
}

static void test_ended_by_signals(void **state)
{
    char path[256], text[64] = "";
    (void)state;
    end_by(SIGTERM);
    end_by(SIGHUP);
    end_by(SIGABRT);
    snprintf(path, sizeof path, "%s/.local/state/smdbg/history", home);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(text, sizeof text, f));
    fclose(f);
    assert_string_equal(text, "echo kept\n");
}

static void test_interrupts(void **state)
{
    (void)state;
    start("-n tests/trials/killed_midrun");
    expect("NORMAL");
    type(":wait step 100000 -timeout 1h\r");
    expect("Ctrl-C cancels");
    type("\003");
    vt_expect_gone(&screen, &term, "Ctrl-C cancels");
    type(":wait step 100000 -timeout 1h\r");
    expect("Ctrl-C cancels");
    kill(term.pid, SIGINT);
    vt_expect_gone(&screen, &term, "Ctrl-C cancels");
    type(":half a line");
    expect("half a line");
    type("\003");
    expect("NORMAL");
    type("Q");
    assert_int_equal(finish(), 0);
}

/* ---- terminals that can do less ---- */

static void test_no_color(void **state)
{
    (void)state;
    start_on_the_trial("NO_COLOR=1");
    type("Q");
    assert_int_equal(finish(), 0);
    assert_int_equal(screen.colors, 0);
    start_on_the_trial("-C");
    type("Q");
    assert_int_equal(finish(), 0);
    assert_int_equal(screen.colors, 0);
    start_on_the_trial("NO_COLOR="); /* empty: as if it were not set */
    type("Q");
    assert_int_equal(finish(), 0);
    assert_true(screen.colors > 0);
}

static void only_ascii(const char *line)
{
    start(line);
    expect("NORMAL");
    expect("statistics");
    type("jjj");
    expect("+ tensors -");
    type("?");
    expect("q closes");
    type("qQ");
    assert_int_equal(finish(), 0);
    assert_int_equal(screen.odd, 0);
}

static void test_only_ascii(void **state)
{
    (void)state;
    only_ascii("LC_ALL=C -n tests/trials/cnn_healthy");
    only_ascii("LC_ALL=POSIX LANG=C.UTF-8 -n tests/trials/cnn_healthy");
    only_ascii("-n --ascii tests/trials/cnn_healthy");
    only_ascii("-n --symbols=ascii tests/trials/cnn_healthy");
}

static void prompt_instead(const char *line, const char *warning)
{
    start(line);
    pty_expect(&term, warning);
    pty_expect(&term, "(smdbg) ");
    type("print 1+2\r");
    pty_expect(&term, "$1 = 3");
    type("quit\r");
    assert_int_equal(finish(), 0);
    assert_null(memchr(term.seen.data, '\033', term.seen.len));
}

static void test_terminals_without_a_dashboard(void **state)
{
    (void)state;
    prompt_instead("TERM=dumb -n tests/trials/cnn_healthy",
                   "TERM is \"dumb\": using the prompt instead of the dashboard");
    prompt_instead("TERM=- -n tests/trials/cnn_healthy",
                   "TERM is not set: using the prompt instead of the dashboard");
    prompt_instead("TERM= -n tests/trials/cnn_healthy",
                   "TERM is not set: using the prompt instead of the dashboard");
    prompt_instead("TERM=no-such-terminal -n tests/trials/cnn_healthy",
                   "TERM is \"no-such-terminal\": using the prompt instead of the dashboard");
    prompt_instead("TERM=dumb -n --tui tests/trials/cnn_healthy", "instead of the dashboard");
}

/* ---- trials that come, go and mean harm ---- */

static bool at_once(void *ctx, int64_t us)
{
    (void)ctx, (void)us;
    return true;
}

static void copy_trial(const char *to)
{
    const struct sm_replay_options o = {.pause = at_once};
    struct sm_err err;
    if (!sm_replay(trial, to, &o, &err))
        fail_msg("%s", err.msg);
}

static void test_a_trial_that_comes_and_goes(void **state)
{
    char path[64], line[128];
    (void)state;
    snprintf(path, sizeof path, "%s/cnn_healthy", home);
    snprintf(line, sizeof line, "-n --wait %s", path);
    start(line);
    expect("waiting  cnn_healthy");
    assert_int_equal(mkdir(path, 0777), 0);
    type("?");
    expect("q closes");
    type("q");
    vt_expect_gone(&screen, &term, "q closes");
    expect("waiting  cnn_healthy");
    copy_trial(path);
    expect("ended  cnn_healthy");
    expect("statistics");
    assert_int_equal(remove_tree(path), 0);
    expect("deleted  cnn_healthy");
    type(":info trial\r");
    expect("q closes");
    type("q[jjj");
    copy_trial(path);
    expect("ended  cnn_healthy");
    type("Q");
    assert_int_equal(finish(), 0);
}

/* A run that is only a profile is shown as that, also if it comes later; and a run that has one is
 * told how to see it. */
static void test_a_profile_that_comes(void **state)
{
    char path[64], line[256];
    (void)state;
    snprintf(path, sizeof path, "%s/job", home);
    assert_int_equal(mkdir(path, 0777), 0);
    for (int tensors = 0; tensors < 2; tensors++) {
        snprintf(line, sizeof line, "-n --wait %s", path);
        if (tensors)
            copy_trial(path);
        start(line);
        expect(tensors ? "ended  job" : "waiting  job");
        snprintf(line, sizeof line, "cp -R tests/samples/profile %s/profiler-output", path);
        assert_int_equal(system(line), 0);
        expect(tensors ? "The run has a profile: T shows it." : "use of the machines");
        type("Q");
        assert_int_equal(finish(), 0);
        snprintf(line, sizeof line, "rm -r %s/*", path);
        assert_int_equal(system(line), 0);
    }
}

static void put(struct sm_writer *w, const char *name)
{
    const float value = 1;
    struct sm_err err;
    struct sm_event_value v = {.tag = sm_text(name),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_FLOAT32,
                               .n_elements = 1,
                               .content = {(const uint8_t *)&value, sizeof value}};
    assert_true(sm_writer_tensor(w, &v, 1e9, &err));
}

static void write_harm(const char *path)
{
    struct sm_writer *w;
    struct sm_err err;
    struct sm_collection_def coll = {.name = "losses\033[2J", .reductions = ""};
    struct sm_collections_def all = {&coll, 1, 1};
    assert_true(sm_writer_open(path, "worker_0", &w, &err));
    assert_true(sm_writer_collections(w, &all, &err));
    assert_true(sm_writer_begin_step(w, 0, SM_MODE_TRAIN, 0, &err));
    put(w, "a\033]0;title\a\033[2J\r\n\xc2\x9b"
           "5mz");
    put(w, "b\xe2\x80\xae\xcc\x81\xe5\xad\x97\xf0\x9f\x98\x80");
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
}

static void test_names_that_mean_harm(void **state)
{
    char path[64], line[128];
    (void)state;
    snprintf(path, sizeof path, "%s/t\033[31m\177", home);
    write_harm(path);
    snprintf(line, sizeof line, "-n %s", path);
    for (int ascii = 0; ascii < 2; ascii++) {
        start(ascii ? "LC_ALL=C -n --wait /nonexistent" : line);
        if (ascii) {
            expect("waiting");
            type(":open \"");
            type(home);
            type("/t\\x1b[31m\\x7f\"\r");
            expect("q closes");
            type("q");
        }
        expect("NORMAL");
        expect("t\\x1b[31m\\x7f");
        expect("statistics");
        type("jj\\b");
        expect("filter: b");
        type("\033:tensors\r");
        expect("q closes");
        type("q:stat \t\t\t");
        expect("stat \"");
        type("\003");
        type("Q");
        assert_int_equal(finish(), 0);
        assert_null(strstr(term.seen.data, "\033]0;"));
        assert_null(strstr(term.seen.data, "\xe2\x80\xae"));
        assert_null(strstr(term.seen.data, "\xc2\x9b"));
        assert_true(!ascii || !screen.odd);
    }
}

/* What can be opened is said as a whole: the text is longer than a line. */
static void test_what_is_no_run(void **state)
{
    (void)state;
    start("-n tests/samples/json_summary");
    expect("no trial is open");
    expect("smdebug.");
    type("Q");
    finish();
}

/* ---- */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_keys, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_tensor_is_chosen_at_the_start, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refresh, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pastes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_quit_command, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_job_that_hangs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_suspended_and_continued, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_suspended_without_a_shell, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ended_by_signals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_interrupts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_color, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_only_ascii, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_terminals_without_a_dashboard, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_trial_that_comes_and_goes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_profile_that_comes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_names_that_mean_harm, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_no_run, set_up, tear_down),
    };
    if (!prepare())
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
