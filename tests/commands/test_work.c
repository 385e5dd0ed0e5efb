/* SPDX-License-Identifier: Apache-2.0 */
/* Long computations run in workers while the command waits. The pool here has no threads, so they
 * run when the pool is collected. */
#include "tests/commands/driver.h"
#include "tests/remove_tree.h"

#include "commands/session/work.h"
#include "reader/format/dtype.h"
#include "reader/hook/writer.h"

#define LARGE "conv0_input_0@0 * conv0_input_0@0[:, 0]" /* 200,704 elements */

static struct driver d;

static int open_trial(void **state)
{
    (void)state;
    driver_open(&d, "cnn_healthy", true);
    return 0;
}

static int open_prompt(void **state)
{
    (void)state;
    driver_open(&d, "cnn_healthy", false);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    driver_close(&d);
    return 0;
}

/* Starts a line and runs it until all its data is read and only computing is left. */
static void start_line(const char *line)
{
    sm_exec_line(d.exec, line, SM_FROM_PROMPT);
    while (!sm_trial_scanned(sm_session_trial(d.session)) || sm_fetch_open(d.session->fetch)) {
        sm_session_pump(d.session);
        assert_true(sm_exec_run(d.exec));
    }
    for (int i = 0; i < 100 && !sm_pool_pending(d.pool); i++)
        sm_exec_run(d.exec);
    assert_int_equal(sm_pool_pending(d.pool), 1);
    assert_true(sm_exec_waiting(d.exec));
    assert_string_equal(sm_str_text(&d.out), "");
}

static void small_print_is_immediate(void **state)
{
    (void)state;
    assert_string_equal(driver_prompt(&d, "print size(conv0_input_0@0)"), "$1 = 12544\n");
    sm_exec_line(d.exec, "print count($1 * 2 > 3)", SM_FROM_PROMPT);
    sm_exec_run(d.exec);
    assert_int_equal(sm_pool_pending(d.pool), 0);
    assert_string_equal(sm_str_text(&d.out), "$1 = 12544\n$2 = 1\n");
}

static void large_print_waits_and_answers(void **state)
{
    (void)state;
    start_line("print count((" LARGE ") < 1e9)");
    driver_run(&d);
    assert_string_equal(sm_str_text(&d.out), "$1 = 200704\n");
    assert_string_equal(driver_prompt(&d, "set $a = sum((" LARGE ") == 1e9)"), "");
    assert_string_equal(driver_prompt(&d, "print $a"), "$2 = 0\n");
}

static void errors_of_large_prints_are_reported(void **state)
{
    (void)state;
    start_line("print (" LARGE ") + conv0_input_0@0[:7]");
    driver_run(&d);
    assert_string_equal(sm_str_text(&d.out), "");
    assert_string_equal(sm_str_text(&d.err),
                        "Shapes (16, 16, 28, 28) and (7, 1, 28, 28) do not match at column 43.\n");
}

static void cancelled_print_prints_nothing(void **state)
{
    (void)state;
    start_line("print count((" LARGE ") < 1e9)");
    sm_exec_cancel(d.exec);
    sm_exec_line(d.exec, "echo next\\n", SM_FROM_PROMPT);
    driver_run(&d);
    assert_string_equal(sm_str_text(&d.out), "next\n");
    assert_string_equal(sm_str_text(&d.err), "Quit\n");
    assert_int_equal(d.session->variables.n_history, 0);
    while (sm_pool_pending(d.pool))
        sm_session_pump(d.session);
    assert_false(sm_exec_waiting(d.exec));
}

static void trial_closed_while_computing(void **state)
{
    (void)state;
    start_line("print count((" LARGE ") < 1e9)");
    sm_session_close(d.session, 0);
    driver_run(&d);
    assert_string_equal(sm_str_text(&d.out), "$1 = 200704\n");
}

static void session_freed_while_computing(void **state)
{
    (void)state;
    start_line("print count((" LARGE ") < 1e9)");
}

