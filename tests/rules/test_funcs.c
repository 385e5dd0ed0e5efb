/* SPDX-License-Identifier: Apache-2.0 */
/* Each function, against tests/trials/X.expected.json and numbers computed by Python from the
 * values there. */
#include "tests/rules/evaluate.h"

static void check_near(struct bench *b, const char *text, double expected)
{
    if (!bench_eval(b, text) || b->value.type != SM_NUMBER)
        fail_msg("%s: %s", text, bench_text(b, text));
    if (!(fabs(b->value.number - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%s: %.17g, expected %.17g", text, b->value.number, expected);
}

static void test_reductions(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "cnn_healthy");
    b.env.step.n = 30;
    check_near(&b, "min(CNN_conv0.weight)", -0.704099178314209);
    check_near(&b, "max(CNN_conv0.weight)", 0.7194910049438477);
    check_near(&b, "mean(CNN_conv0.weight)", 0.0019338444015011191);
    check_near(&b, "std(CNN_conv0.weight)", 0.26622516277356234);
    check_near(&b, "var(CNN_conv0.weight)", 0.26622516277356234 * 0.26622516277356234);
    check_near(&b, "sum(CNN_conv0.weight)", 0.19338444015011191);
    check_near(&b, "l1(CNN_conv0.weight)", 20.516154621262103);
    check_near(&b, "l2(CNN_conv0.weight)", 2.6623218634844374);
    check_near(&b, "norm(CNN_conv0.weight)", 2.6623218634844374);
    check_near(&b, "absmax(CNN_conv0.weight)", 0.7194910049438477);
    check_near(&b, "absmean(CNN_conv0.weight)", 0.20516154621262103);
    check_near(&b, "max(CNN_conv0.weight[:]) - max(CNN_conv0.weight)", 0);
    check_near(&b, "l2(CNN_conv0.weight) / l2(CNN_conv1.weight)",
               2.6623218634844374 / 4.2072640189675905);
    check_near(&b, "mean(abs(CNN_conv0.weight))/mean(CNN_conv0.weight)",
               0.20516154621262103 / 0.0019338444015011191);
    bench_close(&b);
}

/* Functions of a name use statistics computed while it is read: the payload is not kept. */
static void test_no_payload_is_kept(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "cnn_healthy");
    size_t before = sm_fetch_memory(b.fetch);
    assert_true(bench_eval(&b, "max(conv0_input_0@0) + size(conv0_output_0@0)"));
    assert_in_range(sm_fetch_memory(b.fetch) - before, 1, 12544 * 4 - 1);
    assert_true(bench_eval(&b, "conv0_input_0@0"));
    assert_true(sm_fetch_memory(b.fetch) - before >= 12544 * 4);
    bench_close(&b);
}

static void test_health(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "dtypes");
    b.env.step.n = 2;
    static const struct case_row rows[] = {
        {"nan(float32/special)", "1"},
        {"inf(float32/special)", "2"},
        {"zeros(float32/special)", "2"},
        {"size(float32/special)", "8"},
        {"nan(float32/special[1:])", "0"},
        {"max(float32/special[4:])", "3.3999999521443642e+38"},
        {"min(float32/special[4:])", "0"},
        {"max(scalar/nan)", "nan"},
        {"max(scalar/nan) > 0", "false"},
        {"any(isnan(float32/special))", "true"},
        {"all(isnan(float32/special))", "false"},
        {"count(isinf(float32/special))", "2"},
        {"frac(float32/special == 0)", "0.25"},
        {"frac(float32/special > -1 && float32/special < 2)", "0.5"},
        {"any(scope/inner/leaf > 5)", "false"},
        {"all(bool/all_true)", "true"},
        {"count(bool/mask)", "5"},
        {"mean(bool/mask) == 5/12", "true"},
        {"argmax(shape/transposed)", "11"},
        {"argmin(shape/transposed)", "0"},
        {"argmax(float32/special)", "1"},
        {"argmin(float32/special)", "2"},
        {"argmax(scalar/nan)", "missing: argmax of no numbers"},
        {"prod(int8/signed[:2])", "128"},
        {"median(shape/transposed)", "5.5"},
        {"median(int8/signed)", "0"},
        {"q(shape/transposed, 0.25)", "2.75"},
        {"q(shape/transposed, 1)", "11"},
        {"q(shape/transposed, 1.5)", "error: q: p must be between 0 and 1 at column 1"},
        {"q(shape/transposed, 'a')", "error: q: expected a number at column 1"},
        {"cos(shape/transposed, shape/transposed) > 0.999999", "true"},
        {"cos(scope/inner/leaf, -scope/inner/leaf) < -0.999999", "true"},
        {"cos(scope/inner/leaf, shape/transposed)",
         "error: cos: the tensors have different sizes at column 1"},
        {"max(string/list)", "error: max: its elements are not numbers at column 1"},
        {"max(string/list[:1])", "error: max: expected a tensor of numbers at column 1"},
        {"abs(complex64/x)", "error: abs: expected numbers at column 1"},
        {"abs(int8/signed)", "int64 (5,): 128 1 0 1 127"},
        {"sqrt(shape/transposed[1])", "float64 (3,): 1 2.23607 3"},
    };
    BENCH_CHECK(&b, rows);
    bench_close(&b);
}

