/* SPDX-License-Identifier: Apache-2.0 */
/* How far workers are: by mode, while the job runs and after it, and the same in workers, gaps,
 * notes on steps, events and problems. */
#include "reader/analysis/analysis.h"
#include "tests/reader/live.h"

struct answers {
    struct sm_workers workers;
    struct sm_worker_gaps gaps;
    struct sm_timeline timeline;
    struct sm_trial_events events;
    struct sm_trial_problems problems;
};

static void read_all(struct live *l, struct answers *a)
{
    *a = (struct answers){0};
    sm_workers_read(l->trial, &a->workers);
    sm_worker_gaps_read(l->trial, &a->gaps);
    sm_timeline_read(l->trial, &a->timeline);
    sm_trial_events_read(l->trial, sm_clock_wall_us(), &a->events);
    while (sm_trial_problems_read(l->trial, l->fetch, (struct sm_step){-1}, SM_WORKER_ANY,
                                  &a->problems))
        live_settle(l);
}

static void clear(struct answers *a)
{
    sm_workers_clear(&a->workers);
    sm_worker_gaps_clear(&a->gaps);
    sm_timeline_clear(&a->timeline);
    sm_trial_events_clear(&a->events);
    sm_trial_problems_clear(&a->problems);
}

static size_t lost_events(const struct answers *a)
{
    size_t n = 0;
    for (size_t i = 0; i < a->events.n; i++)
        n += a->events.items[i].kind == SM_TRIAL_EVENT_LOSS;
    return n;
}

static size_t worker_problems(const struct answers *a)
{
    size_t n = 0;
    for (size_t i = 0; i < a->problems.n; i++)
        n += a->problems.items[i].kind == SM_TRIAL_PROBLEM_WORKER;
    return n;
}

static size_t lacking_steps(const struct answers *a)
{
    size_t n = 0;
    for (size_t i = 0; i < a->timeline.n; i++)
        n += a->timeline.notes[i].lacking > 0;
    return n;
}

static void assert_nobody_is_missing(struct live *l)
{
    struct answers a;
    read_all(l, &a);
    assert_int_equal(a.workers.behind, 0);
    assert_int_equal(a.workers.lost, 0);
    assert_int_equal(a.gaps.n, 0);
    assert_int_equal(lacking_steps(&a), 0);
    assert_int_equal(lost_events(&a), 0);
    assert_int_equal(worker_problems(&a), 0);
    clear(&a);
}

/* worker_1 is lost; after `last` it should have written so many steps. */
static void assert_lost(struct live *l, int64_t last, size_t behind)
{
    struct answers a;
    read_all(l, &a);
    const struct sm_worker_progress *w = &a.workers.items[1];
    assert_int_equal(a.workers.lost, 1);
    assert_int_equal(w->last, last);
    assert_int_equal(w->behind, behind);
    assert_true(w->lost);
    assert_int_equal(a.gaps.n, 1);
    assert_true(a.gaps.items[0].lost);
    assert_int_equal(a.gaps.items[0].steps, behind);
    assert_int_equal(lacking_steps(&a), behind);
    assert_int_equal(lost_events(&a), 1);
    assert_int_equal(worker_problems(&a), 1);
    clear(&a);
}

/* "ttTeE": the modes of the steps from 0 on; a capital: by worker_0 alone. */
static void write_job(struct live *l, const char *steps, bool ended)
{
    write_collections(l, "worker_0", 2);
    write_collections(l, "worker_1", 2);
    for (int64_t n = 0; *steps; steps++, n++) {
        bool alone = *steps == 'T' || *steps == 'E';
        int mode = *steps == 't' || *steps == 'T' ? SM_MODE_TRAIN : SM_MODE_EVAL;
        write_mode_step(l, "worker_0", n, mode, n);
        if (!alone)
            write_mode_step(l, "worker_1", n, mode, n);
    }
    if (ended)
        write_end(l);
    live_open(l);
    assert_int_equal(sm_trial_worker_count(l->trial), 2);
}

static void test_one_rank_evaluates_last(void **state)
{
    struct live *l = *state;
    write_job(l, "tttttEEE", true);
    assert_nobody_is_missing(l);
}

static void test_one_rank_evaluates_last_while_the_job_runs(void **state)
{
    struct live *l = *state;
    write_job(l, "tttttEEE", false);
    assert_nobody_is_missing(l);
}

/* It took part in an earlier evaluation. */
static void test_a_worker_that_no_longer_evaluates(void **state)
{
    struct live *l = *state;
    write_job(l, "tttettttEEE", true);
    assert_nobody_is_missing(l);
}

static void test_a_mode_is_left_in_the_middle(void **state)
{
    struct live *l = *state;
    write_job(l, "tettEttEttE", true);
    assert_nobody_is_missing(l);
}

static void test_a_worker_that_only_evaluates(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 2);
    write_collections(l, "worker_1", 2);
    for (int64_t n = 0; n < 6; n++)
        write_mode_step(l, n % 3 ? "worker_0" : "worker_1", n, n % 3 ? SM_MODE_TRAIN : SM_MODE_EVAL,
                        n);
    write_end(l);
    live_open(l);
    assert_nobody_is_missing(l);
}

static void test_lost_in_training(void **state)
{
    struct live *l = *state;
    write_job(l, "tttTTT", true);
    assert_lost(l, 2, 3);
}

/* Steps of a mode that it never wrote are not counted. */
static void test_lost_in_training_beside_evaluation(void **state)
{
    struct live *l = *state;
    write_job(l, "ttEtTTETE", true);
    assert_lost(l, 3, 3);
}

