/* SPDX-License-Identifier: Apache-2.0 */
/* A trial that sleeps keeps a few numbers of each scalar, and becomes whole when it is woken. */
#include "reader/base/clock.h"
#include "reader/format/event.h"
#include "reader/trial.h"
#include "reader/trial_kinds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Adds the points (step, value) of "loss", as a reader of logs hands them over. */
static void add_points(struct sm_glance *g, const double (*points)[2], size_t n)
{
    struct sm_batch *b = sm_batch_new(0, 1);
    struct sm_batch_part parts[512];
    struct sm_batch_scalar scalars[512];
    uint32_t loss = sm_names_add(b->names, "loss", 4);
    for (size_t i = 0; i < n; i++) {
        parts[i] = (struct sm_batch_part){
            .step = (int64_t)points[i][0], .first_scalar = i, .n_scalars = 1};
        scalars[i] = (struct sm_batch_scalar){
            .number = points[i][1], .name = loss, .dtype = SM_DTYPE_FLOAT64};
    }
    b->parts = parts;
    b->scalars = scalars;
    b->n_parts = b->n_scalars = n;
    assert_true(sm_glance_add(g, b));
    b->parts = NULL;
    b->scalars = NULL;
    sm_batch_free(b);
}

static void numbers_are_of_all_points(void **state)
{
    (void)state;
    struct sm_glance *g = sm_glance_new();
    static const double points[][2] = {{0, 5},  {10, 2},        {20, NAN},
                                       {30, 9}, {40, INFINITY}, {35, 3}};
    add_points(g, points, 6);
    const struct sm_glance_series *x = sm_glance_find(g, "loss");
    assert_non_null(x);
    assert_null(sm_glance_find(g, "los"));
    assert_int_equal(x->n, 6);
    assert_int_equal(x->bad, 2);
    assert_true(x->min == 2 && x->min_step == 10);
    assert_true(x->max == 9 && x->max_step == 30);
    assert_true(isinf(x->newest) && x->last_step == 40); /* 35 came later, but is not newer */
    assert_int_equal(g->first_step, 0);
    assert_int_equal(g->last_step, 40);
    sm_glance_free(g);
}

static void points_are_thinned_evenly(void **state)
{
    (void)state;
    struct sm_glance *g = sm_glance_new();
    double points[500][2];
    for (int i = 0; i < 500; i++) {
        points[i][0] = i;
        points[i][1] = -i;
    }
    add_points(g, (const double(*)[2])points, 500);
    const struct sm_glance_series *x = sm_glance_find(g, "loss");
    assert_int_equal(x->stride, 8);
    assert_int_equal(x->n_points, 63);
    for (unsigned i = 0; i < x->n_points; i++)
        assert_int_equal(x->points[i].step, 8 * i);
    assert_int_equal(g->steps, 500);
    sm_glance_free(g);
}

static void settle(struct sm_pool *pool, struct sm_trial *t)
{
    for (int i = 0; i < 1000 && (sm_trial_pump(t) || !sm_trial_scanned(t) || sm_pool_pending(pool));
         i++)
        sm_pool_collect(pool, 64);
}

/* What was listed is read before more is listed: some kinds of run hold what they have found until
 * it is read. */
static void one_trial_after_the_other(void **state)
{
    (void)state;
    enum { TRIALS = 3 };
    struct sm_err err = {0};
    struct sm_pool *pool = sm_pool_new(0, 0, &err);
    struct sm_source *source = sm_source_tree_new("tests/trials/tensorboard/TRAIN", &err);
    struct sm_trial_options options = {.kind = sm_trial_kind_of(source), .asleep = true};
    struct sm_trial *t[TRIALS];
    for (int i = 0; i < TRIALS; i++)
        assert_true(sm_trial_open(source, &options, pool, &t[i], &err));
    sm_pool_collect(pool, 1); /* the list of the first */
    sm_pool_collect(pool, 1);
    assert_true(sm_trial_glance(t[0])->steps > 0);
    assert_int_equal(sm_trial_glance(t[1])->steps, 0);
    for (int i = 0; i < TRIALS; i++) {
        settle(pool, t[i]);
        sm_trial_close(t[i]);
    }
    sm_source_unref(source);
    sm_pool_free(pool);
}

/* Data of long ago: many such trials cost nothing. */
static void a_quiet_trial_is_looked_at_rarely(void **state)
{
    (void)state;
    struct sm_err err = {0};
    struct sm_pool *pool = sm_pool_new(0, 0, &err);
    struct sm_source *source = sm_source_tree_new("tests/trials/tensorboard/TRAIN", &err);
    struct sm_trial_options options = {
        .kind = sm_trial_kind_of(source), .asleep = true, .follow = true};
    struct sm_trial *t;
    sm_clock_freeze(1000000, 1900000000000000);
    assert_true(sm_trial_open(source, &options, pool, &t, &err));
    settle(pool, t);
    assert_true(sm_trial_deadline_us(t) > sm_clock_mono_us() + 300 * 1000000);
    sm_trial_close(t);
    sm_source_unref(source);
    sm_pool_free(pool);
    sm_clock_thaw();
}

