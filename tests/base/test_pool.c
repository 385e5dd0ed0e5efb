/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/mem.h"
#include "reader/base/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>

/* A job that squares a number; `done` records the order in which jobs return. */
struct square {
    struct sm_job job; /* first member: a job pointer is a square pointer */
    int number, result;
    bool ran;
};

static int order[1000];
static size_t n_done, n_ran, n_cancelled;

static void run_square(struct sm_job *job)
{
    struct square *s = (struct square *)job;
    s->result = s->number * s->number;
    s->ran = true;
}

static void square_done(struct sm_job *job)
{
    struct square *s = (struct square *)job;
    if (s->ran)
        assert_int_equal(s->result, s->number * s->number);
    n_ran += s->ran;
    n_cancelled += atomic_load(&job->cancelled);
    order[n_done++ % 1000] = s->number;
    sm_free(s);
}

static struct square *new_square(int number, int urgency)
{
    struct square *s = sm_alloc_zero(1, sizeof *s);
    assert_non_null(s);
    s->job.run = run_square;
    s->job.done = square_done;
    s->job.urgency = urgency;
    s->number = number;
    return s;
}

static int reset_pool_state(void **state)
{
    (void)state;
    n_done = n_ran = n_cancelled = 0;
    return 0;
}

static bool fd_is_readable(const struct sm_pool *p)
{
    struct pollfd fd = {.fd = sm_pool_fd(p), .events = POLLIN};
    return poll(&fd, 1, 0) == 1;
}

/* A gate at which jobs wait, so that the test controls the order. */
static pthread_mutex_t gate_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_moved = PTHREAD_COND_INITIALIZER;
static bool gate_open;
static int at_gate;

static void set_gate(bool open)
{
    pthread_mutex_lock(&gate_lock);
    gate_open = open;
    at_gate = 0;
    pthread_cond_broadcast(&gate_moved);
    pthread_mutex_unlock(&gate_lock);
}

static void run_gate(struct sm_job *job)
{
    pthread_mutex_lock(&gate_lock);
    at_gate++;
    pthread_cond_broadcast(&gate_moved);
    while (!gate_open)
        pthread_cond_wait(&gate_moved, &gate_lock);
    pthread_mutex_unlock(&gate_lock);
    run_square(job);
}

static void wait_at_gate(int n)
{
    pthread_mutex_lock(&gate_lock);
    while (at_gate < n)
        pthread_cond_wait(&gate_moved, &gate_lock);
    pthread_mutex_unlock(&gate_lock);
}

static void submit_gate(struct sm_pool *p, int number)
{
    struct square *s = new_square(number, 0);
    s->job.run = run_gate;
    sm_pool_submit(p, &s->job);
}

static void collect_all(struct sm_pool *p)
{
    while (sm_pool_pending(p)) {
        sm_pool_wait(p);
        sm_pool_collect(p, 10);
    }
}

static void test_many_jobs_all_come_back(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads <= 4; threads += 2) {
        reset_pool_state(NULL);
        struct sm_pool *p = sm_pool_new(threads, 0, NULL);
        for (int i = 0; i < 1000; i++)
            sm_pool_submit(p, &new_square(i, i % 3)->job);
        assert_int_equal(sm_pool_pending(p), 1000);
        collect_all(p);
        assert_int_equal(n_done, 1000);
        assert_int_equal(n_ran, 1000);
        assert_false(fd_is_readable(p));
        sm_pool_free(p);
    }
    bool seen[1000] = {false};
    for (int i = 0; i < 1000; i++) {
        assert_false(seen[order[i]]);
        seen[order[i]] = true;
    }
}

static struct sm_pool *collecting;

/* The other job finishes while this one is given back. */
static void done_and_wait(struct sm_job *job)
{
    square_done(job);
    set_gate(true);
    sm_pool_wait(collecting);
}

