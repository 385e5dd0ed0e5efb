/* SPDX-License-Identifier: Apache-2.0 */
/* More trials than the process may have open files. */
#include "tests/reader/live.h"

#include <sys/resource.h>

enum { TRIALS = 100, FILES = 64 };

/* Sets the limit of open files; returns the one before. */
static rlim_t limit_files(rlim_t n)
{
    struct rlimit r;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &r), 0);
    rlim_t before = r.rlim_cur;
    r.rlim_cur = n;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &r), 0);
    return before;
}

static void settle(struct live *l, struct sm_trial **trials, size_t n)
{
    bool busy = true;
    while (busy) {
        busy = false;
        sm_watch_pump();
        for (size_t i = 0; i < n; i++)
            sm_trial_pump(trials[i]);
        while (sm_pool_pending(l->pool)) {
            sm_pool_collect(l->pool, 1);
            busy = true;
        }
    }
}

static void write_trial(struct live *l)
{
    write_collections(l, "worker_0", 1);
    write_step(l, "worker_0", 0);
}

/* All of them are read, and seen to go on: none waits in silence. */
static void test_all_are_read(void **state)
{
    struct live *l = *state;
    struct sm_trial *trials[TRIALS];
    struct sm_err err;
    const struct sm_trial_options o = {.follow = true};
    write_trial(l);
    rlim_t before = limit_files(FILES);
    for (int i = 0; i < TRIALS; i++) {
        struct sm_source *s = sm_source_tree_new(l->path, &err);
        assert_non_null(s);
        assert_true(sm_trial_open(s, &o, l->pool, &trials[i], &err));
        sm_source_unref(s);
    }
    settle(l, trials, TRIALS);
    for (int i = 0; i < TRIALS; i++) {
        assert_int_equal(sm_trial_problems(trials[i])->total, 0);
        assert_int_equal(sm_trial_step_count(trials[i]), 1);
        assert_false(sm_trial_unreadable(trials[i], NULL));
        sm_trial_close(trials[i]);
    }
    limit_files(before);
}

/* No file at all can be opened: that is said, and read when it can. */
static void test_it_is_said_if_none_can_be_opened(void **state)
{
    struct live *l = *state;
    struct sm_err why = {0};
    write_trial(l);
    rlim_t before = limit_files(0);
    live_open(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_UNREADABLE);
    assert_true(sm_trial_unreadable(l->trial, &why));
    assert_non_null(strstr(why.msg, "Too many open files"));
    assert_true(has_problem(l, ".", "Too many open files"));
    limit_files(before);
    live_beat(l);
    assert_false(sm_trial_unreadable(l->trial, NULL));
    assert_int_equal(sm_trial_step_count(l->trial), 1);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_all_are_read),
        T(test_it_is_said_if_none_can_be_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
