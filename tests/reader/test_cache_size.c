/* SPDX-License-Identifier: Apache-2.0 */
/* How many values the cache keeps while a job is followed, with memory for all of them. */
#include "reader/fetch/cache.h"
#include "tests/reader/live.h"

enum { MANY = 20000, KEPT_MAX = 5000, LATER_US = 10000000 };

static void request(struct sm_cache *c, struct sm_trial *t, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct sm_entry e = {.offset = i * 8, .length = 8};
        assert_non_null(sm_cache_node(c, t, &e));
        if (i % 100 == 0)
            sm_clock_advance(LATER_US / 100);
        sm_cache_tick(c);
        sm_cache_evict(c);
    }
}

/* A view draws the newest step, and never asks for it again. */
static void test_what_views_have_shown_goes(void **state)
{
    struct live *l = *state;
    struct sm_cache c = {.budget = SIZE_MAX};
    write_collections(l, "worker_0", 1);
    write_step(l, "worker_0", 0);
    live_open(l);
    request(&c, l->trial, MANY);
    assert_in_range(c.n_nodes, 1, KEPT_MAX);
    sm_cache_clear(&c);
}

static void test_what_a_command_asked_for_stays(void **state)
{
    struct live *l = *state;
    struct sm_cache c = {.budget = SIZE_MAX};
    write_collections(l, "worker_0", 1);
    write_step(l, "worker_0", 0);
    live_open(l);
    sm_cache_begin(&c);
    request(&c, l->trial, MANY);
    sm_cache_end(&c);
    sm_clock_advance(LATER_US);
    sm_cache_evict(&c);
    assert_int_equal(c.n_nodes, MANY);
    sm_cache_clear(&c);
}

/* Its views are drawn once a minute. */
static void test_what_an_ended_trial_has_stays(void **state)
{
    struct live *l = *state;
    struct sm_cache c = {.budget = SIZE_MAX};
    write_collections(l, "worker_0", 1);
    write_step(l, "worker_0", 0);
    write_end(l);
    live_open(l);
    live_give_time(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
    request(&c, l->trial, MANY);
    assert_int_equal(c.n_nodes, MANY);
    sm_cache_clear(&c);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_what_views_have_shown_goes),
        T(test_what_a_command_asked_for_stays),
        T(test_what_an_ended_trial_has_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
