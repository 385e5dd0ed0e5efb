/* SPDX-License-Identifier: Apache-2.0 */
/* One number per step, compared with the series in tests/trials/ *.expected.json. */
#include "reader/fetch/series.h"
#include "tests/reader/live.h"

#include <math.h>

static struct sm_series_spec spec_of(const struct live *l, const char *name)
{
    return (struct sm_series_spec){.tensor = tensor(l, name)->name, .worker = SM_WORKER_ANY};
}

/* Repeats the request until it is answered; true, or false with the reason. */
static bool read_series(struct live *l, const struct sm_series_spec *spec, struct sm_series *out,
                        struct sm_err *err)
{
    for (int i = 0; i < 20; i++) {
        if (sm_series_read(l->fetch, l->trial, spec, out, err))
            return true;
        if (err->code != SM_ERR_WAIT)
            return false;
        live_settle(l);
    }
    return false;
}

static void expect_point(const struct sm_series *s, size_t i, int64_t step, double value)
{
    assert_int_equal(s->points[i].step.n, step);
    assert_true(s->points[i].known);
    if (!(fabs(s->points[i].value - value) <= 1e-15))
        fail_msg("step %lld: %.17g is not %.17g", (long long)step, s->points[i].value, value);
}

static void test_a_scalar_over_all_modes(void **state)
{
    struct live *l = *state;
    struct sm_series s = {0};
    struct sm_err err;
    open_shipped(l, "cnn_healthy");
    struct sm_series_spec spec = spec_of(l, "CrossEntropyLoss_output_0");
    assert_true(read_series(l, &spec, &s, &err));
    assert_int_equal(s.n, 15);
    expect_point(&s, 0, 0, 3.193296432495117);
    expect_point(&s, 4, 32, 0.9352160096168518);
    expect_point(&s, 14, 100, 0.00026378114125691354);
    assert_int_equal(s.points[4].mode, SM_MODE_EVAL);
    assert_int_equal(s.points[4].mode_step.n, 2);
    assert_int_equal(s.points[0].dtype, SM_DTYPE_FLOAT32);
    /* doc/formats.md */
    assert_true(s.points[2].time > 1795229271.19 && s.points[2].time < 1795229271.2);
    sm_series_clear(&s);
    assert_null(s.points);
}

static void test_one_mode(void **state)
{
    struct live *l = *state;
    struct sm_series s = {0};
    struct sm_err err;
    open_shipped(l, "cnn_healthy");
    struct sm_series_spec spec = spec_of(l, "CrossEntropyLoss_output_0");
    spec.mode = SM_MODE_EVAL;
    assert_true(read_series(l, &spec, &s, &err));
    assert_int_equal(s.n, 6);
    expect_point(&s, 0, 30, 0.9472222328186035);
    spec.mode = SM_MODE_PREDICT;
    assert_false(read_series(l, &spec, &s, &err));
    assert_int_equal(err.code, SM_ERR_MISSING);
    sm_series_clear(&s);
}

static void test_the_last_of_repeated_names(void **state)
{
    struct live *l = *state;
    struct sm_series s = {0};
    struct sm_err err;
    open_shipped(l, "mlp_overfit");
    struct sm_series_spec spec = spec_of(l, "scalar/accuracy");
    assert_true(read_series(l, &spec, &s, &err));
    assert_int_equal(s.n, 60);
    expect_point(&s, 1, 10, 0.6600000262260437);
    expect_point(&s, 59, 329, 0.6949999928474426);
    sm_series_clear(&s);
}

static void test_reductions_saved_and_computed(void **state)
{
    struct live *l = *state;
    struct sm_series s = {0};
    struct sm_err err;
    open_shipped(l, "cnn_reductions");
    struct sm_series_spec spec = spec_of(l, "relu0_output_0");
    spec.reduction = sm_reduction_statistic(SM_REDUCE_L2);
    spec.saved = true;
    assert_true(read_series(l, &spec, &s, &err));
    expect_point(&s, 0, 0, 69.24046325683594);
    spec.saved = false;
    assert_true(read_series(l, &spec, &s, &err));
    assert_true(fabs(s.points[0].value - 69.2404635388308) < 1e-10);
    assert_int_equal(s.points[0].dtype, SM_DTYPE_NONE);
    spec.reduction = sm_reduction_statistic(SM_REDUCE_MEAN | SM_REDUCE_ABS);
    spec.saved = true;
    assert_true(read_series(l, &spec, &s, &err));
    expect_point(&s, 0, 0, 0.43241262435913086);
    sm_series_clear(&s);
}

static void test_several_elements_want_a_reduction(void **state)
{
    struct live *l = *state;
    struct sm_series s = {0};
    struct sm_err err;
    open_shipped(l, "cnn_healthy");
    struct sm_series_spec spec = spec_of(l, "CNN_conv0.weight");
    assert_false(read_series(l, &spec, &s, &err));
    assert_int_equal(err.code, SM_ERR_MISSING);
    assert_non_null(strstr(err.msg, "more than one element"));
    assert_true(s.several);
    spec.reduction = sm_reduction_statistic(SM_REDUCE_MAX);
    assert_true(read_series(l, &spec, &s, &err));
    assert_int_equal(s.n, 15);
    assert_false(s.several);
    expect_point(&s, 0, 0, 0.7754631638526917);
    sm_series_clear(&s);
}

