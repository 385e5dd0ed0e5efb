/* SPDX-License-Identifier: Apache-2.0 */
/* What stands for many steps is what all of them, looked at one after another, would give; and a
 * new step costs the same after 100 steps as after 2,000. */
#include "reader/analysis/step_tree.h"
#include "reader/analysis/tensor_health.h"
#include "tests/reader/board.h"

#include <math.h>

static uint64_t seed;

static uint64_t next_random(uint64_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % n;
}

/* A value like no other, so that "farthest" has one answer. */
static float any_value(bool faults)
{
    static float unique;
    unique += 1e-3f;
    uint64_t kind = faults ? next_random(60) : 9;
    return kind == 0   ? NAN
           : kind == 1 ? INFINITY
           : kind == 2 ? -INFINITY
                       : (float)next_random(100) - 50 + unique;
}

static void write_value(struct live *l, const char *worker, int64_t step, int mode, float v)
{
    struct sm_writer *w = writer(l, worker);
    struct sm_err err;
    assert_true(sm_writer_begin_step(w, step, mode, step, &err));
    put_tensor(w, "x", v, 1);
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
}

static void read_all(struct live *l)
{
    struct sm_err err;
    while (!sm_fetch_all(l->fetch, l->trial, NULL, &err))
        live_settle(l);
}

static struct sm_step_values_spec spec_of(uint16_t worker)
{
    return (struct sm_step_values_spec){
        .statistic = sm_reduction_statistic(SM_REDUCE_MEAN), .worker = worker, .mode = SM_MODE_ANY};
}

/* As the tree, with one look at each step. */
static struct sm_worst_value all_steps(struct live *l, const struct sm_trial_tensor *x,
                                       uint16_t worker, enum sm_mode mode, double centre,
                                       size_t from, size_t to)
{
    struct sm_step_values_spec spec = spec_of(worker);
    struct sm_worst_value w = {0};
    struct sm_step_values v;
    spec.centre = centre;
    while (sm_step_values_next(l->trial, x, &spec, &from, to, &v)) {
        if (mode != SM_MODE_ANY && sm_tensor_part(l->trial, x, v.shown)->mode != mode) {
            v.brief.flags = 0;
            v.far = SM_NO_STEP_VALUE;
        }
        sm_worst_value_add(&w, l->trial, x, &v);
    }
    return w;
}

static size_t count_of_mode(struct live *l, const struct sm_trial_tensor *x, uint16_t worker,
                            enum sm_mode mode, size_t to)
{
    struct sm_step_values_spec spec = spec_of(worker);
    struct sm_step_values v;
    size_t n = 0;
    for (size_t at = 0; sm_step_values_next(l->trial, x, &spec, &at, to, &v);)
        n += mode == SM_MODE_ANY || sm_tensor_part(l->trial, x, v.shown)->mode == mode;
    return n;
}

static size_t first_hidden(struct live *l, const struct sm_trial_tensor *x, uint16_t worker)
{
    struct sm_step_values_spec spec = spec_of(worker);
    struct sm_step_values v;
    for (size_t at = 0; sm_step_values_next(l->trial, x, &spec, &at, x->n_entries, &v);)
        if (v.bad != SM_NO_STEP_VALUE && sm_tensor_part(l->trial, x, v.bad)->worker !=
                                             sm_tensor_part(l->trial, x, v.shown)->worker)
            return v.bad;
    return x->n_entries;
}

static void compare(struct live *l, struct sm_step_tree *tree, uint16_t worker, enum sm_mode mode)
{
    const struct sm_trial_tensor *x = tensor(l, "x");
    const struct sm_step_values_spec spec = spec_of(worker);
    sm_step_tree_update(tree, l->trial, x, &spec, mode);
    struct sm_step_total total = sm_step_tree_total(tree);
    assert_int_equal(total.steps, count_of_mode(l, x, worker, mode, x->n_entries));
    assert_int_equal(sm_step_tree_hidden(tree), first_hidden(l, x, worker));
    for (int i = 0; i < 5 && total.steps; i++) {
        size_t a = next_random(total.steps), b = a + next_random(total.steps - a + 1);
        size_t from = sm_step_tree_entry(tree, a), to = sm_step_tree_entry(tree, b);
        assert_int_equal(count_of_mode(l, x, worker, mode, from), a);
        assert_int_equal(count_of_mode(l, x, worker, mode, to), b);
        double centre = (double)next_random(100) - 50.3;
        struct sm_worst_value w = sm_step_tree_worst(tree, from, to, centre),
                              all = all_steps(l, x, worker, mode, centre, from, to);
        assert_true(sm_entry_same(&w.entry, &all.entry));
        assert_true(sm_entry_same(&w.unread, &all.unread));
        assert_int_equal(w.n, all.n);
        assert_int_equal(w.failed, all.failed);
        if (sm_entry_exists(&w.entry))
            assert_int_equal(w.brief.flags, all.brief.flags);
    }
}

