/* SPDX-License-Identifier: Apache-2.0 */
/* Training continues whatever happens to its disk, memory and threads, and what was reported as
 * written exists. */
#include "tests/reader/live.h"

#include "reader/hook/smdbg_hook.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { ELEMENTS = 1024 };
static float values[ELEMENTS];
static const int64_t shape[1] = {ELEMENTS};

static smdbg_hook *open_hook(struct live *l)
{
    smdbg_hook *h = smdbg_hook_new(l->path);
    assert_int_equal(smdbg_hook_set(h, "save_all", "true"), 0);
    assert_int_equal(smdbg_hook_set(h, "save_interval", "1"), 0);
    return h;
}

static int put_values(smdbg_hook *h, const char *name)
{
    return smdbg_hook_save(h, name, SMDBG_FLOAT32, 1, shape, NULL, values);
}

/* Ends the step and waits. Returns how often a failure was reported: by this call or the next,
 * depending on the thread. */
static int finish_step(smdbg_hook *h)
{
    int reported = smdbg_hook_step(h, SMDBG_TRAIN) != 0;
    return reported + (smdbg_hook_flush(h) != 0);
}

/* The trial holds exactly what the hook counted. */
static void assert_counted(struct live *l, const smdbg_counts *counts)
{
    uint64_t entries = 0;
    live_open(l);
    assert_int_equal(sm_trial_step_count(l->trial), counts->steps);
    for (size_t i = 0; i < sm_trial_tensor_count(l->trial); i++)
        entries += sm_trial_tensor(l->trial, i)->n_entries;
    assert_int_equal(entries, counts->tensors);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

/* Steps of one tensor, of two, of three ...: at some step a file is larger than the disk allows. */
static void save_growing_steps(smdbg_hook *h, int n, int *reported)
{
    char name[16];
    for (int i = 1; i <= n; i++) {
        *reported += smdbg_hook_step(h, SMDBG_TRAIN) != 0;
        for (int k = 0; k < i; k++) {
            snprintf(name, sizeof name, "t%d", k);
            *reported += put_values(h, name) != 0;
        }
        *reported += smdbg_hook_flush(h) != 0;
    }
}

static void test_a_full_disk(void **state)
{
    struct live *l = *state;
    struct rlimit before, small;
    smdbg_counts counts;
    int reported = 0;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){5 * sizeof values, before.rlim_max};
    smdbg_hook *h = open_hook(l);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    save_growing_steps(h, 8, &reported);
    smdbg_hook_step(h, SMDBG_TRAIN);
    smdbg_hook_flush(h);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    smdbg_hook_counts(h, &counts);
    assert_int_equal(counts.steps, 4); /* of 1 to 4 tensors; 5 with their frames are too many */
    assert_int_equal(counts.tensors, 1 + 2 + 3 + 4);
    assert_int_equal(counts.errors, 4);
    assert_int_equal(reported, 4); /* each once */
    assert_non_null(strstr(smdbg_hook_error(h), "large"));
    assert_non_null(strstr(smdbg_hook_error(h), in(l, "events/000000000007/")));
    put_values(h, "room again");
    smdbg_hook_step(h, SMDBG_TRAIN);
    smdbg_hook_flush(h);
    smdbg_hook_counts(h, &counts);
    assert_int_equal(counts.steps, 5);
    assert_int_equal(smdbg_hook_close(h), -1);
    assert_counted(l, &counts);
    signal(SIGXFSZ, SIG_DFL);
}

static void test_a_directory_that_vanishes(void **state)
{
    struct live *l = *state;
    smdbg_counts counts;
    smdbg_hook *h = open_hook(l);
    smdbg_hook_step(h, SMDBG_TRAIN);
    put_values(h, "before");
    smdbg_hook_step(h, SMDBG_TRAIN);
    assert_int_equal(smdbg_hook_flush(h), 0);
    remove_tree(l->path);
    put_values(h, "lost");
    assert_int_equal(finish_step(h), 1);
    assert_int_equal(smdbg_hook_flush(h), 0); /* not again */
    assert_non_null(strstr(smdbg_hook_error(h), l->path));
    put_values(h, "after"); /* the directory is created again */
    assert_int_equal(finish_step(h), 0);
    smdbg_hook_counts(h, &counts);
    assert_int_equal(counts.errors, 1);
    assert_int_equal(counts.steps, 2);
    assert_int_equal(smdbg_hook_close(h), -1);
    live_open(l);
    assert_string_equal(steps_text(l), "2");
}

