/* SPDX-License-Identifier: Apache-2.0 */
/* Debugging a live job: new steps arrive between commands and while commands wait. */
#include "tests/commands/live.h"

#include <math.h>

static struct live l;

/* Two layers and the loss, in that order. */
static void write_step(int64_t step, float first, float second, float loss)
{
    const float a[] = {first, 0.5f, -0.25f, 1}, b[] = {second, 0.125f, 1, -1};
    live_begin_step(&l, step);
    live_tensor(&l, "fc0/weight", a, 4);
    live_tensor(&l, "fc1/weight", b, 4);
    live_tensor(&l, "loss", &loss, 1);
    live_end_step(&l);
}

static void write_loss(struct live *x, int64_t step, float loss)
{
    live_begin_step(x, step);
    live_tensor(x, "loss", &loss, 1);
    live_end_step(x);
}

static int set_up(void **state)
{
    (void)state;
    live_create(&l);
    write_step(0, 1, 2, 4);
    write_step(10, 1.5f, 2.5f, 3);
    live_open(&l);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return live_close(&l);
}

static void bt_uses_the_new_steps(void **state)
{
    (void)state;
    assert_answer(&l.d, "bt loss",
                  "Nothing is wrong with loss at step 10 (train 10): |x| 3. \"bt -worst\" starts "
                  "at the worst tensor.\n");
    write_step(20, NAN, 2, 3);
    live_notice(&l, 3);
    assert_answer(&l.d, "bt loss",
                  "Nothing is wrong with loss at step 20 (train 20): |x| 3. \"bt -worst\" starts "
                  "at the worst tensor.\n");
    write_step(30, NAN, NAN, NAN);
    live_notice(&l, 4);
    assert_answer(&l.d, "bt loss",
                  "#0  step 30  loss        NaN\n"
                  "#1  step 30  fc0/weight  1 NaN of 4\n"
                  "#2  step 20  fc0/weight  1 NaN of 4  first NaN, was 1.5 at 10  origin\n"
                  "Last good: fc0/weight at step 10, max |x| 1.5. \"goto 10\" goes there, "
                  "\"layers nan step 20\" shows all layers.\n");
    write_step(40, NAN, NAN, NAN);
    live_notice(&l, 5);
    assert_answer(&l.d, "up", "#1  step 30  fc0/weight  1 NaN of 4\n");
    assert_answer(&l.d, "frame origin",
                  "#2  step 20  fc0/weight  1 NaN of 4  first NaN, was 1.5 at 10  origin\n");
    assert_answer(&l.d, "bt -worst",
                  "#0  step 20  fc0/weight  1 NaN of 4  origin\n"
                  "Last good: fc0/weight at step 10, max |x| 1.5. \"goto 10\" goes there, "
                  "\"layers nan step 20\" shows all layers.\n");
}

static void layers_use_the_newest_step(void **state)
{
    (void)state;
    assert_answer(&l.d, "layers abs_max",
                  "abs_max of 3 tensors at step 10 (train 10), in the order of writing\n"
                  "#  NAME        VALUE                            PROBLEM\n"
                  "1  fc0/weight    1.5  %                         -\n"
                  "2  fc1/weight    2.5  %%%%%%%%%%%%%%%%%         -\n"
                  "3  loss            3  %%%%%%%%%%%%%%%%%%%%%%%%  -\n");
    write_step(20, 30, 2, 3);
    live_notice(&l, 3);
    assert_answer(&l.d, "layers abs_max",
                  "abs_max of 3 tensors at step 20 (train 20), in the order of writing\n"
                  "#  NAME        VALUE                            PROBLEM\n"
                  "1  fc0/weight     30  %%%%%%%%%%%%%%%%%%%%%%%%  -\n"
                  "2  fc1/weight      2  %                         -\n"
                  "3  loss            3  %%%%                      -\n");
}

