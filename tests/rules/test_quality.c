/* SPDX-License-Identifier: Apache-2.0 */
/* Scores of predictions, compared with numbers from the documentation of scikit-learn. */
#include "rules/builtin/quality.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void assert_score(struct sm_score s, double precision, double recall, double f1,
                         uint64_t support)
{
    assert_float_equal(s.precision, precision, 1e-12);
    assert_float_equal(s.recall, recall, 1e-12);
    assert_float_equal(s.f1, f1, 1e-12);
    assert_int_equal(s.support, support);
}

static void test_classes(void **state)
{
    (void)state;
    const double labels[] = {0, 1, 2, NAN, 2, 2, 0}, predictions[] = {0, 0, 2, 1, 2, 1, NAN};
    struct sm_confusion c;
    assert_true(sm_confusion_count(labels, predictions, COUNT(labels), &c));
    assert_int_equal(c.n, 3);
    assert_int_equal(c.total, 5);
    const uint64_t cells[] = {1, 0, 0, 1, 0, 0, 0, 1, 2};
    for (size_t i = 0; i < COUNT(cells); i++)
        assert_int_equal(c.cells[i], cells[i]);
    assert_score(sm_class_score(&c, 0), 0.5, 1, 2.0 / 3, 1);
    assert_score(sm_class_score(&c, 1), 0, 0, 0, 1);
    assert_score(sm_class_score(&c, 2), 1, 2.0 / 3, 0.8, 3);
    assert_score(sm_average_score(&c, SM_AVERAGE_MICRO), 0.6, 0.6, 0.6, 5);
    assert_score(sm_average_score(&c, SM_AVERAGE_MACRO), 0.5, 5.0 / 9, (2.0 / 3 + 0.8) / 3, 5);
    assert_score(sm_average_score(&c, SM_AVERAGE_WEIGHTED), 0.7, 0.6, (2.0 / 3 + 3 * 0.8) / 5, 5);
    assert_float_equal(sm_confusion_accuracy(&c), 0.6, 1e-12);
    sm_confusion_clear(&c);
}

static void test_none_and_too_many_classes(void **state)
{
    (void)state;
    double many[SM_CONFUSION_MAX + 1];
    struct sm_confusion c;
    size_t n = COUNT(many);
    for (size_t i = 0; i < n; i++)
        many[i] = (double)(n - i);
    assert_true(sm_confusion_count(many, many, SM_CONFUSION_MAX, &c));
    assert_float_equal(c.classes[0], 2, 0);
    sm_confusion_clear(&c);
    assert_false(sm_confusion_count(many, many, COUNT(many), &c));
    assert_true(sm_confusion_count(many, many, 0, &c));
    assert_true(isnan(sm_confusion_accuracy(&c)));
    assert_score(sm_average_score(&c, SM_AVERAGE_MICRO), 0, 0, 0, 0);
    sm_confusion_clear(&c);
}

static void assert_curve(const struct sm_roc *r, const double *f, const double *t, size_t n,
                         double area)
{
    assert_int_equal(r->n, n);
    for (size_t i = 0; i < n; i++) {
        assert_float_equal(r->false_rate[i], f[i], 1e-12);
        assert_float_equal(r->true_rate[i], t[i], 1e-12);
    }
    assert_float_equal(r->area, area, 1e-12);
}

static void test_roc(void **state)
{
    (void)state;
    const double labels[] = {0, 0, 1, 1}, scores[] = {0.1, 0.4, 0.35, 0.8}, same[] = {1, 1, 1, 1},
                 odd[] = {NAN, NAN, 2, 3};
    struct sm_roc r;
    assert_true(sm_roc_curve(labels, scores, 4, &r));
    assert_curve(&r, (const double[]){0, 0, 0.5, 0.5, 1}, (const double[]){0, 0.5, 0.5, 1, 1}, 5,
                 0.75);
    sm_roc_clear(&r);
    assert_true(sm_roc_curve(labels, same, 4, &r)); /* equal scores are one point */
    assert_curve(&r, (const double[]){0, 1}, (const double[]){0, 1}, 2, 0.5);
    sm_roc_clear(&r);
    assert_false(sm_roc_curve(labels, odd, 4, &r)); /* no negative label is left */
    assert_false(sm_roc_curve(labels, scores, 0, &r));
}

static void test_errors_by_label(void **state)
{
    (void)state;
    const double labels[] = {0, 0.5, 1, 9.99, 10, NAN, 11, 4},
                 predictions[] = {1, 0, 1.5, 10, 7, 0, 0, NAN};
    struct sm_bin_errors e;
    sm_bin_errors(labels, predictions, COUNT(labels), 0, 10, &e);
    assert_float_equal(e.mean[0], 0.75, 1e-12);
    assert_float_equal(e.mean[1], 0.5, 1e-12);
    assert_float_equal(e.mean[9], (0.01 + 3) / 2, 1e-12);
    assert_int_equal(e.count[9], 2);
    assert_true(isnan(e.mean[4]));
    sm_bin_errors(labels, predictions, 1, 0, 0, &e); /* all labels are the same */
    assert_int_equal(e.count[0], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_none_and_too_many_classes),
        cmocka_unit_test(test_roc),
        cmocka_unit_test(test_errors_by_label),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
