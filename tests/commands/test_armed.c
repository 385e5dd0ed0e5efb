/* A job that goes on: continue waits for its steps, and breakpoints that are always armed note where they are met. */
#include "tests/commands/driver.h"

#include "commands/incident.h"
#include "reader/format/dtype.h"
#include "reader/hook/writer.h"

#include <ftw.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static struct driver d;
static struct sm_writer *writer;
static char dir[64];

static void write_step(int64_t step, float value)
{
    struct sm_err err;
    struct sm_event_value v = {.tag = SM_TEXT("loss"), .kind = SM_VALUE_TENSOR, .dtype = SM_DTYPE_FLOAT32, .n_dims = 1,
                               .dims = {1}, .n_elements = 1, .content = {(const uint8_t *)&value, sizeof value}};
    assert_true(sm_writer_begin_step(writer, step, SM_MODE_TRAIN, step, &err));
    assert_true(sm_writer_tensor(writer, &v, 1e9, &err));
    assert_true(sm_writer_end_step(writer, &err));
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st, (void)flag, (void)ftw;
    return remove(path);
}

/* Two steps are there. Nothing looks for others unless it is told to. */
static int set_up(void **state)
{
    char trial[80];
    struct sm_err err;
    (void)state;
    strcpy(dir, "/tmp/smdbg-armed-XXXXXX");
    assert_non_null(mkdtemp(dir));
    snprintf(trial, sizeof trial, "%s/trial", dir);
    const char *names[] = {"loss"};
    struct sm_collection_def losses = {.name = "losses", .names = names, .n_names = 1, .reductions = ""};
    const struct sm_collections_def all = {.items = &losses, .n = 1, .num_workers = 1};
    assert_true(sm_writer_open(trial, "worker_0", &writer, &err));
    assert_true(sm_writer_collections(writer, &all, &err));
    write_step(0, 1);
    write_step(10, 7);
    driver_open(&d, NULL, false);
    d.session->open_options.follow = true;
    d.session->open_options.heartbeat_us = INT64_MAX / 4;
    assert_true(sm_session_open(d.session, trial, NULL, true, &err));
    driver_prompt(&d, "info steps");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sm_writer_close(writer);
    driver_close(&d);
    return nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Until the trial has so many steps and all that they lead to is done. */
static void notice(size_t steps)
{
    sm_trial_refresh(sm_session_trial(d.session));
    for (int calm = 0; sm_trial_step_count(sm_session_trial(d.session)) < steps || calm < 10;) {
        sm_fetch_flush(d.session->fetch);
        calm = sm_session_pump(d.session) || sm_pool_pending(d.pool) ? 0 : calm + 1;
        sm_exec_run(d.exec);
    }
}

static void begin(const char *line)
{
    sm_str_truncate(&d.out, 0);
    sm_str_truncate(&d.err, 0);
    sm_exec_line(d.exec, line, SM_FROM_PROMPT);
    notice(0);
}

static void continue_waits_for_steps(void **state)
{
    (void)state;
    driver_prompt(&d, "break loss if $v > 5");
    begin("continue");
    assert_true(sm_exec_waiting(d.exec));
    write_step(20, 3);
    notice(3);
    assert_true(sm_exec_waiting(d.exec));
    assert_string_equal(sm_str_text(&d.out), "");
    write_step(30, 9);
    notice(4);
    assert_false(sm_exec_waiting(d.exec));
    assert_string_equal(sm_str_text(&d.out), "\nBreakpoint 1, loss at step 30 (train 30), worker_0\n$v = 9 > 5\n");
    assert_answer(&d, "reverse-continue", "\nBreakpoint 1, loss at step 10 (train 10), worker_0\n$v = 7 > 5\n");
}

static void continue_is_cancelled(void **state)
{
    (void)state;
    driver_prompt(&d, "break loss if $v > 50");
    begin("continue");
    assert_true(sm_exec_waiting(d.exec));
    sm_exec_cancel(d.exec);
    assert_false(sm_exec_waiting(d.exec));
    assert_answer(&d, "print $_step", "$1 = 10\n");
}

static void continue_gives_up(void **state)
{
    (void)state;
    driver_prompt(&d, "break loss if $v > 50");
    assert_complaint(&d, "continue -timeout 1ms", "No breakpoint was hit within 1ms.\n");
    assert_answer(&d, "print $_exitcode", "$1 = 6\n");
}

static void the_end_stops_it(void **state)
{
    struct sm_err err;
    (void)state;
    driver_prompt(&d, "break end");
    begin("continue");
    assert_true(sm_exec_waiting(d.exec));
    assert_true(sm_writer_end_job(writer, &err));
    notice(2);
    assert_string_equal(sm_str_text(&d.out), "\nBreakpoint 1, end of the job at step 10 (train 10)\n");
}

/* What was there before makes no noise; the point stays. */
static void armed_ones_note_what_comes(void **state)
{
    (void)state;
    const struct sm_incidents *log = d.session->incidents;
    d.session->arms = true;
    driver_prompt(&d, "break loss if $v > 5");
    notice(2);
    assert_int_equal(log->n, 0);
    write_step(20, 3);
    write_step(30, 9);
    notice(4);
    assert_int_equal(log->n, 1);
    assert_string_equal(log->items[0].rule, "Breakpoint 1");
    assert_string_equal(log->items[0].text, "loss at step 30 (train 30), worker_0 $v = 9 > 5");
    assert_int_equal(log->items[0].step, 30);
    assert_true(log->items[0].bell);
    driver_prompt(&d, "disable");
    write_step(40, 9);
    notice(5);
    driver_prompt(&d, "enable");
    notice(5);
    write_step(50, 9);
    notice(6);
    assert_int_equal(log->n, 2);
    assert_int_equal(log->items[1].step, 50);
    assert_true(d.session->at.follow);
    assert_answer(&d, "info b -field hits", "Hits\n   2\n");
}

static const struct sm_incident *newest(void)
{
    const struct sm_incidents *log = d.session->incidents;
    return &log->items[log->n - 1];
}

/* As where continue stops: counts, one stop only, what is printed. */
static void armed_ones_count(void **state)
{
    (void)state;
    const struct sm_incidents *log = d.session->incidents;
    d.session->arms = true;
    driver_prompt(&d, "break loss");
    driver_prompt(&d, "ignore 1 1");
    driver_prompt(&d, "tbreak loss if $v > 5");
    driver_prompt(&d, "break step");
    driver_prompt(&d, "enable once 3");
    driver_prompt(&d, "condition -hitcount 3 % 3");
    driver_prompt(&d, "dprintf loss,\"%s is %g at %d\\n\",$_tensor,$v,$_step");
    notice(2);
    write_step(20, 3);
    notice(3);
    assert_int_equal(log->n, 1);
    assert_string_equal(newest()->rule, "Dprintf 4");
    assert_string_equal(newest()->text, "loss is 3 at 20");
    assert_false(newest()->bell);
    write_step(30, 9);
    notice(4);
    assert_int_equal(log->n, 4);
    assert_string_equal(log->items[1].rule, "Breakpoint 1");
    assert_string_equal(log->items[2].rule, "Temporary breakpoint 2");
    assert_string_equal(log->items[3].rule, "Dprintf 4");
    write_step(40, 9);
    write_step(50, 9);
    notice(6);
    assert_int_equal(log->n, 4 + 1 + 1 + 1 + 1 + 1);       /* breakpoint 3 at step 40 only */
    assert_answer(&d, "info b -field number,enabled,hits", "Num  Enb    Hits\n  1  true      4\n  3  false     3\n  4  true      4\n");
    assert_true(d.session->at.follow);
}

/* What continue has met is not met again; what it has left behind is. */
static void armed_ones_leave_steps_to_continue(void **state)
{
    (void)state;
    const struct sm_incidents *log = d.session->incidents;
    d.session->arms = true;
    driver_prompt(&d, "break loss if $v > 5");
    notice(2);
    begin("continue");
    write_step(20, 9);
    write_step(30, 9);
    notice(4);
    assert_false(sm_exec_waiting(d.exec));
    assert_answer(&d, "print $_step", "$1 = 20\n");
    notice(4);
    assert_int_equal(log->n, 1);
    assert_int_equal(log->items[0].step, 30);
    assert_answer(&d, "info b -field hits", "Hits\n   2\n");
}

static void armed_ones_act(void **state)
{
    char line[128], file[80];
    (void)state;
    snprintf(file, sizeof file, "%s/stopped", dir);
    snprintf(line, sizeof line, "set stop-action file %s", file);
    d.session->arms = true;
    driver_prompt(&d, line);
    driver_prompt(&d, "break loss if $v > 5");
    notice(2);
    assert_int_equal(access(file, F_OK), -1);
    write_step(20, 9);
    notice(3);
    assert_int_equal(access(file, F_OK), 0);
}

static void armed_ones_note_the_end(void **state)
{
    struct sm_err err;
    (void)state;
    d.session->arms = true;
    driver_prompt(&d, "break end");
    notice(2);
    assert_int_equal(d.session->incidents->n, 0);
    assert_true(sm_writer_end_job(writer, &err));
    notice(2);
    assert_int_equal(d.session->incidents->n, 1);
    assert_string_equal(newest()->text, "end of the job at step 10 (train 10)");
}

/* The rule is judged as the steps come, and from the first on. */
static void continue_waits_for_a_rule(void **state)
{
    (void)state;
    driver_prompt(&d, "break rule exploding_tensor");
    begin("continue");
    assert_true(sm_exec_waiting(d.exec));
    write_step(20, 3);
    notice(3);
    assert_true(sm_exec_waiting(d.exec));
    write_step(30, NAN);
    write_step(40, 1);
    notice(5);
    assert_false(sm_exec_waiting(d.exec));
    assert_string_equal(sm_str_text(&d.out), "\nBreakpoint 1, loss at step 30 (train 30), worker_0\n"
                                             "ExplodingTensor: 1 NaN, 0 +Inf, 0 -Inf of 1\n");
    begin("continue");
    write_step(50, INFINITY);
    write_step(60, 1);
    notice(7);
    assert_answer(&d, "print $_step", "$1 = 50\n");
    assert_answer(&d, "info b -field hits", "Hits\n   2\n");
}

static void armed_ones_note_a_rule(void **state)
{
    (void)state;
    const struct sm_incidents *log = d.session->incidents;
    d.session->arms = true;
    write_step(20, NAN);
    notice(3);
    driver_prompt(&d, "break rule exploding_tensor");
    notice(3);
    assert_int_equal(log->n, 0);
    write_step(30, 1);
    write_step(40, NAN);
    write_step(50, 1);
    notice(6);
    assert_int_equal(log->n, 1);
    assert_int_equal(log->items[0].step, 40);
}

/* A process that does nothing, until it gets a signal that ends it. */
static pid_t start_process(void)
{
    pid_t pid = fork();
    if (pid == 0)
        alarm(60);                       /* should the test fail */
    while (pid == 0)
        pause();
    assert_true(pid > 0);
    return pid;
}

/* The run is paused at the step where it broke. */
static void a_stop_pauses_a_process(void **state)
{
    (void)state;
    char line[64];
    int status;
    pid_t pid = start_process();
    snprintf(line, sizeof line, "set stop-action pid %d STOP", (int)pid);
    driver_prompt(&d, line);
    driver_prompt(&d, "break loss if $v > 5");
    begin("continue");
    assert_int_equal(waitpid(pid, &status, WUNTRACED | WNOHANG), 0);
    write_step(20, 9);
    notice(3);
    assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
    assert_true(WIFSTOPPED(status));
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_string_equal(d.session->incidents->items[0].rule, "Breakpoint 1");
    assert_int_equal(d.session->incidents->items[0].step, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(continue_waits_for_steps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(continue_is_cancelled, set_up, tear_down),
        cmocka_unit_test_setup_teardown(continue_gives_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_end_stops_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(armed_ones_note_what_comes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(armed_ones_count, set_up, tear_down),
        cmocka_unit_test_setup_teardown(armed_ones_leave_steps_to_continue, set_up, tear_down),
        cmocka_unit_test_setup_teardown(armed_ones_act, set_up, tear_down),
        cmocka_unit_test_setup_teardown(armed_ones_note_the_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(continue_waits_for_a_rule, set_up, tear_down),
        cmocka_unit_test_setup_teardown(armed_ones_note_a_rule, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_stop_pauses_a_process, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
