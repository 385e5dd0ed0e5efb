/* SPDX-License-Identifier: Apache-2.0 */
/* Rules that judge many steps at once come to what they come to one step at a time. */
#include "rules/private.h"
#include "rules/verdict/collect.h"
#include "tests/reader/board.h"
#include "tests/rules/judge.h"

#include <math.h>

/* While a step is explained, steps are judged one by one. */
#define ONE_BY_ONE INT64_C(1000000000)

static const char *const names[] = {"loss", "val/loss", "lr", "a", "b", "c"};
enum { NAMES = sizeof names / sizeof *names };

/* Each scalar at most of the steps; `faults`: of some, NaN and infinities, and again at a step. */
static void add_steps(struct sm_str *out, int64_t from, int64_t to, bool faults)
{
    for (int64_t step = from; step < to; step++)
        for (size_t k = 0; k < NAMES; k++) {
            if (k > 2 && step % (int64_t)(k + 5) == 0)
                continue;
            bool bad = faults && k > 1 && step % 200 == (int64_t)(50 + 3 * k);
            float v = 1.0f / (float)(step + 1) + (float)k;
            add_record(out, names[k], step, !bad ? v : step % 400 < 200 ? NAN : INFINITY);
            if (faults && k == 3 && step % 333 == 0)
                add_record(out, names[k], step, v + 1);
        }
}

static void write_board(struct live *l, int64_t to, bool faults)
{
    struct sm_str bytes = {0};
    add_steps(&bytes, 0, to, faults);
    write_run(l, "run", &bytes, bytes.len);
    sm_str_clear(&bytes);
}

static void compare_counts(const struct sm_rule_instance *a, const struct sm_rule_instance *b)
{
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->datapoints, b->datapoints);
    assert_int_equal(a->violations, b->violations);
    assert_int_equal(a->triggered, b->triggered);
    assert_int_equal(a->first_fired, b->first_fired);
    assert_int_equal(a->last_fired, b->last_fired);
    assert_int_equal(a->last_tested, b->last_tested);
    assert_int_equal(a->n_findings, b->n_findings);
    for (size_t i = 0; i < a->n_findings; i++) {
        assert_int_equal(a->findings[i].step, b->findings[i].step);
        assert_string_equal(a->findings[i].tensor, b->findings[i].tensor);
        assert_string_equal(a->findings[i].text, b->findings[i].text);
    }
}

static void compare_signals(const struct sm_signals *a, const struct sm_signals *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->values, b->values);
    assert_int_equal(a->unread, b->unread);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->first_step, b->first_step);
    assert_int_equal(a->last_step, b->last_step);
    for (size_t i = 0; i < a->n; i++) {
        const struct sm_track *x = &a->tracks[i], *y = &b->tracks[i];
        assert_int_equal(x->name, y->name);
        assert_int_equal(x->role, y->role);
        assert_int_equal(x->values, y->values);
        assert_int_equal(x->n, y->n);
        for (size_t k = 0; k < x->n; k++)
            assert_memory_equal(&x->points[k], &y->points[k], sizeof x->points[k]);
    }
}

struct sets {
    struct sm_rules *many, *one;
};

static struct sets begin_sets(struct live *l)
{
    struct sets s = {new_rules(l), new_rules(l)};
    sm_rules_explain(s.one, ONE_BY_ONE);
    struct sm_rules *const both[] = {s.many, s.one};
    for (size_t i = 0; i < 2; i++) {
        sm_rules_finite(both[i], false);
        attach(both[i], "exploding_tensor", "policy=continue", NULL);
        attach(both[i], "exploding_tensor", "judge=auto", "workers=all", "end_step=777", NULL);
        attach(both[i], "loss_not_decreasing", "policy=continue", NULL);
        sm_rules_add(both[i], &sm_rule_signals, NULL, NULL, 0, NULL);
    }
    return s;
}

static void judge_both(struct live *l, struct sets *s)
{
    settle_rules(l, s->many);
    settle_rules(l, s->one);
    for (size_t i = 0; i < 3; i++)
        compare_counts(sm_rules_item(s->many, i), sm_rules_item(s->one, i));
    compare_signals(sm_signals_of(sm_rules_item(s->many, 3)),
                    sm_signals_of(sm_rules_item(s->one, 3)));
}

static void end_sets(struct live *l, struct sets *s)
{
    close_rules(l, s->one);
    close_rules(l, s->many);
}

static void open_board(struct live *l)
{
    live_open(l);
    live_settle(l);
}

static void test_calm_steps_as_one_by_one(void **state)
{
    struct live *l = *state;
    write_board(l, 5000, false);
    open_board(l);
    struct sets s = begin_sets(l);
    judge_both(l, &s);
    assert_true(sm_rules_item(s.many, 0)->datapoints > 25000);
    assert_int_equal(sm_rules_item(s.many, 0)->violations, 0);
    assert_int_equal(sm_rules_item(s.many, 0)->own->stretched, 4999);
    assert_true(sm_rules_item(s.many, 3)->own->stretched > 4900);
    assert_int_equal(sm_rules_item(s.one, 0)->own->stretched, 0);
    end_sets(l, &s);
}

static void test_faults_as_one_by_one(void **state)
{
    struct live *l = *state;
    write_board(l, 3000, true);
    open_board(l);
    struct sets s = begin_sets(l);
    judge_both(l, &s);
    assert_true(sm_rules_item(s.many, 0)->triggered > 10);
    assert_true(sm_rules_item(s.many, 0)->own->stretched > 0);
    end_sets(l, &s);
}

/* The file grows by one step, by many, and by a step that is late. */
static void test_growing_as_one_by_one(void **state)
{
    static const int64_t ends[] = {1, 2, 40, 41, 1500, 1501, 1900};
    struct live *l = *state;
    struct sm_str bytes = {0};
    int64_t from = 0;
    add_steps(&bytes, 0, 1, false);
    write_run(l, "run", &bytes, bytes.len);
    open_board(l);
    struct sets s = begin_sets(l);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        add_steps(&bytes, from, ends[i], i % 2);
        from = ends[i];
        if (i == 5)
            add_record(&bytes, "a", 35, NAN); /* which has no "a" */
        write_run(l, "run", &bytes, bytes.len);
        live_beat(l);
        judge_both(l, &s);
    }
    end_sets(l, &s);
    sm_str_clear(&bytes);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_calm_steps_as_one_by_one),
        T(test_faults_as_one_by_one),
        T(test_growing_as_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