static void test_fd_is_quiet_after_the_last_job(void **state)
{
    (void)state;
    collecting = sm_pool_new(1, 0, NULL);
    set_gate(false);
    struct square *first = new_square(1, 0);
    first->job.done = done_and_wait;
    sm_pool_submit(collecting, &first->job);
    submit_gate(collecting, 2);
    sm_pool_wait(collecting);
    assert_int_equal(sm_pool_collect(collecting, 10), 2);
    assert_int_equal(sm_pool_pending(collecting), 0);
    assert_false(fd_is_readable(collecting));
    sm_pool_free(collecting);
}

static void test_urgent_first_then_in_turn(void **state)
{
    (void)state;
    static const int urgency[] = {0, 1, 0, 2, 1, 0, 2}, want[] = {100, 3, 6, 1, 4, 0, 2, 5};
    set_gate(false);
    struct sm_pool *p = sm_pool_new(1, 0, NULL);
    submit_gate(p, 100);
    wait_at_gate(1); /* the only worker is busy */
    for (int i = 0; i < 7; i++)
        sm_pool_submit(p, &new_square(i, urgency[i])->job);
    set_gate(true);
    collect_all(p);
    assert_memory_equal(order, want, sizeof want);
    sm_pool_free(p);
}

static void test_workers_work_at_once(void **state)
{
    (void)state;
    set_gate(false);
    struct sm_pool *p = sm_pool_new(3, 0, NULL);
    for (int i = 0; i < 3; i++)
        submit_gate(p, i);
    wait_at_gate(3); /* would block for ever if one worker ran all */
    set_gate(true);
    collect_all(p);
    assert_int_equal(n_done, 3);
    sm_pool_free(p);
}

static void test_fd_tells_of_finished_jobs(void **state)
{
    (void)state;
    set_gate(false);
    struct sm_pool *p = sm_pool_new(1, 0, NULL);
    assert_false(fd_is_readable(p));
    submit_gate(p, 1);
    wait_at_gate(1);
    assert_false(fd_is_readable(p));
    assert_int_equal(sm_pool_collect(p, 10), 0);
    set_gate(true);
    sm_pool_submit(p, &new_square(2, 0)->job);
    struct pollfd fd = {.fd = sm_pool_fd(p), .events = POLLIN};
    while (n_done < 2) { /* a loop that sleeps in poll misses nothing, even with one job per turn */
        assert_int_equal(poll(&fd, 1, -1), 1);
        sm_pool_collect(p, 1);
    }
    sm_pool_free(p);
}

static void test_without_threads_one_job_a_call(void **state)
{
    (void)state;
    struct sm_pool *p = sm_pool_new(0, 0, NULL);
    sm_pool_submit(p, &new_square(1, 0)->job);
    sm_pool_submit(p, &new_square(2, 1)->job);
    sm_pool_wait(p); /* must return: there is no worker that could finish a job */
    assert_true(fd_is_readable(p));
    assert_int_equal(sm_pool_collect(p, 10), 1);
    assert_int_equal(order[0], 2);
    assert_true(fd_is_readable(p));
    assert_int_equal(sm_pool_collect(p, 10), 1);
    assert_false(fd_is_readable(p));
    assert_int_equal(sm_pool_collect(p, 10), 0);
    assert_int_equal(sm_pool_pending(p), 0);
    sm_pool_free(p);
}

static void test_cancelled_jobs_do_not_run(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads <= 1; threads++) {
        reset_pool_state(NULL);
        struct sm_pool *p = sm_pool_new(threads, 0, NULL);
        struct square *s = new_square(1, 0);
        atomic_store(&s->job.cancelled, true);
        sm_pool_submit(p, &s->job);
        collect_all(p);
        assert_int_equal(n_done, 1);
        assert_int_equal(n_ran, 0);
        sm_pool_free(p);
    }
}

/* Checks `cancelled` as a long job should; it never ends otherwise. */
static void run_until_cancelled(struct sm_job *job)
{
    pthread_mutex_lock(&gate_lock);
    at_gate++;
    pthread_cond_broadcast(&gate_moved);
    pthread_mutex_unlock(&gate_lock);
    while (!atomic_load(&job->cancelled))
        sched_yield();
}

