/* SPDX-License-Identifier: Apache-2.0 */
/* Members of collections whose patterns are hostile or many, and steps found near a place. */
#include "reader/trial_place.h"
#include "reader/trial_state.h"
#include "tests/reader/live.h"

enum { COLLECTIONS = 40, NAMES = 60 };

/* ---- patterns ---- */

static void write_patterns(struct live *l, const char *pattern, size_t n)
{
    struct sm_collection_def items[COLLECTIONS] = {0};
    char names[COLLECTIONS][24];
    struct sm_writer *w = writer(l, "worker_0");
    struct sm_err err;
    for (size_t i = 0; i < n; i++) {
        /* not in their order */
        snprintf(names[i], sizeof names[i], "c%zu", i * 7 % n);
        items[i] = (struct sm_collection_def){
            .name = names[i], .regexes = &pattern, .n_regexes = 1, .reductions = ""};
    }
    struct sm_collections_def all = {items, n, 1};
    assert_true(sm_writer_collections(w, &all, &err));
    sm_writer_close(w);
}

static void write_names(struct live *l, const char *start)
{
    char name[80];
    struct sm_writer *w = writer(l, "worker_0");
    struct sm_err err;
    assert_true(sm_writer_begin_step(w, 0, SM_MODE_TRAIN, 0, &err));
    for (int i = 0; i < NAMES; i++) {
        snprintf(name, sizeof name, "%s%d", start, i);
        put_tensor(w, name, 1, 1);
    }
    assert_true(sm_writer_end_step(w, &err));
    sm_writer_close(w);
}

static size_t members(const struct live *l, const char *name)
{
    size_t n = 0, i = sm_trial_find_collection(l->trial, name);
    assert_true(i != SIZE_MAX);
    sm_trial_collection_tensors(l->trial, i, &n);
    return n;
}

