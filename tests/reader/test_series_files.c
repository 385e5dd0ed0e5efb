/* SPDX-License-Identifier: Apache-2.0 */
/* A run with a table for each series, as it grows. */
#include "reader/tables/series_files.h"
#include "reader/tables/tables.h"

#include "tests/reader/log_run.h"

static void open_run(struct log_run *r)
{
    log_run_folder(r, "plots");
    log_run_folder(r, "plots/metrics");
    log_run_folder(r, "plots/metrics/train");
    log_run_put(r, "plots/metrics/train/loss.tsv", "w", "step\tloss\n0\t3\n10\t2");
    log_run_put(r, "plots/metrics/note.txt", "w", "step\tx\n0\t3\n");
    log_run_open(r, &sm_csv_format, NULL, SM_SERIES_FILES_MEMBER);
}

static void test_grows(void **state)
{
    struct log_run *r = *state;
    open_run(r);
    assert_string_equal(log_run_poll(r), "point train/loss 0 3\n"); /* a torn row waits */
    log_run_put(r, "plots/metrics/train/loss.tsv", "a", ".5\n");
    log_run_put(r, "plots/metrics/acc.tsv", "w", "timestamp\tstep\tacc\n17\t4\tnan\n18\t5\t0.5\n");
    log_run_put(r, "params.yaml", "w", "lr: 0.1\n");
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "train/loss"), "0=3 10=2.5");
    assert_string_equal(log_run_points(r, "acc"), "4=nan 5=0.5");
    assert_string_equal(log_run_points(r, "note"), "");
    assert_string_equal(log_run_poll(r), "");
}

/* One table that is another one than before: the run was started again. */
static void test_begins_again(void **state)
{
    struct log_run *r = *state;
    open_run(r);
    log_run_put(r, "plots/metrics/acc.tsv", "w", "step\tacc\n1\t0.5\n");
    log_run_poll(r);
    assert_int_equal(r->sink->restarts, 0);
    log_run_put(r, "plots/metrics/train/loss.tsv", "w", "step\tloss\n0\t9\n");
    log_run_poll(r);
    assert_int_equal(r->sink->restarts, 1);
    assert_string_equal(log_run_points(r, "train/loss"), "0=9");
    assert_string_equal(log_run_points(r, "acc"), "1=0.5");
    assert_int_equal(unlink(log_run_path(r, "plots/metrics/acc.tsv")), 0);
    log_run_poll(r);
    assert_int_equal(r->sink->restarts, 2);
    assert_string_equal(log_run_points(r, "acc"), "");
}

/* Rows that are none are passed over. */
static void test_odd_rows(void **state)
{
    struct log_run *r = *state;
    open_run(r);
    log_run_put(r, "plots/metrics/a.tsv", "w",
                "step\ta\n\n1\n\t2\n-1\t5\nx\t5\n2\t\n3\ty\n1.5\t1\n4\t1\t2\n");
    log_run_put(r, "plots/metrics/empty.tsv", "w", "");
    log_run_put(r, "plots/metrics/.hidden.tsv", "w", "step\ta\n1\t1\n");
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "a"), "-1=5 4=2"); /* the sink leaves the first out */
    assert_int_equal(r->sink->problems, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_grows, log_run_setup, log_run_teardown),
        cmocka_unit_test_setup_teardown(test_begins_again, log_run_setup, log_run_teardown),
        cmocka_unit_test_setup_teardown(test_odd_rows, log_run_setup, log_run_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