static void tensors_are_chosen(void **state)
{
    (void)state;
    assert_string_equal(
        driver_prompt(
            &d, "tensors conv* -where \"count(isnan(conv0_input_0@0 * conv0_input_0@0[:, 0])) == "
                "0 && size($t) > 10000\" -csv -field name"),
        "name\nconv0_input_0\n");
}

static void elements_are_found(void **state)
{
    (void)state;
    static const char *const small = "tensor conv0_input_0 step 0 where x > 4.2";
    char *want = sm_xstrdup(driver_prompt(&d, small));
    assert_non_null(strstr(want, "12544 elements."));
    assert_string_equal(driver_prompt(&d,
                                      "tensor conv0_input_0 step 0 where x > 4.2 && count((" LARGE
                                      ") < 1e9) > 200000"),
                        want);
    sm_free(want);
    want = sm_xstrdup(driver_prompt(&d, "tensor conv0_input_0[:3, 0] step 0 where x > 3"));
    assert_non_null(strstr(want, "2352 elements."));
    assert_string_equal(
        driver_prompt(&d, "tensor conv0_input_0[:3, 0] step 0 where x > 3 && count((" LARGE
                          ") < 1e9) > 200000"),
        want);
    sm_free(want);
    want = sm_xstrdup(driver_prompt(&d, "find where x > 4.2 in conv0_input_0"));
    assert_string_equal(driver_prompt(&d, "find in conv0_input_0 where x > 4.2 && count((" LARGE
                                          ") < 1e9) > 200000"),
                        want);
    sm_free(want);
}

static void ranges_are_highlighted(void **state)
{
    (void)state;
    assert_non_null(strstr(driver_prompt(&d, "tensor labels step 10 -r 8:9"),
                           "\n2 of 16 elements in 8:9, flat index [2]=9 [8]=9\n"));
    assert_non_null(
        strstr(driver_prompt(&d, "tensor labels[:4] step 10 -r 7"), "\n0 of 4 elements in 7:7\n"));
}

static void conditions_wait(void **state)
{
    (void)state;
    assert_string_equal(driver_prompt(&d, "wait \"count((" LARGE ") < 1e9) == 200704\""),
                        "step 101 (eval 11), ended\n");
    driver_prompt(&d, "wait \"count((" LARGE ") < 1e9) == 5\"");
    assert_string_equal(sm_str_text(&d.err), "The job has ended: there is nothing to wait for.\n");
}

/* ---- a live trial ---- */

static void write_step(struct sm_writer *w, int64_t step, float value)
{
    enum { N = 250000 };
    static float data[N];
    struct sm_err err;
    struct sm_event_value v = {.tag = SM_TEXT("big"),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_FLOAT32,
                               .n_dims = 1,
                               .dims = {N},
                               .n_elements = N,
                               .content = {(const uint8_t *)data, sizeof data}};
    for (size_t i = 0; i < N; i++)
        data[i] = value;
    assert_true(sm_writer_begin_step(w, step, SM_MODE_TRAIN, step, &err));
    assert_true(sm_writer_tensor(w, &v, 1e9, &err));
    assert_true(sm_writer_end_step(w, &err));
}

/* A step that arrives while the step before it is being evaluated is evaluated too. */
static void no_step_is_skipped(void **state)
{
    (void)state;
    char dir[] = "/tmp/smdbg-work-XXXXXX", trial[64];
    struct sm_writer *w;
    struct sm_err err;
    assert_non_null(mkdtemp(dir));
    snprintf(trial, sizeof trial, "%s/trial", dir);
    assert_true(sm_writer_open(trial, "worker_0", &w, &err));
    write_step(w, 0, 0);
    driver_open(&d, NULL, false);
    d.session->open_options.follow = true;
    d.session->open_options.heartbeat_us = INT64_MAX / 4;
    assert_true(sm_session_open(d.session, trial, NULL, true, &err));
    start_line("wait \"count(big > 0) > 0\"");
    write_step(w, 1, 1);
    sm_trial_refresh(sm_session_trial(d.session));
    while (sm_trial_step_count(sm_session_trial(d.session)) < 2 || sm_pool_pending(d.pool))
        sm_session_pump(d.session);
    driver_run(&d);
    assert_string_equal(sm_str_text(&d.out), "step 1 (train 1)\n");
    sm_writer_close(w);
    driver_close(&d);
    assert_int_equal(remove_tree(dir), 0);
}

