/* SPDX-License-Identifier: Apache-2.0 */
/* The process that --demo starts: it trains, says how it went, and leaves nothing behind however
 * the debugger ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tui/demo.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sm_training training;
static struct sm_err err;

static bool exists(const char *dir, const char *name)
{
    char path[512];
    struct stat st;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return stat(path, &st) == 0;
}

static struct sm_options options(const char *demo, const char *out)
{
    return (struct sm_options){.demo = demo, .out = out, .seed = -1, .speed = 1};
}

/* The directory around a trial that is not to be kept. */
static void find_scratch(char scratch[256])
{
    snprintf(scratch, 256, "%s", sm_str_text(&training.dir));
    *strrchr(scratch, '/') = 0;
}

static void start(const struct sm_options *o, bool paced)
{
    if (!sm_training_start(&training, o, paced, &err))
        fail_msg("%s", err.msg);
}

static void test_trains_to_the_end(void **state)
{
    (void)state;
    const struct sm_options o = options("vanishing_gradient", NULL);
    struct sm_str said = {0};
    char scratch[256];
    start(&o, false);
    find_scratch(scratch);
    assert_true(sm_training_wait(&training, &said, &err));
    assert_non_null(
        strstr(sm_str_text(&said), "vanishing_gradient, seed 1: 1200 training steps, accuracy 0."));
    assert_true(exists(sm_str_text(&training.dir), "training_job_end.ts"));
    sm_training_stop(&training);
    assert_false(exists(scratch, ""));
    sm_str_clear(&said);
}

static void test_stops_with_us(void **state)
{
    (void)state;
    const struct sm_options o = options("", NULL);
    char scratch[256];
    start(&o, true);
    find_scratch(scratch);
    assert_true(exists(scratch, ""));
    sm_training_stop(&training);
    assert_false(exists(scratch, ""));
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

/* A debugger that dies without a word. The training holds the pipe's end too: it closes when both
 * are gone. */
static void test_stops_when_we_die(void **state)
{
    (void)state;
    int ends[2];
    char scratch[257] = "";
    size_t n = 0;
    ssize_t got;
    assert_int_equal(pipe(ends), 0);
    pid_t debugger = fork();
    if (debugger == 0) {
        const struct sm_options o = options("stalled", NULL);
        if (!sm_training_start(&training, &o, false, &err))
            _exit(1);
        find_scratch(scratch);
        _exit(write(ends[1], scratch, strlen(scratch)) < 0);
    }
    close(ends[1]);
    while ((got = read(ends[0], scratch + n, sizeof scratch - 1 - n)) > 0)
        n += (size_t)got;
    close(ends[0]);
    waitpid(debugger, NULL, 0);
    assert_non_null(strstr(scratch, "smdbg-demo-"));
    assert_false(exists(scratch, ""));
}

static void test_stalled_says_so(void **state)
{
    (void)state;
    const struct sm_options o = options("stalled", NULL);
    struct sm_str said = {0};
    start(&o, false);
    assert_true(sm_training_wait(&training, &said, &err));
    assert_non_null(strstr(sm_str_text(&said), "stopped writing after 300 training steps"));
    assert_false(exists(sm_str_text(&training.dir), "training_job_end.ts"));
    sm_training_stop(&training);
    sm_str_clear(&said);
}

static void test_out_is_kept(void **state)
{
    (void)state;
    char dir[] = "/tmp/smdbg-test-XXXXXX", out[64];
    assert_non_null(mkdtemp(dir));
    snprintf(out, sizeof out, "%s/run", dir);
    const struct sm_options o = options("vanishing_gradient", out);
    struct sm_str said = {0};
    start(&o, false);
    assert_string_equal(sm_str_text(&training.dir), out);
    assert_true(sm_training_wait(&training, &said, &err));
    sm_training_stop(&training);
    sm_str_clear(&said);
    assert_true(exists(out, "training_job_end.ts"));
    assert_false(sm_training_start(&training, &o, true, &err));
    assert_int_equal(err.code, SM_ERR_REFUSED);
    snprintf(out, sizeof out, "rm -r %s", dir);
    assert_int_equal(system(out), 0);
}

/* Directories that cannot be used are passed over. */
static void test_where(void **state)
{
    (void)state;
    const struct sm_options o = options("", NULL), nowhere = options("", "/nonexistent/run");
    setenv("XDG_RUNTIME_DIR", "/nonexistent", 1);
    setenv("TMPDIR", "relative", 1);
    start(&o, true);
    assert_memory_equal(sm_str_text(&training.dir), "/tmp/smdbg-demo-", 16);
    sm_training_stop(&training);
    assert_false(sm_training_start(&training, &nowhere, true, &err));
    assert_non_null(strstr(err.msg, "/nonexistent/run"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trains_to_the_end), cmocka_unit_test(test_stops_with_us),
        cmocka_unit_test(test_stops_when_we_die), cmocka_unit_test(test_stalled_says_so),
        cmocka_unit_test(test_out_is_kept),       cmocka_unit_test(test_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