static void test_slow_patterns(void **state)
{
    struct live *l = *state;
    write_patterns(l, "(a+)+$|b", COLLECTIONS);
    write_names(l, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!");
    live_open(l);
    assert_int_equal(members(l, "c3"), 0);
    const struct sm_problems *p = sm_trial_problems(l->trial);
    assert_int_equal(p->total, COLLECTIONS);
    assert_string_equal(p->items[0].message,
                        "collection c0: pattern \"(a+)+$|b\" was given up: it takes too long");
    /* each pattern is tried to the end once, not for each name */
    assert_true(l->trial->match_work < 1000000 * (uint64_t)COLLECTIONS);
}

/* The patterns of a trial have a budget together. */
static void test_budget(void **state)
{
    struct live *l = *state;
    write_patterns(l, "(a|a)*!!", COLLECTIONS);
    write_names(l, "aaaaaaaaaaaaa!");
    live_open(l);
    const struct sm_problems *p = sm_trial_problems(l->trial);
    assert_true(l->trial->match_work < 30000000);
    assert_true(p->total > 0);
    assert_non_null(strstr(p->items[p->n - 1].message, "was given up"));
}

static void test_ordinary_patterns(void **state)
{
    struct live *l = *state;
    write_patterns(l, "^w1|[2-3]$", COLLECTIONS);
    write_names(l, "w");
    live_open(l);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    assert_int_equal(sm_trial_collection_count(l->trial), COLLECTIONS);
    for (size_t i = 0; i < COLLECTIONS; i++) {
        char name[24];
        snprintf(name, sizeof name, "c%zu", i);
        assert_int_equal(sm_trial_find_collection(l->trial, name), i);
        assert_string_equal(sm_trial_collection(l->trial, i)->name, name);
        assert_int_equal(members(l, name), 21);
    }
    assert_true(sm_trial_find_collection(l->trial, "c") == SIZE_MAX);
}

/* Until all are matched, the trial is not ready; each pump does a part. */
static void test_parts(void **state)
{
    struct live *l = *state;
    write_patterns(l, "(a|a)*!!", COLLECTIONS);
    write_names(l, "aaaaaaaaaa!");
    struct sm_err err;
    struct sm_trial_options o = {0};
    l->source = sm_source_dir_new(l->path, &err);
    assert_true(sm_trial_open(l->source, &o, l->pool, &l->trial, &err));
    while (sm_pool_pending(l->pool))
        sm_pool_collect(l->pool, 1);
    int parts = 0;
    uint64_t work = 0;
    for (; !sm_trial_scanned(l->trial); parts++) {
        assert_true(sm_trial_deadline_us(l->trial) <= sm_clock_mono_us());
        sm_trial_pump(l->trial);
        assert_true(l->trial->match_work - work < 1000000);
        work = l->trial->match_work;
    }
    assert_true(parts > 2);
}

/* ---- steps ---- */

static bool is_of(const struct live *l, const struct sm_place *p, size_t i, int64_t step)
{
    const struct sm_trial_tensor *x = sm_place_tensor(p);
    const struct sm_part *part = sm_tensor_part(l->trial, x, i);
    return part->step.n == step && !part->replaced &&
           (p->mode == SM_MODE_ANY || part->mode == p->mode);
}

/* All steps of the place, ascending. */
static size_t all_steps(const struct live *l, const struct sm_place *p, int64_t *out)
{
    size_t n = 0;
    for (int64_t step = 0; step < 200; step++)
        for (size_t i = 0; i < sm_place_tensor(p)->n_entries; i++)
            if (is_of(l, p, i, step) && (!n || out[n - 1] != step))
                out[n++] = step;
    return n;
}

static void expect_relative(const struct sm_place *p, const int64_t *steps, int64_t n, int64_t by)
{
    struct sm_step got = {-7};
    int64_t at = -1;
    for (int64_t i = 0; i < n; i++)
        at = p->step.n < 0 || steps[i] <= p->step.n ? i : at;
    at = (at < 0 ? 0 : at) + by;
    bool there = at >= 0 && at < n;
    assert_int_equal(sm_place_find_step(p, SM_STEP_RELATIVE, by, &got), there);
    if (there)
        assert_int_equal(got.n, steps[at]);
}

static void expect_steps(const struct live *l, struct sm_place p)
{
    int64_t steps[200];
    size_t n = all_steps(l, &p, steps);
    struct sm_step got;
    assert_int_equal(sm_place_count_steps(&p), n);
    assert_int_equal(sm_place_find_step(&p, SM_STEP_FIRST, 0, &got), n > 0);
    if (n)
        assert_int_equal(got.n, steps[0]);
    assert_int_equal(sm_place_find_step(&p, SM_STEP_LAST, 0, &got), n > 0);
    if (n)
        assert_int_equal(got.n, steps[n - 1]);
    for (p.step.n = -1; p.step.n < 120; p.step.n += 3)
        for (int64_t by = -12; by <= 12; by++)
            expect_relative(&p, steps, (int64_t)n, by);
}

static void test_steps(void **state)
{
    struct live *l = *state;
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 12; i++)
        write_mode_step(l, i % 2 ? "worker_0" : "worker_1", 10 * i,
                        i % 3 == 1 ? SM_MODE_EVAL : SM_MODE_TRAIN, i / 3);
    live_open(l);
    for (int again = 0; again < 2; again++) {
        for (int mode = SM_MODE_ANY; mode < SM_MODES; mode++) {
            struct sm_place p = sm_place_of_trial(l->trial);
            p.tensor = sm_trial_find(l->trial, "loss", 4)->name;
            p.mode = (enum sm_mode)mode;
            expect_steps(l, p);
        }
        assert_true(sm_trial_has_mode(l->trial, SM_MODE_TRAIN));
        assert_false(sm_trial_has_mode(l->trial, SM_MODE_PREDICT));
        sm_clock_advance(60 * HEARTBEAT_US);
        write_mode_step(l, "worker_0", 30, SM_MODE_PREDICT, 0); /* a restart */
        live_beat(l);
        assert_true(sm_trial_has_mode(l->trial, SM_MODE_PREDICT));
        write_mode_step(l, "worker_0", 30, SM_MODE_EVAL, 1);
        live_beat(l);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_slow_patterns), TEST(test_budget), TEST(test_ordinary_patterns),
        TEST(test_parts),         TEST(test_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