static void test_lost_after_evaluation(void **state)
{
    struct live *l = *state;
    write_job(l, "ttteeTTTE", true);
    assert_lost(l, 4, 4);
}

static void test_lost_in_the_last_evaluation(void **state)
{
    struct live *l = *state;
    write_job(l, "tttteEE", true);
    assert_lost(l, 4, 2);
}

static void test_behind_while_the_job_runs(void **state)
{
    struct live *l = *state;
    struct answers a;
    write_job(l, "tttTT", false);
    read_all(l, &a);
    assert_int_equal(a.workers.behind, 1);
    assert_int_equal(a.workers.lost, 0);
    assert_int_equal(a.workers.items[1].behind, 2);
    assert_int_equal(a.gaps.n, 1);
    assert_true(a.gaps.items[0].open);
    assert_int_equal(worker_problems(&a), 0); /* it may still write them */
    assert_int_equal(lost_events(&a), 0);
    clear(&a);
    sm_clock_advance(2 * (int64_t)STALL_US);
    live_settle(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_STALLED);
    read_all(l, &a);
    assert_int_equal(worker_problems(&a), 1);
    clear(&a);
}

/* From one step on worker_1 is missing for a while, worker_2 and worker_3 are lost. */
static void test_gaps_from_one_step(void **state)
{
    struct live *l = *state;
    struct sm_worker_gaps g = {0};
    for (int w = 0; w < 4; w++) {
        char name[16];
        snprintf(name, sizeof name, "worker_%d", w);
        write_collections(l, name, 4);
        for (int64_t n = 0; n < 6; n++)
            if (!w || n < 2 || (w == 1 && n > 3))
                write_step(l, name, n);
    }
    write_end(l);
    live_open(l);
    sm_worker_gaps_read(l->trial, &g);
    assert_int_equal(g.n, 3);
    assert_int_equal(g.items[0].worker, 1);
    assert_int_equal(g.items[0].beside, 0);
    assert_int_equal(g.items[0].steps, 2);
    assert_int_equal(g.items[1].worker, 2);
    assert_int_equal(g.items[1].beside, 1);
    assert_true(g.items[1].lost);
    sm_worker_gaps_clear(&g);
}

static void test_missing_for_a_while(void **state)
{
    struct live *l = *state;
    struct answers a;
    write_job(l, "ttTTtt", true);
    read_all(l, &a);
    assert_int_equal(a.workers.behind, 0);
    assert_int_equal(a.gaps.n, 1);
    assert_int_equal(a.gaps.items[0].from, 2);
    assert_int_equal(a.gaps.items[0].steps, 2);
    assert_false(a.gaps.items[0].lost);
    assert_int_equal(lacking_steps(&a), 2);
    assert_int_equal(worker_problems(&a), 1);
    clear(&a);
}

static void test_shipped(void **state)
{
    struct live *l = *state;
    struct sm_str text = {0};
    open_shipped(l, "ddp_rank0_evaluates");
    assert_nobody_is_missing(l);
    live_close(l);
    open_shipped(l, "ddp_two_workers");
    assert_nobody_is_missing(l);
    live_close(l);
    open_shipped(l, "ddp_worker_lost");
    assert_lost(l, 8, 5);
    struct sm_workers w = {0};
    sm_workers_read(l->trial, &w);
    sm_workers_describe(l->trial, &w.items[1], &text);
    assert_string_equal(sm_str_text(&text), "worker_1 wrote nothing after step 8: 5 steps lack it");
    sm_workers_sort(&w);
    assert_int_equal(w.items[0].worker, 1);
    sm_workers_clear(&w);
    sm_str_clear(&text);
}

/* Runs of a board write steps of their own. */
static void test_tensorboard(void **state)
{
    struct live *l = *state;
    open_shipped(l, "tensorboard");
    assert_int_equal(sm_trial_worker_count(l->trial), 2);
    assert_nobody_is_missing(l);
}

/* What was read is read again when the trial has changed. */
static void test_a_job_that_goes_on(void **state)
{
    struct live *l = *state;
    struct sm_workers w = {0};
    write_job(l, "tttT", false);
    sm_workers_read(l->trial, &w);
    assert_int_equal(w.behind, 1);
    write_mode_step(l, "worker_1", 3, SM_MODE_TRAIN, 3);
    live_beat(l);
    sm_workers_read(l->trial, &w);
    assert_int_equal(w.behind, 0);
    write_mode_step(l, "worker_0", 4, SM_MODE_TRAIN, 4);
    write_end(l);
    live_beat(l);
    live_beat(l);
    sm_workers_read(l->trial, &w);
    assert_int_equal(w.lost, 1);
    sm_workers_clear(&w);
}

#define TEST(NAME) cmocka_unit_test_setup_teardown(NAME, live_setup, live_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_one_rank_evaluates_last),
        TEST(test_one_rank_evaluates_last_while_the_job_runs),
        TEST(test_a_worker_that_no_longer_evaluates),
        TEST(test_a_mode_is_left_in_the_middle),
        TEST(test_a_worker_that_only_evaluates),
        TEST(test_lost_in_training),
        TEST(test_lost_in_training_beside_evaluation),
        TEST(test_lost_after_evaluation),
        TEST(test_lost_in_the_last_evaluation),
        TEST(test_behind_while_the_job_runs),
        TEST(test_gaps_from_one_step),
        TEST(test_missing_for_a_while),
        TEST(test_shipped),
        TEST(test_tensorboard),
        TEST(test_a_job_that_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
