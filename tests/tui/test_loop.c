/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/clock.h"
#include "tests/tui/signals.h"
#include "tui/app/loop.h"
#include "tui/program_features.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct world {
    struct sm_pool *pool;
    struct sm_session *session;
    struct sm_loop *loop;
    int ends[2];
    int reads, turns, changes;
    int64_t next_us;
    int signals[8];
    int n_signals;
    struct sm_str said;
};

static int set_up(void **state)
{
    struct sm_err err = {0};
    struct world *w = test_calloc(1, sizeof *w);
    w->next_us = INT64_MAX;
    w->pool = sm_pool_new(0, 0, &err);
    w->session = sm_session_new(w->pool, sm_program_features, &err);
    w->loop = sm_loop_new(w->session, &err);
    *state = w;
    return !w->loop || pipe(w->ends);
}

static int tear_down(void **state)
{
    struct world *w = *state;
    close(w->ends[0]);
    close(w->ends[1]);
    sm_loop_free(w->loop);
    sm_session_free(w->session);
    sm_pool_free(w->pool);
    sm_str_clear(&w->said);
    test_free(w);
    return 0;
}

static void on_ready(void *ctx)
{
    struct world *w = ctx;
    char byte;
    w->reads += (int)read(w->ends[0], &byte, 1);
}

static int64_t on_turn(void *ctx, bool changed)
{
    struct world *w = ctx;
    w->turns++;
    w->changes += changed;
    return w->next_us;
}

static void on_signal(void *ctx, int signo)
{
    struct world *w = ctx;
    w->signals[w->n_signals++] = signo;
}

static void test_sources_are_read_and_removed(void **state)
{
    struct world *w = *state;
    struct sm_loop_source source = {.fd = w->ends[0], .ready = on_ready, .ctx = w};
    assert_true(sm_loop_add(w->loop, &source));
    sm_loop_turn(w->loop, false);
    assert_int_equal(w->reads, 0);
    assert_int_equal(write(w->ends[1], "ab", 2), 2);
    sm_loop_turn(w->loop, true);
    sm_loop_turn(w->loop, true);
    assert_int_equal(w->reads, 2);
    sm_loop_remove(w->loop, w->ends[0]);
    assert_int_equal(write(w->ends[1], "c", 1), 1);
    sm_loop_turn(w->loop, false);
    assert_int_equal(w->reads, 2);
}

static void remove_self(void *ctx)
{
    struct world *w = ctx;
    w->reads++;
    sm_loop_remove(w->loop, w->ends[0]);
}

static void test_a_source_may_remove_itself(void **state)
{
    struct world *w = *state;
    struct sm_loop_source source = {.fd = w->ends[0], .ready = remove_self, .ctx = w};
    sm_loop_add(w->loop, &source);
    assert_int_equal(write(w->ends[1], "a", 1), 1);
    sm_loop_turn(w->loop, true);
    sm_loop_turn(w->loop, false);
    assert_int_equal(w->reads, 1);
}

static void test_only_so_many_sources(void **state)
{
    struct world *w = *state;
    struct sm_loop_source source = {.fd = w->ends[0], .ready = on_ready, .ctx = w};
    for (int i = 0; i < SM_LOOP_SOURCES_MAX; i++)
        assert_true(sm_loop_add(w->loop, &source));
    assert_false(sm_loop_add(w->loop, &source));
    sm_loop_remove(w->loop, w->ends[0]);
    assert_true(sm_loop_add(w->loop, &source));
}

static void test_the_end_of_a_pipe_is_news(void **state)
{
    struct world *w = *state;
    struct sm_loop_source source = {.fd = w->ends[0], .ready = remove_self, .ctx = w};
    sm_loop_add(w->loop, &source);
    close(w->ends[1]);
    sm_loop_turn(w->loop, true);
    assert_int_equal(w->reads, 1);
}

static void test_the_turn_function_sets_the_deadline(void **state)
{
    struct world *w = *state;
    sm_loop_on_turn(w->loop, on_turn, w);
    w->next_us = sm_clock_mono_us() + 3000;
    sm_loop_turn(w->loop, true);
    assert_true(sm_clock_mono_us() >= w->next_us);
    w->next_us = 0;
    sm_loop_turn(w->loop, true);
    assert_int_equal(w->turns, 2);
    assert_int_equal(w->changes, 0);
    sm_loop_stop(w->loop);
    w->next_us = INT64_MAX;
    sm_loop_turn(w->loop, true); /* stopped: returns at once */
    assert_int_equal(w->turns, 3);
}

static void say(void *ctx, const char *text, size_t n)
{
    sm_str_addn(&((struct world *)ctx)->said, text, n);
}

/* Commands queued between turns run before anything is waited for. */
static void test_commands_run_in_the_turn(void **state)
{
    struct world *w = *state;
    static const struct sm_exec_ops ops = {.answer = say, .complain = say};
    struct sm_exec *x = sm_exec_new(w->session, &ops, w);
    sm_loop_set_exec(w->loop, x);
    sm_exec_line(x, "echo one\\n", SM_FROM_OPTION);
    sm_exec_line(x, "echo two\\n", SM_FROM_OPTION);
    sm_loop_turn(w->loop, false);
    assert_string_equal(sm_str_text(&w->said), "one\ntwo\n");
    assert_false(sm_loop_busy(w->loop));
    sm_exec_line(x, "open /nonexistent/trial", SM_FROM_OPTION);
    sm_loop_turn(w->loop, false);
    assert_true(sm_loop_busy(w->loop));
    while (sm_loop_busy(w->loop))
        sm_loop_turn(w->loop, true);
    assert_non_null(strstr(sm_str_text(&w->said), "trial: smdebug trial, 0 workers, waiting"));
    sm_loop_set_exec(w->loop, NULL);
    sm_exec_free(x);
}

static void test_signals_arrive_as_calls(void **state)
{
    struct world *w = *state;
    sm_loop_on_signal(w->loop, on_signal, w);
    raise(SIGWINCH);
    raise(SIGINT);
    raise(SIGINT);
    sm_loop_turn(w->loop, true);
    assert_int_equal(w->n_signals, 2);
    assert_int_equal(w->signals[0], SIGINT);
    assert_int_equal(w->signals[1], SIGWINCH);
}

/* In a process of its own: what a signal does to it. */
static int status_of(struct world *w, void (*body)(struct world *w))
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        body(w);
        _exit(7);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void die_of_term(struct world *w)
{
    sm_loop_on_signal(w->loop, on_signal, w);
    sm_loop_raise(w->loop, SIGTERM);
}

static void stay_ignored(struct world *w)
{
    signal(SIGHUP, SIG_IGN);
    sm_loop_on_signal(w->loop, on_signal, w);
    raise(SIGHUP);
    sm_loop_turn(w->loop, false);
    _exit(w->n_signals);
}

static void give_back(struct world *w)
{
    sm_loop_on_signal(w->loop, on_signal, w);
    sm_loop_on_signal(w->loop, NULL, NULL);
    raise(SIGINT);
}

static void test_signals_and_processes(void **state)
{
    assert_int_equal(status_of(*state, die_of_term), 128 + SIGTERM);
    assert_int_equal(status_of(*state, stay_ignored), 0);
    assert_int_equal(status_of(*state, give_back), 128 + SIGINT);
}

int main(void)
{
    signals_default();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sources_are_read_and_removed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_source_may_remove_itself, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_only_so_many_sources, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_end_of_a_pipe_is_news, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_turn_function_sets_the_deadline, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_commands_run_in_the_turn, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_signals_arrive_as_calls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_signals_and_processes, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