/* A complete session: run, hit a breakpoint, find the origin, continue. */
static void a_complete_session(void **state)
{
    (void)state;
    driver_prompt(&l.d, "break loss if nan($t) > 0");
    live_begin(&l, "continue");
    write_step(20, INFINITY, 2, 3);
    write_step(30, INFINITY, NAN, NAN);
    live_notice(&l, 4);
    assert_string_equal(sm_str_text(&l.d.out),
                        "\nBreakpoint 1, loss at step 30 (train 30), worker_0\nnan($t) = 1 > 0\n");
    write_step(40, INFINITY, NAN, NAN);
    live_notice(&l, 5);
    assert_answer(&l.d, "bt",
                  "#0  step 30  loss        NaN\n"
                  "#1  step 30  fc0/weight  1 Inf of 4\n"
                  "#2  step 20  fc0/weight  1 Inf of 4  first Inf, was 1.5 at 10  origin\n"
                  "Last good: fc0/weight at step 10, max |x| 1.5. \"goto 10\" goes there, "
                  "\"layers inf step 20\" shows all layers.\n");
    assert_answer(&l.d, "print $_step", "$1 = 30\n");
    live_begin(&l, "until $s > 45");
    assert_true(sm_exec_waiting(l.d.exec));
    write_step(50, 1, 2, 3);
    live_notice(&l, 6);
    assert_false(sm_exec_waiting(l.d.exec));
    assert_string_equal(sm_str_text(&l.d.out), "step 50 (train 50)  loss\n");
    assert_answer(&l.d, "bisect nan(loss) > 0 -steps 0:40",
                  "step 30 (train 30)  loss\n"
                  "false at step 20, true here; tested 4 of 4 steps\n");
    write_step(60, 1, 2, 3);
    live_notice(&l, 7);
    assert_answer(&l.d, "reverse-continue",
                  "step 0 (train 0)  loss\n"
                  "No breakpoint was hit down to the first step.\n");
    assert_answer(
        &l.d, "explain exploding_tensor",
        "ExplodingTensor fires: fc0/weight at step 20 (train 20)\n"
        "0 NaN, 1 +Inf, 0 -Inf of 4; first at [0] (1 of 3 tensors)\n"
        "Lower the learning rate, clip gradients; check the loss for log(0) and division by 0.\n"
        "It fires when an element of a selected tensor is NaN, or infinite unless only_nan is set; "
        "by default all tensors except those of collection trees are selected. Saved reductions "
        "are used where no value was saved.\n"
        "\"rule explain exploding_tensor 20\" lists all numbers that it tested.\n"
        "Now at fc0/weight, step 20. \"bt\" shows the origin.\n");
    assert_answer(&l.d, "at last -- print $_step", "$2 = 60\n");
}

/* bisect finds the change once the steps with it are written. */
static void bisect_uses_the_new_steps(void **state)
{
    (void)state;
    assert_complaint(&l.d, "bisect loss > 5",
                     "The condition is false at both step 0 and step 10.\n");
    write_step(20, 1, 2, 9);
    write_step(30, 1, 2, 9);
    live_notice(&l, 4);
    assert_answer(&l.d, "bisect loss > 5",
                  "step 20 (train 20)\n"
                  "false at step 10, true here; tested 4 of 4 steps\n");
    live_begin(&l, "until loss < 5");
    write_step(40, 1, 2, 8);
    live_notice(&l, 5);
    assert_true(sm_exec_waiting(l.d.exec));
    write_step(50, 1, 2, 1);
    live_notice(&l, 6);
    assert_string_equal(sm_str_text(&l.d.out), "step 50 (train 50)\n");
}

static void step_has_no_later_step_yet(void **state)
{
    (void)state;
    assert_complaint(&l.d, "step",
                     "There is no later step yet.  \"until 1\" waits for the next one.\n");
    live_begin(&l, "until 1");
    write_step(20, 1, 2, 3);
    live_notice(&l, 3);
    assert_string_equal(sm_str_text(&l.d.out), "step 20 (train 20)\n");
    assert_answer(&l.d, "reverse-step", "step 10 (train 10)\n");
    assert_answer(&l.d, "step 5", "step 20 (train 20)\nNo later step yet.\n");
}

/* Steps that arrive together are tested one by one. */
static void wait_tests_each_step(void **state)
{
    (void)state;
    live_begin(&l, "wait loss > 5");
    write_step(20, 1, 2, 3);
    write_step(30, 1, 2, 9);
    write_step(40, 1, 2, 3);
    live_notice(&l, 5);
    assert_string_equal(sm_str_text(&l.d.out), "step 30 (train 30)\n");
    assert_complaint(&l.d, "wait step 5 6", "Too many arguments: \"6\".\n");
}

/* An unknown tensor is an error only after the first step. */
static void wait_starts_before_the_job_writes(void **state)
{
    (void)state;
    live_create(&l);
    live_open(&l);
    live_begin(&l, "wait loss > 5");
    assert_true(sm_exec_waiting(l.d.exec));
    write_loss(&l, 0, 3);
    write_loss(&l, 10, 9);
    live_notice(&l, 2);
    assert_string_equal(sm_str_text(&l.d.out), "step 10 (train 10)\n");
    assert_complaint(&l.d, "wait los > 5", "No tensor \"los\". Did you mean \"loss\"?\n");
    assert_int_equal(live_close(&l), 0);
}

