/* SPDX-License-Identifier: Apache-2.0 */
/* doctor finds missing and truncated event files before a value of them is read. */
#include "tests/commands/driver.h"
#include "tests/scratch.h"

#include <stdlib.h>
#include <unistd.h>

static struct driver d;
static char dir[64];

static int set_up(void **state)
{
    (void)state;
    char command[200];
    snprintf(command, sizeof command, "cp -r tests/trials/cnn_healthy %s/trial", dir);
    return system(command);
}

static int tear_down(void **state)
{
    (void)state;
    char command[200];
    driver_close(&d);
    snprintf(command, sizeof command, "rm -rf %s/trial", dir);
    return system(command);
}

static const char *events(int step)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/trial/events/%012d/%012d_worker_0.tfevents", dir, step, step);
    return path;
}

static const char *doctor(void)
{
    char line[100];
    driver_open(&d, NULL, true);
    snprintf(line, sizeof line, "open %s/trial", dir);
    sm_exec_line(d.exec, line, SM_FROM_OPTION);
    sm_exec_line(d.exec, "doctor", SM_FROM_OPTION);
    driver_run(&d);
    assert_string_equal(sm_str_text(&d.err), "");
    return sm_str_text(&d.out);
}

static void test_all_is_well(void **state)
{
    (void)state;
    assert_non_null(strstr(doctor(), "16 event files exist"));
}

static void test_missing_and_cut_are_told_apart(void **state)
{
    (void)state;
    assert_int_equal(unlink(events(34)), 0);
    assert_int_equal(truncate(events(20), 1000), 0);
    const char *said = doctor();
    assert_non_null(strstr(said, "000000000034_worker_0.tfevents is missing"));
    assert_non_null(strstr(
        said, "000000000020_worker_0.tfevents has 1000 bytes instead of the 219334 in the index"));
    assert_null(strstr(said, "event files exist"));
}

static void test_a_broken_index_says_why(void **state)
{
    (void)state;
    char path[200];
    snprintf(path, sizeof path, "%s/trial/index/000000000/000000000044_worker_0.json", dir);
    assert_int_equal(truncate(path, 10), 0);
    assert_non_null(strstr(doctor(), "000000000044_worker_0.json"));
    const char *said = driver_prompt(&d, "why CNN_fc1.weight 44");
    assert_non_null(strstr(
        said, "its index file cannot be read (index/000000000/000000000044_worker_0.json: "));
    assert_non_null(strstr(said, "Nearest: 34, 54."));
}

static void test_a_missing_file_is_not_a_cut_one(void **state)
{
    (void)state;
    assert_int_equal(unlink(events(34)), 0);
    doctor();
    d.session->batch = false; /* an error does not end it */
    driver_prompt(&d, "tensor CNN_fc1.weight step 34");
    assert_non_null(strstr(sm_str_text(&d.err), "no such file"));
    const char *said = driver_prompt(&d, "doctor");
    assert_non_null(strstr(said, "deleted, or not copied"));
    assert_null(strstr(said, "cut off"));
}

/* A folder that cannot be read is not an empty one: the cause is another, and a batch fails. */
static void replace_by_link(const char *folder)
{
    char command[400];
    snprintf(command, sizeof command, "rm -r %s/trial/%s && ln -s /etc %s/trial/%s", dir, folder,
             dir, folder);
    assert_int_equal(system(command), 0);
}

static void test_an_unreadable_folder_is_not_an_empty_one(void **state)
{
    (void)state;
    replace_by_link("index");
    const char *said = doctor();
    assert_non_null(strstr(said, "none could be read: see \"files\" below"));
    assert_non_null(strstr(said, "index: leaves the trial"));
    assert_null(strstr(said, "index: index:"));
    sm_exec_line(d.exec, "tensors", SM_FROM_OPTION);
    driver_run(&d);
    assert_string_equal(sm_str_text(&d.err), "smdbg: index: leaves the trial.\n");
    assert_int_equal(sm_exec_status(d.exec), 5);
}

static void test_unreadable_collections_are_not_missing(void **state)
{
    (void)state;
    replace_by_link("collections");
    const char *said = doctor();
    assert_non_null(strstr(said, "no collections file could be read"));
    assert_null(strstr(said, "killed before"));
}

static void test_an_unreadable_directory_is_not_a_missing_one(void **state)
{
    (void)state;
    char line[5000] = "open ";
    memset(line + 5, 'x', sizeof line - 6);
    line[sizeof line - 1] = 0;
    driver_open(&d, NULL, false);
    driver_prompt(&d, line);
    const char *said = driver_prompt(&d, "doctor");
    assert_non_null(strstr(said, "cannot be read: "));
    assert_non_null(strstr(said, "File name too long"));
    assert_null(strstr(said, "does not exist"));
    assert_null(strstr(said, "killed")); /* nothing is reported about what cannot be read */
    assert_non_null(strstr(driver_prompt(&d, "tensors"), "The trial has no tensors yet"));
}

static void test_a_deleted_trial_did_exist(void **state)
{
    (void)state;
    char command[200];
    doctor();
    snprintf(command, sizeof command, "rm -r %s/trial", dir);
    assert_int_equal(system(command), 0);
    d.session->batch = false;
    driver_prompt(&d, "refresh");
    const char *said = driver_prompt(&d, "doctor");
    assert_non_null(strstr(said, "does not exist any more"));
    assert_null(strstr(said, "index"));
}

static void test_what_a_killed_job_leaves(void **state)
{
    (void)state;
    driver_open(&d, "killed_midrun", true);
    const char *said = driver_prompt(&d, "doctor");
    assert_non_null(
        strstr(said, "events/000000000021/000000000021_worker_0.tfevents.tmp is incomplete"));
    assert_non_null(strstr(said, "index/000000000/000000000021_worker_0.json.tmp is incomplete"));
    assert_non_null(strstr(driver_prompt(&d, "why CNN_conv0.weight 21"),
                           "the newest step is 18; claim.smd exists"));
}

static void test_the_lost_worker_has_not_ended(void **state)
{
    (void)state;
    driver_open(&d, "ddp_worker_lost", true);
    assert_string_equal(driver_prompt(&d, "info workers -field worker,ended -csv"),
                        "worker,ended\nworker_0,true\nworker_1,false\n");
}

int main(void)
{
    if (!make_scratch(dir, sizeof dir))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all_is_well, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing_and_cut_are_told_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_broken_index_says_why, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_missing_file_is_not_a_cut_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_unreadable_folder_is_not_an_empty_one, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_unreadable_collections_are_not_missing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_an_unreadable_directory_is_not_a_missing_one, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_a_deleted_trial_did_exist, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_a_killed_job_leaves, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_lost_worker_has_not_ended, set_up, tear_down),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(dir);
    return failed;
}