/* ---- computations without a command ---- */

struct question {
    struct sm_work work;
    unsigned *runs, *freed;
};

static void count_run(struct sm_work *w)
{
    ++*((struct question *)w)->runs;
}

static void count_free(struct sm_work *w)
{
    ++*((struct question *)w)->freed;
    sm_free(w);
}

static bool start_or_find(struct sm_works *s, const char *what, uint64_t elements,
                          unsigned counts[2])
{
    struct sm_err err = {0};
    struct sm_work *w = sm_work_find(s, what, NULL);
    struct question *q = w ? (struct question *)w : sm_xalloc_zero(1, sizeof *q);
    if (w)
        return sm_work_check_done(w, &err);
    q->work =
        (struct sm_work){.run = count_run, .free = count_free, .what = what, .elements = elements};
    q->runs = &counts[0];
    q->freed = &counts[1];
    bool ok = sm_work_start(s, &q->work, &err);
    assert_true(ok || err.code == SM_ERR_WAIT);
    return ok;
}

static void computations_are_found_by_key(void **state)
{
    (void)state;
    static const char text[] = "abcdefgh";
    unsigned counts[2] = {0};
    uint64_t news = 0;
    struct sm_pool *pool = sm_pool_new(0, 0, NULL);
    struct sm_works works = {.pool = pool, .news = &news};
    assert_true(start_or_find(&works, text, 150000, counts));      /* small: done immediately */
    assert_false(start_or_find(&works, text + 1, 150000, counts)); /* exceeds the limit of this run
                                                                      of the call */
    assert_false(start_or_find(&works, text + 2, 60000000, counts));
    assert_int_equal(sm_pool_pending(pool), 2);
    assert_false(start_or_find(&works, text + 3, 60000000, counts)); /* too many submitted: freed */
    assert_int_equal(sm_pool_pending(pool), 2);
    assert_int_equal(counts[1], 1);
    while (sm_pool_collect(pool, 1))
        ;
    assert_int_equal(news, 2);
    assert_int_equal(counts[0], 3);
    sm_works_begin(&works);
    for (int i = 0; i < 3; i++)
        assert_true(start_or_find(&works, text + i, 0, counts));
    assert_int_equal(counts[0], 3);
    sm_work_drop(&works, sm_work_find(&works, text + 1, NULL));
    assert_null(sm_work_find(&works, text + 1, NULL));
    assert_non_null(sm_work_find(&works, text + 2, NULL));
    assert_non_null(sm_work_find(&works, text, NULL));
    assert_false(start_or_find(&works, text + 4, UINT64_MAX, counts));
    sm_works_drop(&works);
    assert_int_equal(counts[1], 4);
    while (sm_pool_collect(pool, 1))
        ;
    assert_int_equal(counts[0], 3); /* a dropped computation does not run */
    assert_int_equal(counts[1], 5);
    sm_pool_free(pool);
}

#define WITH_TRIAL(f) cmocka_unit_test_setup_teardown(f, open_trial, tear_down)
#define AT_PROMPT(f)  cmocka_unit_test_setup_teardown(f, open_prompt, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        AT_PROMPT(small_print_is_immediate),
        AT_PROMPT(large_print_waits_and_answers),
        AT_PROMPT(errors_of_large_prints_are_reported),
        AT_PROMPT(cancelled_print_prints_nothing),
        AT_PROMPT(trial_closed_while_computing),
        AT_PROMPT(session_freed_while_computing),
        WITH_TRIAL(tensors_are_chosen),
        WITH_TRIAL(elements_are_found),
        WITH_TRIAL(ranges_are_highlighted),
        AT_PROMPT(conditions_wait),
        cmocka_unit_test(no_step_is_skipped),
        cmocka_unit_test(computations_are_found_by_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
