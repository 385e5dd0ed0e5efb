/* SPDX-License-Identifier: Apache-2.0 */
/* A live job: continue waits for its steps, and live breakpoints note their hits. */
#include "commands/stops/stops.h"
#include "tests/commands/live.h"

#include "commands/session/incident.h"
#include "commands/stops/chart_marks.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>

static struct live l;

static void write_step(int64_t step, float value)
{
    live_begin_step(&l, step);
    live_tensor(&l, "loss", &value, 1);
    live_end_step(&l);
}

/* A trial with two steps. */
static int set_up(void **state)
{
    (void)state;
    live_create(&l);
    write_step(0, 1);
    write_step(10, 7);
    live_open(&l);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return live_close(&l);
}

static void continue_waits_for_steps(void **state)
{
    (void)state;
    driver_prompt(&l.d, "break loss if $v > 5");
    live_begin(&l, "continue");
    assert_true(sm_exec_waiting(l.d.exec));
    write_step(20, 3);
    live_notice(&l, 3);
    assert_true(sm_exec_waiting(l.d.exec));
    assert_string_equal(sm_str_text(&l.d.out), "");
    write_step(30, 9);
    live_notice(&l, 4);
    assert_false(sm_exec_waiting(l.d.exec));
    assert_string_equal(sm_str_text(&l.d.out),
                        "\nBreakpoint 1, loss at step 30 (train 30), worker_0\n$v = 9 > 5\n");
    assert_answer(&l.d, "reverse-continue",
                  "\nBreakpoint 1, loss at step 10 (train 10), worker_0\n$v = 7 > 5\n");
}

static void continue_is_cancelled(void **state)
{
    (void)state;
    driver_prompt(&l.d, "break loss if $v > 50");
    live_begin(&l, "continue");
    assert_true(sm_exec_waiting(l.d.exec));
    sm_exec_cancel(l.d.exec);
    assert_false(sm_exec_waiting(l.d.exec));
    assert_answer(&l.d, "print $_step", "$1 = 10\n");
}

static void continue_times_out(void **state)
{
    (void)state;
    driver_prompt(&l.d, "break loss if $v > 50");
    assert_complaint(&l.d, "continue -timeout 1ms", "No breakpoint was hit within 1ms.\n");
    assert_answer(&l.d, "print $_exitcode", "$1 = 6\n");
}

static void continue_stops_at_the_end(void **state)
{
    struct sm_err err;
    (void)state;
    driver_prompt(&l.d, "break end");
    live_begin(&l, "continue");
    assert_true(sm_exec_waiting(l.d.exec));
    assert_true(sm_writer_end_job(l.writer, &err));
    live_notice(&l, 2);
    assert_string_equal(sm_str_text(&l.d.out),
                        "\nBreakpoint 1, end of the job at step 10 (train 10)\n");
}

/* Steps written before are not noted; the current step does not change. */
static void live_breakpoints_note_new_hits(void **state)
{
    (void)state;
    const struct sm_incidents *log = l.d.session->incidents;
    sm_stops(l.d.session)->live = true;
    driver_prompt(&l.d, "break loss if $v > 5");
    live_notice(&l, 2);
    assert_int_equal(log->n, 0);
    write_step(20, 3);
    write_step(30, 9);
    live_notice(&l, 4);
    assert_int_equal(log->n, 1);
    assert_string_equal(log->items[0].rule, "Breakpoint 1");
    assert_string_equal(log->items[0].text,
                        "Breakpoint 1, loss at step 30 (train 30), worker_0 $v = 9 > 5");
    assert_int_equal(log->items[0].step, 30);
    assert_true(log->items[0].bell);
    driver_prompt(&l.d, "disable");
    write_step(40, 9);
    live_notice(&l, 5);
    driver_prompt(&l.d, "enable");
    live_notice(&l, 5);
    write_step(50, 9);
    live_notice(&l, 6);
    assert_int_equal(log->n, 2);
    assert_int_equal(log->items[1].step, 50);
    assert_true(l.d.session->at.follow);
    assert_answer(&l.d, "info b -field hits", "Hits\n   2\n");
}

static const struct sm_incident *newest(void)
{
    const struct sm_incidents *log = l.d.session->incidents;
    return &log->items[log->n - 1];
}

