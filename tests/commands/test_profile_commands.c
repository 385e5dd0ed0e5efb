/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of profiles: an export goes on in parts, and leaves nothing behind if it is cancelled;
 * the rules of a job that goes on. */
#include "tests/commands/driver.h"

#include "tests/bench/profile_tree.h"
#include "tests/scratch.h"

#include <dirent.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

static struct driver d;
static char folder[64], line[256];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

/* 2000 samples of each use, and more than 40000 events. */
static int set_up(void **state)
{
    static const struct sm_bench_profile tree = {.load = SM_LOAD_BALANCED,
                                                 .nodes = 1,
                                                 .cores = 2,
                                                 .seconds = 1000,
                                                 .interval_ms = 500,
                                                 .step_ms = 100};
    struct sm_err err = {0};
    char path[128];
    (void)state;
    assert_non_null(make_scratch(folder, sizeof folder));
    snprintf(path, sizeof path, "%s/profile", folder);
    assert_int_equal(mkdir(path, 0777), 0);
    assert_true(sm_bench_profile_write(path, &tree));
    driver_open(&d, NULL, true);
    assert_true(sm_session_open(d.session, path, NULL, true, &err));
    driver_prompt(&d, "profile phases"); /* it is read */
    snprintf(path, sizeof path, "%s/out", folder);
    assert_int_equal(mkdir(path, 0777), 0);
    snprintf(line, sizeof line, "profile export -f %s/trace.json", path);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    driver_close(&d);
    return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static size_t count_files(void)
{
    char path[128];
    size_t n = 0;
    snprintf(path, sizeof path, "%s/out", folder);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (const struct dirent *e; (e = readdir(dir));)
        n += e->d_name[0] != '.';
    closedir(dir);
    return n;
}

static char *trace_path(void)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/out/trace.json", folder);
    return path;
}

static void it_returns_to_the_loop(void **state)
{
    (void)state;
    struct stat st;
    unsigned turns = 0;
    unsigned long long events = 0;
    sm_str_truncate(&d.out, 0);
    sm_exec_line(d.exec, line, SM_FROM_PROMPT);
    for (; sm_exec_run(d.exec); turns++) {
        assert_int_not_equal(stat(trace_path(), &st), 0); /* it is not there before it is whole */
        sm_session_pump(d.session);
    }
    assert_string_equal(sm_str_text(&d.err), "");
    assert_int_equal(sscanf(sm_str_text(&d.out), "Wrote %llu events", &events), 1);
    assert_true(events > 40000);
    assert_true(turns >= 2 * events / 8192); /* they are collected, and written */
    assert_int_equal(stat(trace_path(), &st), 0);
    assert_int_equal(count_files(), 1);
}

/* Cancels when it has written something. */
static void cancel_export(void)
{
    sm_exec_line(d.exec, line, SM_FROM_PROMPT);
    for (int i = 0; i < 12; i++)
        assert_true(sm_exec_run(d.exec));
    sm_exec_cancel(d.exec);
    driver_run(&d);
}

static void cancelled_it_leaves_nothing(void **state)
{
    (void)state;
    cancel_export();
    assert_int_equal(count_files(), 0);
}

static void cancelled_it_keeps_what_was_there(void **state)
{
    (void)state;
    char text[8] = "";
    FILE *f = fopen(trace_path(), "w");
    assert_non_null(f);
    fputs("before", f);
    fclose(f);
    cancel_export();
    f = fopen(trace_path(), "r");
    assert_non_null(f);
    assert_non_null(fgets(text, sizeof text, f));
    fclose(f);
    assert_string_equal(text, "before");
    assert_int_equal(count_files(), 1);
}

/* Also while the job goes on. */
static void what_has_fired_is_an_issue(void **state)
{
    (void)state;
    struct sm_err err = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/profile/framework/training_job_end.ts", folder);
    remove(path);
    snprintf(path, sizeof path, "%s/profile/system/training_job_end.ts", folder);
    remove(path);
    snprintf(path, sizeof path, "%s/profile", folder);
    d.session->open_options.follow = true;
    driver_prompt(&d, "close");
    assert_true(sm_session_open(d.session, path, NULL, true, &err));
    const char *answer = driver_prompt(&d, "profile rules -csv -field rule,status");
    assert_non_null(strstr(answer, "StepOutlier,IssuesFound\n"));
    assert_non_null(strstr(answer, "MaxInitializationTime,InProgress\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_has_fired_is_an_issue, set_up, tear_down),
        cmocka_unit_test_setup_teardown(it_returns_to_the_loop, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cancelled_it_leaves_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cancelled_it_keeps_what_was_there, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
