/* SPDX-License-Identifier: Apache-2.0 */
/* The background comparison of two trials: partial results, trials that are being written, and a
 * comparison that is not shown. */
#include "commands/compare/compare.h"
#include "tests/commands/driver.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include "commands/compare/compare_live.h"
#include "commands/session/incident.h"
#include "commands/session/trial_list.h"
#include "commands/trials/loss.h"
#include "reader/base/clock.h"
#include "reader/hook/smdbg_hook.h"

#include <math.h>
#include <unistd.h>

static struct driver d;
static char dir[64];
static smdbg_hook *hooks[2];

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static smdbg_hook *begin(const char *name)
{
    const char *const settings[][2] = {
        {"save_all", "true"}, {"save_interval", "1"}, {"rank", "0"}, {"world_size", "1"}};
    smdbg_hook *h = smdbg_hook_new(path_of(name));
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        smdbg_hook_set(h, settings[i][0], settings[i][1]);
    return h;
}

static void save(smdbg_hook *h, const char *name, float v)
{
    const float data[] = {v, 2, 3, 4};
    const int64_t n = 4;
    assert_int_equal(smdbg_hook_save(h, name, SMDBG_FLOAT32, 1, &n, NULL, data), 0);
}

/* From step 3 on w of the other trial is different. */
static void write_steps(int trial, int from, int to)
{
    for (int i = from; i < to; i++) {
        const float loss = (float)(to - i);
        smdbg_hook_step(hooks[trial], SMDBG_TRAIN);
        save(hooks[trial], "w", trial && i >= 3 ? 7 : 1);
        save(hooks[trial], "same", (float)i);
        assert_int_equal(smdbg_hook_save(hooks[trial], "loss", SMDBG_FLOAT32, 0, NULL, NULL, &loss),
                         0);
    }
    assert_int_equal(smdbg_hook_flush(hooks[trial]), 0);
}

static int setup(void **state)
{
    struct sm_err err;
    (void)state;
    assert_non_null(make_scratch(dir, sizeof dir));
    hooks[0] = begin("one");
    hooks[1] = begin("two");
    write_steps(0, 0, 3);
    write_steps(1, 0, 3);
    driver_open(&d, NULL, false);
    d.session->open_options.follow = true;
    assert_true(sm_session_open(d.session, path_of("one"), NULL, true, &err));
    assert_true(sm_session_open(d.session, path_of("two"), NULL, true, &err));
    return 0;
}

static void end(int trial)
{
    if (hooks[trial])
        assert_int_equal(smdbg_hook_close(hooks[trial]), 0);
    hooks[trial] = NULL;
}

static int teardown(void **state)
{
    (void)state;
    end(0);
    end(1);
    driver_close(&d);
    return remove_tree(dir);
}

/* Reads and compares everything written so far. */
static const struct sm_compare_live *settle(void)
{
    const struct sm_compare_live *x = NULL;
    for (size_t i = 0; i < d.session->n_trials; i++)
        sm_trial_refresh(d.session->trials[i].trial);
    for (int calm = 0; calm < 10; calm++) {
        if (sm_session_pump(d.session) || sm_pool_pending(d.pool))
            calm = 0;
        sm_fetch_flush(d.session->fetch);
        x = sm_compare_live_get(d.session);
    }
    return x;
}

static const struct sm_compare_row *row_of(const struct sm_compare_live *x, const char *name)
{
    for (size_t i = 0; i < x->contrast.n; i++)
        if (strcmp(x->contrast.rows[i].name, name) == 0)
            return &x->contrast.rows[i];
    return NULL;
}

static void steps_are_compared_as_they_become_complete(void **state)
{
    (void)state;
    const struct sm_compare_live *x = settle();
    assert_non_null(x);
    assert_true(sm_compare_live_over(x));
    assert_null(sm_compare_first(&x->contrast));
    uint64_t before = x->contrast.common_steps;
    assert_true(before >= 1 && before <= 3); /* the last step may be incomplete */
    write_steps(0, 3, 6);
    x = settle();
    assert_true(x->contrast.resting); /* the other trial is behind */
    assert_null(sm_compare_first(&x->contrast));
    write_steps(1, 3, 5);
    end(0);
    end(1);
    x = settle();
    assert_true(sm_compare_over(&x->contrast));
    assert_int_equal(x->contrast.common_steps, 5);
    assert_string_equal(sm_compare_first(&x->contrast)->name, "w");
    assert_int_equal(sm_compare_first(&x->contrast)->step.n, 3);
    assert_int_equal(sm_compare_likeness(row_of(x, "same")), SM_LIKE_EQUAL);
}

/* Writes two tensors that differ from step 3 on, all at the same time of the clock. */
static void write_equal_times(const char *earlier, const char *later)
{
    sm_clock_freeze(1, 1700000000000000);
    for (int trial = 0; trial < 2; trial++) {
        for (int i = 3; i < 5; i++) {
            smdbg_hook_step(hooks[trial], SMDBG_TRAIN);
            save(hooks[trial], earlier, (float)trial);
            save(hooks[trial], later, (float)trial);
        }
        end(trial);
    }
    sm_clock_thaw();
}