/* root may write anywhere, so another user does it */
static void test_a_directory_to_read_only(void **state)
{
    struct live *l = *state;
    smdbg_counts counts;
    uid_t self = geteuid();
    assert_int_equal(mkdir(l->path, 0555), 0);
    assert_int_equal(chmod(l->dir, 0755), 0);
    assert_int_equal(seteuid(self ? self : 65534), 0);
    smdbg_hook *h = smdbg_hook_new(l->path);
    assert_int_equal(errno, EACCES); /* said when the hook is made */
    assert_non_null(strstr(smdbg_hook_error(h), "ermission"));
    smdbg_hook_set(h, "save_all", "true");
    assert_int_equal(smdbg_hook_step(h, SMDBG_TRAIN), -1);
    put_values(h, "w");
    assert_int_equal(finish_step(h), 0); /* and once more */
    smdbg_hook_counts(h, &counts);
    assert_int_equal(counts.steps, 0);
    assert_int_equal(smdbg_hook_close(h), -1);
    assert_int_equal(seteuid(self), 0);
}

/* Flushed steps survive the program. */
static void test_a_killed_program(void **state)
{
    struct live *l = *state;
    pid_t pid = fork();
    if (pid == 0) {
        smdbg_hook *h = smdbg_hook_new(l->path);
        smdbg_hook_set(h, "save_all", "true");
        smdbg_hook_set(h, "save_interval", "1");
        for (int i = 0; i < 3; i++) {
            smdbg_hook_step(h, SMDBG_TRAIN);
            put_values(h, "w");
        }
        smdbg_hook_flush(h);
        raise(SIGKILL);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    live_open(l);
    assert_string_equal(steps_text(l), "0 1"); /* the third had not ended */
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    assert_int_not_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
}

/* ---- memory ---- */

static void run_once(struct live *l)
{
    smdbg_hook *h = smdbg_hook_new(l->path);
    smdbg_hook_set(h, "save_interval", "1");
    smdbg_hook_set(h, "export_tensorboard", "true");
    smdbg_collection_set(h, "mine", "include_regex", "w$");
    smdbg_collection_set(h, "weights", "reductions", "mean,median");
    for (int i = 0; i < 2; i++) {
        smdbg_hook_step(h, SMDBG_TRAIN);
        put_values(h, "a weight");
        put_values(h, "w");
        smdbg_hook_save_strings(h, "new", 2, (const char *const[]){"a", "b"});
        smdbg_hook_scalar(h, "x", 1);
    }
    smdbg_hook_close(h);
}

/* Each allocation fails in turn; data may be lost, but no file is invalid. */
static void test_every_allocation_may_fail(void **state)
{
    struct live *l = *state;
    unsigned long before = sm_mem_count();
    run_once(l);
    unsigned long used = sm_mem_count() - before;
    assert_true(used > 100);
    remove_tree(l->path);
    for (unsigned long n = 1; n <= used; n++) {
        sm_mem_fail_at(n);
        run_once(l);
        sm_mem_fail_at(0);
        if (access(l->path, F_OK) == 0) {
            live_open(l);
            assert_int_equal(sm_trial_problems(l->trial)->total, 0);
            live_close(l);
        }
        remove_tree(l->path);
    }
}

/* ---- threads ---- */

struct saver {
    smdbg_hook *h;
    int number;
};

static void *save_many(void *arg)
{
    const struct saver *s = arg;
    char name[32];
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "thread%d_%d", s->number, i);
        if (smdbg_hook_wants(s->h, name))
            put_values(s->h, name);
        smdbg_hook_scalar(s->h, name, i);
        if (i % 50 == s->number)
            smdbg_hook_flush(s->h);
    }
    return NULL;
}

static void test_several_threads(void **state)
{
    struct live *l = *state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    struct saver savers[THREADS];
    smdbg_counts counts;
    smdbg_hook *h = open_hook(l);
    smdbg_hook_set(h, "queue_bytes", "20000"); /* a few tensors: the threads wait for each other */
    smdbg_hook_step(h, SMDBG_TRAIN);
    for (int i = 0; i < THREADS; i++) {
        savers[i] = (struct saver){h, i};
        assert_int_equal(pthread_create(&threads[i], NULL, save_many, &savers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    smdbg_hook_step(h, SMDBG_TRAIN);
    smdbg_hook_flush(h);
    smdbg_hook_counts(h, &counts);
    assert_int_equal(counts.errors, 0);
    assert_int_equal(counts.tensors, 2 * THREADS * 200);
    assert_int_equal(smdbg_hook_close(h), 0);
    assert_counted(l, &counts);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_a_full_disk),
        T(test_a_directory_that_vanishes),
        T(test_a_directory_to_read_only),
        T(test_a_killed_program),
        T(test_every_allocation_may_fail),
        T(test_several_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
