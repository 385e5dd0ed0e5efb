/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/run/run_state.h"
#include "tests/commands/driver.h"
#include "tests/scratch.h"

#include <sys/stat.h>
#include <unistd.h>

static struct driver d;
static char dir[64];

static int tear_down(void **state)
{
    (void)state;
    driver_close(&d);
    return 0;
}

static int prompt(void **state)
{
    (void)state;
    driver_open(&d, NULL, false);
    return 0;
}

static int batch(void **state)
{
    (void)state;
    driver_open(&d, NULL, true);
    return 0;
}

static int batch_with_trial(void **state)
{
    (void)state;
    driver_open(&d, "cnn_healthy", true);
    return 0;
}

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(path_of(name), "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static const char *read_file(const char *name)
{
    static char text[4096];
    FILE *f = fopen(path_of(name), "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    return text;
}

/* Runs lines like several -ex. Returns the answers. */
static const char *run(const char *const *lines, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sm_exec_line(d.exec, lines[i], SM_FROM_OPTION);
    driver_run(&d);
    return sm_str_text(&d.out);
}
#define RUN(...)                                                                                   \
    run((const char *const[]){__VA_ARGS__},                                                        \
        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* Replaces every "DIR" in a text by the test's folder. */
static const char *in_dir(const char *text)
{
    static struct sm_str s;
    sm_str_truncate(&s, 0);
    for (; *text; text++) {
        if (strncmp(text, "DIR", 3) == 0) {
            sm_str_add(&s, dir);
            text += 2;
        } else {
            sm_str_addc(&s, *text);
        }
    }
    return sm_str_text(&s);
}

/* ---- status ---- */

static void the_first_failure_sets_the_status(void **state)
{
    (void)state;
    sm_exec_keep_going(d.exec, true);
    RUN("echo a\\n", "tensor nosuch", "nosuch", "echo b\\n");
    assert_string_equal(sm_str_text(&d.out), "a\nb\n");
    assert_int_equal(sm_exec_status(d.exec), 4);
    assert_int_equal(d.session->failures, 2);
    assert_int_equal(d.session->exit_code, 0);
    RUN("print $_failures");
    assert_string_equal(sm_str_text(&d.out), "a\nb\n$1 = 2\n");
}

static void an_error_ends_the_batch(void **state)
{
    (void)state;
    RUN("echo a\\n", "nosuch", "echo b\\n");
    assert_string_equal(sm_str_text(&d.out), "a\n");
    assert_string_equal(sm_str_text(&d.err),
                        "smdbg: Undefined command: \"nosuch\".  Try \"help\".\n");
    assert_true(sm_exec_quit(d.exec));
    assert_int_equal(sm_exec_status(d.exec), 1);
}

static void stop_on_error_off_continues(void **state)
{
    (void)state;
    RUN("set stop-on-error off", "nosuch", "echo b\\n");
    assert_string_equal(sm_str_text(&d.out), "b\n");
    assert_int_equal(sm_exec_status(d.exec), 1);
}

static void quit_always_wins(void **state)
{
    (void)state;
    sm_exec_keep_going(d.exec, true);
    RUN("nosuch", "quit 9", "echo never\\n");
    assert_string_equal(sm_str_text(&d.out), "");
    assert_int_equal(sm_exec_status(d.exec), 9);
    assert_true(sm_exec_quit(d.exec));
}

static void plain_quit_keeps_the_status(void **state)
{
    (void)state;
    sm_exec_keep_going(d.exec, true);
    RUN("nosuch", "quit");
    assert_int_equal(sm_exec_status(d.exec), 1);
}

static void statuses_of_errors(void **state)
{
    (void)state;
    static const struct {
        enum sm_err_code code;
        int status;
    } rows[] = {{SM_OK, 0},     {SM_ERR_USAGE, 1},   {SM_ERR_MISSING, 4}, {SM_ERR_DATA, 5},
                {SM_ERR_IO, 5}, {SM_ERR_TIMEOUT, 6}, {SM_ERR_REFUSED, 1}, {SM_ERR_CANCELLED, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sm_err e = {.code = rows[i].code};
        assert_int_equal(sm_exec_status_of(&e), rows[i].status);
    }
}

static void a_missing_trial(void **state)
{
    (void)state;
    struct sm_err err;
    assert_true(sm_session_open(d.session, path_of("nosuch"), NULL, true, &err));
    RUN("doctor -json -field part", "tensors");
    assert_non_null(strstr(sm_str_text(&d.out), "part"));
    assert_string_equal(sm_str_text(&d.err),
                        in_dir("smdbg: DIR/nosuch: No such file or directory.\n"));
    assert_int_equal(sm_exec_status(d.exec), 5);
}

static void strict_counts_skipped_data(void **state)
{
    (void)state;
    struct sm_err err = {.code = SM_ERR_DATA, .msg = "damaged"};
    RUN("info workers -csv");
    sm_trial_report(sm_session_trial(d.session), "events/x", 12, &err);
    RUN("info workers -csv");
    assert_int_equal(sm_exec_status(d.exec), 0);
    RUN("set strict on");
    assert_int_equal(sm_exec_status(d.exec), 7);
    assert_false(sm_exec_quit(d.exec));
}

static void failures_at_the_prompt_keep_status_0(void **state)
{
    (void)state;
    driver_prompt(&d, "nosuch");
    assert_string_equal(sm_str_text(&d.err), "Undefined command: \"nosuch\".  Try \"help\".\n");
    assert_int_equal(d.session->exit_code, 1);
    assert_int_equal(d.session->failures, 1);
    assert_int_equal(sm_exec_status(d.exec), 0);
    assert_false(sm_exec_quit(d.exec));
}

/* ---- scripts ---- */

static void scripts_run_line_by_line(void **state)
{
    (void)state;
    write_file("a", "\xef\xbb\xbf#!/usr/bin/env smdbg\n\necho one \\\n  two\\n\r\n# echo no\necho "
                    "three\\n # four\necho last\\n");
    sm_exec_file(d.exec, path_of("a"), NULL, 0);
    driver_run(&d);
    assert_string_equal(sm_str_text(&d.out), "one   two\nthree\nlast\n");
    assert_string_equal(sm_str_text(&d.err), "");
}

static void errors_carry_file_and_line(void **state)
{
    (void)state;
    write_file("outer", in_dir("echo a\\n\n\nsource DIR/inner\necho never\n"));
    write_file("inner", "echo \\\nb\\n\n  nosuch\necho never\n");
    sm_exec_file(d.exec, path_of("outer"), NULL, 0);
    driver_run(&d);
    assert_string_equal(sm_str_text(&d.out), "a\nb\n");
    assert_string_equal(sm_str_text(&d.err),
                        in_dir("smdbg: DIR/inner:3: Undefined command: \"nosuch\".  Try \"help\". "
                               "(sourced from DIR/outer:3)\n"));
    assert_int_equal(sm_exec_status(d.exec), 1);
}

static void a_dash_ignores_errors(void **state)
{
    (void)state;
    write_file("a", "-nosuch\necho on\\n\n-tensor x\n");
    sm_exec_file(d.exec, path_of("a"), NULL, 0);
    driver_run(&d);
    assert_string_equal(sm_str_text(&d.out), "on\n");
    assert_non_null(strstr(sm_str_text(&d.err), ":1: Undefined command"));
    assert_int_equal(sm_exec_status(d.exec), 0);
    assert_int_equal(d.session->failures, 0);
}

static void the_prompt_continues_after_a_failed_script(void **state)
{
    (void)state;
    write_file("a", "nosuch\necho never\n");
    driver_prompt(&d, in_dir("source DIR/a"));
    assert_string_equal(sm_str_text(&d.err),
                        in_dir("DIR/a:1: Undefined command: \"nosuch\".  Try \"help\".\n"));
    assert_answer(&d, "echo alive\\n", "alive\n");
}

static void arguments_of_scripts(void **state)
{
    (void)state;
    write_file("a", in_dir("echo $argc $arg0-$arg1\\n\nprint $argc\nprint $arg1\nsource DIR/b "
                           "x\necho $argc $arg0 $argcx\\n\n"));
    write_file("b", "echo inner $argc $arg0\\n\n");
    driver_prompt(&d, in_dir("source DIR/a one \"two words\""));
    assert_string_equal(sm_str_text(&d.err), "");
    assert_string_equal(
        sm_str_text(&d.out),
        "2 one-\"two words\"\n$1 = 2\n$2 = \"two words\"\ninner 1 x\n2 one $argcx\n");
    write_file("c", "echo $arg3\n");
    driver_prompt(&d, in_dir("source DIR/c one"));
    assert_string_equal(sm_str_text(&d.err),
                        in_dir("DIR/c:1: Missing argument 3 of the script: add arguments after "
                               "--args (with -x) or after the file (with source).\n"));
    driver_prompt(&d, "print $arg0");
    assert_string_equal(sm_str_text(&d.out), "$3 = void\n");
}

static void scripts_that_cannot_be_read(void **state)
{
    (void)state;
    sm_exec_file(d.exec, path_of("nosuch"), NULL, 0);
    driver_run(&d);
    assert_string_equal(sm_str_text(&d.err),
                        in_dir("smdbg: DIR/nosuch: No such file or directory.\n"));
    assert_int_equal(sm_exec_status(d.exec), 1);
}

static void nesting_is_limited(void **state)
{
    (void)state;
    write_file("a", in_dir("source DIR/a\n"));
    driver_prompt(&d, in_dir("source DIR/a"));
    assert_non_null(strstr(sm_str_text(&d.err), "scripts are nested deeper than 64."));
    assert_answer(&d, "echo alive\\n", "alive\n");
}

static void traces(void **state)
{
    (void)state;
    write_file("a", in_dir("echo a\\n\n# no\n\nsource DIR/b\n"));
    write_file("b", "echo b\\n\n");
    driver_prompt(&d, in_dir("source -v DIR/a"));
    assert_string_equal(sm_str_text(&d.out),
                        in_dir("+echo a\\n\na\n+source DIR/b\n++echo b\\n\nb\n"));
    assert_answer(&d, "set trace-commands on", "");
    assert_answer(&d, "echo x\\n", "+echo x\\n\nx\n");
}

/* ---- the prompt ---- */

static void an_empty_line_repeats(void **state)
{
    (void)state;
    assert_answer(&d, "", "");
    assert_answer(&d, "print 1+1", "$1 = 2\n");
    assert_answer(&d, "  ", "$2 = 2\n");
    assert_answer(&d, "echo x\\n", "x\n"); /* neither it nor the line before is repeated */
    assert_answer(&d, "", "");
    assert_answer(&d, "print 3", "$3 = 3\n");
    assert_answer(&d, "# comment", "");
    assert_answer(&d, "", "$4 = 3\n");
    write_file("a", "print 5\n");
    driver_prompt(&d, in_dir("source DIR/a"));
    assert_answer(&d, "", ""); /* repeats neither source nor its lines */
}

static void history_keeps_typed_lines(void **state)
{
    (void)state;
    driver_prompt(&d, "echo a");
    driver_prompt(&d, "echo a");
    driver_prompt(&d, " echo secret");
    driver_prompt(&d, "");
    assert_answer(&d, "history", "    1  echo a\n    2  history\n");
    driver_prompt(&d, "set history size 2");
    assert_answer(&d, "history 1", "    2  history 1\n");
    assert_int_equal(sm_run(d.session)->n_lines, 2);
}

static void a_backslash_continues_a_line(void **state)
{
    (void)state;
    assert_answer(&d, "echo a \\", "");
    assert_true(sm_exec_partial(d.exec));
    assert_answer(&d, "b\\n", "a b\n");
    assert_false(sm_exec_partial(d.exec));
}

static void the_prompt_reads_bodies(void **state)
{
    (void)state;
    assert_answer(
        &d, "define mine",
        "Type commands for definition of \"mine\".\nEnd with a line saying just \"end\".\n");
    assert_int_equal(sm_exec_bodies(d.exec), 1);
    assert_answer(&d, "if $argc", "");
    assert_int_equal(sm_exec_bodies(d.exec), 2);
    assert_answer(&d, "echo $arg0\\n", "");
    assert_answer(&d, "end", "");
    assert_answer(&d, "end", "");
    assert_false(sm_exec_partial(d.exec));
    assert_answer(&d, "mine 7", "7\n");
    assert_complaint(&d, "define step",
                     "Cannot redefine the built-in command \"step\".  Try \"help define\".\n");
    assert_false(sm_exec_partial(d.exec)); /* the body is not read */
    assert_answer(&d, "while 1", "");
    sm_exec_cancel(d.exec);
    assert_false(sm_exec_partial(d.exec));
}

static void loops_end_by_cancelling(void **state)
{
    (void)state;
    sm_exec_line(d.exec, "while 1", SM_FROM_PROMPT);
    sm_exec_line(d.exec, "end", SM_FROM_PROMPT);
    for (int i = 0; i < 3; i++)
        assert_true(sm_exec_run(d.exec));
    sm_exec_cancel(d.exec);
    assert_false(sm_exec_run(d.exec));
}

/* Ctrl-C is no failure: the session ends with status 0. */
static void an_interrupt_keeps_status_0(void **state)
{
    (void)state;
    write_file("a", "while 1\nend\n");
    sm_exec_file(d.exec, path_of("a"), NULL, 0);
    for (int i = 0; i < 3; i++)
        assert_true(sm_exec_run(d.exec));
    sm_exec_cancel(d.exec);
    sm_exec_line(d.exec, "while 1", SM_FROM_PROMPT);
    sm_exec_line(d.exec, "end", SM_FROM_PROMPT);
    for (int i = 0; i < 3; i++)
        assert_true(sm_exec_run(d.exec));
    sm_exec_cancel(d.exec);
    driver_prompt(&d, "quit");
    assert_int_equal(sm_exec_status(d.exec), 0);
}

/* "y" deletes all, any other answer nothing; scripts are not asked. */
static void delete_asks(void **state)
{
    (void)state;
    driver_prompt(&d, "break step");
    assert_answer(&d, "delete", "Delete all breakpoints? (y or n)\n");
    assert_answer(&d, "n", "");
    assert_answer(&d, "delete", "Delete all breakpoints? (y or n)\n");
    assert_answer(&d, "", "");
    assert_answer(&d, "delete breakpoints", "Delete all breakpoints? (y or n)\n");
    assert_answer(&d, "print 1", "$1 = 1\n"); /* another command drops the question */
    assert_complaint(&d, "y", "Undefined command: \"y\".  Try \"help\".\n");
    assert_answer(&d, "info breakpoints -field number", "Num\n  1\n");
    driver_prompt(&d, "delete");
    assert_answer(&d, "yes", "");
    assert_answer(&d, "info breakpoints", "No breakpoints.\n");
    assert_answer(&d, "delete", ""); /* nothing to delete */
    driver_prompt(&d, "break step");
    driver_prompt(&d, "set confirm off");
    assert_answer(&d, "delete", "");
    driver_prompt(&d, "break step");
    driver_prompt(&d, "set confirm on");
    write_file("a", "delete\n");
    sm_exec_file(d.exec, path_of("a"), NULL, 0);
    driver_run(&d);
    assert_answer(&d, "info breakpoints", "No breakpoints.\n");
}

/* "set verbose on" reports the time of each command; programs get only answers. */
static void verbose_reports_times(void **state)
{
    (void)state;
    driver_prompt(&d, "set verbose on");
    assert_answer(&d, "print 1", "$1 = 1\n");
    assert_non_null(strstr(sm_str_text(&d.err), "\"print 1\" took 0."));
    driver_prompt(&d, "set verbose off");
    assert_complaint(&d, "print 1", "");
}

static void messages_at_the_prompt_are_bare(void **state)
{
    (void)state;
    assert_complaint(&d, "quit x", "Invalid number \"x\".\n");
}

/* ---- redirections and the shell ---- */

static void answers_go_into_files(void **state)
{
    (void)state;
    assert_answer(&d, in_dir("echo one\\n > DIR/out"), "");
    assert_string_equal(read_file("out"), "one\n");
    assert_answer(&d, in_dir("echo two\\n >>DIR/out"), "");
    assert_string_equal(read_file("out"), "one\ntwo\n");
    assert_answer(&d, in_dir("print 6*7 -json > DIR/out"), "");
    assert_string_equal(read_file("out"), "{\"expr\":\"6*7\",\"type\":\"number\",\"value\":42}\n");
    driver_prompt(&d, in_dir("echo x > DIR/no/such"));
    assert_string_equal(sm_str_text(&d.err), in_dir("DIR/no/such: No such file or directory.\n"));
    assert_int_equal(d.session->exit_code, 1);
}

static void nothing_is_written_into_a_trial(void **state)
{
    (void)state;
    RUN("tensors > tests/trials/cnn_healthy/index/x");
    assert_string_equal(sm_str_text(&d.err),
                        "smdbg: tests/trials/cnn_healthy/index/x: cannot write into a trial.\n");
    assert_int_equal(access("tests/trials/cnn_healthy/index/x", F_OK), -1);
}

static void answers_go_through_the_shell(void **state)
{
    (void)state;
    d.shell_status = 3;
    assert_answer(&d, "echo hi | wc -l", "");
    assert_string_equal(sm_str_text(&d.shell), "wc -l<hi");
    assert_answer(&d, "print $_shell_exitcode", "$1 = 3\n");
    driver_prompt(&d, "pipe echo hi | cat");
    assert_string_equal(sm_str_text(&d.shell), "cat<hi");
    driver_prompt(&d, "|echo a | b | c");
    assert_string_equal(sm_str_text(&d.shell), "b | c<a");
    driver_prompt(&d, "pipe -d @@ echo a @@ cat");
    assert_string_equal(sm_str_text(&d.shell), "cat<a");
    driver_prompt(&d, "!ls -l | x > y");
    assert_string_equal(sm_str_text(&d.shell), "ls -l | x > y<");
    assert_complaint(&d, "pipe echo hi", "Usage: pipe COMMAND | SHELL_COMMAND\n");
}

static void the_shell_can_be_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {"!ls", "shell ls", "pipe echo a | b", "echo a | b",
                                        "|echo a | b"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        d.session->readonly = true;
        assert_complaint(&d, lines[i], "Shell commands are refused with --readonly.\n");
        d.session->readonly = false;
        d.session->batch = true;
        sm_exec_keep_going(d.exec, true);
        assert_complaint(&d, lines[i],
                         "smdbg: Shell commands are refused in a batch without --allow-shell.\n");
        assert_string_equal(sm_str_text(&d.shell), "");
        d.session->allow_shell = true;
        driver_prompt(&d, lines[i]);
        assert_string_equal(sm_str_text(&d.err), "");
        assert_true(d.shell.len > 0);
        d.session->allow_shell = d.session->batch = false;
    }
}

/* ---- waiting ---- */

static void commands_wait_for_the_first_scan(void **state)
{
    (void)state;
    sm_exec_line(d.exec, "info workers -csv -field worker", SM_FROM_OPTION);
    sm_exec_line(d.exec, "echo then\\n", SM_FROM_OPTION);
    assert_true(sm_exec_run(d.exec));
    assert_true(sm_exec_waiting(d.exec));
    assert_string_equal(sm_exec_running(d.exec), "info workers -csv -field worker");
    assert_int_equal(sm_exec_deadline_us(d.exec), INT64_MAX);
    assert_string_equal(sm_str_text(&d.out), "");
    driver_run(&d);
    assert_string_equal(sm_str_text(&d.out), "worker\nworker_0\nthen\n");
    assert_false(sm_exec_waiting(d.exec));
    assert_null(sm_exec_running(d.exec));
}

static void values_are_fetched(void **state)
{
    (void)state;
    RUN("tensor labels[:4] step 10 -json", "stat +weights step 10 -csv -field name,size");
    assert_string_equal(
        sm_str_text(&d.out),
        "{\"name\":\"labels\",\"step\":10,\"mode\":\"TRAIN\",\"mode_step\":10,\"worker\":\"worker_"
        "0\","
        "\"dtype\":\"int64\",\"shape\":[4],\"values\":[2,1,9,5],\"slice\":\"[:4]\"}\n"
        "name,size\nCNN_conv0.weight,100\nCNN_conv1.weight,800\nCNN_fc0.weight,3072\n"
        "CNN_fc1.weight,240\n");
}

static void waiting_can_be_cancelled(void **state)
{
    (void)state;
    write_file("a", "tensors\necho never\n");
    sm_exec_file(d.exec, path_of("a"), NULL, 0);
    sm_exec_line(d.exec, "echo next\\n", SM_FROM_OPTION);
    assert_true(sm_exec_run(d.exec));
    assert_true(sm_exec_waiting(d.exec));
    sm_exec_cancel(d.exec);
    assert_false(sm_exec_waiting(d.exec));
    driver_run(&d);
    assert_string_equal(sm_str_text(&d.out), "next\n");
    assert_string_equal(sm_str_text(&d.err), in_dir("smdbg: DIR/a:1: Quit\n"));
    assert_int_equal(sm_exec_status(d.exec), 1);
    sm_exec_cancel(d.exec); /* nothing to cancel: no output */
    assert_string_equal(sm_str_text(&d.err), in_dir("smdbg: DIR/a:1: Quit\n"));
}

static void a_deadline_wakes(void **state)
{
    (void)state;
    driver_close(&d);
    driver_open(&d, "killed_midrun", true);
    d.session->open_options.follow = true;
    sm_clock_freeze(1000000, 1767323045000000);
    sm_exec_line(d.exec, "wait step 100000 -timeout 10s", SM_FROM_OPTION);
    for (int i = 0; i < 1000; i++) {
        sm_exec_run(d.exec);
        sm_session_pump(d.session);
    }
    assert_true(sm_exec_waiting(d.exec));
    assert_int_equal(sm_exec_deadline_us(d.exec), 11000000);
    sm_clock_advance(9999999);
    assert_true(sm_exec_run(d.exec));
    sm_clock_advance(1);
    driver_run(&d);
    sm_clock_thaw();
    assert_string_equal(sm_str_text(&d.err), "smdbg: Timed out after 10s.\n");
    assert_int_equal(sm_exec_status(d.exec), 6);
}

/* ---- help ---- */

static void help_comes_from_the_records(void **state)
{
    (void)state;
    assert_answer(&d, "help quit",
                  "quit, q, exit\nExit the debugger, with an optional exit status.\n"
                  "Usage: quit [STATUS]\n\nExample: quit\n");
    char *full = strdup(driver_prompt(&d, "help source"));
    assert_string_equal(driver_prompt(&d, "source -help"), full);
    free(full);
    assert_non_null(strstr(driver_prompt(&d, "help"), "List of classes of commands:\n\nfiles -- "));
    assert_non_null(
        strstr(driver_prompt(&d, "help support"), "\nquit, q, exit -- Exit the debugger"));
    assert_non_null(strstr(driver_prompt(&d, "help all"), "Command class: data\n"));
    assert_non_null(strstr(driver_prompt(&d, "help info wor"), "Usage: info workers"));
    assert_string_equal(driver_prompt(&d, "info"), driver_prompt(&d, "help info"));
    assert_non_null(strstr(driver_prompt(&d, "help set print prec"), ""));
    assert_complaint(&d, "help nosuch", "Undefined command: \"nosuch\".  Try \"help\".\n");
    assert_complaint(&d, "help quit x", "\"quit\" has no subcommands.\n");
    assert_non_null(
        strstr(driver_prompt(&d, "help set pri thr"), "Usage: set print threshold VALUE"));
    assert_non_null(strstr(driver_prompt(&d, "help expressions"), "FUNCTION"));
    assert_non_null(strstr(driver_prompt(&d, "help quit -json"),
                           "{\"name\":\"quit\",\"aliases\":[\"q\",\"exit\"],"));
    assert_non_null(strstr(driver_prompt(&d, "apropos ^echo"), "echo -- Print a text"));
    assert_non_null(strstr(driver_prompt(&d, "apropos -v ^echo"), "Usage: echo [TEXT]"));
}

static void settings_and_variables(void **state)
{
    (void)state;
    assert_answer(&d, "set print precision 4", "");
    assert_answer(&d, "show print precision", "The current value of 'print precision' is \"4\".\n");
    assert_answer(&d, "show print precision -json",
                  "{\"name\":\"print precision\",\"value\":\"4\",\"default\":\"8\","
                  "\"help\":\"Maximum digits after the decimal point in arrays, as in numpy\"}\n");
    assert_non_null(strstr(driver_prompt(&d, "show history"), "set print precision 4"));
    assert_answer(&d, "set logging file \"/a b\"", "");
    assert_answer(&d, "show logging file", "The current value of 'logging file' is \"/a b\".\n");
    assert_complaint(&d, "set", "Argument required (NAME).  Try \"help set\".\n");
    assert_complaint(&d, "set strict maybe", "Expected \"on\" or \"off\".\n");
    assert_complaint(&d, "show strict x", "Too many arguments: \"x\".\n");
    assert_answer(&d, "set $lr = 2 > 1 ? 0.5 : 7", "");
    assert_answer(&d, "print $lr * 4", "$1 = 2\n");
    assert_answer(&d, "show values", "$1 = 2\n");
    assert_answer(&d, "print $ + 1", "$2 = 3\n");
    assert_answer(&d, "print $$", "$3 = 2\n");
    assert_answer(&d, "print $$2", "$4 = 2\n");
    assert_complaint(&d, "set $_step = 3", "\"$_step\" cannot be set.\n");
    assert_complaint(&d, "set $a 3", "\"=\" expected after \"$a\".\n");
    assert_answer(&d, "echo \"quoted > text\"\\n", "quoted > text\n");
    assert_answer(&d, "echo a\\tb\\n", "a\tb\n");
    assert_non_null(strstr(driver_prompt(&d, "show version"), "smdbg-tui "));
}

static int make_folder(void **state)
{
    (void)state;
    return make_scratch(dir, sizeof dir) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", dir);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_failure_sets_the_status, batch_with_trial,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_error_ends_the_batch, batch, tear_down),
        cmocka_unit_test_setup_teardown(stop_on_error_off_continues, batch, tear_down),
        cmocka_unit_test_setup_teardown(quit_always_wins, batch, tear_down),
        cmocka_unit_test_setup_teardown(plain_quit_keeps_the_status, batch, tear_down),
        cmocka_unit_test(statuses_of_errors),
        cmocka_unit_test_setup_teardown(a_missing_trial, batch, tear_down),
        cmocka_unit_test_setup_teardown(strict_counts_skipped_data, batch_with_trial, tear_down),
        cmocka_unit_test_setup_teardown(failures_at_the_prompt_keep_status_0, prompt, tear_down),
        cmocka_unit_test_setup_teardown(scripts_run_line_by_line, batch, tear_down),
        cmocka_unit_test_setup_teardown(errors_carry_file_and_line, batch, tear_down),
        cmocka_unit_test_setup_teardown(a_dash_ignores_errors, batch, tear_down),
        cmocka_unit_test_setup_teardown(the_prompt_continues_after_a_failed_script, prompt,
                                        tear_down),
        cmocka_unit_test_setup_teardown(arguments_of_scripts, prompt, tear_down),
        cmocka_unit_test_setup_teardown(scripts_that_cannot_be_read, batch, tear_down),
        cmocka_unit_test_setup_teardown(nesting_is_limited, prompt, tear_down),
        cmocka_unit_test_setup_teardown(traces, prompt, tear_down),
        cmocka_unit_test_setup_teardown(an_empty_line_repeats, prompt, tear_down),
        cmocka_unit_test_setup_teardown(history_keeps_typed_lines, prompt, tear_down),
        cmocka_unit_test_setup_teardown(a_backslash_continues_a_line, prompt, tear_down),
        cmocka_unit_test_setup_teardown(the_prompt_reads_bodies, prompt, tear_down),
        cmocka_unit_test_setup_teardown(loops_end_by_cancelling, prompt, tear_down),
        cmocka_unit_test_setup_teardown(an_interrupt_keeps_status_0, prompt, tear_down),
        cmocka_unit_test_setup_teardown(verbose_reports_times, prompt, tear_down),
        cmocka_unit_test_setup_teardown(delete_asks, prompt, tear_down),
        cmocka_unit_test_setup_teardown(messages_at_the_prompt_are_bare, prompt, tear_down),
        cmocka_unit_test_setup_teardown(answers_go_into_files, prompt, tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_written_into_a_trial, batch_with_trial,
                                        tear_down),
        cmocka_unit_test_setup_teardown(answers_go_through_the_shell, prompt, tear_down),
        cmocka_unit_test_setup_teardown(the_shell_can_be_refused, prompt, tear_down),
        cmocka_unit_test_setup_teardown(commands_wait_for_the_first_scan, batch_with_trial,
                                        tear_down),
        cmocka_unit_test_setup_teardown(values_are_fetched, batch_with_trial, tear_down),
        cmocka_unit_test_setup_teardown(waiting_can_be_cancelled, batch_with_trial, tear_down),
        cmocka_unit_test_setup_teardown(a_deadline_wakes, batch_with_trial, tear_down),
        cmocka_unit_test_setup_teardown(help_comes_from_the_records, prompt, tear_down),
        cmocka_unit_test_setup_teardown(settings_and_variables, prompt, tear_down),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