/* Reads the value of a step in both trials, so that the comparison gets it first. */
static void read_first(const char *name, int64_t step)
{
    for (size_t i = 0; i < 2; i++) {
        struct sm_trial *t = d.session->trials[i].trial;
        struct sm_tensor *value = NULL;
        struct sm_err err = {0};
        while (sm_trial_state(t) != SM_TRIAL_ENDED) {
            sm_trial_refresh(t);
            sm_session_pump(d.session);
        }
        struct sm_entry e =
            sm_trial_entry(t, sm_trial_find(t, name, strlen(name)), (struct sm_step){step},
                           SM_WORKER_ANY, SM_ENTRY_VALUE, SM_REDUCE_NONE);
        assert_true(sm_entry_exists(&e));
        while (!sm_fetch_tensor(d.session->fetch, t, &e, &value, &err)) {
            assert_int_equal(err.code, SM_ERR_WAIT);
            sm_fetch_flush(d.session->fetch);
            sm_session_pump(d.session);
        }
        sm_tensor_unref(value);
    }
}

/* Whichever value is read first, the answer is always the tensor that was written first. */
static void expect_first(const char *earlier, const char *later, const char *read)
{
    const struct sm_compare_live *x = NULL;
    const struct sm_compare_row *first = NULL;
    write_equal_times(earlier, later);
    read_first(read, 3);
    while (!x || !sm_compare_over(&x->contrast)) {
        sm_session_pump(d.session);
        x = sm_compare_live_get(d.session);
        first = x ? sm_compare_first(&x->contrast) : NULL;
        if (first)
            assert_string_equal(first->name, earlier);
        sm_fetch_flush(d.session->fetch);
    }
    assert_non_null(first);
}

static void the_first_is_w(void **state)
{
    (void)state;
    expect_first("w", "loss", "loss");
}

static void the_first_is_loss(void **state)
{
    (void)state;
    expect_first("loss", "w", "w");
}

static void another_pair_starts_from_scratch(void **state)
{
    struct sm_err err;
    (void)state;
    write_steps(1, 3, 5);
    end(0);
    end(1);
    assert_non_null(settle());
    assert_true(sm_session_open(d.session, path_of("two"), "third", true, &err));
    d.session->baseline = d.session->trials[1].trial;
    sm_trials_select(d.session, 2);
    const struct sm_compare_live *x = settle();
    assert_int_equal(x->a, 1);
    assert_int_equal(x->b, 2);
    assert_int_equal(x->contrast.common_steps, 5);
    assert_null(sm_compare_first(&x->contrast));
    sm_session_close(d.session, 1);
    assert_null(d.session->baseline);
    assert_null(sm_compare_state(d.session)->differences);
    sm_session_close(d.session, 0);
    assert_null(sm_compare_live_get(d.session)); /* one trial is not a pair */
}

static void hidden_trials_are_not_compared(void **state)
{
    size_t a, b;
    (void)state;
    assert_true(sm_trials_pair(d.session, &a, &b));
    assert_int_equal(b, 1);
    d.session->trials[1].hidden = true;
    assert_false(sm_trials_pair(d.session, &a, &b));
    assert_null(sm_compare_live_get(d.session));
    d.session->baseline = d.session->trials[1].trial; /* chosen by the user */
    assert_true(sm_trials_pair(d.session, &a, &b));
    assert_int_equal(a, 1);
    assert_int_equal(b, 0);
}

static const char *last_incident(void)
{
    const struct sm_incidents *l = d.session->incidents;
    return l->n ? l->items[l->n - 1].text : "";
}

static void an_ended_or_deleted_trial_is_reported(void **state)
{
    (void)state;
    settle();
    assert_string_equal(last_incident(), "");
    end(0); /* the current trial: its state is on the screen */
    settle();
    assert_string_equal(last_incident(), "");
    end(1);
    settle();
    assert_string_equal(last_incident(), "two: the job has ended");
    assert_int_equal(remove_tree(path_of("two")), 0);
    settle();
    assert_string_equal(last_incident(), "two: deleted or moved");
    assert_answer(&d, "info trials -field name,note", "NAME  NOTE\none   -\ntwo   deleted\n");
}

static void the_newest_loss(void **state)
{
    struct sm_err err;
    double loss = 0;
    (void)state;
    end(0);
    settle();
    struct sm_trial *t = d.session->trials[0].trial;
    assert_string_equal(sm_trial_tensor_name(t, sm_loss_tensor(t)), "loss");
    while (!sm_loss_last(d.session, t, &loss, &err)) {
        assert_int_equal(err.code, SM_ERR_WAIT);
        settle();
    }
    assert_true(loss == 1);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(steps_are_compared_as_they_become_complete),
        TEST(the_first_is_w),
        TEST(the_first_is_loss),
        TEST(another_pair_starts_from_scratch),
        TEST(hidden_trials_are_not_compared),
        TEST(an_ended_or_deleted_trial_is_reported),
        TEST(the_newest_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
