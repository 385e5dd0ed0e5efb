/* SPDX-License-Identifier: Apache-2.0 */
/* A directory that holds a run is not written over, two runs are never written into one directory,
 * and what cannot be written is said when the hook is made. */
#include "tests/reader/live.h"

#include "reader/hook/smdbg_hook.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

static const int64_t one[1] = {1};

/* if_exists NULL: not set */
static smdbg_hook *make_hook(const char *dir, const char *if_exists)
{
    smdbg_hook *h = smdbg_hook_new(dir);
    assert_non_null(h);
    assert_int_equal(errno, 0);
    assert_int_equal(smdbg_hook_set(h, "save_all", "true"), 0);
    assert_int_equal(smdbg_hook_set(h, "save_interval", "1"), 0);
    if (if_exists)
        assert_int_equal(smdbg_hook_set(h, "if_exists", if_exists), 0);
    return h;
}

static void save_steps(smdbg_hook *h, int n, float v)
{
    for (int i = 0; i < n; i++, v++) {
        assert_int_equal(smdbg_hook_step(h, SMDBG_TRAIN), 0);
        assert_int_equal(smdbg_hook_save(h, "w", SMDBG_FLOAT32, 1, one, NULL, &v), 0);
        assert_int_equal(smdbg_hook_scalar(h, "x", v), 0);
    }
}

