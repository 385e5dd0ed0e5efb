/* SPDX-License-Identifier: Apache-2.0 */
/* No argument, thread, signal or fork makes the hook crash or hang: each wrong call returns -1 with
 * a message, and what was saved before stays. */
#include "tests/reader/live.h"

#include "reader/hook/smdbg_hook.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>

static const int64_t one[1] = {1};
static const float number = 1;

static smdbg_hook *saving_hook(struct live *l)
{
    smdbg_hook *h = smdbg_hook_new(l->path);
    assert_non_null(h);
    assert_int_equal(smdbg_hook_set(h, "save_all", "true"), 0);
    assert_int_equal(smdbg_hook_set(h, "save_interval", "1"), 0);
    return h;
}

static int save(smdbg_hook *h, const char *name)
{
    return smdbg_hook_save(h, name, SMDBG_FLOAT32, 1, one, NULL, &number);
}

static void assert_refused(smdbg_hook *h, int result, const char *word)
{
    assert_int_equal(result, -1);
    if (!strstr(smdbg_hook_error(h), word))
        fail_msg("\"%s\" does not contain \"%s\"", smdbg_hook_error(h), word);
}

static void test_settings(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = saving_hook(l);
    assert_refused(h, smdbg_hook_set(h, NULL, "1"), "NULL");
    assert_refused(h, smdbg_hook_set(h, "save_interval", NULL), "save_interval is NULL");
    assert_refused(h, smdbg_hook_set(h, "", "1"), "empty");
    assert_refused(h, smdbg_hook_set(h, "worker", "\xff"), "UTF-8");
    assert_refused(h, smdbg_hook_set(h, "rank", "-1"), "-1");
    assert_refused(h, smdbg_collection_set(h, NULL, "save_interval", "1"), "NULL");
    assert_refused(h, smdbg_collection_set(h, "c", NULL, "1"), "NULL");
    assert_refused(h, smdbg_collection_set(h, "c", "include_regex", NULL), "NULL");
    assert_refused(h, smdbg_collection_save(h, NULL), "NULL");
    assert_refused(h, smdbg_collection_save(h, ""), "empty");
    assert_refused(h, smdbg_collection_add(h, "c", NULL), "NULL");
    assert_refused(h, smdbg_collection_add(h, "c", "\xc3("), "byte 1 of 2");
    assert_refused(h, smdbg_hook_report(h, NULL), "NULL");
    assert_refused(h, smdbg_hook_report(h, "no such device"), "no such device");
    smdbg_hook_counts(h, NULL);
    assert_int_equal(smdbg_hook_close(h), -1);
    h = smdbg_hook_new(NULL);
    assert_refused(h, smdbg_hook_step(h, SMDBG_TRAIN), "no output directory");
    assert_int_equal(save(h, "a"), 0);
    assert_int_equal(smdbg_hook_close(h), -1);
}

static void test_values(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = saving_hook(l);
    static const int64_t minus[1] = {-1}, huge[3] = {INT64_MAX, INT64_MAX, 2}, many[40] = {1};
    const char *const strings[2] = {"a", NULL};
    assert_refused(h, smdbg_hook_step(h, (smdbg_mode)9), "mode");
    assert_refused(h, smdbg_hook_step_at(h, SMDBG_TRAIN, -1, 0), "step number");
    assert_refused(h, smdbg_hook_step_at(h, SMDBG_TRAIN, INT64_MAX, 0), "step number");
    assert_refused(h, smdbg_hook_step_at(h, SMDBG_TRAIN, (int64_t)1 << 47, 0), "step number");
    assert_refused(h, smdbg_hook_step_at(h, SMDBG_TRAIN, 0, (int64_t)1 << 47), "step number");
    assert_int_equal(smdbg_hook_step(h, SMDBG_TRAIN), 0);
    assert_int_equal(save(h, "good"), 0);
    assert_refused(h, save(h, NULL), "NULL");
    assert_refused(h, save(h, ""), "empty");
    assert_refused(h, save(h, "a\x80"), "UTF-8");
    assert_int_equal(smdbg_hook_wants(h, "a\x80"), 0);
    assert_refused(h, smdbg_hook_save(h, "w", SMDBG_FLOAT32, 1, one, NULL, NULL), "w: no memory");
    assert_refused(h, smdbg_hook_save(h, "w", SMDBG_FLOAT32, 1, NULL, NULL, &number), "NULL");
    assert_refused(h, smdbg_hook_save(h, "w", SMDBG_FLOAT32, 1, minus, NULL, &number), "shape");
    assert_refused(h, smdbg_hook_save(h, "w", SMDBG_FLOAT32, 3, huge, NULL, &number), "shape");
    assert_refused(h, smdbg_hook_save(h, "w", SMDBG_FLOAT32, 40, many, NULL, &number), "40");
    assert_refused(h, smdbg_hook_save(h, "w", (smdbg_dtype)-7, 1, one, NULL, &number), "type");
    assert_refused(h, smdbg_hook_save_strings(h, "s", 2, NULL), "NULL");
    assert_refused(h, smdbg_hook_save_strings(h, "s", 2, strings), "string 1");
    assert_refused(h, smdbg_hook_save_strings(h, NULL, 1, strings), "NULL");
    assert_refused(h, smdbg_hook_scalar(h, NULL, 1), "NULL");
    assert_refused(h, smdbg_hook_metric(h, "\xff", 1), "UTF-8");
    assert_int_equal(smdbg_hook_close(h), -1);
    live_open(l);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    assert_int_equal(sm_trial_tensor_count(l->trial), 1);
}

