/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/tables.h"
#include "reader/tables/trainer_files.h"

#include "tests/reader/log_run.h"

static void test_newest_has_all(void **state)
{
    struct log_run *r = *state;
    log_run_open(r, &sm_trainer_format, "tests/samples/hf_trainer", NULL);
    const char *said = log_run_poll(r);
    assert_non_null(strstr(said, "config max_steps 60\n"));
    assert_non_null(strstr(said, "summary global_step 60\n"));
    assert_non_null(strstr(said, "ended 1 0\n"));
    assert_non_null(strstr(log_run_points(r, "loss"), "5=3.5700042724609373 10=3.341840362548828"));
    assert_non_null(strstr(log_run_points(r, "loss"), "60=2.266958808898926"));
    assert_string_equal(log_run_poll(r), "");
}

static void test_one_checkpoint(void **state)
{
    struct log_run *r = *state;
    log_run_open(r, &sm_trainer_format, "tests/samples/hf_trainer/checkpoint-20", NULL);
    assert_non_null(strstr(log_run_poll(r), "ended 0 0\n"));
    assert_string_equal(log_run_points(r, "eval_loss"), "20=2.839592695236206");
}

static void test_one_file(void **state)
{
    struct log_run *r = *state;
    log_run_open(r, &sm_trainer_format, "tests/samples/hf_trainer_nan/checkpoint-30",
                 SM_TRAINER_STATE);
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "5=nan 10=nan 15=nan 20=nan 25=nan 30=nan");
}

/* ---- followed ---- */

static void put_state(struct log_run *r, const char *folder, int step, const char *history,
                      int written)
{
    char name[64], text[512];
    struct timespec times[2] = {{.tv_sec = written}, {.tv_sec = written}};
    if (*folder)
        mkdir(log_run_path(r, folder), 0777);
    snprintf(name, sizeof name, "%s%s" SM_TRAINER_STATE, folder, *folder ? "/" : "");
    snprintf(text, sizeof text,
             "{\"best_metric\": null, \"global_step\": %d, \"log_history\": [%s], "
             "\"max_steps\": 4}",
             step, history);
    log_run_put(r, name, "w", text);
    assert_int_equal(utimensat(AT_FDCWD, log_run_path(r, name), times, 0), 0);
}

#define FIRST  "{\"loss\": 9, \"step\": 1}, {\"loss\": 8, \"step\": 2}"
#define SECOND ", {\"loss\": 7, \"step\": 3}"

static void test_checkpoints_come(void **state)
{
    struct log_run *r = *state;
    log_run_open(r, &sm_trainer_format, NULL, NULL);
    assert_string_equal(log_run_poll(r), "");
    log_run_folder(r, "checkpoint-2");
    assert_string_equal(log_run_poll(r), "");
    put_state(r, "checkpoint-2", 2, FIRST, 100);
    assert_string_equal(log_run_poll(r), "point loss 1 9\npoint loss 2 8\nsummary global_step 2\n"
                                         "config max_steps 4\nended 0 0\n");
    assert_string_equal(log_run_poll(r), "");
    put_state(r, "checkpoint-3", 3, FIRST SECOND, 200);
    assert_string_equal(log_run_poll(r), "point loss 3 7\nsummary global_step 3\n"
                                         "config max_steps 4\nended 0 0\n");
    put_state(r, "", 4, FIRST SECOND ", {\"train_runtime\": 1.5, \"step\": 4}", 300);
    assert_string_equal(log_run_poll(r), "point train_runtime 4 1.5\nsummary global_step 4\n"
                                         "config max_steps 4\nended 1 0\n");
    assert_string_equal(log_run_poll(r), "");
}

/* Copies of checkpoints have times in any order. */
static void test_times_of_copies(void **state)
{
    struct log_run *r = *state;
    put_state(r, "checkpoint-2", 2, FIRST, 500);
    put_state(r, "checkpoint-3", 3, FIRST SECOND, 200);
    log_run_open(r, &sm_trainer_format, NULL, NULL);
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "1=9 2=8 3=7");
}

/* A new training in the same folder leaves checkpoints of the old one. */
static void test_begun_anew(void **state)
{
    struct log_run *r = *state;
    put_state(r, "checkpoint-3", 3, FIRST SECOND, 200);
    log_run_open(r, &sm_trainer_format, NULL, NULL);
    log_run_poll(r);
    put_state(r, "checkpoint-2", 2, "{\"loss\": 5, \"step\": 1}", 300);
    assert_non_null(strstr(log_run_poll(r), "restart\npoint loss 1 5\n"));
    assert_string_equal(log_run_points(r, "loss"), "1=5");
}

static void test_torn(void **state)
{
    struct log_run *r = *state;
    put_state(r, "checkpoint-2", 2, FIRST, 100);
    log_run_folder(r, "checkpoint-3");
    log_run_put(r, "checkpoint-3/" SM_TRAINER_STATE, "w", "{\"global_step\": 3, \"log_his");
    log_run_open(r, &sm_trainer_format, NULL, NULL);
    log_run_poll(r);
    assert_int_equal(r->sink->problems, 0); /* it may be being written */
    log_run_age(r, "checkpoint-3/" SM_TRAINER_STATE);
    assert_non_null(strstr(log_run_poll(r), "problem checkpoint-3/" SM_TRAINER_STATE " -1 "));
    assert_string_equal(log_run_points(r, "loss"), "1=9 2=8");
    assert_string_equal(log_run_poll(r), "");
    put_state(r, "checkpoint-3", 3, FIRST SECOND, 200);
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "1=9 2=8 3=7");
}

static void test_odd_histories(void **state)
{
    struct log_run *r = *state;
    log_run_put(r, SM_TRAINER_STATE, "w",
                "{\"log_history\": [1, [{\"loss\":1}], \"}{\", {}, {\"a\":\"}\",\"loss\":2,"
                "\"step\":1e300,\"x\":{\"y\":3}}], \"max_steps\": -1, \"global_step\": 1,"
                "\"trial_params\": {\"lr\": 0.5}, \"best_metric\": NaN}");
    log_run_open(r, &sm_trainer_format, NULL, NULL);
    const char *said = log_run_poll(r);
    assert_non_null(strstr(said, "config lr 0.5\n"));
    assert_non_null(strstr(said, "summary best_metric NaN\n"));
    assert_string_equal(log_run_points(r, "x/y"), "0=3");
    log_run_put(r, SM_TRAINER_STATE, "w", "{\"log_history\": 5}");
    log_run_age(r, SM_TRAINER_STATE);
    assert_non_null(strstr(log_run_poll(r), "has no log_history"));
}

static void test_names(void **state)
{
    (void)state;
    int64_t n;
    assert_true(sm_is_checkpoint_name("checkpoint-500", &n));
    assert_int_equal(n, 500);
    assert_false(sm_is_checkpoint_name("checkpoint-", &n));
    assert_false(sm_is_checkpoint_name("checkpoint-5a", &n));
    assert_false(sm_is_checkpoint_name("tmp-checkpoint-5", &n));
    assert_false(sm_is_checkpoint_name("checkpoint--5", &n));
    assert_false(sm_is_checkpoint_name("checkpoint-55555555555555555555", &n));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, log_run_setup, log_run_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_newest_has_all),
        TEST(test_one_checkpoint),
        TEST(test_one_file),
        TEST(test_checkpoints_come),
        TEST(test_times_of_copies),
        TEST(test_begun_anew),
        TEST(test_torn),
        TEST(test_odd_histories),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
