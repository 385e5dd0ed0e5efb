/* SPDX-License-Identifier: Apache-2.0 */
/* The sessions of TensorBoard below the output folder of Hugging Face's Trainer: one run with its
 * history. */
#include "reader/format/event.h"
#include "reader/format/tfrecord.h"
#include "reader/tables/tables.h"
#include "reader/tables/trainer_files.h"

#include "tests/reader/log_run.h"

#define SESSION "runs/a/events.out.tfevents.1000.host.1.0"
#define LATER   "runs/b/events.out.tfevents.2000.host.2.0"

/* Appends one number to an event file. */
static void put_event(struct log_run *r, const char *name, const char *tag, int64_t step,
                      float value)
{
    struct sm_str out = {0};
    uint8_t element[8] = {0};
    memcpy(element, &value, sizeof value);
    assert_true(sm_event_write_number(&out, (struct sm_text){tag, strlen(tag)}, step,
                                      1000.0 + (double)step, SM_DTYPE_FLOAT32, element));
    FILE *f = fopen(log_run_path(r, name), "a");
    assert_non_null(f);
    assert_int_equal(fwrite(out.data, 1, out.len, f), out.len);
    fclose(f);
    sm_str_clear(&out);
}

static void put_text(struct log_run *r, const char *name, const char *tag, const char *text)
{
    struct sm_str payload = {0}, out = {0};
    struct sm_err err;
    struct sm_text string = {text, strlen(text)};
    struct sm_event_value v = {.tag = {tag, strlen(tag)},
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_STRING,
                               .n_dims = 1,
                               .dims = {1},
                               .n_elements = 1,
                               .strings = &string,
                               .plugin = {"text", 4}};
    struct sm_event e = {.wall_time = 1000, .values = &v, .n_values = 1};
    assert_true(sm_event_write(&payload, &e, &err));
    sm_frame_write(&out, (struct sm_bytes){(const uint8_t *)payload.data, payload.len}, true);
    FILE *f = fopen(log_run_path(r, name), "a");
    assert_int_equal(fwrite(out.data, 1, out.len, f), out.len);
    fclose(f);
    sm_str_clear(&payload);
    sm_str_clear(&out);
}

static void put_state(struct log_run *r, int step, const char *history, int written)
{
    char text[512];
    struct timespec times[2] = {{.tv_sec = written}, {.tv_sec = written}};
    snprintf(text, sizeof text,
             "{\"best_metric\": null, \"global_step\": %d, \"log_history\": [%s], "
             "\"max_steps\": 9}",
             step, history);
    log_run_put(r, SM_TRAINER_STATE, "w", text);
    assert_int_equal(utimensat(AT_FDCWD, log_run_path(r, SM_TRAINER_STATE), times, 0), 0);
}

static void make_folders(struct log_run *r)
{
    log_run_folder(r, "runs");
    log_run_folder(r, "runs/a");
    log_run_folder(r, "runs/b");
}

#define HISTORY "{\"loss\": 9, \"step\": 1}, {\"loss\": 8, \"step\": 2}"

/* Steps that no state has yet come from the events; those that both have come once. */
static void test_points_come_once(void **state)
{
    struct log_run *r = *state;
    make_folders(r);
    put_state(r, 2, HISTORY ", {\"eval_loss\": 5, \"step\": 2}", 1500);
    for (int i = 1; i <= 3; i++)
        put_event(r, SESSION, "train/loss", i, (float)(10 - i));
    put_event(r, SESSION, "eval/loss", 2, 5);
    put_event(r, SESSION, "own/tag", 2, 1);
    log_run_open(r, &sm_trainer_format, NULL, NULL);
    const char *said = log_run_poll(r);
    assert_non_null(strstr(said, "kinds loss trainer_state, tensorboard\n"));
    assert_non_null(strstr(said, "kinds own/tag tensorboard\n"));
    assert_string_equal(log_run_points(r, "loss"), "1=9 2=8 3=7");
    assert_string_equal(log_run_points(r, "eval_loss"), "2=5");
    assert_string_equal(log_run_points(r, "own/tag"), "2=1");
    assert_string_equal(log_run_poll(r), "");
}