static void test_type_and_shape(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "dtypes");
    b.env.step.n = 2;
    static const struct case_row rows[] = {
        {"shape(shape/transposed)", "\"(4, 3)\""},
        {"shape(shape/transposed[0])", "\"(3,)\""},
        {"shape(1)", "\"()\""},
        {"dtype(shape/transposed)", "\"float32\""},
        {"dtype(shape/transposed > 1)", "\"bool\""},
        {"dtype(string/list) == 'string'", "true"},
        {"size(string/list)", "3"},
        {"size(shape/transposed[0])", "3"},
        {"shape('a')", "error: shape: expected a tensor at column 1"},
        {"exists(shape/transposed)", "true"},
        {"exists(shape/transposed, 3)", "true"},
        {"exists(shape/transposed, 4)", "false"},
        {"exists(shape/transposed@4)", "false"},
        {"exists(nosuch)", "false"},
        {"exists(nosuch/tensor:0) || true", "true"},
        {"exists(3)", "error: exists: expected the name of a tensor at column 1"},
        {"exists(shape/transposed, -1)", "error: exists: expected a step at column 1"},
    };
    BENCH_CHECK(&b, rows);
    bench_close(&b);
    bench_open(&b, "shapes_only");
    static const struct case_row only[] = {
        {"shape(MLP_fc0.weight@0)", "\"(12, 20)\""},
        {"size(MLP_fc0.weight@0)", "240"},
        {"dtype(MLP_fc0.weight@0)", "missing: only the shape was saved"},
        {"exists(MLP_fc0.weight, 3)", "true"},
        {"MLP_fc0.weight@0",
         "missing: MLP_fc0.weight has no value at step 0, only reductions or its shape"},
        {"max(MLP_fc0.weight@0)",
         "missing: MLP_fc0.weight has no value at step 0, only reductions or its shape"},
    };
    BENCH_CHECK(&b, only);
    bench_close(&b);
}

/* Without a payload, saved reductions are used if their definition is the same; with one, they are
 * not. */
static void test_saved_reductions(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "cnn_reductions");
    b.env.step.n = 8;
    static const struct case_row rows[] = {
        {"mean(CNN_conv0.weight)", "-0.0011914092"},
        {"max(CNN_conv0.weight)", "0.59208804"},
        {"absmax(CNN_conv0.weight)", "0.7227981"},
        {"l2(CNN_conv0.weight)", "2.6751106"},
        {"std(CNN_conv0.weight)",
         "missing: CNN_conv0.weight has no value at step 8, only reductions or its shape"},
        {"prod(CNN_conv0.weight)",
         "missing: CNN_conv0.weight has no value at step 8, only reductions or its shape"},
        {"median(CNN_conv0.weight)",
         "missing: CNN_conv0.weight has no value at step 8, only reductions or its shape"},
        {"max(CNN_conv0.weight@9)",
         "missing: CNN_conv0.weight was not saved at step 9 (nearest 8, 10)"},
    };
    BENCH_CHECK(&b, rows);
    check_near(&b, "l2(relu2_output_0)", 8.174146424947075);
    bench_close(&b);
}

