/* SPDX-License-Identifier: Apache-2.0 */
/* A bad file does not hide other files, and answers report values that could not be read. */
#include "tests/commands/driver.h"
#include "tests/scratch.h"

#include <unistd.h>

static struct driver d;
static char dir[64];

static int set_up(void **state)
{
    (void)state;
    char command[400];
    snprintf(command, sizeof command, "rm -rf %s/trial && cp -r tests/trials/cnn_healthy %s/trial",
             dir, dir);
    if (system(command) != 0)
        return -1;
    snprintf(command, sizeof command, "%s/trial/events/%012d/%012d_worker_0.tfevents", dir, 20, 20);
    if (truncate(command, 100000) != 0)
        return -1;
    driver_open(&d, NULL, false);
    snprintf(command, sizeof command, "open %s/trial", dir);
    driver_prompt(&d, command);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    driver_close(&d);
    return 0;
}

static void test_stat_over_tensors_continues(void **state)
{
    (void)state;
    const char *text = driver_prompt(&d, "stat * step 20");
    assert_non_null(strstr(text, "CNN_fc1.weight"));
    assert_non_null(strstr(text, "20 of 29 could not be read"));
    assert_non_null(
        strstr(driver_prompt(&d, "stat * step 20 -field name,mean -csv"), "\nrelu0_output_0,\n"));
}

static void test_stat_over_steps_continues(void **state)
{
    (void)state;
    const char *text = driver_prompt(&d, "stat relu0_output_0 step 0:40");
    assert_non_null(strstr(text, "  34  TRAIN"));
    assert_non_null(strstr(text, "could not be read"));
    driver_prompt(&d, "stat relu0_output_0 step 20:30");
    assert_non_null(strstr(sm_str_text(&d.err), "tfevents at offset "));
}

static void test_find_reports_unread_tensors(void **state)
{
    (void)state;
    const char *text = driver_prompt(&d, "find nan in * step 20");
    assert_non_null(strstr(text, "0 elements found in 9 tensors"));
    assert_non_null(strstr(text, "20 of 29 could not be read"));
    /* nothing was saved, so no tensor is searched */
    text = driver_prompt(&d, "find nan in gradient/* step 30");
    assert_non_null(strstr(text, "found in 0 tensors"));
}

static void test_reductions_over_steps_count_unread_steps(void **state)
{
    (void)state;
    static const char note[] = "Step 20 could not be read and is omitted";
    assert_non_null(strstr(driver_prompt(&d, "print max(relu0_output_0@all)"), note));
    assert_non_null(strstr(driver_prompt(&d, "print size(relu0_output_0@all)"), note));
    assert_non_null(strstr(driver_prompt(&d, "print any(relu0_output_0@all > 0)"), note));
    assert_non_null(
        strstr(driver_prompt(&d, "print max(relu0_output_0@all) -json"), "\"unread\":1"));
}

/* CSV has every number that JSON has. */
static void test_csv_has_what_json_has(void **state)
{
    (void)state;
    char *json = sm_xstrdup(driver_prompt(&d, "stat CNN_fc1.weight step 10 -json"));
    const char *csv = driver_prompt(&d, "stat CNN_fc1.weight step 10 -csv");
    size_t n = 0;
    for (char *p = strtok(json, "{,"); p && strncmp(p, "\"saved\"", 7) != 0;
         p = strtok(NULL, "{,")) {
        char key[31], name[40];
        if (sscanf(p, "\"%30[a-z0-9_]\":", key) != 1)
            continue;
        snprintf(name, sizeof name, "%s%s", strcmp(key, "name") == 0 ? "" : ",", key);
        assert_non_null(strstr(csv, name));
        n++;
    }
    assert_int_equal(n, 37);
    sm_free(json);
}

int main(void)
{
    if (!make_scratch(dir, sizeof dir))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_stat_over_tensors_continues, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stat_over_steps_continues, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_find_reports_unread_tensors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reductions_over_steps_count_unread_steps, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_csv_has_what_json_has, set_up, tear_down),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command) != 0 || failed;
}