/* Events are there first; the state of a checkpoint repeats them. */
static void test_followed(void **state)
{
    struct log_run *r = *state;
    make_folders(r);
    put_state(r, 0, "", 900);
    log_run_open(r, &sm_trainer_format, NULL, NULL);
    log_run_poll(r);
    put_event(r, SESSION, "train/loss", 1, 9);
    put_event(r, SESSION, "train/loss", 2, 8);
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "1=9 2=8");
    put_state(r, 2, HISTORY, 1500);
    const char *said = log_run_poll(r);
    assert_null(strstr(said, "point "));
    assert_null(strstr(said, "restart"));
    assert_non_null(strstr(said, "kinds loss trainer_state, tensorboard\n"));
    put_event(r, SESSION, "train/loss", 3, 7);
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "1=9 2=8 3=7");
}

/* A session goes on where the one before was killed: later points of that are void. */
static void test_resumed(void **state)
{
    struct log_run *r = *state;
    make_folders(r);
    put_state(r, 2, HISTORY, 1500);
    for (int i = 1; i <= 5; i++)
        put_event(r, SESSION, "train/loss", i, (float)(10 - i));
    log_run_open(r, &sm_trainer_format, NULL, NULL);
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "1=9 2=8 3=7 4=6 5=5");
    put_event(r, LATER, "train/loss", 3, 70);
    assert_non_null(strstr(log_run_poll(r), "restart\n"));
    assert_string_equal(log_run_points(r, "loss"), "1=9 2=8 3=70");
    put_event(r, LATER, "train/loss", 4, 60);
    assert_null(strstr(log_run_poll(r), "restart\n"));
    assert_string_equal(log_run_points(r, "loss"), "1=9 2=8 3=70 4=60");
}

/* The training was begun anew in the same folder, and has no checkpoint yet. */
static void test_begun_anew(void **state)
{
    struct log_run *r = *state;
    make_folders(r);
    put_state(r, 2, HISTORY, 1500);
    put_event(r, SESSION, "train/loss", 1, 9);
    log_run_open(r, &sm_trainer_format, NULL, NULL);
    log_run_poll(r);
    put_event(r, LATER, "train/loss", 1, 90);
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "1=90");
    put_state(r, 1, "{\"loss\": 90, \"step\": 1}", 2500);
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "1=90");
}

/* The arguments of the training are its configuration; a restart tells them again. */
static void test_arguments(void **state)
{
    struct log_run *r = *state;
    make_folders(r);
    put_state(r, 2, HISTORY, 1500);
    put_text(r, SESSION, "args/text_summary", "{\"learning_rate\": 0.5, \"optim\": {\"b\": 1}}");
    put_event(r, SESSION, "train/loss", 3, 7);
    log_run_open(r, &sm_trainer_format, NULL, NULL);
    assert_non_null(strstr(log_run_poll(r), "config learning_rate 0.5\nconfig optim.b 1\n"));
    put_event(r, LATER, "train/loss", 3, 70);
    assert_non_null(strstr(log_run_poll(r), "config learning_rate 0.5\n"));
}

/* A torn record is waited for; a broken one ends the file, and the history stays. */
static void test_torn(void **state)
{
    struct log_run *r = *state;
    make_folders(r);
    put_state(r, 2, HISTORY, 1500);
    put_event(r, SESSION, "train/loss", 3, 7);
    put_event(r, SESSION, "train/loss", 4, 6);
    struct stat st;
    assert_int_equal(stat(log_run_path(r, SESSION), &st), 0);
    assert_int_equal(truncate(log_run_path(r, SESSION), st.st_size - 3), 0);
    log_run_open(r, &sm_trainer_format, NULL, NULL);
    log_run_poll(r);
    assert_string_equal(log_run_points(r, "loss"), "1=9 2=8 3=7");
    assert_int_equal(truncate(log_run_path(r, SESSION), st.st_size / 2), 0);
    put_event(r, SESSION, "train/loss", 4, 6);
    log_run_put(r, SESSION, "a", "this is no record at all");
    assert_non_null(strstr(log_run_poll(r), "problem " SESSION));
    assert_string_equal(log_run_points(r, "loss"), "1=9 2=8 3=7 4=6");
    log_run_poll(r);
    assert_int_equal(r->sink->problems, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, log_run_setup, log_run_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_points_come_once), TEST(test_followed),  TEST(test_resumed),
        TEST(test_begun_anew),       TEST(test_arguments), TEST(test_torn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
