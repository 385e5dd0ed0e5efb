/* SPDX-License-Identifier: Apache-2.0 */
/* The search for hits: what session scripts cannot test, such as a search that is cancelled, or
 * breakpoints that change while it runs. */
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

/* Runs the search until it ends or a breakpoint hits. */
static enum sm_break_search_result run_search(struct sm_break_search *search)
{
    enum sm_break_search_result r;
    for (int i = 0; i < 100000; i++) {
        r = sm_break_search_run(search, 1000000);
        if (r == SM_BREAK_SEARCH_HIT || r == SM_BREAK_SEARCH_END)
            return r;
        sm_fetch_flush(d.session->fetch);
        sm_session_pump(d.session);
    }
    fail_msg("the search does not end");
    return SM_BREAK_SEARCH_END;
}

static int64_t next_hit(struct sm_break_search *search)
{
    size_t n;
    return run_search(search) == SM_BREAK_SEARCH_HIT
               ? sm_break_search_hits(search, &n)[0].place.step.n
               : -1;
}

static void continues_after_each_hit(void **state)
{
    (void)state;
    driver_prompt(&d, "break CNN_conv0.bias mode eval");
    struct sm_break_search *search = sm_break_search_new(d.session, (struct sm_step){-1}, false);
    assert_int_equal(next_hit(search), 30);
    assert_int_equal(next_hit(search), 32);
    assert_int_equal(sm_break_search_at(search).n, 32);
    assert_int_equal(sm_break_search_decided(search), 5);
    sm_break_search_free(search);
    search = sm_break_search_new(d.session, (struct sm_step){34}, true);
    assert_int_equal(next_hit(search), 32);
    assert_int_equal(next_hit(search), 30);
    assert_int_equal(next_hit(search), -1);
    assert_int_equal(sm_break_search_at(search).n, 0);
    sm_break_search_free(search);
}

/* Steps that were tested ahead are tested again. */
static void follows_changed_breakpoints(void **state)
{
    (void)state;
    driver_prompt(&d, "break CNN_conv0.bias");
    struct sm_break_search *search = sm_break_search_new(d.session, (struct sm_step){-1}, false);
    assert_int_equal(next_hit(search), 0);
    driver_prompt(&d, "delete 1");
    driver_prompt(&d, "break step if $s > 50");
    assert_int_equal(next_hit(search), 54);
    sm_break_search_free(search);
}

/* Workers still compute conditions when the search is freed. */
static void may_be_dropped_at_any_time(void **state)
{
    (void)state;
    driver_prompt(&d, "break *input* weights if any(sqrt(abs($t)) > 1e9)");
    for (int turns = 0; turns < 40; turns++) {
        struct sm_break_search *search =
            sm_break_search_new(d.session, (struct sm_step){-1}, false);
        for (int i = 0; i < turns; i++) {
            sm_break_search_run(search, 1000000);
            sm_fetch_flush(d.session->fetch);
            sm_session_pump(d.session);
        }
        sm_break_search_free(search);
    }
    while (sm_pool_pending(d.pool))
        sm_session_pump(d.session);
    assert_int_equal(sm_session_reading(d.session), 0);
}

static void a_cancelled_command_keeps_the_step(void **state)
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

/* A search with a budget of 0 makes progress. */
static void works_in_slices(void **state)
{
    (void)state;
    driver_prompt(&d, "break step if $s > 50");
    struct sm_break_search *search = sm_break_search_new(d.session, (struct sm_step){-1}, false);
    enum sm_break_search_result r = SM_BREAK_SEARCH_BUSY;
    unsigned slices = 0;
    for (; r == SM_BREAK_SEARCH_BUSY; slices++)
        r = sm_break_search_run(search, 0);
    assert_int_equal(r, SM_BREAK_SEARCH_HIT);
    assert_in_range(slices, 5, 20);
    sm_break_search_free(search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(continues_after_each_hit, open_trial, tear_down),
        cmocka_unit_test_setup_teardown(follows_changed_breakpoints, open_trial, tear_down),
        cmocka_unit_test_setup_teardown(may_be_dropped_at_any_time, open_trial, tear_down),
        cmocka_unit_test_setup_teardown(a_cancelled_command_keeps_the_step, open_trial, tear_down),
        cmocka_unit_test_setup_teardown(works_in_slices, open_trial, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