static void test_free_cancels_and_gives_all_back(void **state)
{
    (void)state;
    set_gate(false);
    struct sm_pool *p = sm_pool_new(1, 0, NULL);
    struct square *endless = new_square(0, 0);
    endless->job.run = run_until_cancelled;
    sm_pool_submit(p, &endless->job);
    wait_at_gate(1);
    for (int i = 1; i <= 5; i++)
        sm_pool_submit(p, &new_square(i, 0)->job);
    sm_pool_free(p);
    assert_int_equal(n_done, 6);
    assert_int_equal(n_ran, 0);
    assert_int_equal(n_cancelled, 6);
    sm_pool_free(NULL);
}

static struct sm_pool *resubmit_to;

static void resubmit_done(struct sm_job *job)
{
    square_done(job);
    sm_pool_submit(resubmit_to, &new_square(7, 0)->job);
}

static void test_done_may_submit(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads <= 1; threads++) {
        reset_pool_state(NULL);
        resubmit_to = sm_pool_new(threads, 0, NULL);
        struct square *s = new_square(1, 0);
        s->job.done = resubmit_done;
        sm_pool_submit(resubmit_to, &s->job);
        collect_all(resubmit_to);
        assert_int_equal(n_ran, 2);
        s = new_square(1, 0); /* also while the pool is freed: cancelled, but returned */
        s->job.done = resubmit_done;
        sm_pool_submit(resubmit_to, &s->job);
        sm_pool_free(resubmit_to);
        assert_int_equal(n_done, 4);
        assert_true(n_ran <= 3);
    }
}

static int seen_nice, seen_blocked;

/* ---- results that wait ---- */

static atomic_size_t n_begun, n_collected;
static atomic_bool too_far;

static void run_ahead(struct sm_job *job)
{
    size_t begun = atomic_fetch_add(&n_begun, 1) + 1;
    (void)job;
    if (begun > atomic_load(&n_collected) + SM_POOL_AHEAD + 1)
        atomic_store(&too_far, true);
}

static void ahead_done(struct sm_job *job)
{
    atomic_fetch_add(&n_collected, 1);
    sm_free(job);
}

static void run_asked(struct sm_job *job)
{
    (void)job;
    n_ran++;
}

/* A loop that is slow to collect has a few results in memory, not all; what is asked for is not
 * held up by that. */
static void test_background_does_not_run_ahead(void **state)
{
    enum { JOBS = 200 };
    struct sm_err err;
    struct sm_pool *p = sm_pool_new(1, 0, &err);
    (void)state;
    assert_non_null(p);
    for (int i = 0; i < JOBS; i++) {
        struct sm_job *job = sm_alloc_zero(1, sizeof *job);
        job->run = run_ahead;
        job->done = ahead_done;
        sm_pool_submit(p, job);
    }
    while (atomic_load(&n_begun) < SM_POOL_AHEAD)
        sched_yield();
    struct sm_job *asked = sm_alloc_zero(1, sizeof *asked);
    asked->run = run_asked;
    asked->done = ahead_done;
    asked->urgency = SM_URGENCY_ASKED;
    sm_pool_submit(p, asked);
    while (atomic_load(&n_collected) < JOBS + 1)
        sm_pool_collect(p, 1);
    assert_int_equal(n_ran, 1);
    assert_int_equal(atomic_load(&n_begun), JOBS);
    assert_false(atomic_load(&too_far));
    sm_pool_free(p);
}

static void run_look_around(struct sm_job *job)
{
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    seen_blocked = sigismember(&mask, SIGINT) && sigismember(&mask, SIGWINCH);
    seen_nice = getpriority(PRIO_PROCESS, 0);
    run_square(job);
}