/* A step is tested when all workers have written it. */
static void until_waits_for_all_workers(void **state)
{
    struct live other = {0};
    char trial[80];
    struct sm_err err;
    (void)state;
    live_create_for(&l, 2);
    strcpy(other.dir, l.dir);
    snprintf(trial, sizeof trial, "%s/trial", l.dir);
    assert_true(sm_writer_open(trial, "worker_1", &other.writer, &err));
    write_loss(&l, 0, 1);
    write_loss(&other, 0, 1);
    live_open(&l);
    live_begin(&l, "until loss > 5");
    write_loss(&other, 10, 1);
    live_notice(&l, 2);
    write_loss(&l, 10, 9);
    write_loss(&l, 20, 1);
    live_notice(&l, 3);
    assert_string_equal(sm_str_text(&l.d.out), "step 10 (train 10)\n");
    sm_writer_close(other.writer);
    assert_int_equal(live_close(&l), 0);
}

/* The job starts again and writes lower steps: these are tested, and earlier steps not twice. */
static void a_job_starts_again(void **state)
{
    char trial[80];
    struct sm_err err;
    (void)state;
    driver_prompt(&l.d, "break loss if $v > 5");
    live_begin(&l, "continue");
    write_step(20, 1, 2, 9);
    live_notice(&l, 3);
    assert_string_equal(sm_str_text(&l.d.out),
                        "\nBreakpoint 1, loss at step 20 (train 20), worker_0\n$v = 9 > 5\n");
    live_begin(&l, "continue");
    assert_true(sm_exec_waiting(l.d.exec));
    sm_writer_close(l.writer);
    snprintf(trial, sizeof trial, "%s/trial", l.dir);
    assert_true(sm_writer_open(trial, "worker_0", &l.writer, &err));
    write_step(0, 1, 2, 3);
    live_notice(&l, 3);
    assert_int_equal(sm_trial_session_count(sm_session_trial(l.d.session)), 2);
    assert_true(sm_exec_waiting(l.d.exec));
    write_step(10, 1, 2, 8);
    live_notice(&l, 3);
    assert_string_equal(sm_str_text(&l.d.out),
                        "\nBreakpoint 1, loss at step 10 (train 10), worker_0\n$v = 8 > 5\n");
    live_begin(&l, "until loss > 5");
    assert_true(sm_exec_waiting(l.d.exec));
    write_step(20, 1, 2, 3);
    write_step(30, 1, 2, 7);
    live_notice(&l, 4);
    assert_string_equal(sm_str_text(&l.d.out), "step 30 (train 30)  loss\n");
}

/* After a restart the rules judge the new steps, but not the later steps of the first run. */
static void rules_judge_rewritten_steps(void **state)
{
    static const char question[] = "rule status -field status,first_step,datapoints";
    char trial[80];
    struct sm_err err;
    (void)state;
    driver_prompt(&l.d, "rule add exploding_tensor");
    write_step(20, 1, 2, 4);
    live_notice(&l, 3);
    assert_answer(&l.d, question, "STATUS      FIRST  DATAPOINTS\nInProgress      -           9\n");
    sm_writer_close(l.writer);
    snprintf(trial, sizeof trial, "%s/trial", l.dir);
    assert_true(sm_writer_open(trial, "worker_0", &l.writer, &err));
    write_step(0, 1, 2, 3);
    live_notice(&l, 3);
    assert_answer(&l.d, question, "STATUS      FIRST  DATAPOINTS\nInProgress      -          12\n");
    write_step(10, 1, 2, NAN);
    live_notice(&l, 3);
    assert_answer(&l.d, question,
                  "STATUS       FIRST  DATAPOINTS\nIssuesFound     10          15\n");
}

/* Steps without tensors at both ends: run and reverse-continue end where something was saved. */
static void the_last_step_holds_something(void **state)
{
    struct sm_err err;
    (void)state;
    for (int64_t step = 20; step <= 30; step += 10) {
        live_begin_step(&l, step);
        live_end_step(&l);
    }
    assert_true(sm_writer_end_job(l.writer, &err));
    live_notice(&l, 4);
    assert_answer(&l.d, "run", "step 10 (train 10)\nNo breakpoint was hit up to the last step.\n");
    assert_answer(&l.d, "print $_step", "$1 = 10\n");
    assert_complaint(&l.d, "continue",
                     "There is no later step.  \"run\" starts at the first one, "
                     "\"reverse-continue\" goes back.\n");
    assert_answer(&l.d, "reverse-continue",
                  "step 0 (train 0)\nNo breakpoint was hit down to the first step.\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_last_step_holds_something, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bt_uses_the_new_steps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(layers_use_the_newest_step, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_complete_session, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bisect_uses_the_new_steps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(step_has_no_later_step_yet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wait_tests_each_step, set_up, tear_down),
        cmocka_unit_test(wait_starts_before_the_job_writes),
        cmocka_unit_test_setup_teardown(a_job_starts_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rules_judge_rewritten_steps, set_up, tear_down),
        cmocka_unit_test(until_waits_for_all_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