/* The whole interface of a hook of the parent; nothing may wait for the parent's locks. */
static bool child_is_refused(smdbg_hook *h)
{
    smdbg_counts counts;
    smdbg_hook_counts(h, &counts);
    return smdbg_hook_flush(h) == -1 && smdbg_hook_step(h, SMDBG_TRAIN) == -1 &&
           save(h, "child") == -1 && smdbg_hook_scalar(h, "child", 1) == -1 &&
           smdbg_hook_wants(h, "child") == 0 && smdbg_hook_close(h) == -1 &&
           strstr(smdbg_hook_error(h), "parent");
}

static void test_a_forked_child(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = saving_hook(l);
    int status = -1;
    smdbg_hook_step(h, SMDBG_TRAIN);
    save(h, "parent"); /* queued: the writing thread does not exist in the child */
    pid_t pid = fork();
    if (pid == 0)
        _exit(child_is_refused(h) ? 0 : 1);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(smdbg_hook_close(h), 0);
    live_open(l);
    assert_int_equal(sm_trial_tensor_count(l->trial), 1);
}

static void test_a_child_makes_its_own_hook(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = smdbg_hook_new("/nowhere");
    int status = -1;
    pid_t pid = fork();
    if (pid == 0) {
        smdbg_hook *own = saving_hook(l);
        smdbg_hook_step(own, SMDBG_TRAIN);
        save(own, "child");
        _exit(smdbg_hook_close(own) == 0 ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(smdbg_hook_close(h), 0);
    live_open(l);
    assert_int_equal(sm_trial_tensor_count(l->trial), 1);
}

static smdbg_hook *signalled;
static atomic_int signals, refused;

/* A call that takes the lock and allocates nothing: the name is known. */
static void call_from_handler(int signal)
{
    int before = errno;
    (void)signal;
    atomic_fetch_add(&signals, 1);
    if (!smdbg_hook_wants(signalled, "tensor"))
        atomic_fetch_add(&refused, 1);
    errno = before;
}

static void *send_signals(void *target)
{
    while (atomic_load(&signals) < 3000)
        pthread_kill(*(pthread_t *)target, SIGUSR1);
    return NULL;
}

/* A handler that interrupts a call must not wait for what the call holds. */
static void test_calls_from_a_signal_handler(void **state)
{
    struct live *l = *state;
    pthread_t self = pthread_self(), sender;
    struct sigaction action = {.sa_handler = call_from_handler};
    signalled = saving_hook(l);
    smdbg_hook_set(signalled, "when_full", "drop");
    smdbg_hook_step(signalled, SMDBG_TRAIN);
    save(signalled, "tensor");
    assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
    assert_int_equal(pthread_create(&sender, NULL, send_signals, &self), 0);
    while (atomic_load(&signals) < 3000) {
        smdbg_hook_step(signalled, SMDBG_TRAIN);
        for (int i = 0; i < 100; i++)
            save(signalled, "tensor");
    }
    pthread_join(sender, NULL);
    signal(SIGUSR1, SIG_DFL);
    assert_true(atomic_load(&refused) > 0);
    smdbg_hook_flush(signalled);
    smdbg_hook_close(signalled);
    live_open(l);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

static void *use_from_thread(void *hook)
{
    smdbg_counts counts;
    for (int i = 0; i < 300; i++) {
        smdbg_hook_step(hook, (smdbg_mode)(i % 6));
        save(hook, i % 7 ? "shared" : NULL);
        smdbg_hook_save(hook, "bad", SMDBG_FLOAT32, 1, NULL, NULL, NULL);
        smdbg_hook_scalar(hook, "number", i);
        smdbg_hook_set(hook, "save_interval", "2");
        smdbg_hook_error(hook);
        smdbg_hook_counts(hook, &counts);
        if (i % 50 == 0)
            smdbg_hook_flush(hook);
    }
    return NULL;
}

static void test_several_threads(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = saving_hook(l);
    pthread_t threads[6];
    smdbg_counts counts;
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_from_thread, h), 0);
    for (size_t i = 0; i < 6; i++)
        pthread_join(threads[i], NULL);
    smdbg_hook_flush(h);
    smdbg_hook_counts(h, &counts);
    assert_true(counts.errors >= 6 * 300); /* the settings alone */
    smdbg_hook_close(h);
    live_open(l);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_settings),
        T(test_values),
        T(test_a_forked_child),
        T(test_a_child_makes_its_own_hook),
        T(test_calls_from_a_signal_handler),
        T(test_several_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
