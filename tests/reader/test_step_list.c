/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/step_list.h"

#include "reader/base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MANY = 20000 };

static bool put(struct sm_step_list *l, int64_t step)
{
    bool added;
    const struct sm_trial_step *next;
    assert_true(sm_step_list_open(l));
    struct sm_trial_step *s = sm_step_list_put(l, step, &added, &next);
    assert_int_equal(s->step.n, step);
    assert_true(!next || next->step.n > step);
    s->tensors++;
    return added;
}

/* A number below n for each i below n, each once, in an order that looks shuffled. */
static int64_t shuffled(int64_t i, int64_t n)
{
    return i * 7919 % n; /* a prime that divides no n of these tests */
}

static struct sm_step_list *list_of(int64_t n, int64_t (*order)(int64_t i, int64_t n))
{
    struct sm_step_list *l = sm_step_list_new();
    for (int64_t i = 0; i < n; i++)
        assert_true(put(l, 2 * order(i, n)));
    return l;
}

static int64_t up(int64_t i, int64_t n)
{
    (void)n;
    return i;
}

static int64_t down(int64_t i, int64_t n)
{
    return n - 1 - i;
}

static void expect_even_numbers(struct sm_step_list *l, size_t n)
{
    assert_int_equal(sm_step_list_count(l), n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(sm_step_list_at(l, i)->step.n, 2 * i);
        assert_int_equal(sm_step_list_place(l, (int64_t)(2 * i)), i);
        assert_int_equal(sm_step_list_place(l, (int64_t)(2 * i) + 1), i + 1);
    }
    assert_int_equal(sm_step_list_last(l)->step.n, 2 * (n - 1));
    assert_int_equal(sm_step_list_place(l, -1), 0);
}

static void any_order_becomes_ascending(void **state)
{
    int64_t (*const orders[])(int64_t, int64_t) = {up, down, shuffled};
    (void)state;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        struct sm_step_list *l = list_of(MANY, orders[k]);
        expect_even_numbers(l, MANY);
        for (int64_t i = 0; i < MANY; i++)
            assert_false(put(l, 2 * i));
        assert_int_equal(sm_step_list_at(l, MANY / 2)->tensors, 2);
        sm_step_list_free(l);
    }
}

/* Between two looks by index, too. */
static void an_index_is_right_after_each_step(void **state)
{
    struct sm_step_list *l = sm_step_list_new();
    (void)state;
    for (int64_t i = 0; i < 2000; i++) {
        put(l, shuffled(i, 2000));
        size_t at = sm_step_list_place(l, shuffled(i, 2000));
        assert_int_equal(sm_step_list_at(l, at)->step.n, shuffled(i, 2000));
        assert_int_equal(sm_step_list_at(l, (size_t)i)->step.n, sm_step_list_last(l)->step.n);
    }
    sm_step_list_free(l);
}

/* A step moves a part of its block, however many steps there are. */
static void a_step_in_front_moves_few_others(void **state)
{
    (void)state;
    struct sm_step_list *few = list_of(MANY, down), *many = list_of((int64_t)8 * MANY, down),
                        *mixed = list_of((int64_t)8 * MANY, shuffled);
    assert_in_range(sm_step_list_moved(few), 1, (uint64_t)MANY * SM_STEP_LIST_BLOCK);
    assert_in_range(sm_step_list_moved(many), 1, 9 * sm_step_list_moved(few));
    assert_in_range(sm_step_list_moved(mixed), 1, (uint64_t)8 * MANY * SM_STEP_LIST_BLOCK);
    sm_step_list_free(few);
    sm_step_list_free(many);
    sm_step_list_free(mixed);
}

static void steps_in_order_move_nothing(void **state)
{
    (void)state;
    struct sm_step_list *l = list_of(MANY, up);
    assert_int_equal(sm_step_list_moved(l), 0);
    assert_in_range(sm_step_list_memory(l), 1, (size_t)2 * MANY * sizeof(struct sm_trial_step));
    sm_step_list_free(l);
}

static void a_short_list_is_small(void **state)
{
    struct sm_step_list *l = sm_step_list_new();
    (void)state;
    put(l, 5);
    assert_in_range(sm_step_list_memory(l), 1, 2000);
    sm_step_list_free(l);
}

static bool is_third(struct sm_trial_step *s, void *user)
{
    ++*(size_t *)user;
    return s->step.n / 2 % 3 == 0;
}

static bool is_none(struct sm_trial_step *s, void *user)
{
    (void)s;
    (void)user;
    return false;
}

static void steps_are_removed_from_a_place_on(void **state)
{
    size_t looked = 0, n = 1000;
    (void)state;
    struct sm_step_list *l = list_of(MANY, down);
    sm_step_list_filter(l, 1000, is_third, &looked);
    assert_int_equal(looked, MANY - 1000);
    for (int64_t i = 0; i < MANY; i++)
        if (i < 1000 || i % 3 == 0) {
            n += i >= 1000;
            assert_int_equal(sm_step_list_at(l, sm_step_list_place(l, 2 * i))->step.n, 2 * i);
        }
    assert_int_equal(sm_step_list_count(l), n);
    put(l, 2 * 1001);
    assert_int_equal(sm_step_list_place(l, 2 * 1001), 1000);
    sm_step_list_filter(l, 10, is_none, NULL);
    assert_int_equal(sm_step_list_count(l), 10);
    put(l, 1);
    assert_int_equal(sm_step_list_place(l, 2), 2);
    sm_step_list_filter(l, 0, is_none, NULL);
    assert_int_equal(sm_step_list_count(l), 0);
    assert_null(sm_step_list_last(l));
    assert_true(put(l, 7));
    assert_int_equal(sm_step_list_at(l, 0)->step.n, 7);
    sm_step_list_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_becomes_ascending),
        cmocka_unit_test(an_index_is_right_after_each_step),
        cmocka_unit_test(a_step_in_front_moves_few_others),
        cmocka_unit_test(steps_in_order_move_nothing),
        cmocka_unit_test(a_short_list_is_small),
        cmocka_unit_test(steps_are_removed_from_a_place_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
