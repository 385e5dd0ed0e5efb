/* SPDX-License-Identifier: Apache-2.0 */
/* A SageMaker job: metrics, the end marker written by the platform, and resuming after an
 * interruption. */
#include "tests/reader/live.h"

#include "reader/hook/smdbg_hook.h"

#include <fcntl.h>
#include <math.h>

static char *get_text(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = calloc(1, 10000);
    assert_non_null(f);
    assert_true(fread(text, 1, 9999, f) > 0);
    fclose(f);
    return text;
}

static void save_loss(smdbg_hook *h, smdbg_mode mode, float v)
{
    assert_int_equal(smdbg_hook_step(h, mode), 0);
    assert_int_equal(
        smdbg_hook_save(h, "CrossEntropyLoss_output_0", SMDBG_FLOAT32, 0, NULL, NULL, &v), 0);
}

/* Removes the times, which are compared with the current time. */
static void drop_times(char *text, double now)
{
    static const char key[] = "\"Timestamp\": ";
    for (char *at = text; (at = strstr(at, key));) {
        char *end;
        at += strlen(key);
        assert_true(strtod(at, &end) == now);
        memmove(at, end, strlen(end) + 1);
    }
}

/* Lines as in the shipped trial's job: losses always, scalars on request, in order, with the mode's
 * step. */
