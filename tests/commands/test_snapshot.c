/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot save at the prompt: cancelled, of a live run, and of unreadable values. */
#include "tests/commands/driver.h"
#include "tests/scratch.h"

#include <sys/stat.h>
#include <unistd.h>

static struct driver d;
static char dir[64], file[96];

static int set_up(void **state)
{
    (void)state;
    if (!make_scratch(dir, sizeof dir))
        return -1;
    snprintf(file, sizeof file, "%s/a.smdz", dir);
    driver_open(&d, "cnn_healthy", false);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    driver_close(&d);
    unlink(file);
    return rmdir(dir); /* nothing else was left there */
}

/* COMMAND with the file, and the words after it. */
static const char *say(const char *command, const char *rest)
{
    char line[256];
    snprintf(line, sizeof line, "%s %s %s", command, file, rest);
    return driver_prompt(&d, line);
}

static void cancelling_leaves_nothing(void **state)
{
    (void)state;
    char line[128];
    struct stat st;
    driver_prompt(&d, "info trial"); /* it has been read */
    snprintf(line, sizeof line, "snapshot save %s", file);
    sm_exec_line(d.exec, line, SM_FROM_PROMPT);
    sm_exec_run(d.exec);
    assert_true(sm_exec_waiting(d.exec));
    assert_int_equal(sm_exec_left(d.exec), 369); /* for the line of progress */
    sm_exec_cancel(d.exec);
    driver_run(&d);
    while (sm_pool_pending(d.pool))
        sm_pool_collect(d.pool, 1);
    assert_int_equal(stat(file, &st), -1);
    assert_int_equal(sm_exec_left(d.exec), 0);
}

static void the_file_says_what_was_chosen(void **state)
{
    (void)state;
    assert_non_null(strstr(say("snapshot save", "CNN_conv0* step 0:20 mode train"),
                           "Saved 2 tensors at 2 steps, 4 values"));
    assert_non_null(strstr(say("open", ""), "archive of a smdebug trial"));
    assert_string_equal(driver_prompt(&d, "info trial -jsonl -field kind,tensors,steps"),
                        "{\"kind\":\"snapshot\",\"tensors\":2,\"steps\":2}\n");
    assert_non_null(strstr(driver_prompt(&d, "info trial"), "CNN_conv0* step 0:20 mode train"));
    struct stat before, after;
    assert_int_equal(stat(file, &before), 0);
    say("snapshot save", ""); /* not over the open file */
    assert_non_null(strstr(sm_str_text(&d.err), "cannot write into a trial"));
    assert_int_equal(stat(file, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
}

static void every_command_works_on_it(void **state)
{
    static const char *const lines[] = {
        "tensors -stats -json",
        "info steps -json",
        "info collections -json",
        "info workers -json",
        "stat * -json",
        "layers",
        "bt",
        "tensor CNN_fc1.weight step 0",
        "hist CNN_fc1.weight step 0",
        "series mean(CNN_fc1.weight) -csv",
        "health",
        "plot CrossEntropyLoss_output_0",
        "rule test vanishing_gradient -json",
        "rule test dead_relu",
        "output sum(CNN_fc1.weight@0)",
        "diff @0 @10 -csv",
        "heatmap CNN_fc1.weight step 0",
        "find nan",
        "info sessions -json",
        "info modes -json",
    };
    (void)state;
    struct sm_str before[sizeof lines / sizeof *lines] = {0};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        sm_str_add(&before[i], driver_prompt(&d, lines[i]));
        assert_string_equal(sm_str_text(&d.err), "");
    }
    say("snapshot save", "");
    say("open", "");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_string_equal(driver_prompt(&d, lines[i]), sm_str_text(&before[i]));
        sm_str_clear(&before[i]);
    }
}

static void what_was_left_out_is_said(void **state)
{
    (void)state;
    say("snapshot save", "-stats-only");
    say("add-trial", "");
    assert_string_equal(driver_prompt(&d, "diff 1 2 in CNN_fc1.weight -csv -field name,status,why"),
                        "name,status,why\nCNN_fc1.weight,incomparable,values not in the archive\n");
    assert_string_equal(
        driver_prompt(&d, "diff 1 2 in CrossEntropyLoss_output_0 -csv -field status"),
        "status\nequal\n");
    say("open", "");
    driver_prompt(&d, "tensor CNN_fc1.weight step 0");
    assert_string_equal(sm_str_text(&d.err),
                        "The values are not in the archive, only their statistics.\n");
    assert_non_null(
        strstr(driver_prompt(&d, "rule test dead_relu"), "values are not in the archive"));
    assert_non_null(strstr(driver_prompt(&d, "stat CNN_fc1.weight step 0"), "median"));
    assert_string_equal(driver_prompt(&d, "stat CNN_fc1.weight step 0 -json -field name,nan"),
                        "{\"name\":\"CNN_fc1.weight\",\"nan\":0}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cancelling_leaves_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_file_says_what_was_chosen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_command_works_on_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_left_out_is_said, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
