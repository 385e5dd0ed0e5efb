/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a finished trial again, step by step, while a reader watches; nothing sleeps. */
#include "reader/hook/replay.h"
#include "tests/reader/live.h"

struct watcher {
    struct live *l;
    int pauses, stop_at; /* stop_at 0: never */
    int64_t us[512];
    size_t seen[512]; /* steps visible at each pause */
};

static bool on_pause(void *ctx, int64_t us)
{
    struct watcher *w = ctx;
    live_beat(w->l);
    w->us[w->pauses] = us;
    w->seen[w->pauses] = sm_trial_step_count(w->l->trial);
    w->pauses++;
    return !w->stop_at || w->pauses < w->stop_at;
}

static bool replay_trial(struct live *l, const char *name, struct watcher *w,
                         struct sm_replay_options o, struct sm_err *err)
{
    char src[256];
    snprintf(src, sizeof src, "tests/trials/%s", name);
    *w = (struct watcher){.l = l, .stop_at = w->stop_at};
    o.pause = on_pause;
    o.ctx = w;
    live_open(l);
    return sm_replay(src, l->path, &o, err);
}

static void test_steps_come_one_by_one(void **state)
{
    struct live *l = *state;
    struct watcher w = {0};
    struct sm_err err;
    assert_true(
        replay_trial(l, "cnn_healthy", &w, (struct sm_replay_options){.interval_ms = 20}, &err));
    assert_int_equal(w.pauses, 16);
    for (int i = 0; i < 16; i++) {
        assert_int_equal(w.seen[i], i);
        assert_int_equal(w.us[i], i ? 20000 : 0);
    }
    live_beat(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
    assert_string_equal(steps_text(l), "0 10 20 30 32 34 44 54 64 66 68 78 88 98 100 101");
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    assert_int_equal(sm_trial_session_count(l->trial), 1);
}

static void test_by_its_own_times(void **state)
{
    struct live *l = *state;
    struct watcher once = {0}, twice = {0};
    struct sm_err err;
    assert_true(
        replay_trial(l, "cnn_healthy", &once, (struct sm_replay_options){.speed = 1}, &err));
    live_close(l);
    remove_tree(l->path);
    assert_true(
        replay_trial(l, "cnn_healthy", &twice, (struct sm_replay_options){.speed = 2}, &err));
    int64_t total = 0;
    for (int i = 1; i < 16; i++) {
        assert_in_range(once.us[i], 0, 60000000);
        assert_in_range(once.us[i] / 2 - twice.us[i] + 1, 0, 2);
        total += once.us[i];
    }
    assert_in_range(total, 100000, 60000000); /* training took some seconds */
}

static void test_no_end_where_there_was_none(void **state)
{
    struct live *l = *state;
    struct watcher w = {0};
    struct sm_err err;
    assert_true(
        replay_trial(l, "killed_midrun", &w, (struct sm_replay_options){.interval_ms = 1}, &err));
    live_beat(l);
    assert_string_equal(steps_text(l), "0 3 5 7 10 11 14 17 18");
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_LIVE);
}

static void test_all_workers(void **state)
{
    struct live *l = *state;
    struct watcher w = {0};
    struct sm_err err;
    assert_true(
        replay_trial(l, "ddp_worker_lost", &w, (struct sm_replay_options){.interval_ms = 1}, &err));
    live_beat(l);
    assert_int_equal(sm_trial_worker_count(l->trial), 2);
    assert_int_equal(sm_trial_num_workers(l->trial), 2);
    assert_int_equal(sm_trial_index_files(l->trial), 15);
    assert_string_equal(steps_text(l), "0 2 4 6 8 10 12 14 16 18");
    assert_int_equal(sm_trial_session_count(l->trial), 1);
}

static void test_stopped_early(void **state)
{
    struct live *l = *state;
    struct watcher w = {.stop_at = 4};
    struct sm_err err;
    assert_true(
        replay_trial(l, "cnn_healthy", &w, (struct sm_replay_options){.interval_ms = 1}, &err));
    live_beat(l);
    assert_string_equal(steps_text(l), "0 10 20");
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_LIVE);
}

static void test_refusals(void **state)
{
    struct live *l = *state;
    struct watcher w = {0};
    struct sm_err err;
    struct sm_replay_options o = {.interval_ms = 1};
    write_step(l, "worker_0", 0);
    assert_false(replay_trial(l, "cnn_healthy", &w, o, &err));
    assert_int_equal(err.code, SM_ERR_REFUSED);
    assert_false(sm_replay("tests/trials/killed_at_start", in(l, "x"), &o, &err));
    assert_int_equal(err.code, SM_ERR_MISSING);
    assert_false(sm_replay("tests/trials/none", in(l, "x"), &o, &err));
    assert_int_equal(err.code, SM_ERR_MISSING);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_steps_come_one_by_one),
        T(test_by_its_own_times),
        T(test_no_end_where_there_was_none),
        T(test_all_workers),
        T(test_stopped_early),
        T(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