static void test_metrics(void **state)
{
    struct live *l = *state;
    char folder[300], path[400];
    snprintf(folder, sizeof folder, "%s/deep/metrics", l->dir);
    snprintf(path, sizeof path, "%s/%ld.json", folder, (long)getpid());
    setenv("TRAINING_JOB_NAME", "job", 1);
    setenv("SAGEMAKER_METRICS_DIRECTORY", folder, 1);
    smdbg_hook *h = smdbg_hook_new(l->path);
    unsetenv("TRAINING_JOB_NAME");
    unsetenv("SAGEMAKER_METRICS_DIRECTORY");
    smdbg_hook_set(h, "save_interval", "2");
    for (int i = 0; i < 3; i++) {
        save_loss(h, SMDBG_TRAIN, i ? 1500 : 3.1176126f);
        assert_int_equal(smdbg_hook_metric(h, "accuracy", 0.375), 0);
        assert_int_equal(smdbg_hook_scalar(h, "rate", 1), 0);
    }
    save_loss(h, SMDBG_EVAL, (float)INFINITY);
    assert_string_equal(smdbg_hook_error(h), "");
    assert_int_equal(smdbg_hook_close(h), 0);
    char *text = get_text(path);
    drop_times(text, sm_clock_wall_s());
    assert_string_equal(text, "{\"MetricName\": \"CrossEntropyLoss_output_0_TRAIN\", \"Value\": "
                              "3.117612600326538, \"Timestamp\": , \"IterationNumber\": 0}\n"
                              "{\"MetricName\": \"scalar/accuracy_TRAIN\", \"Value\": 0.375, "
                              "\"Timestamp\": , \"IterationNumber\": 0}\n"
                              "{\"MetricName\": \"scalar/accuracy_TRAIN\", \"Value\": 0.375, "
                              "\"Timestamp\": , \"IterationNumber\": 1}\n"
                              "{\"MetricName\": \"CrossEntropyLoss_output_0_TRAIN\", \"Value\": "
                              "1500.0, \"Timestamp\": , \"IterationNumber\": 2}\n"
                              "{\"MetricName\": \"scalar/accuracy_TRAIN\", \"Value\": 0.375, "
                              "\"Timestamp\": , \"IterationNumber\": 2}\n"
                              "{\"MetricName\": \"CrossEntropyLoss_output_0_EVAL\", \"Value\": "
                              "Infinity, \"Timestamp\": , \"IterationNumber\": 0}\n");
    free(text);
    assert_int_equal(access(in(l, "training_job_end.ts"), F_OK), -1); /* written by the platform */
    assert_int_equal(access(in(l, "claim.smd"), F_OK), -1);
    live_open(l);
    assert_int_equal(tensor(l, "scalar/accuracy")->n_entries, 3);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

static void test_no_metrics_elsewhere(void **state)
{
    struct live *l = *state;
    setenv("SAGEMAKER_METRICS_DIRECTORY", l->dir, 1);
    smdbg_hook *h = smdbg_hook_new(l->path);
    unsetenv("SAGEMAKER_METRICS_DIRECTORY");
    save_loss(h, SMDBG_TRAIN, 1);
    smdbg_hook_metric(h, "accuracy", 1);
    assert_int_equal(smdbg_hook_close(h), 0);
    assert_int_equal(access(in(l, "../%ld.json", (long)getpid()), F_OK), -1);
    assert_int_equal(access(in(l, "training_job_end.ts"), F_OK), 0);
}

static void test_metrics_that_cannot_be_written(void **state)
{
    struct live *l = *state;
    setenv("TRAINING_JOB_NAME", "job", 1);
    setenv("SAGEMAKER_METRICS_DIRECTORY", "/dev/null/metrics", 1);
    smdbg_hook *h = smdbg_hook_new(l->path);
    unsetenv("TRAINING_JOB_NAME");
    unsetenv("SAGEMAKER_METRICS_DIRECTORY");
    save_loss(h, SMDBG_TRAIN, 1);
    smdbg_hook_step(h, SMDBG_TRAIN);
    smdbg_hook_flush(h);
    assert_non_null(strstr(smdbg_hook_error(h), "/dev/null"));
    assert_int_equal(smdbg_hook_close(h), -1);
    live_open(l);
    assert_int_equal(sm_trial_step_count(l->trial), 1); /* the trial has it nevertheless */
}

/* ---- interruptions ---- */

/* A hook of a job whose checkpoints are in l->dir/checkpoints. */
static smdbg_hook *open_resumable_hook(struct live *l)
{
    char config[300], json[400];
    snprintf(config, sizeof config, "%s/checkpointconfig.json", l->dir);
    snprintf(json, sizeof json, "{\"LocalPath\": \"%s/checkpoints\"}", l->dir);
    put_file(config, json, strlen(json));
    setenv("CHECKPOINT_CONFIG_FILE_PATH", config, 1);
    smdbg_hook *h = smdbg_hook_new(l->path);
    unsetenv("CHECKPOINT_CONFIG_FILE_PATH");
    assert_int_equal(smdbg_hook_set(h, "save_interval", "2"), 0);
    return h;
}

/* A checkpoint with that modification time, in seconds since 1970. */
static void put_checkpoint(struct live *l, const char *name, time_t when)
{
    const struct timespec times[2] = {{.tv_sec = when}, {.tv_sec = when}};
    char path[400];
    snprintf(path, sizeof path, "%s/checkpoints", l->dir);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/checkpoints/%s", l->dir, name);
    put_file(path, "model", 5);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void assert_state(struct live *l, const char *expected)
{
    char path[400];
    snprintf(path, sizeof path, "%s/checkpoints/metadata.json", l->dir);
    char *text = get_text(path);
    assert_string_equal(text, expected);
    free(text);
}

static void test_going_on_after_a_checkpoint(void **state)
{
    struct live *l = *state;
    put_checkpoint(l, "old", 1000);
    smdbg_hook *h = open_resumable_hook(l);
    for (int i = 0; i < 3; i++)
        save_loss(h, SMDBG_TRAIN, 1); /* TRAIN 0 1 2 */
    save_loss(h, SMDBG_EVAL, 1);
    smdbg_hook_flush(h);
    /* nothing new there */
    assert_int_equal(access(in(l, "../checkpoints/metadata.json"), F_OK), -1);
    put_checkpoint(l, "new", 2000);
    save_loss(h, SMDBG_TRAIN, 1); /* after it: 4 steps were seen */
    save_loss(h, SMDBG_TRAIN, 1);
    assert_int_equal(smdbg_hook_close(h), 0);
    static const char first[] =
        "{\"training-run\": 0, \"latest-global-step-saved\": 3, \"latest-global-step-seen\": 3, "
        "\"latest-mode-step\": {\"GLOBAL\": 3, \"TRAIN\": 2, \"EVAL\": 0}}";
    char expected[600];
    snprintf(expected, sizeof expected, "[%s]", first);
    assert_state(l, expected);
    h = open_resumable_hook(l);   /* as if the first job had been killed */
    save_loss(h, SMDBG_TRAIN, 2); /* step 4, TRAIN 3 */
    save_loss(h, SMDBG_TRAIN, 2);
    smdbg_hook_flush(h);
    assert_state(l, expected);
    put_checkpoint(l, "newer", 3000);
    save_loss(h, SMDBG_PREDICT, 2);
    assert_int_equal(smdbg_hook_close(h), 0);
    snprintf(expected, sizeof expected,
             "[%s, {\"training-run\": 1, \"latest-global-step-saved\": 5, "
             "\"latest-global-step-seen\": 5, "
             "\"latest-mode-step\": {\"GLOBAL\": 5, \"TRAIN\": 4, \"EVAL\": 0}}]",
             first);
    assert_state(l, expected);
    live_open(l);
    assert_string_equal(steps_text(l), "0 2 3 5 6");
    assert_int_equal(sm_trial_step(l->trial, 3)->mode_step.n, 4);
}

static void test_a_state_that_is_none(void **state)
{
    struct live *l = *state;
    put_checkpoint(l, "metadata.json", 1000); /* holds no JSON */
    smdbg_hook *h = open_resumable_hook(l);
    assert_non_null(strstr(smdbg_hook_error(h), "metadata.json"));
    assert_int_equal(smdbg_hook_flush(h), -1); /* reported once; the job starts at 0 */
    save_loss(h, SMDBG_TRAIN, 1);
    assert_int_equal(smdbg_hook_close(h), -1);
    live_open(l);
    assert_string_equal(steps_text(l), "0");
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_metrics),
        T(test_no_metrics_elsewhere),
        T(test_metrics_that_cannot_be_written),
        T(test_going_on_after_a_checkpoint),
        T(test_a_state_that_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
