/* SPDX-License-Identifier: Apache-2.0 */
/* One tensor at several steps: the choice of steps, each read once, and cleared for another tensor
 * or slice. */
#include "tui/program_features.h"
#include "tui/tensor_pane/step_window.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

struct given {
    struct sm_pool *pool;
    struct sm_session *session;
    struct sm_step_window window;
};

static void settle(struct given *g)
{
    while (sm_session_pump(g->session) || sm_pool_pending(g->pool))
        ;
}

static int set_up(void **state)
{
    static struct given g;
    struct sm_err err;
    g = (struct given){.window = {.of = SM_NAME_NONE}};
    g.pool = sm_pool_new(0, 0, &err);
    g.session = g.pool ? sm_session_new(g.pool, sm_program_features, &err) : NULL;
    *state = &g;
    if (!g.session || !sm_session_open(g.session, "tests/trials/cnn_healthy", NULL, false, &err))
        return 1;
    while (!sm_trial_scanned(sm_session_trial(g.session)))
        sm_session_pump(g.session);
    g.session->at.worker = SM_WORKER_ANY;
    return 0;
}

static int tear_down(void **state)
{
    struct given *g = *state;
    sm_step_window_clear(&g->window);
    sm_session_free(g->session);
    sm_pool_free(g->pool);
    return 0;
}

static const struct sm_trial_tensor *find_tensor(const struct given *g, const char *name)
{
    const struct sm_trial_tensor *x =
        sm_trial_find(sm_session_trial(g->session), name, strlen(name));
    assert_non_null(x);
    return x;
}

static void choose_steps(struct given *g, const char *name, enum sm_mode mode, const char *slice,
                         size_t most)
{
    struct sm_slice s;
    size_t used;
    assert_true(!slice || sm_slice_parse(slice, strlen(slice), &s, &used, NULL));
    sm_step_window_choose(&g->window, g->session, find_tensor(g, name), mode, slice ? &s : NULL,
                          most);
}

static void read_all(struct given *g, bool histograms)
{
    do {
        sm_step_window_read(&g->window, g->session, histograms);
        settle(g);
    } while (g->window.unread);
}

static void test_every_second_and_the_newest(void **state)
{
    struct given *g = *state;
    choose_steps(g, "CNN_fc1.weight", SM_MODE_TRAIN, NULL, 100);
    size_t all = g->window.all;
    assert_int_equal(g->window.n, all);
    assert_true(all > 4);
    int64_t second = g->window.items[2].step, last = g->window.items[all - 1].step;
    choose_steps(g, "CNN_fc1.weight", SM_MODE_TRAIN, NULL, all - 1);
    assert_int_equal(g->window.all, all);
    assert_int_equal(g->window.n, (all + 1) / 2 + (all % 2 == 0));
    assert_int_equal(g->window.items[1].step, second);
    assert_int_equal(g->window.items[g->window.n - 1].step, last);
    choose_steps(g, "CNN_fc1.weight", SM_MODE_ANY, NULL, 100);
    assert_true(g->window.all > all);
}

static void test_known_values_are_not_read_again(void **state)
{
    struct given *g = *state;
    choose_steps(g, "CNN_fc1.weight", SM_MODE_TRAIN, NULL, 4);
    sm_step_window_read(&g->window, g->session, true);
    assert_int_equal(g->window.unread, g->window.n);
    read_all(g, true);
    uint64_t total = 0;
    const uint64_t *counts = g->window.items[0].histogram.counts;
    for (size_t i = 0; i < g->window.items[0].histogram.bins; i++)
        total += counts[i];
    assert_int_equal(total, 10 * 24);
    choose_steps(g, "CNN_fc1.weight", SM_MODE_TRAIN, NULL, 8);
    assert_ptr_equal(g->window.items[0].histogram.counts, counts);
    sm_step_window_read(&g->window, g->session, true);
    assert_in_range(g->window.unread, 1, g->window.n - 3);
    choose_steps(g, "CNN_fc1.bias", SM_MODE_TRAIN, NULL, 8);
    assert_false(g->window.items[0].has_histogram);
}

/* Only the newest step can change: the others are not looked at in each frame. */
static void test_numbers_that_were_read_are_at_hand(void **state)
{
    struct given *g = *state;
    sm_fetch_survey(g->session->fetch, sm_session_trial(g->session), UINT64_MAX);
    settle(g);
    choose_steps(g, "CrossEntropyLoss_output_0", SM_MODE_ANY, NULL, 100);
    assert_true(g->window.n > 1);
    sm_step_window_read(&g->window, g->session, false);
    assert_int_equal(g->window.unread, 0);
    assert_int_equal(sm_fetch_open(g->session->fetch), 0);
}

static void test_known_steps_are_not_listed_again(void **state)
{
    struct given *g = *state;
    choose_steps(g, "CNN_fc1.weight", SM_MODE_TRAIN, NULL, 4);
    size_t n = g->window.n, all = g->window.all, first = g->window.looked_at;
    assert_int_equal(first, find_tensor(g, "CNN_fc1.weight")->n_entries);
    for (int i = 0; i < 3; i++)
        choose_steps(g, "CNN_fc1.weight", SM_MODE_TRAIN, NULL, 4);
    assert_in_range(g->window.looked_at, first, first + 3);
    assert_int_equal(g->window.n, n);
    assert_int_equal(g->window.all, all);
}

static void test_statistics_of_a_slice(void **state)
{
    struct given *g = *state;
    choose_steps(g, "CNN_fc1.weight", SM_MODE_TRAIN, "[2]", 4);
    read_all(g, false);
    assert_int_equal(g->window.items[0].stats.n, 24);
    choose_steps(g, "CNN_fc1.weight", SM_MODE_TRAIN, NULL, 4);
    assert_false(g->window.items[0].has_stats);
    read_all(g, false);
    assert_int_equal(g->window.items[0].stats.n, 10 * 24);
    choose_steps(g, "CNN_fc1.weight", SM_MODE_TRAIN, "[99]", 4);
    read_all(g, false);
    assert_true(g->window.items[0].failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_second_and_the_newest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_known_values_are_not_read_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbers_that_were_read_are_at_hand, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_known_steps_are_not_listed_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_statistics_of_a_slice, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