static void test_strings_have_no_series(void **state)
{
    struct live *l = *state;
    struct sm_series s = {0};
    struct sm_err err;
    open_shipped(l, "xgb_classifier");
    struct sm_series_spec spec = spec_of(l, "hyperparameters/objective");
    assert_false(read_series(l, &spec, &s, &err));
    assert_int_equal(err.code, SM_ERR_MISSING);
    assert_non_null(strstr(err.msg, "real numbers"));
    sm_series_clear(&s);
}

static void test_exact_integers(void **state)
{
    struct live *l = *state;
    struct sm_series s = {0};
    struct sm_err err;
    int64_t v;
    open_shipped(l, "dtypes");
    struct sm_series_spec spec = spec_of(l, "shape/python_int");
    assert_true(read_series(l, &spec, &s, &err));
    assert_int_equal(s.points[0].dtype, SM_DTYPE_INT64);
    assert_true(sm_dtype_load_i64(s.points[0].dtype, s.points[0].first, &v));
    assert_true((double)v == s.points[0].value);
    sm_series_clear(&s);
}

static void test_while_it_is_read(void **state)
{
    struct live *l = *state;
    struct sm_series s = {0};
    struct sm_err err;
    open_shipped(l, "cnn_healthy");
    struct sm_series_spec spec = spec_of(l, "CrossEntropyLoss_output_0");
    assert_false(sm_series_read(l->fetch, l->trial, &spec, &s, &err));
    assert_int_equal(err.code, SM_ERR_WAIT);
    assert_int_equal(s.n, 15); /* the steps are known already */
    assert_false(s.points[3].known);
    assert_true(isnan(s.points[3].value));
    assert_int_equal(s.points[3].step.n, 30);
    sm_series_clear(&s);
}

static void test_a_worker(void **state)
{
    struct live *l = *state;
    struct sm_series a = {0}, b = {0};
    struct sm_err err;
    open_shipped(l, "ddp_worker_lost");
    struct sm_series_spec spec = spec_of(l, "CrossEntropyLoss_output_0");
    assert_true(read_series(l, &spec, &a, &err));
    spec.worker = 1;
    assert_true(read_series(l, &spec, &b, &err));
    assert_int_equal(a.n, 10);
    assert_int_equal(b.n, 5);
    assert_true(a.points[2].value != b.points[2].value);
    sm_series_clear(&a);
    sm_series_clear(&b);
}

static void test_a_record_that_cannot_be_read_is_left_out(void **state)
{
    struct live *l = *state;
    struct sm_series s = {0};
    struct sm_err err;
    write_collections(l, "worker_0", 1);
    for (int i = 0; i < 4; i++)
        write_step(l, "worker_0", i);
    write_end(l);
    unlink(in(l, "events/000000000002/000000000002_worker_0.tfevents"));
    live_open(l);
    struct sm_series_spec spec = spec_of(l, "loss");
    assert_true(read_series(l, &spec, &s, &err));
    assert_int_equal(s.n, 3);
    expect_point(&s, 2, 3, 3.0);
    assert_int_equal(sm_trial_problems(l->trial)->total, 1);
    live_close(l);
    remove_tree(in(l, "events"));
    live_open(l);
    spec = spec_of(l, "loss");
    assert_false(read_series(l, &spec, &s, &err));
    assert_int_equal(err.code, SM_ERR_DATA); /* not "missing": it was saved */
    sm_series_clear(&s);
}

static struct sm_series_spec default_spec(struct live *l, const char *name)
{
    struct sm_series_spec spec;
    struct sm_err err;
    for (int i = 0; i < 3; i++) {
        if (sm_series_default(l->fetch, l->trial, tensor(l, name), &spec, &err))
            return spec;
        if (err.code != SM_ERR_WAIT)
            fail_msg("%s", err.msg);
        live_settle(l);
    }
    fail_msg("no answer for %s", name);
    return spec;
}

static void test_the_default(void **state)
{
    struct live *l = *state;
    struct sm_series_spec spec;
    struct sm_err err;
    open_shipped(l, "cnn_reductions");
    assert_null(default_spec(l, "CrossEntropyLoss_output_0").reduction);
    spec = default_spec(l, "relu0_output_0");
    assert_ptr_equal(spec.reduction, sm_reduction_statistic(SM_REDUCE_MEAN));
    assert_true(spec.saved);
    live_close(l);
    open_shipped(l, "cnn_healthy");
    spec = default_spec(l, "CNN_conv0.weight");
    assert_ptr_equal(spec.reduction, sm_reduction_statistic(SM_REDUCE_MEAN));
    assert_false(spec.saved);
    live_close(l);
    open_shipped(l, "shapes_only");
    assert_false(sm_series_default(l->fetch, l->trial, tensor(l, "MLP_fc0.weight"), &spec, &err));
    assert_int_equal(err.code, SM_ERR_MISSING);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_a_scalar_over_all_modes),
        T(test_one_mode),
        T(test_the_last_of_repeated_names),
        T(test_reductions_saved_and_computed),
        T(test_several_elements_want_a_reduction),
        T(test_strings_have_no_series),
        T(test_exact_integers),
        T(test_while_it_is_read),
        T(test_a_worker),
        T(test_a_record_that_cannot_be_read_is_left_out),
        T(test_the_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
