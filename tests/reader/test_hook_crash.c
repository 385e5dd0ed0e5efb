/* SPDX-License-Identifier: Apache-2.0 */
/* What a SIGKILL loses, as doc/hook.md says it. A program that saves is killed by a timer at some
 * moment, again and again: SMDBG_KILLS times (40). */
#include "tests/reader/live.h"

#include "reader/hook/smdbg_hook.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

enum { KILLS = 40, SMALL = 3000, LARGE = 1 << 19, DELAY_MAX_US = 6000 };

/* Written by the child, read when it is dead. */
struct progress {
    volatile int64_t begun; /* the last step whose smdbg_hook_step has returned; -1: none */
};

static void kill_after(unsigned us)
{
    struct sigevent by_signal = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
    struct itimerspec once = {.it_value.tv_nsec = (long)us * 1000 + 1};
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, &by_signal, &timer) != 0 ||
        timer_settime(timer, 0, &once, NULL) != 0)
        _exit(2);
}

/* Saves for ever. Every third step has a tensor of that many elements beside the numbers. */
static void train(const char *dir, struct progress *p, int64_t elements, unsigned us)
{
    static float values[LARGE];
    smdbg_hook *h = smdbg_hook_new(dir);
    smdbg_hook_set(h, "save_interval", "3");
    smdbg_hook_set(h, "save_all", "true");
    smdbg_hook_set(h, "export_tensorboard", "true");
    smdbg_hook_open(h);
    for (int64_t i = 0;; i++) {
        if (i == 2)
            kill_after(us);
        smdbg_hook_step(h, SMDBG_TRAIN);
        p->begun = i;
        smdbg_hook_scalar(h, "loss", (double)i);
        smdbg_hook_save(h, "w", SMDBG_FLOAT32, 1, &elements, NULL, values);
        smdbg_hook_scalar(h, "rate", 0.5);
    }
}

/* Returns the last step that had begun. */
static int64_t train_and_kill(struct live *l, int64_t elements, unsigned us)
{
    struct progress *p =
        mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status;
    assert_true(p != MAP_FAILED);
    p->begun = -1;
    pid_t pid = fork();
    if (pid == 0)
        train(l->path, p, elements, us);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    int64_t begun = p->begun;
    munmap(p, sizeof *p);
    return begun;
}

/* All that is there can be read, and nothing is missing between the steps. Returns how many. */
static int64_t steps_there(struct live *l)
{
    int64_t n = (int64_t)sm_trial_step_count(l->trial);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    assert_int_not_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
    if (!n)
        return 0;
    assert_int_equal(sm_trial_step(l->trial, (size_t)n - 1)->step.n, n - 1);
    assert_int_equal(tensor(l, "scalar/loss")->n_entries, n);
    assert_int_equal(tensor(l, "scalar/rate")->n_entries, n);
    assert_int_equal(tensor(l, "w")->n_entries, (n + 2) / 3);
    return n;
}

static unsigned random_us(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) % DELAY_MAX_US;
}

static int kills(void)
{
    const char *text = getenv("SMDBG_KILLS");
    return text ? atoi(text) : KILLS;
}

/* Of small steps the one in hand is lost, and no other. */
static void test_small_steps(void **state)
{
    struct live *l = *state;
    uint32_t seed = 1;
    for (int i = 0; i < kills(); i++) {
        int64_t begun = train_and_kill(l, SMALL, random_us(&seed));
        live_open(l);
        int64_t there = steps_there(l);
        /* one more: killed before smdbg_hook_step could return */
        if (there != (begun < 0 ? 0 : begun) && there != begun + 1)
            fail_msg("kill %d: step %lld had begun, %lld are there", i, (long long)begun,
                     (long long)there);
        live_close(l);
        remove_tree(l->path);
    }
}

/* Of larger ones also those that wait in the queue; what is there is whole. */
static void test_large_steps(void **state)
{
    struct live *l = *state;
    uint32_t seed = 2;
    for (int i = 0; i < kills() / 4; i++) {
        int64_t begun = train_and_kill(l, LARGE, random_us(&seed));
        live_open(l);
        assert_true(steps_there(l) <= begun + 1);
        live_close(l);
        remove_tree(l->path);
    }
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_small_steps),
        T(test_large_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