static void test_workers_are_nice_and_deaf(void **state)
{
    (void)state;
    int mine = getpriority(PRIO_PROCESS, 0);
    if (mine > 16)
        skip();
    sigset_t mask;
    struct sm_pool *p = sm_pool_new(1, 3, NULL);
    struct square *s = new_square(1, 0);
    s->job.run = run_look_around;
    sm_pool_submit(p, &s->job);
    collect_all(p);
    assert_int_equal(seen_nice, mine + 3);
    assert_true(seen_blocked);
    assert_int_equal(getpriority(PRIO_PROCESS, 0), mine);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    assert_false(sigismember(&mask, SIGINT));
    sm_pool_free(p);
}

static void test_set(void **state)
{
    (void)state;
    int mine = getpriority(PRIO_PROCESS, 0);
    if (mine > 10)
        skip();
    struct sm_pool *p = sm_pool_new(1, 3, NULL);
    /* more, then fewer: none idles while there is work */
    for (unsigned threads = 4; threads > 0; threads--) {
        sm_pool_set(p, threads, 8);
        for (int i = 0; i < 50; i++)
            sm_pool_submit(p, &new_square(i, 0)->job);
        collect_all(p);
    }
    struct square *s = new_square(1, 0);
    s->job.run = run_look_around;
    sm_pool_submit(p, &s->job);
    collect_all(p);
    assert_int_equal(seen_nice, mine + 8);
    sm_pool_free(p);
}

struct scratcher {
    struct sm_job job;
    void *found;
};

/* Leaves memory in an empty scratch. */
static void run_scratcher(struct sm_job *job)
{
    struct scratcher *s = (struct scratcher *)job;
    s->found = job->scratch->bytes;
    if (!s->found)
        *job->scratch = (struct sm_scratch){sm_alloc(10), 10};
}

static void scratcher_done(struct sm_job *job)
{
    (void)job;
}

static void test_scratch_lasts_while_there_is_work(void **state)
{
    struct sm_err err;
    (void)state;
    for (unsigned threads = 0; threads <= 1; threads++) {
        struct sm_pool *p = sm_pool_new(threads, 0, &err);
        struct scratcher s[3] = {0};
        for (int i = 0; i < 3; i++)
            s[i].job = (struct sm_job){.run = run_scratcher, .done = scratcher_done};
        sm_pool_submit(p, &s[0].job);
        sm_pool_submit(p, &s[1].job);
        while (sm_pool_pending(p)) {
            sm_pool_wait(p);
            sm_pool_collect(p, 1);
        }
        assert_null(s[0].found);
        if (!threads) { /* a worker may have been idle in between, and freed it */
            assert_non_null(s[1].found);
            sm_pool_submit(p, &s[2].job);
            sm_pool_collect(p, 1);
            assert_null(s[2].found);
        }
        sm_pool_free(p);
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    for (unsigned long at = 1; at <= 2; at++) {
        struct sm_err err = {0};
        sm_mem_fail_at(at);
        assert_null(sm_pool_new(2, 0, &err));
        assert_int_equal(err.code, SM_ERR_MEMORY);
    }
    sm_mem_fail_at(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_many_jobs_all_come_back, reset_pool_state),
        cmocka_unit_test_setup(test_fd_is_quiet_after_the_last_job, reset_pool_state),
        cmocka_unit_test_setup(test_urgent_first_then_in_turn, reset_pool_state),
        cmocka_unit_test_setup(test_workers_work_at_once, reset_pool_state),
        cmocka_unit_test_setup(test_fd_tells_of_finished_jobs, reset_pool_state),
        cmocka_unit_test_setup(test_without_threads_one_job_a_call, reset_pool_state),
        cmocka_unit_test_setup(test_cancelled_jobs_do_not_run, reset_pool_state),
        cmocka_unit_test_setup(test_free_cancels_and_gives_all_back, reset_pool_state),
        cmocka_unit_test_setup(test_done_may_submit, reset_pool_state),
        cmocka_unit_test_setup(test_background_does_not_run_ahead, reset_pool_state),
        cmocka_unit_test_setup(test_workers_are_nice_and_deaf, reset_pool_state),
        cmocka_unit_test_setup(test_set, reset_pool_state),
        cmocka_unit_test(test_scratch_lasts_while_there_is_work),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