static void test_series(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "dtypes");
    static const struct case_row rows[] = {
        {"shape/python_int@all", "series 0=41 1=42 2=43 3=44"},
        {"shape/python_int@all * 2 + 1", "series 0=83 1=85 2=87 3=89"},
        {"shape/python_int@all > 42", "series 0=0 1=0 2=1 3=1"},
        {"shape/python_int@all - scalar/python_int@all", "series 0=41 1=41 2=41 3=41"},
        {"-shape/python_int@all", "series 0=-41 1=-42 2=-43 3=-44"},
        {"abs(-shape/python_int@all)", "series 0=41 1=42 2=43 3=44"},
        {"shape/python_int@all[-1]", "44"},
        {"shape/python_int@all + shape/transposed",
         "error: a series can only be combined with a number or a series at column 22"},
        {"max(shape/python_int@all)", "44"},
        {"mean(shape/python_int@all)", "42.5"},
        {"count(shape/python_int@all > 42)", "2"},
        {"any(shape/python_int@all > 50)", "false"},
        {"argmax(shape/python_int@all)", "3"},
        {"median(shape/python_int@all)", "42.5"},
        {"first(shape/python_int@all)", "41"},
        {"last(shape/python_int@all)", "44"},
        {"last(shape/python_int)", "int64 (1,): 44"},
        {"first(shape/transposed@2)",
         "error: first: expected the name of a tensor or a series such as loss@all at column 1"},
        {"steps(shape/python_int)", "4"},
        {"steps(shape/python_int@all * 2)", "4"},
        {"delta(shape/python_int@all, 2)", "series 2=2 3=2"},
        {"delta(shape/python_int@all, 9)", "series"},
        {"delta(shape/python_int)", "1"},
        {"delta(shape/python_int, 3)", "3"},
        {"delta(shape/python_int, 4)", "missing: delta needs more saved steps"},
        {"delta(shape/python_int, 0)", "error: delta: n must be at least 1 at column 1"},
        {"slope(shape/python_int, 10)", "1"},
        {"slope(shape/python_int@all * 3, 2)", "3"},
        {"z(shape/python_int, 2)", "3"},
        {"ema(shape/python_int@all, 0)", "series 0=41 1=42 2=43 3=44"},
        {"ema(shape/python_int@all * 0 + 5, 0.9)", "series 0=5 1=5 2=5 3=5"},
        {"ema(shape/python_int, 1)",
         "error: ema: w must be at least 0 and less than 1 at column 1"},
        {"ratio(scalar/python_int@3, shape/python_int@3)", "0.06818181818181818"},
        {"delta(3)",
         "error: delta: expected the name of a tensor or a series such as loss@all at column 1"},
        {"delta(nosuch)", "error: No tensor \"nosuch\"."},
    };
    BENCH_CHECK(&b, rows);
    assert_true(bench_eval(&b, "string/list@all"));
    assert_int_equal(b.value.type, SM_UNAVAILABLE);
    bench_close(&b);
}

/* At a step, a bare name is the series up to that step. */
static void test_series_at_a_step(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "cnn_healthy");
    b.env.step.n = 45;
    check_near(&b, "delta(CrossEntropyLoss_output_0)", -0.298338919878006);
    check_near(&b, "delta(CrossEntropyLoss_output_0, 3)", -0.5520276725292206);
    check_near(&b, "slope(CrossEntropyLoss_output_0, 4)", -0.040332255435401);
    check_near(&b, "slope(CrossEntropyLoss_output_0, 100)", -0.05278370217028914);
    check_near(&b, "z(CrossEntropyLoss_output_0, 3)", -3.965864398153491);
    check_near(&b, "z(CrossEntropyLoss_output_0, 100)", -1.1144453476514535);
    assert_string_equal(bench_text(&b, "ema(CrossEntropyLoss_output_0, 0.6) > 0.71116 && "
                                       "ema(CrossEntropyLoss_output_0, 0.6) < 0.711162"),
                        "true");
    assert_string_equal(bench_text(&b, "ema(CrossEntropyLoss_output_0@train:all, 0)[:4]"),
                        "float64 (4,): 3.1933 1.31 0.962094 0.693533");
    b.env.whole_series = true;
    assert_string_equal(bench_text(&b, "ema(CrossEntropyLoss_output_0, 0.6)[:7]"),
                        "float64 (7,): 3.1933 2.01623 1.47841 1.2343 1.10458 0.932113 0.711161");
    b.env.whole_series = false;
    b.env.mode = SM_MODE_EVAL;
    assert_string_equal(bench_text(&b, "CrossEntropyLoss_output_0@all[:2]"),
                        "float64 (2,): 0.947222 0.935216");
    assert_string_equal(bench_text(&b, "steps(CrossEntropyLoss_output_0)"), "6");
    b.env.step.n = 5;
    assert_string_equal(bench_text(&b, "slope(CrossEntropyLoss_output_0, 4)"),
                        "missing: slope needs more saved steps");
    assert_string_equal(bench_text(&b, "ema(CrossEntropyLoss_output_0, 0.5)"),
                        "missing: ema needs more saved steps");
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reductions),       cmocka_unit_test(test_no_payload_is_kept),
        cmocka_unit_test(test_health),           cmocka_unit_test(test_type_and_shape),
        cmocka_unit_test(test_saved_reductions), cmocka_unit_test(test_series),
        cmocka_unit_test(test_series_at_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
