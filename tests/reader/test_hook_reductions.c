/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions keep a type that can hold them: the tensor's own if it is a floating-point type.
 * Expected values were computed with numpy and PyTorch (std and variance divide by n - 1). */
#include "tests/reader/live.h"

#include "reader/hook/smdbg_hook.h"
#include "reader/tensor/statistic_list.h"

#include <math.h>

static const char every[] = "min,max,median,mean,std,variance,sum,prod,l1_norm,l2_norm,abs_min,abs_"
                            "max,abs_median,abs_mean,abs_std,"
                            "abs_variance,abs_sum,abs_prod,abs_l1_norm,abs_l2_norm";

/* One tensor, with all reductions. */
static void save_reduced(struct live *l, smdbg_dtype dtype, int64_t n, const void *data)
{
    smdbg_hook *h = smdbg_hook_new(l->path);
    assert_int_equal(smdbg_hook_set(h, "save_all", "true"), 0);
    assert_int_equal(smdbg_hook_set(h, "reductions", every), 0);
    smdbg_hook_step(h, SMDBG_TRAIN);
    assert_int_equal(smdbg_hook_save(h, "x", dtype, 1, &n, NULL, data), 0);
    assert_string_equal(smdbg_hook_error(h), "");
    assert_int_equal(smdbg_hook_close(h), 0);
    live_open(l);
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

static struct sm_tensor *saved_tensor(struct live *l, const char *name)
{
    struct sm_err err;
    struct sm_tensor *t;
    struct sm_entry e =
        sm_trial_entry(l->trial, tensor(l, "x"), (struct sm_step){0}, SM_WORKER_ANY,
                       SM_ENTRY_REDUCTION, sm_reduction_of_name(name, strlen(name)));
    assert_true(sm_entry_exists(&e));
    while (!sm_fetch_tensor(l->fetch, l->trial, &e, &t, &err)) {
        assert_int_equal(err.code, SM_ERR_WAIT);
        live_settle(l);
    }
    assert_int_equal(t->n_dims, 0);
    return t;
}

struct expected {
    const char *name;
    enum sm_dtype dtype;
    double re, im;
};

static void check_reductions(struct live *l, const struct expected *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct sm_tensor *t = saved_tensor(l, rows[i].name);
        double re = sm_dtype_load(t->dtype, t->data);
        if (t->dtype != rows[i].dtype ||
            !(re == rows[i].re || fabs(re - rows[i].re) <= 1e-6 * fabs(re)))
            fail_msg("%s is %s %.9g, not %.9g", rows[i].name, sm_dtype_info(t->dtype)->name, re,
                     rows[i].re);
        assert_float_equal(sm_dtype_imag(t->dtype, t->data), rows[i].im, 1e-6);
        sm_tensor_unref(t);
    }
}
#define CHECK(l, rows) check_reductions(l, rows, sizeof(rows) / sizeof *(rows))

static void test_complex(void **state)
{
    static const float x[] = {3, 4, -1, 0, -1, -2, 0.5f, 0};
    static const struct expected rows[] = {
        {"min", SM_DTYPE_COMPLEX64, -1, -2},
        {"max", SM_DTYPE_COMPLEX64, 3, 4},
        {"median", SM_DTYPE_COMPLEX64, -0.25, 0},
        {"mean", SM_DTYPE_COMPLEX64, 0.375, 0.5},
        {"sum", SM_DTYPE_COMPLEX64, 1.5, 2},
        {"prod", SM_DTYPE_COMPLEX64, -2.5, 5},
        {"std", SM_DTYPE_FLOAT32, 3.1457643508911133, 0},
        {"variance", SM_DTYPE_FLOAT32, 9.895833969116211, 0},
        {"l1", SM_DTYPE_FLOAT32, 8.736067771911621, 0},
        {"l2", SM_DTYPE_FLOAT32, 5.590169906616211, 0},
        {"abs_min", SM_DTYPE_FLOAT32, 0.5, 0},
        {"abs_max", SM_DTYPE_FLOAT32, 5, 0},
        {"abs_median", SM_DTYPE_FLOAT32, 1.618034, 0},
        {"abs_mean", SM_DTYPE_FLOAT32, 2.1840169429779053, 0},
        {"abs_std", SM_DTYPE_FLOAT32, 2.0141398906707764, 0},
        {"abs_variance", SM_DTYPE_FLOAT32, 4.056759834289551, 0},
        {"abs_sum", SM_DTYPE_FLOAT32, 8.736067771911621, 0},
        {"abs_prod", SM_DTYPE_FLOAT32, 5.590169906616211, 0},
        {"abs_l1", SM_DTYPE_FLOAT32, 8.736067771911621, 0},
        {"abs_l2", SM_DTYPE_FLOAT32, 5.590169906616211, 0},
    };
    save_reduced(*state, SMDBG_COMPLEX64, 4, x);
    CHECK(*state, rows);
}

static void test_complex_that_are_none(void **state)
{
    static const double x[] = {1, 2, NAN, 0};
    struct sm_tensor *t;
    save_reduced(*state, SMDBG_COMPLEX128, 2, x);
    for (int i = 1; i < SM_REDUCE_OPS; i++) {
        t = saved_tensor(*state, sm_reduction_name(i));
        assert_true(isnan(sm_dtype_load(t->dtype, t->data)));
        sm_tensor_unref(t);
    }
}