static void put_run(struct live *l, int n)
{
    smdbg_hook *h = make_hook(l->path, NULL);
    save_steps(h, n, 0);
    assert_int_equal(smdbg_hook_step(h, SMDBG_EVAL), 0);
    assert_int_equal(smdbg_hook_scalar(h, "x", 100), 0);
    assert_int_equal(smdbg_hook_close(h), 0);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void test_a_run_is_not_written_over(void **state)
{
    struct live *l = *state;
    static const char *const values[] = {NULL, "error"};
    put_run(l, 3);
    for (size_t i = 0; i < 2; i++) {
        smdbg_hook *h = make_hook(l->path, values[i]);
        assert_int_equal(smdbg_hook_step(h, SMDBG_TRAIN), -1);
        assert_non_null(strstr(smdbg_hook_error(h), "holds a run; set if_exists"));
        assert_int_equal(smdbg_hook_scalar(h, "x", 5), 0); /* the training goes on */
        assert_int_equal(smdbg_hook_close(h), -1);
        h = make_hook(l->path, values[i]);
        assert_int_equal(smdbg_hook_open(h), -1);
        assert_int_equal(errno, EEXIST);
        assert_int_equal(smdbg_hook_close(h), -1);
    }
    live_open(l);
    assert_string_equal(steps_text(l), "0 1 2 3");
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
}

static void test_new(void **state)
{
    struct live *l = *state;
    char expected[300];
    put_run(l, 3);
    for (int i = 2; i < 5; i++) {
        smdbg_hook *h = make_hook(l->path, "new");
        assert_int_equal(smdbg_hook_open(h), 0);
        snprintf(expected, sizeof expected, "%s-%d", l->path, i);
        assert_string_equal(smdbg_hook_dir(h), expected);
        save_steps(h, 1, 0);
        assert_int_equal(smdbg_hook_close(h), 0);
    }
    assert_true(exists(in(l, "../trial-4/index/000000000/000000000000_worker_0.json")));
    live_open(l);
    assert_string_equal(steps_text(l), "0 1 2 3");
}

/* Two that are made at the same time get different directories. */
static void test_new_beside_a_live_run(void **state)
{
    struct live *l = *state;
    char expected[300];
    smdbg_hook *first = make_hook(l->path, "new"), *second = make_hook(l->path, "new");
    assert_int_equal(smdbg_hook_open(first), 0);
    assert_int_equal(smdbg_hook_open(second), 0);
    snprintf(expected, sizeof expected, "%s-2", l->path);
    assert_string_equal(smdbg_hook_dir(first), l->path);
    assert_string_equal(smdbg_hook_dir(second), expected);
    smdbg_hook_close(first);
    smdbg_hook_close(second);
}

static void test_overwrite(void **state)
{
    struct live *l = *state;
    put_run(l, 5);
    put_file(in(l, "notes.txt"), "mine", 4);
    smdbg_hook *h = make_hook(l->path, "overwrite");
    assert_int_equal(smdbg_hook_open(h), 0);
    assert_false(exists(in(l, "index")));
    assert_false(exists(in(l, "events")));
    assert_false(exists(in(l, "training_job_end.ts")));
    save_steps(h, 2, 50);
    assert_int_equal(smdbg_hook_close(h), 0);
    live_open(l);
    assert_string_equal(steps_text(l), "0 1");
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    assert_true(exists(in(l, "notes.txt")));
}

static void test_resume(void **state)
{
    struct live *l = *state;
    put_run(l, 3); /* TRAIN 0 1 2, EVAL 0 */
    smdbg_hook *h = make_hook(l->path, "resume");
    save_steps(h, 2, 50);
    assert_false(exists(in(l, "training_job_end.ts"))); /* it has not ended */
    smdbg_hook_step(h, SMDBG_EVAL);
    smdbg_hook_scalar(h, "x", 1);
    assert_int_equal(smdbg_hook_close(h), 0);
    live_open(l);
    assert_string_equal(steps_text(l), "0 1 2 3 4 5 6");
    assert_int_equal(sm_trial_step(l->trial, 4)->mode, SM_MODE_TRAIN);
    assert_int_equal(sm_trial_step(l->trial, 4)->mode_step.n, 3);
    assert_int_equal(sm_trial_step(l->trial, 6)->mode_step.n, 1);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

/* A job that gives its own numbers goes on; from 0 it would write over the run. */
static void test_step_numbers_of_the_job(void **state)
{
    struct live *l = *state;
    put_run(l, 3);
    smdbg_hook *h = make_hook(l->path, NULL);
    assert_int_equal(smdbg_hook_step_at(h, SMDBG_TRAIN, 0, 0), -1);
    assert_int_equal(smdbg_hook_close(h), -1);
    h = make_hook(l->path, NULL);
    assert_int_equal(smdbg_hook_step_at(h, SMDBG_TRAIN, 10, 9), 0);
    smdbg_hook_scalar(h, "x", 1);
    assert_int_equal(smdbg_hook_close(h), 0);
    live_open(l);
    assert_string_equal(steps_text(l), "0 1 2 3 10");
}

/* A run that has no step is none; its end marker must not end the next. */
static void test_a_run_without_steps(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = make_hook(l->path, NULL);
    smdbg_hook_step(h, SMDBG_TRAIN);
    assert_int_equal(smdbg_hook_close(h), 0);
    assert_true(exists(in(l, "training_job_end.ts")));
    h = make_hook(l->path, NULL);
    save_steps(h, 2, 0);
    assert_false(exists(in(l, "training_job_end.ts")));
    assert_int_equal(smdbg_hook_close(h), 0);
}

static void test_two_at_once(void **state)
{
    struct live *l = *state;
    static const char *const values[] = {NULL, "error", "overwrite", "resume"};
    smdbg_hook *h = make_hook(l->path, NULL);
    save_steps(h, 2, 0);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        smdbg_hook *other = make_hook(l->path, values[i]);
        assert_int_equal(smdbg_hook_open(other), -1);
        assert_int_equal(errno, EBUSY);
        assert_non_null(strstr(smdbg_hook_error(other), "writes a run there"));
        assert_int_equal(smdbg_hook_close(other), -1);
    }
    save_steps(h, 1, 2);
    assert_int_equal(smdbg_hook_close(h), 0);
    assert_false(exists(in(l, ".smdbg-hook.lock")));
    live_open(l);
    assert_string_equal(steps_text(l), "0 1 2");
}

/* The child of a killed process does not keep its lock. */
static void test_the_lock_dies_with_the_process(void **state)
{
    struct live *l = *state;
    int status, ends[2], alive[2];
    char ready;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(pipe(alive), 0);
    pid_t pid = fork();
    if (pid == 0) {
        smdbg_hook *h = smdbg_hook_new(l->path);
        smdbg_hook_open(h);
        if (fork() == 0) { /* waits until the test has ended */
            close(alive[1]);
            _exit(write(ends[1], "r", 1) == 1 && read(alive[0], &ready, 1) == 0 ? 0 : 1);
        }
        pause();
    }
    assert_int_equal(read(ends[0], &ready, 1), 1);
    smdbg_hook *h = make_hook(l->path, NULL);
    assert_int_equal(smdbg_hook_open(h), -1);
    assert_int_equal(smdbg_hook_close(h), -1);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    h = make_hook(l->path, NULL);
    assert_int_equal(smdbg_hook_open(h), 0);
    assert_int_equal(smdbg_hook_close(h), 0);
    close(ends[0]);
    close(ends[1]);
    close(alive[0]);
    close(alive[1]);
}

static smdbg_hook *make_worker(struct live *l, const char *rank, const char *if_exists)
{
    smdbg_hook *h = make_hook(l->path, if_exists);
    smdbg_hook_set(h, "rank", rank);
    smdbg_hook_set(h, "world_size", "2");
    smdbg_hook_set(h, "include_workers", "all");
    return h;
}

static void test_workers_of_one_run(void **state)
{
    struct live *l = *state;
    smdbg_hook *zero = make_worker(l, "0", NULL), *again, *alone;
    save_steps(zero, 2, 0);
    smdbg_hook *second = make_worker(l, "1", NULL); /* later, but of the same run */
    save_steps(second, 2, 0);
    again = make_worker(l, "1", "resume");
    assert_int_equal(smdbg_hook_open(again), -1);
    assert_int_equal(errno, EBUSY);
    alone = make_hook(l->path, "resume");
    assert_int_equal(smdbg_hook_open(alone), -1);
    assert_int_equal(errno, EBUSY);
    smdbg_hook_close(again);
    smdbg_hook_close(alone);
    assert_int_equal(smdbg_hook_close(zero), 0);
    assert_int_equal(smdbg_hook_close(second), 0);
    /* a second run of both */
    zero = make_worker(l, "0", NULL);
    second = make_worker(l, "1", NULL);
    assert_int_equal(smdbg_hook_open(zero), -1);
    assert_int_equal(smdbg_hook_open(second), -1);
    smdbg_hook_close(zero);
    smdbg_hook_close(second);
    zero = make_worker(l, "0", "resume");
    second = make_worker(l, "1", "overwrite"); /* its own files only */
    save_steps(zero, 1, 9);
    save_steps(second, 1, 9);
    assert_int_equal(smdbg_hook_close(zero), 0);
    assert_int_equal(smdbg_hook_close(second), 0);
    live_open(l);
    assert_string_equal(steps_text(l), "0 1 2");
    assert_true(exists(in(l, "index/000000000/000000000001_worker_0.json")));
    assert_false(exists(in(l, "index/000000000/000000000001_worker_1.json")));
}

/* A run of fewer workers: what the others have left goes with the run. */
static void test_overwrite_by_fewer_workers(void **state)
{
    struct live *l = *state;
    for (int rank = 0; rank < 4; rank++) {
        char text[2] = {(char)('0' + rank), 0};
        smdbg_hook *h = make_worker(l, text, NULL);
        smdbg_hook_set(h, "world_size", "4");
        save_steps(h, 2, 0);
        assert_int_equal(smdbg_hook_close(h), 0);
    }
    smdbg_hook *h = make_worker(l, "0", "overwrite");
    assert_int_equal(smdbg_hook_open(h), 0);
    for (int rank = 0; rank < 4; rank++) { /* worker 1 removes its own files */
        const char *events = in(l, "events/000000000000/000000000000_worker_%d.tfevents", rank);
        const char *index = in(l, "index/000000000/000000000001_worker_%d.json", rank);
        assert_int_equal(exists(events), rank == 1);
        assert_int_equal(exists(index), rank == 1);
        assert_int_equal(exists(in(l, "collections/000000000/worker_%d_collections.json", rank)),
                         rank == 1);
    }
    smdbg_hook_close(h);
}

static void test_who_does_not_write_takes_nothing(void **state)
{
    struct live *l = *state;
    put_run(l, 1);
    smdbg_hook *h = make_hook(l->path, NULL);
    smdbg_hook_set(h, "rank", "1");
    smdbg_hook_set(h, "world_size", "2");
    assert_int_equal(smdbg_hook_open(h), 0);
    save_steps(h, 2, 0);
    assert_int_equal(smdbg_hook_close(h), 0);
}

/* A rank that becomes known late: the directory is taken again. */
static void test_settings_after_taking_it(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = make_hook(l->path, NULL);
    assert_int_equal(smdbg_hook_open(h), 0);
    assert_int_equal(smdbg_hook_set(h, "rank", "0"), 0);
    assert_int_equal(smdbg_hook_set(h, "world_size", "2"), 0);
    save_steps(h, 1, 0);
    assert_int_equal(smdbg_hook_close(h), 0);
    live_open(l);
    assert_string_equal(steps_text(l), "0");
}

/* Another hook had made it, wrote nothing, and removes it. */
static void test_a_directory_that_is_removed_meanwhile(void **state)
{
    struct live *l = *state;
    smdbg_hook *other = make_hook(l->path, NULL), *h = make_hook(l->path, NULL);
    assert_int_equal(smdbg_hook_close(other), 0);
    assert_false(exists(l->path));
    save_steps(h, 1, 0);
    assert_int_equal(smdbg_hook_close(h), 0);
    assert_true(exists(l->path));
}

static void test_where_nothing_can_be_made(void **state)
{
    struct live *l = *state;
    char file[300];
    snprintf(file, sizeof file, "%s/file", l->dir);
    put_file(file, "x", 1);
    snprintf(file, sizeof file, "%s/file/run", l->dir);
    const struct {
        const char *dir;
        int why;
    } rows[] = {{"/proc/nowhere/run", ENOENT}, {file, ENOTDIR}, {in(l, "../file"), ENOTDIR}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        smdbg_hook *h = smdbg_hook_new(rows[i].dir);
        assert_int_equal(errno, rows[i].why);
        assert_non_null(strstr(smdbg_hook_error(h), i ? "file" : "/proc/nowhere"));
        assert_int_equal(smdbg_hook_open(h), -1);
        assert_int_equal(errno, rows[i].why);
        assert_int_equal(smdbg_hook_close(h), -1);
    }
}

/* What nobody writes leaves nothing behind. */
static void test_an_unused_hook(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = make_hook(l->path, NULL);
    assert_int_equal(smdbg_hook_set(h, "if_exists", "maybe"), -1);
    assert_int_equal(smdbg_hook_close(h), -1);
    assert_false(exists(l->path));
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_a_run_is_not_written_over),
        T(test_new),
        T(test_new_beside_a_live_run),
        T(test_overwrite),
        T(test_resume),
        T(test_step_numbers_of_the_job),
        T(test_a_run_without_steps),
        T(test_two_at_once),
        T(test_the_lock_dies_with_the_process),
        T(test_workers_of_one_run),
        T(test_overwrite_by_fewer_workers),
        T(test_who_does_not_write_takes_nothing),
        T(test_settings_after_taking_it),
        T(test_a_directory_that_is_removed_meanwhile),
        T(test_where_nothing_can_be_made),
        T(test_an_unused_hook),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