static void a_trial_sleeps_until_it_is_woken(void **state)
{
    (void)state;
    struct sm_err err = {0};
    struct sm_pool *pool = sm_pool_new(0, 0, &err);
    struct sm_source *source = sm_source_tree_new("tests/trials/tensorboard/TRAIN", &err);
    struct sm_trial_options options = {.kind = sm_trial_kind_of(source), .asleep = true};
    struct sm_trial *t;
    assert_true(sm_trial_open(source, &options, pool, &t, &err));
    settle(pool, t);
    const struct sm_glance_series *x =
        sm_glance_find(sm_trial_glance(t), "CrossEntropyLoss_output_0");
    assert_non_null(x);
    assert_int_equal(sm_trial_step_count(t), 0);
    assert_int_equal(sm_trial_range(t).last, 22);
    assert_int_equal(x->last_step, 22);
    double newest = x->newest;
    sm_trial_wake(t);
    assert_false(sm_trial_scanned(t));
    settle(pool, t);
    assert_null(sm_trial_glance(t));
    assert_int_equal(sm_trial_step_count(t), 6);
    assert_int_equal(sm_trial_range(t).last, 22);
    const struct sm_trial_tensor *loss = sm_trial_find(t, "CrossEntropyLoss_output_0", 25);
    assert_non_null(loss);
    struct sm_brief b =
        sm_trial_brief(t, (struct sm_entry[]){sm_tensor_entry(t, loss, loss->n_entries - 1)});
    assert_true(sm_brief_mean(&b) == newest);
    sm_trial_close(t);
    sm_source_unref(source);
    sm_pool_free(pool);
}

/* What it usually pauses, and with that when it is stalled, does not depend on its sleep. */
static void a_trial_that_sleeps_stalls_as_one_awake(void **state)
{
    (void)state;
    struct sm_err err = {0};
    struct sm_pool *pool = sm_pool_new(0, 0, &err);
    struct sm_source *source = sm_source_tree_new("tests/samples/sweep/run-0", &err);
    struct sm_trial_options options = {.kind = sm_trial_kind_of(source), .asleep = true};
    struct sm_trial *t;
    assert_true(sm_trial_open(source, &options, pool, &t, &err));
    int64_t unknown = sm_trial_stall_us(t);
    settle(pool, t);
    int64_t asleep = sm_trial_stall_us(t);
    sm_trial_wake(t);
    settle(pool, t);
    assert_true(sm_trial_stall_us(t) == asleep && asleep < unknown);
    sm_trial_close(t);
    sm_source_unref(source);
    sm_pool_free(pool);
}

/* A record of one float32 scalar, as a restarted program writes it into a file without a version.
 */
static void add_loss(struct sm_str *out, int64_t step, float value)
{
    uint8_t element[8] = {0};
    memcpy(element, &value, sizeof value);
    assert_true(sm_event_write_number(out, sm_text("loss"), step, 1e9, SM_DTYPE_FLOAT32, element));
}

/* Values that a restart removes are no best ones: such a trial wakes by itself. */
static void a_restarted_trial_wakes(void **state)
{
    (void)state;
    static const float losses[] = {5, 4, 3, 2, 1};
    struct sm_err err = {0};
    struct sm_str bytes = {0};
    for (int restarted = 0; restarted < 2; restarted++) {
        struct sm_pool *pool = sm_pool_new(0, 0, &err);
        struct sm_source *source = sm_source_mem_new(&err);
        struct sm_trial_options options = {.kind = &sm_trial_kind_tensorboard, .asleep = true};
        struct sm_trial *t;
        sm_str_truncate(&bytes, 0);
        for (int i = 0; i < 5; i++)
            add_loss(&bytes, i, losses[i]);
        if (restarted)
            add_loss(&bytes, 2, 6);
        assert_true(sm_source_mem_put(source, "events.out.tfevents.1.host", bytes.data, bytes.len));
        assert_true(sm_trial_open(source, &options, pool, &t, &err));
        settle(pool, t);
        assert_int_equal(sm_trial_glance(t) == NULL, restarted);
        assert_int_equal(sm_trial_range(t).steps, restarted ? 3 : 5);
        assert_int_equal(sm_trial_range(t).last, restarted ? 2 : 4);
        sm_trial_close(t);
        sm_source_unref(source);
        sm_pool_free(pool);
    }
    sm_str_clear(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_of_all_points),
        cmocka_unit_test(points_are_thinned_evenly),
        cmocka_unit_test(one_trial_after_the_other),
        cmocka_unit_test(a_quiet_trial_is_looked_at_rarely),
        cmocka_unit_test(a_trial_sleeps_until_it_is_woken),
        cmocka_unit_test(a_trial_that_sleeps_stalls_as_one_awake),
        cmocka_unit_test(a_restarted_trial_wakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
