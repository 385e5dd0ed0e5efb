/* SPDX-License-Identifier: Apache-2.0 */
/* When a step counts as complete, compared with smdebug's has_passed_step (doc/formats.md): one and
 * three writers, a running and a finished job, a step that all, some or no workers have. Steps are
 * written every 10. */
#include "tests/reader/live.h"

enum passed { NOT_YET, AVAILABLE, UNAVAILABLE };

struct scenario {
    const char *says;
    int num_workers;
    const char *wrote[3]; /* by worker: the tens of its steps, "124" = 10 20 40 */
    bool ended;
    int64_t asked;
    enum passed expected;
};

static enum passed has_passed(const struct live *l, int64_t step)
{
    size_t at = sm_trial_step_at(l->trial, (struct sm_step){step}),
           n = sm_trial_step_count(l->trial);
    bool later = false;
    if (at < n && sm_trial_step(l->trial, at)->step.n == step)
        return sm_trial_step(l->trial, at)->complete ? AVAILABLE : NOT_YET;
    for (size_t i = at; i < n; i++)
        later = later || sm_trial_step(l->trial, i)->complete;
    return later || sm_trial_state(l->trial) == SM_TRIAL_ENDED ? UNAVAILABLE : NOT_YET;
}

static void write_worker(struct live *l, int worker, const char *tens)
{
    char name[16];
    snprintf(name, sizeof name, "worker_%d", worker);
    for (; tens && *tens; tens++)
        write_step(l, name, 10 * (*tens - '0'));
}

static const struct scenario scenarios[] = {
    {"one writer, finished: there", 1, {"0123"}, true, 20, AVAILABLE},
    {"one writer, finished: left out", 1, {"013"}, true, 20, UNAVAILABLE},
    {"one writer, finished: beyond the last", 1, {"0123"}, true, 40, UNAVAILABLE},
    {"one writer, running: there, the newest", 1, {"0123"}, false, 30, AVAILABLE},
    {"one writer, running: left out", 1, {"013"}, false, 20, UNAVAILABLE},
    {"one writer, running: still to come", 1, {"0123"}, false, 40, NOT_YET},
    {"one writer, running: nothing yet", 1, {""}, false, 0, NOT_YET},
    {"three writers, finished: all have it", 3, {"012", "012", "012"}, true, 10, AVAILABLE},
    {"three writers, finished: one has it, the newest",
     3,
     {"012", "01", "01"},
     true,
     20,
     AVAILABLE},
    {"three writers, finished: nobody has it", 3, {"02", "02", "02"}, true, 10, UNAVAILABLE},
    {"three writers, finished: beyond the last", 3, {"012", "012", "012"}, true, 30, UNAVAILABLE},
    {"three writers, running: all have it", 3, {"012", "012", "012"}, false, 20, AVAILABLE},
    {"three writers, running: two have it, the newest",
     3,
     {"012", "012", "01"},
     false,
     20,
     NOT_YET},
    {"three writers, running: two have it, all a later one",
     3,
     {"012", "012", "02"},
     false,
     10,
     AVAILABLE},
    {"three writers, running: nobody has it, all a later one",
     3,
     {"02", "02", "02"},
     false,
     10,
     UNAVAILABLE},
    {"three writers, running: nobody has it, two a later one",
     3,
     {"02", "02", "0"},
     false,
     10,
     NOT_YET},
    {"three writers, running: still to come", 3, {"012", "012", "012"}, false, 30, NOT_YET},
};

static void test_scenarios(void **state)
{
    struct live *l = *state;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        const struct scenario *s = &scenarios[i];
        write_collections(l, "worker_0", s->num_workers);
        for (int w = 0; w < 3; w++)
            write_worker(l, w, s->wrote[w]);
        if (s->ended)
            write_end(l);
        live_open(l);
        if (has_passed(l, s->asked) != s->expected)
            fail_msg("%s: got %d, steps are %s", s->says, has_passed(l, s->asked), steps_text(l));
        live_close(l);
        remove_tree(l->path);
    }
}

/* The same while a running reader sees the files one by one, in any order of workers. */
static void test_scenarios_seen_live(void **state)
{
    struct live *l = *state;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        const struct scenario *s = &scenarios[i];
        live_open(l);
        for (int w = 2; w >= 0; w--) {
            write_worker(l, w, s->wrote[w]);
            live_beat(l);
        }
        write_collections(l, "worker_0", s->num_workers);
        live_beat(l);
        if (s->ended)
            write_end(l);
        live_beat(l);
        if (has_passed(l, s->asked) != s->expected)
            fail_msg("%s: got %d, steps are %s", s->says, has_passed(l, s->asked), steps_text(l));
        live_close(l);
        remove_tree(l->path);
    }
}

static void test_without_a_collections_file_nothing_is_complete(void **state)
{
    struct live *l = *state;
    write_step(l, "worker_0", 0);
    live_open(l);
    assert_string_equal(steps_text(l), "0!");
    write_end(l);
    live_beat(l);
    assert_string_equal(steps_text(l), "0");
}

static void test_more_workers_than_announced(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    write_worker(l, 0, "0");
    write_worker(l, 1, "01");
    live_open(l);
    assert_string_equal(steps_text(l), "0 10");
}

static size_t count_complete(const struct live *l)
{
    size_t n = 0;
    for (size_t i = 0; i < sm_trial_step_count(l->trial); i++)
        n += sm_trial_step(l->trial, i)->complete;
    return n;
}

/* More than 1000 steps wait for a worker: half the window still counts as complete. */
static void test_the_wait_window(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 2);
    write_step(l, "worker_1", 0);
    for (int i = 0; i < 1001; i++)
        write_step(l, "worker_0", i);
    live_open(l);
    assert_int_equal(count_complete(l), 1);
    write_step(l, "worker_0", 1001);
    live_beat(l);
    assert_int_equal(count_complete(l), 501); /* 0 to 500 */
    assert_int_equal(sm_trial_step_count(l->trial), 1002);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_scenarios),
        T(test_scenarios_seen_live),
        T(test_without_a_collections_file_nothing_is_complete),
        T(test_more_workers_than_announced),
        T(test_the_wait_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
