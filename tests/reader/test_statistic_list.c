/* SPDX-License-Identifier: Apache-2.0 */
/* The list of statistics: names lead to one row, every number has one, places are taken once. */
#include "tests/reader/live.h"

#include "reader/tensor/statistic_list.h"

#include <math.h>
#include <stddef.h>

static void test_names_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sm_statistic_count(); i++) {
        const struct sm_statistic *x = sm_statistic(i);
        assert_ptr_equal(sm_statistic_find(sm_text(x->key)), x);
        if (x->alias)
            assert_ptr_equal(sm_statistic_find(sm_text(x->alias)), x);
        if (x->function)
            assert_ptr_equal(sm_statistic_find(sm_text(x->function)), x);
        assert_int_equal(x->function != NULL, x->help != NULL);
    }
    assert_null(sm_statistic_find(SM_TEXT("nosuch")));
    assert_null(sm_statistic_find(SM_TEXT("")));
}

/* The first rows are what is offered, and the names are theirs. */
static void test_offered_names(void **state)
{
    (void)state;
    size_t n = 0;
    for (size_t i = 0; sm_statistic_names[i]; i++) {
        const struct sm_statistic *x = sm_statistic_offered(sm_text(sm_statistic_names[i]));
        assert_non_null(x);
        assert_true((size_t)(x - sm_statistic(0)) < sm_statistic_offered_count());
        n += strcmp(x->key, sm_statistic_names[i]) == 0;
    }
    assert_int_equal(n, sm_statistic_offered_count());
    assert_null(sm_statistic_offered(SM_TEXT("median")));
}

static void test_every_number_has_a_row(void **state)
{
    (void)state;
    for (size_t field = 0; field < offsetof(struct sm_stats, inexact) / 8; field++) {
        size_t stored = 0;
        for (size_t i = 0; i < sm_statistic_count(); i++) {
            const struct sm_statistic *x = sm_statistic(i);
            stored += x->kind != SM_STATISTIC_QUANTILE && !x->derived && x->field == field;
        }
        assert_int_equal(stored, 1);
    }
}

static void test_places_are_taken_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sm_statistic_count(); i++) {
        const struct sm_statistic *x = sm_statistic(i);
        for (size_t k = 0; k < i; k++) {
            const struct sm_statistic *y = sm_statistic(k);
            assert_false(x->order && x->order == y->order);
            assert_false(x->column && x->column == y->column);
            assert_false(x->line && x->line == y->line);
            assert_false(x->reduction && x->reduction == y->reduction);
        }
    }
}

/* What a hook may save can be named and computed. */
static void test_every_reduction_has_a_row(void **state)
{
    (void)state;
    static const float x[4] = {-2, 1, 1, 4};
    struct sm_stats s;
    sm_stats_f32(x, 4, &s);
    for (int absolute = 0; absolute <= SM_REDUCE_ABS; absolute += SM_REDUCE_ABS)
        for (int op = SM_REDUCE_MIN; op < SM_REDUCE_OPS; op++) {
            int reduction = op | absolute;
            const char *name = sm_reduction_name(reduction);
            assert_int_equal(sm_reduction_of_name(name, strlen(name)), reduction);
            assert_int_equal(isnan(sm_stats_get(&s, reduction)), op == SM_REDUCE_MEDIAN);
        }
    assert_true(sm_stats_get(&s, SM_REDUCE_ABS | SM_REDUCE_MEAN) == 2);
    assert_int_equal(sm_reduction_of_name("abs_l2_norm", 11), SM_REDUCE_ABS | SM_REDUCE_L2);
    assert_int_equal(sm_reduction_of_name("nan", 3), -1);
    assert_string_equal(sm_reduction_name(SM_REDUCE_NONE), "value");
    assert_string_equal(sm_reduction_name(SM_REDUCE_ABS), "abs_value");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_found),
        cmocka_unit_test(test_offered_names),
        cmocka_unit_test(test_every_number_has_a_row),
        cmocka_unit_test(test_places_are_taken_once),
        cmocka_unit_test(test_every_reduction_has_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
