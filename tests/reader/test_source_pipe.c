/* SPDX-License-Identifier: Apache-2.0 */
/* Standard input as a source: what comes is there at once, and can be read again. */
#include "reader/source/source_pipe.h"
#include "reader/textlog/textlog_state.h"

#include "fake_log_sink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

enum { LONG_US = 60000000 };
static int pipe_in; /* where the test writes */

static void put(const char *text)
{
    assert_int_equal(write(pipe_in, text, strlen(text)), strlen(text));
}

static void test_before(void **state)
{
    (void)state;
    assert_false(sm_pipe_is_path("-"));
    assert_null(sm_pipe_source());
}

static void check_file(const char *want)
{
    struct sm_err err;
    struct sm_str got = {0};
    struct sm_source *s = sm_pipe_source();
    assert_true(sm_source_slurp(s, SM_PIPE_FILE, 1 << 20, &got, &err));
    assert_string_equal(sm_str_text(&got), want);
    assert_false(sm_source_slurp(s, "other", 100, &got, &err));
    assert_int_equal(err.code, SM_ERR_MISSING);
    sm_str_clear(&got);
    sm_source_unref(s);
}

static void test_grows(void **state)
{
    (void)state;
    int fds[2];
    struct sm_err err;
    assert_int_equal(pipe(fds), 0);
    pipe_in = fds[1];
    assert_true(sm_pipe_begin(fds[0], true, &err));
    assert_true(sm_pipe_is_path("-"));
    assert_false(sm_pipe_is_path("./-"));
    put("step 1 loss 3\n");
    assert_true(sm_pipe_wait(13, LONG_US));
    check_file("step 1 loss 3\n");
    put("step 2 loss 2\n");
    assert_true(sm_pipe_wait(27, LONG_US));
    check_file("step 1 loss 3\nstep 2 loss 2\n");
    assert_false(sm_pipe_ended(NULL));
    assert_false(sm_pipe_begin(fds[0], true, &err)); /* once */
}

static struct sm_log_sink *sink;
static void *log_state;

/* Polls until n bytes were read. False at the end. */
static bool poll_bytes(const char *last)
{
    bool more = true;
    while (more && strcmp(fake_sink_points(sink, "loss"), last) != 0)
        more = sm_textlog_pipe_format.poll(log_state, sink);
    return more;
}

/* The end of the pipe is the end of the run; before it, there is more to read. */
static void test_poll(void **state)
{
    (void)state;
    static struct sm_trial_input in;
    sink = fake_sink_new();
    in.source = sm_pipe_source();
    log_state = sm_textlog_pipe_format.open(&in);
    assert_true(poll_bytes("1=3 2=2"));
    put("step 3 loss 1 |");
    assert_true(poll_bytes("1=3 2=2 3=1"));
    assert_null(strstr(fake_sink_take(sink), "ended"));
    put(" acc 1");
    close(pipe_in);
    while (sm_textlog_pipe_format.poll(log_state, sink))
        ;
    assert_non_null(strstr(fake_sink_take(sink), "ended 1 0"));
    assert_string_equal(fake_sink_points(sink, "acc"), "3=1"); /* nothing will follow */
    assert_true(sm_pipe_ended(NULL));
    assert_int_equal(sink->problems, 0);
    sm_textlog_pipe_format.close(log_state);
    fake_sink_free(sink);
    sm_source_unref(in.source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_before),
        cmocka_unit_test(test_grows),
        cmocka_unit_test(test_poll),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