static void test_half(void **state)
{
    static const uint16_t x[] = {0x63d0, 0x67d0, 0xe9dc, 0x3400}; /* 1000 2000 -3000 0.25 */
    static const struct expected rows[] = {
        {"min", SM_DTYPE_FLOAT16, -3000, 0},
        {"max", SM_DTYPE_FLOAT16, 2000, 0},
        {"mean", SM_DTYPE_FLOAT16, 0.0625, 0},
        {"std", SM_DTYPE_FLOAT16, 2160, 0},
        {"variance", SM_DTYPE_FLOAT16, (double)INFINITY, 0},
        {"sum", SM_DTYPE_FLOAT16, 0.25, 0},
        {"l1", SM_DTYPE_FLOAT16, 6000, 0},
        {"abs_mean", SM_DTYPE_FLOAT16, 1500, 0},
        {"abs_max", SM_DTYPE_FLOAT16, 3000, 0},
    };
    save_reduced(*state, SMDBG_FLOAT16, 4, x);
    CHECK(*state, rows);
}

static void test_every_half_is_itself(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < 0x10000; h++) {
        double v = (double)sm_half_to_float((uint16_t)h);
        if (isnan(v))
            assert_true(isnan((double)sm_half_to_float(sm_half_of_double(v))));
        else
            assert_int_equal(sm_half_of_double(v), h);
    }
    assert_int_equal(sm_half_of_double(1 + 0x1p-11), 0x3c00); /* a tie rounds to even */
    assert_int_equal(sm_half_of_double(1 + 3 * 0x1p-11), 0x3c02);
    assert_int_equal(sm_half_of_double(2047.75), 0x6800); /* rounds up to the next power */
    assert_int_equal(sm_half_of_double(65519.9), 0x7bff);
    assert_int_equal(sm_half_of_double(-65520), 0xfc00);
    assert_int_equal(sm_half_of_double(0x1p-25), 0);
    assert_int_equal(sm_half_of_double(0x1.8p-25), 1);
}

static void test_whole_numbers(void **state)
{
    const int64_t large = ((int64_t)1 << 60) + 1, x[] = {large, -3, 5};
    struct live *l = *state;
    const struct {
        const char *name;
        int64_t v;
    } rows[] = {
        {"min", -3},    {"max", large},     {"sum", large + 2},    {"prod", 1152921504606846961},
        {"abs_min", 3}, {"abs_max", large}, {"abs_sum", large + 8}};
    static const struct expected fractions[] = {
        {"mean", SM_DTYPE_FLOAT64, 3.843071682022823e+17, 0},
        {"std", SM_DTYPE_FLOAT64, 6.656395410392716e+17, 0},
        {"median", SM_DTYPE_FLOAT64, 5, 0}};
    save_reduced(l, SMDBG_INT64, 3, x);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t v;
        struct sm_tensor *t = saved_tensor(l, rows[i].name);
        assert_int_equal(t->dtype, SM_DTYPE_INT64);
        assert_true(sm_dtype_load_i64(t->dtype, t->data, &v));
        assert_int_equal(v, rows[i].v);
        sm_tensor_unref(t);
    }
    CHECK(l, fractions);
}

static void test_small_and_unsigned_ones(void **state)
{
    static const uint64_t x[] = {((uint64_t)1 << 63) + 5, 7};
    struct live *l = *state;
    save_reduced(l, SMDBG_UINT64, 2, x);
    struct sm_tensor *max = saved_tensor(l, "max"), *sum = saved_tensor(l, "sum");
    assert_int_equal(max->dtype, SM_DTYPE_UINT64);
    assert_int_equal(sum->dtype, SM_DTYPE_UINT64);
    assert_true(sm_dtype_load_u64(max->data) == x[0] && sm_dtype_load_u64(sum->data) == x[0] + 7);
    sm_tensor_unref(max);
    sm_tensor_unref(sum);
    live_close(l);
    remove_tree(l->path);
    save_reduced(l, SMDBG_INT8, 3, (const int8_t[]){100, 100, -7});
    static const struct expected small[] = {{"min", SM_DTYPE_INT8, -7, 0},
                                            {"sum", SM_DTYPE_INT64, 193, 0},
                                            {"l1", SM_DTYPE_FLOAT64, 207, 0}};
    CHECK(l, small);
    live_close(l);
    remove_tree(l->path);
    save_reduced(l, SMDBG_BOOL, 4, (const uint8_t[]){1, 0, 1, 1});
    static const struct expected flags[] = {{"max", SM_DTYPE_BOOL, 1, 0},
                                            {"sum", SM_DTYPE_INT64, 3, 0},
                                            {"mean", SM_DTYPE_FLOAT64, 0.75, 0}};
    CHECK(l, flags);
}

/* smdebug has no bfloat16 in trials; float32 holds each of its values. */
static void test_bfloat16(void **state)
{
    static const uint16_t x[] = {0x3f80, 0x4000}; /* 1 2 */
    static const struct expected rows[] = {{"max", SM_DTYPE_FLOAT32, 2, 0},
                                           {"mean", SM_DTYPE_FLOAT32, 1.5, 0}};
    save_reduced(*state, SMDBG_BFLOAT16, 2, x);
    CHECK(*state, rows);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_complex),       T(test_complex_that_are_none),
        T(test_half),          cmocka_unit_test(test_every_half_is_itself),
        T(test_whole_numbers), T(test_small_and_unsigned_ones),
        T(test_bfloat16),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
