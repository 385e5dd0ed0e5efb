/* One bad file hides no other, and no answer is silent about what it could not read. */
#include "tests/commands/driver.h"

#include <unistd.h>

static struct driver d;
static char dir[] = "/tmp/smdbg-damage-XXXXXX";

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

static void test_stat_over_tensors_goes_on(void **state)
{
    (void)state;
    const char *said = driver_prompt(&d, "stat * step 20");
    assert_non_null(strstr(said, "CNN_fc1.weight"));
    assert_non_null(strstr(said, "20 of 29 could not be read"));
    assert_non_null(
        strstr(driver_prompt(&d, "stat * step 20 -field name,mean -csv"), "\nrelu0_output_0,\n"));
}

static void test_stat_over_steps_goes_on(void **state)
{
    (void)state;
    const char *said = driver_prompt(&d, "stat relu0_output_0 step 0:40");
    assert_non_null(strstr(said, "  34  TRAIN"));
    assert_non_null(strstr(said, "could not be read"));
    driver_prompt(&d, "stat relu0_output_0 step 20:30");
    assert_non_null(strstr(sm_str_text(&d.err), "tfevents at offset "));
}

static void test_find_says_what_it_did_not_see(void **state)
{
    (void)state;
    const char *said = driver_prompt(&d, "find nan in * step 20");
    assert_non_null(strstr(said, "0 elements found in 9 tensors."));
    assert_non_null(strstr(said, "20 of 29 could not be read"));
    said = driver_prompt(&d, "find nan in gradient/* step 30"); /* nothing was saved, so nothing was
                                                                   looked at */
    assert_non_null(strstr(said, "found in 0 tensors."));
}

/* Every number that JSON has is in CSV, too. */
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
    if (!mkdtemp(dir))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_stat_over_tensors_goes_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stat_over_steps_goes_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_find_says_what_it_did_not_see, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_csv_has_what_json_has, set_up, tear_down),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command) != 0 || failed;
}