/* Two workers and two modes; steps arrive late, in any order, and are read now and then. */
static void test_as_all_steps(void **state)
{
    struct live *l = *state;
    struct sm_step_tree any = {0}, second = {0}, eval = {0};
    seed = 88172645463325252u;
    write_collections(l, "worker_0", 2);
    write_value(l, "worker_0", 0, SM_MODE_TRAIN, 1);
    write_value(l, "worker_1", 0, SM_MODE_TRAIN, 2);
    live_open(l);
    for (int64_t step = 1; step < 700; step += 1 + (int64_t)next_random(2)) {
        int mode = next_random(7) ? SM_MODE_TRAIN : SM_MODE_EVAL;
        bool late = next_random(40) == 0;
        write_value(l, "worker_0", late ? step / 2 * 2 + 1000 : step, mode, any_value(true));
        if (next_random(3))
            write_value(l, "worker_1", step, mode, any_value(true));
        if (next_random(12))
            continue;
        live_beat(l);
        if (next_random(3))
            read_all(l);
        compare(l, &any, SM_WORKER_ANY, SM_MODE_TRAIN);
        compare(l, &second, 1, SM_MODE_ANY);
        compare(l, &eval, SM_WORKER_ANY, SM_MODE_EVAL);
    }
    live_beat(l);
    read_all(l);
    compare(l, &any, SM_WORKER_ANY, SM_MODE_TRAIN);
    assert_true(any.n[0] > 8 && any.n[2] > 0);
    sm_step_tree_clear(&any);
    sm_step_tree_clear(&second);
    sm_step_tree_clear(&eval);
}

/* Scalars that came with their steps, of which most are looked at together. */
static void test_packed_as_all_steps(void **state)
{
    struct live *l = *state;
    struct sm_step_tree any = {0}, global = {0};
    struct sm_str bytes = {0};
    seed = 88172645463325252u;
    for (int64_t step = 0; step < 4000; step += 1 + (int64_t)next_random(2)) {
        add_record(&bytes, "x", step, any_value(step % 1500 > 1300));
        if (next_random(400) == 0)
            add_record(&bytes, "x", step, any_value(true));
        if (next_random(100))
            continue;
        write_run(l, "run", &bytes, bytes.len);
        if (!l->trial)
            live_open(l);
        live_beat(l);
        compare(l, &any, SM_WORKER_ANY, SM_MODE_ANY);
        compare(l, &global, 0, SM_MODE_GLOBAL);
    }
    assert_true(any.n[0] > 60 && any.n[2] > 0);
    sm_str_clear(&bytes);
    sm_step_tree_clear(&any);
    sm_step_tree_clear(&global);
}

/* The steps that trends of the job look at, for `more` new steps after n steps. */
static uint64_t steps_looked_at(struct live *l, struct sm_trends *kept, int64_t *step, int64_t n,
                                int more)
{
    struct sm_trend trend;
    for (; *step < n; ++*step)
        write_value(l, "worker_0", *step, SM_MODE_TRAIN, any_value(false));
    uint64_t before = 0;
    for (int i = 0; i <= more; i++) {
        live_beat(l);
        read_all(l);
        sm_tensor_health_trend(l->trial, l->fetch, kept, tensor(l, "x"), SM_WORKER_ANY, 8, &trend);
        assert_int_equal(trend.n, 8);
        before = i ? before : kept->items[0]->looked_at;
        write_value(l, "worker_0", (*step)++, SM_MODE_TRAIN, any_value(false));
    }
    return kept->items[0]->looked_at - before;
}

static void test_a_new_step_costs_the_same(void **state)
{
    struct live *l = *state;
    struct sm_trends kept = {0};
    int64_t step = 0;
    write_collections(l, "worker_0", 1);
    write_value(l, "worker_0", step++, SM_MODE_TRAIN, 1);
    live_open(l);
    uint64_t early = steps_looked_at(l, &kept, &step, 500, 32),
             later = steps_looked_at(l, &kept, &step, 4000, 32);
    if (later > early + early / 2)
        fail_msg("%llu steps after 500, %llu after 4,000", (unsigned long long)early,
                 (unsigned long long)later);
    sm_trends_clear(&kept);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_as_all_steps),
        T(test_packed_as_all_steps),
        T(test_a_new_step_costs_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
