/* SPDX-License-Identifier: Apache-2.0 */
/* The hook starts a program that records the machine, and the training does not notice. A script
 * stands for the program: it writes its arguments into a pipe with a name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reader/hook/smdbg_hook.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[64], trial[128], script[128], fifo[128];
static volatile sig_atomic_t signals;

static void count_signal(int signo)
{
    (void)signo;
    signals++;
}

static int set_up(void **state)
{
    (void)state;
    if (!make_scratch(dir, sizeof dir))
        return -1;
    snprintf(trial, sizeof trial, "%s/trial", dir);
    snprintf(script, sizeof script, "%s/script", dir);
    snprintf(fifo, sizeof fifo, "%s/fifo", dir);
    FILE *f = fopen(script, "w");
    fprintf(f, "#!/bin/sh\necho \"$@\" >'%s'\n", fifo);
    fclose(f);
    unsetenv("LOCAL_RANK");
    unsetenv("SMDBG_PROFILER_DIR");
    setenv("SMDBG_TUI", script, 1);
    return chmod(script, 0700) || mkfifo(fifo, 0600);
}

static int tear_down(void **state)
{
    (void)state;
    return remove_tree(dir);
}

static smdbg_hook *start(const char *interval)
{
    smdbg_hook *h = smdbg_hook_new(trial);
    assert_int_equal(smdbg_hook_set(h, "system_monitor_interval_millis", interval), 0);
    return h;
}

static void test_started_unnoticed(void **state)
{
    (void)state;
    char said[512] = {0}, want[512];
    struct sigaction counting = {.sa_handler = count_signal}, before;
    sigaction(SIGCHLD, &counting, &before);
    signals = 0;
    smdbg_hook *h = start("250");
    assert_int_equal(smdbg_hook_step(h, SMDBG_TRAIN), 0);
    int fd = open(fifo, O_RDONLY); /* waits for the script */
    assert_true(fd >= 0 && read(fd, said, sizeof said - 1) > 0);
    close(fd);
    snprintf(want, sizeof want, "sample -p %d -o %s/profiler-output -i 250\n", (int)getpid(),
             trial);
    assert_string_equal(said, want);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    assert_int_equal(signals, 0);
    sigaction(SIGCHLD, &before, NULL);
    assert_int_equal(smdbg_hook_step(h, SMDBG_TRAIN), 0); /* once */
    assert_int_equal(smdbg_hook_close(h), 0);
}

/* The error is told, and all else goes on. */
static void test_no_program(void **state)
{
    (void)state;
    float value = 1;
    setenv("SMDBG_TUI", "/nonexistent/smdbg-tui", 1);
    smdbg_hook *h = start("250");
    assert_int_equal(smdbg_hook_set(h, "save_all", "true"), 0);
    assert_int_equal(smdbg_hook_step(h, SMDBG_TRAIN), -1);
    assert_string_equal(smdbg_hook_error(h), "/nonexistent/smdbg-tui: No such file or directory");
    assert_int_equal(smdbg_hook_save(h, "x", SMDBG_FLOAT32, 0, NULL, NULL, &value), 0);
    assert_int_equal(smdbg_hook_step(h, SMDBG_TRAIN), 0);
    smdbg_hook_close(h);
}

static bool is_running(const char *name, const char *value)
{
    setenv("SMDBG_TUI", "/nonexistent/smdbg-tui", 1); /* an error if it is started */
    setenv(name, value, 1);
    smdbg_hook *h = start("250");
    bool started = smdbg_hook_step(h, SMDBG_TRAIN) != 0;
    unsetenv(name);
    smdbg_hook_close(h);
    return started;
}

static void test_one_a_machine(void **state)
{
    (void)state;
    assert_false(is_running("SMDBG_PROFILER_DIR", "/tmp"));
    assert_false(is_running("LOCAL_RANK", "1"));
    assert_true(is_running("LOCAL_RANK", "0"));
}

static void test_setting(void **state)
{
    (void)state;
    static const char *const bad[] = {"99", "60001", "-1", "x", ""};
    smdbg_hook *h = smdbg_hook_new(trial);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(smdbg_hook_set(h, "system_monitor_interval_millis", bad[i]), -1);
    assert_int_equal(smdbg_hook_set(h, "system_monitor_interval_millis", "0"), 0);
    assert_int_equal(smdbg_hook_step(h, SMDBG_TRAIN), 0);
    smdbg_hook_close(h);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_started_unnoticed), TEST(test_no_program),
                                       TEST(test_one_a_machine), TEST(test_setting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
