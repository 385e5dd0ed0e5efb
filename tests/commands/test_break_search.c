/* The search for hits, where a session script does not reach: cancelled, changed and interrupted
 * ones, and damaged files. */
#include "tests/commands/driver.h"

#include "commands/stops/break_search.h"

static struct driver d;

static int open_trial(void **state)
{
    (void)state;
    driver_open(&d, "cnn_healthy", false);
    driver_prompt(&d, "info steps");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    driver_close(&d);
    return 0;
}

/* Until it says something else than to call again. */
static enum sm_break_search_result go(struct sm_break_search *h)
{
    enum sm_break_search_result r;
    for (int i = 0; i < 100000; i++) {
        r = sm_break_search_run(h, 1000000);
        if (r == SM_BREAK_SEARCH_HIT || r == SM_BREAK_SEARCH_END)
            return r;
        sm_fetch_flush(d.session->fetch);
        sm_session_pump(d.session);
    }
    fail_msg("it never ends");
    return SM_BREAK_SEARCH_END;
}

static int64_t next_hit(struct sm_break_search *h)
{
    size_t n;
    return go(h) == SM_BREAK_SEARCH_HIT ? sm_break_search_hits(h, &n)[0].place.step.n : -1;
}

static void goes_on_behind_each_hit(void **state)
{
    (void)state;
    driver_prompt(&d, "break CNN_conv0.bias mode eval");
    struct sm_break_search *h = sm_break_search_new(d.session, (struct sm_step){-1}, false);
    assert_int_equal(next_hit(h), 30);
    assert_int_equal(next_hit(h), 32);
    assert_int_equal(sm_break_search_at(h).n, 32);
    assert_int_equal(sm_break_search_decided(h), 5);
    sm_break_search_free(h);
    h = sm_break_search_new(d.session, (struct sm_step){34}, true);
    assert_int_equal(next_hit(h), 32);
    assert_int_equal(next_hit(h), 30);
    assert_int_equal(next_hit(h), -1);
    assert_int_equal(sm_break_search_at(h).n, 0);
    sm_break_search_free(h);
}

/* What was looked at ahead is looked at again. */
static void follows_changed_breakpoints(void **state)
{
    (void)state;
    driver_prompt(&d, "break CNN_conv0.bias");
    struct sm_break_search *h = sm_break_search_new(d.session, (struct sm_step){-1}, false);
    assert_int_equal(next_hit(h), 0);
    driver_prompt(&d, "delete");
    driver_prompt(&d, "break step if $s > 50");
    assert_int_equal(next_hit(h), 54);
    sm_break_search_free(h);
}

/* Conditions that look at elements are with the workers when the search is dropped. */
static void may_be_dropped_at_any_time(void **state)
{
    (void)state;
    driver_prompt(&d, "break *input* weights if any(sqrt(abs($t)) > 1e9)");
    for (int turns = 0; turns < 40; turns++) {
        struct sm_break_search *h = sm_break_search_new(d.session, (struct sm_step){-1}, false);
        for (int i = 0; i < turns; i++) {
            sm_break_search_run(h, 1000000);
            sm_fetch_flush(d.session->fetch);
            sm_session_pump(d.session);
        }
        sm_break_search_free(h);
    }
    while (sm_pool_pending(d.pool))
        sm_session_pump(d.session);
    assert_int_equal(sm_session_reading(d.session), 0);
}

static void a_cancelled_command_leaves_the_point(void **state)
{
    (void)state;
    driver_prompt(&d, "goto 10");
    driver_prompt(&d, "break weights if any(sqrt(abs($t)) > 1e9)");
    sm_exec_line(d.exec, "continue", SM_FROM_PROMPT);
    for (int i = 0; i < 5; i++) {
        sm_exec_run(d.exec);
        sm_session_pump(d.session);
    }
    assert_true(sm_exec_waiting(d.exec));
    sm_exec_cancel(d.exec);
    assert_answer(&d, "print $_step", "$1 = 10\n");
}

/* A budget of nothing still gets on. */
static void works_in_slices(void **state)
{
    (void)state;
    driver_prompt(&d, "break step if $s > 50");
    struct sm_break_search *h = sm_break_search_new(d.session, (struct sm_step){-1}, false);
    enum sm_break_search_result r = SM_BREAK_SEARCH_BUSY;
    unsigned busy = 0;
    for (; r == SM_BREAK_SEARCH_BUSY; busy++)
        r = sm_break_search_run(h, 0);
    assert_int_equal(r, SM_BREAK_SEARCH_HIT);
    assert_in_range(busy, 5, 20);
    sm_break_search_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(goes_on_behind_each_hit, open_trial, tear_down),
        cmocka_unit_test_setup_teardown(follows_changed_breakpoints, open_trial, tear_down),
        cmocka_unit_test_setup_teardown(may_be_dropped_at_any_time, open_trial, tear_down),
        cmocka_unit_test_setup_teardown(a_cancelled_command_leaves_the_point, open_trial,
                                        tear_down),
        cmocka_unit_test_setup_teardown(works_in_slices, open_trial, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