/* Hits count as in continue: ignore, tbreak, enable once, hit counts, dprintf. */
static void live_breakpoints_count(void **state)
{
    (void)state;
    const struct sm_incidents *log = l.d.session->incidents;
    sm_stops(l.d.session)->live = true;
    driver_prompt(&l.d, "break loss");
    driver_prompt(&l.d, "ignore 1 1");
    driver_prompt(&l.d, "tbreak loss if $v > 5");
    driver_prompt(&l.d, "break step");
    driver_prompt(&l.d, "enable once 3");
    driver_prompt(&l.d, "condition -hitcount 3 % 3");
    driver_prompt(&l.d, "dprintf loss,\"%s is %g at %d\\n\",$_tensor,$v,$_step");
    live_notice(&l, 2);
    write_step(20, 3);
    live_notice(&l, 3);
    assert_int_equal(log->n, 1);
    assert_string_equal(newest()->rule, "Dprintf 4");
    assert_string_equal(newest()->text, "loss is 3 at 20");
    assert_false(newest()->bell);
    write_step(30, 9);
    live_notice(&l, 4);
    assert_int_equal(log->n, 4);
    assert_string_equal(log->items[1].rule, "Breakpoint 1");
    assert_string_equal(log->items[2].rule, "Temporary breakpoint 2");
    assert_string_equal(log->items[3].rule, "Dprintf 4");
    write_step(40, 9);
    write_step(50, 9);
    live_notice(&l, 6);
    assert_int_equal(log->n, 4 + 1 + 1 + 1 + 1 + 1); /* breakpoint 3 at step 40 only */
    assert_answer(&l.d, "info b -field number,enabled,hits",
                  "Num  Enb    Hits\n  1  true      4\n  3  false     3\n  4  true      4\n");
    assert_true(l.d.session->at.follow);
}

/* Steps that continue has searched are not searched again; steps after its stop are. */
static void live_breakpoints_skip_steps_of_continue(void **state)
{
    (void)state;
    const struct sm_incidents *log = l.d.session->incidents;
    sm_stops(l.d.session)->live = true;
    driver_prompt(&l.d, "break loss if $v > 5");
    live_notice(&l, 2);
    live_begin(&l, "continue");
    write_step(20, 9);
    write_step(30, 9);
    live_notice(&l, 4);
    assert_false(sm_exec_waiting(l.d.exec));
    assert_answer(&l.d, "print $_step", "$1 = 20\n");
    live_notice(&l, 4);
    assert_int_equal(log->n, 1);
    assert_int_equal(log->items[0].step, 30);
    assert_answer(&l.d, "info b -field hits", "Hits\n   2\n");
}

static void live_breakpoints_run_the_stop_action(void **state)
{
    char line[128], file[80];
    (void)state;
    snprintf(file, sizeof file, "%s/stopped", l.dir);
    snprintf(line, sizeof line, "set stop-action file %s", file);
    sm_stops(l.d.session)->live = true;
    driver_prompt(&l.d, line);
    driver_prompt(&l.d, "break loss if $v > 5");
    live_notice(&l, 2);
    assert_int_equal(access(file, F_OK), -1);
    write_step(20, 9);
    live_notice(&l, 3);
    assert_int_equal(access(file, F_OK), 0);
}

/* Charts mark the stops, live or not, until the breakpoints are deleted. */
static void stops_are_marked(void **state)
{
    const struct sm_session *s;
    int64_t steps[4];
    (void)state;
    s = l.d.session;
    sm_stops(l.d.session)->live = true;
    driver_prompt(&l.d, "break loss if $v > 5");
    driver_prompt(&l.d, "dprintf loss,\"%g\",$v");
    live_notice(&l, 2);
    assert_int_equal(sm_chart_marked_steps(s, steps, 4), 0);
    write_step(20, 9);
    write_step(30, 1);
    live_notice(&l, 4);
    driver_prompt(&l.d, "run");
    assert_int_equal(sm_chart_marked_steps(s, steps, 4), 2);
    assert_int_equal(steps[0], 10);
    assert_int_equal(steps[1], 20);
    driver_prompt(&l.d, "run");
    assert_int_equal(sm_chart_marked_steps(s, steps, 1), 1);
    assert_int_equal(steps[0], 10);
    driver_prompt(&l.d, "delete 2");
    assert_int_equal(sm_chart_marked_steps(s, steps, 4), 2);
    driver_prompt(&l.d, "delete 1");
    assert_int_equal(sm_chart_marked_steps(s, steps, 4), 0);
}

static void live_breakpoints_note_the_end(void **state)
{
    struct sm_err err;
    (void)state;
    sm_stops(l.d.session)->live = true;
    driver_prompt(&l.d, "break end");
    live_notice(&l, 2);
    assert_int_equal(l.d.session->incidents->n, 0);
    assert_true(sm_writer_end_job(l.writer, &err));
    live_notice(&l, 2);
    assert_int_equal(l.d.session->incidents->n, 1);
    assert_string_equal(newest()->text, "Breakpoint 1, end of the job at step 10 (train 10)");
}

/* The rule is judged from the first step on, as steps arrive. */
static void continue_waits_for_a_rule(void **state)
{
    (void)state;
    driver_prompt(&l.d, "break rule exploding_tensor");
    live_begin(&l, "continue");
    assert_true(sm_exec_waiting(l.d.exec));
    write_step(20, 3);
    live_notice(&l, 3);
    assert_true(sm_exec_waiting(l.d.exec));
    write_step(30, NAN);
    write_step(40, 1);
    live_notice(&l, 5);
    assert_false(sm_exec_waiting(l.d.exec));
    assert_string_equal(sm_str_text(&l.d.out),
                        "\nBreakpoint 1, loss at step 30 (train 30), worker_0\n"
                        "ExplodingTensor: 1 NaN, 0 +Inf, 0 -Inf of 1\n");
    live_begin(&l, "continue");
    write_step(50, INFINITY);
    write_step(60, 1);
    live_notice(&l, 7);
    assert_answer(&l.d, "print $_step", "$1 = 50\n");
    assert_answer(&l.d, "info b -field hits", "Hits\n   2\n");
}

static void live_breakpoints_note_a_rule(void **state)
{
    (void)state;
    const struct sm_incidents *log = l.d.session->incidents;
    sm_stops(l.d.session)->live = true;
    write_step(20, NAN);
    live_notice(&l, 3);
    driver_prompt(&l.d, "break rule exploding_tensor");
    live_notice(&l, 3);
    assert_int_equal(log->n, 0);
    write_step(30, 1);
    write_step(40, NAN);
    write_step(50, 1);
    live_notice(&l, 6);
    assert_int_equal(log->n, 1);
    assert_int_equal(log->items[0].step, 40);
}

/* A process that does nothing, until it gets a signal that ends it. */
static pid_t start_process(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        alarm(600); /* should the test fail */
        for (;;)
            pause();
    }
    assert_true(pid > 0);
    return pid;
}

/* The stop action pauses the process of the job. */
static void a_stop_pauses_a_process(void **state)
{
    (void)state;
    char line[64];
    int status;
    pid_t pid = start_process();
    snprintf(line, sizeof line, "set stop-action pid %d STOP", (int)pid);
    driver_prompt(&l.d, line);
    driver_prompt(&l.d, "break loss if $v > 5");
    live_begin(&l, "continue");
    assert_int_equal(waitpid(pid, &status, WUNTRACED | WNOHANG), 0);
    write_step(20, 9);
    live_notice(&l, 3);
    assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
    assert_true(WIFSTOPPED(status));
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_string_equal(l.d.session->incidents->items[0].rule, "Breakpoint 1");
    assert_int_equal(l.d.session->incidents->items[0].step, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(continue_waits_for_steps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(continue_is_cancelled, set_up, tear_down),
        cmocka_unit_test_setup_teardown(continue_times_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(continue_stops_at_the_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(live_breakpoints_note_new_hits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(live_breakpoints_count, set_up, tear_down),
        cmocka_unit_test_setup_teardown(live_breakpoints_skip_steps_of_continue, set_up, tear_down),
        cmocka_unit_test_setup_teardown(live_breakpoints_run_the_stop_action, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stops_are_marked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(live_breakpoints_note_the_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(continue_waits_for_a_rule, set_up, tear_down),
        cmocka_unit_test_setup_teardown(live_breakpoints_note_a_rule, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_stop_pauses_a_process, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
