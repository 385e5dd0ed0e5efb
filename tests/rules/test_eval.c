/* SPDX-License-Identifier: Apache-2.0 */
/* Values: arithmetic, names, steps, workers, slices and missing values. The expected numbers of
 * tensors are from tests/trials/X.expected.json. */
#include "tests/rules/evaluate.h"

static void test_numbers(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, NULL);
    static const struct case_row rows[] = {
        {"1+2*3", "7"},
        {"7/2", "3.5"},
        {"6/3", "2"},
        {"7 % 3", "1"},
        {"-7 % 3", "2"},
        {"7 % -3", "-2"},
        {"-7.5 % 2", "0.5"},
        {"2^10", "1024"},
        {"2^-1", "0.5"},
        {"-2^2", "-4"},
        {"3**0", "1"},
        {"9007199254740993 + 0", "9007199254740993"},
        {"9223372036854775806 + 1", "9223372036854775807"},
        {"9223372036854775806 + 2", "9.223372036854776e+18"},
        {"3037000500 * 3037000500", "9.22337203700025e+18"},
        {"2^63", "9.223372036854776e+18"},
        {"9007199254740993 == 9007199254740992", "false"},
        {"9007199254740993 > 9007199254740992", "true"},
        {"1/0", "inf"},
        {"-1/0", "-inf"},
        {"0/0", "nan"},
        {"0x10 + 1e3 + 4Ki", "5112"},
        {"1 == 1.0", "true"},
        {"3 < 2", "false"},
        {"nan == nan", "false"},
        {"nan != nan", "false"},
        {"nan < 1 || nan >= 1", "false"},
        {"isnan(nan) && isinf(-inf)", "true"},
        {"!(nan > 1)", "true"},
        {"-0.0", "-0"},
        {"true + true", "2"},
        {"!3", "false"},
        {"3 && 0", "false"},
        {"0 || 2", "true"},
        {"nan ? 1 : 2", "2"},
        {"1 ? 2 : 1/0", "2"},
        {"0 ? 1 : 0 ? 2 : 3", "3"},
        {"2:5", "2:5"},
        {"1+1 : 2*3", "2:6"},
        {"'a' == \"a\"", "true"},
        {"'a' != 'b'", "true"},
        {"'1' == 1", "false"},
        {"'a'", "\"a\""},
        {"abs(-3) + sqrt(16)", "7"},
        {"log10(1000)", "3"},
        {"exp(0)", "1"},
        {"mean(3)", "3"},
        {"$nosuch", "void"},
        {"'a' + 1", "error: strings can only be compared with == and != at column 5"},
        {"$nosuch + 1", "error: cannot calculate with a void value at column 9"},
        {"(1:2) * 2", "error: cannot calculate with a range value at column 7"},
        {"3[0]", "error: only tensors have elements at column 2"},
        {"1:'a'", "error: a range needs two numbers at column 2"},
        {"loss + 1", "error: no trial is open, so there is no tensor \"loss\" at column 1"},
    };
    BENCH_CHECK(&b, rows);
    bench_close(&b);
}

static bool variable_value(void *ctx, const char *name, size_t n, struct sm_value *out)
{
    if (n != 2 || memcmp(name, "lr", 2) != 0)
        return false;
    *out = (struct sm_value){.type = SM_NUMBER, .number = *(double *)ctx};
    return true;
}

/* 12,544 elements: several pieces of flat.c, the last one not full. */
static void test_many_elements(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "cnn_healthy");
#define X "conv0_input_0@0"
    static const struct case_row rows[] = {
        {"size(" X ")", "12544"},
        {"count(" X " > 0) + count(" X " < 0) + zeros(" X ") == size(" X ")", "true"},
        {"count(" X " >= 0) + count(!(" X " >= 0)) == size(" X ")", "true"},
        {"count(" X " != 0) + count(" X " == 0) == size(" X ")", "true"},
        {"count(" X " > 0 && " X " < 1) + count(" X " <= 0 || " X " >= 1) == size(" X ")", "true"},
        {"all(" X " + " X " == 2 * " X ")", "true"},
        {"all(" X " - " X " == 0) && all(" X "**2 == " X " * " X ")", "true"},
        {"min(" X " % 2) >= 0 && max(" X " % 2) < 2", "true"},
        {"any(" X " == max(" X ")) && !any(" X " > max(" X "))", "true"},
        {"count(" X "[:, 0] == " X "[:, :, 0:28]) == size(" X ")", "true"},
        {"argmax(" X " * -1) == argmin(" X ")", "true"},
    };
    BENCH_CHECK(&b, rows);
#undef X
    bench_close(&b);
}

/* In conditions $t is the tensor at the step, $prev the previous one of its mode. */
static void test_own_tensor(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "cnn_healthy");
    b.env.of = sm_trial_find(b.trial, "CrossEntropyLoss_output_0", 25);
    b.env.step.n = 34; /* train 30; there are eval steps between it and train 20 */
    b.env.step_by_step = true;
    static const struct case_row rows[] = {
        {"$v == CrossEntropyLoss_output_0@34", "true"},
        {"$t == CrossEntropyLoss_output_0@34 && $t != $prev", "true"},
        {"$prev == CrossEntropyLoss_output_0@20", "true"},
        {"mean($prev) == mean(CrossEntropyLoss_output_0@20)", "true"},
        {"size($prev)", "1"},
        {"$s", "34"},
        {"exists($t) && exists($prev)", "true"},
        {"delta($t) == $t - $prev", "true"},
        {"changed($t, $prev)", "1"},
        {"changed($t, $t)", "0"},
        {"changed($t, $prev, 100)", "0"},
        {"changed($t, $prev, 1e-9)", "1"},
        {"changed(CNN_conv0.weight@0, CNN_conv0.weight@10)", "100"},
        {"changed(CNN_conv0.weight@0, CNN_conv0.weight@10, 1000)", "0"},
        {"changed(CNN_conv0.weight@0, CNN_conv0.weight@10, 0) > 90", "true"},
        {"changed(CNN_conv0.weight@0, CNN_conv0.bias@0)", "100"},
        {"changed(0/0, 0/0)", "0"},
        {"changed(0/0, 0/0, 1)", "0"},
        {"changed(0/0, 1, 1)", "1"},
        {"changed(-0.0, 0.0)", "1"},
        {"changed('a', 'b') + changed('a', 'a') + changed('a', 1)", "2"},
        {"$nosuch", "void"},
    };
    static const struct case_row first[] = {
        {"$prev", "missing: it was not saved before"},
        {"exists($prev)", "false"},
        {"$v > $prev", "missing: it was not saved before"},
    };
    static const struct case_row large[] = {
        {"$v", "missing: it is not a single number"},
        {"size($t)", "4"},
        {"any($t != $prev)", "true"},
        {"max($t) == max(CNN_conv0.bias@34)", "true"},
    };
    BENCH_CHECK(&b, rows);
    b.env.step.n = 0;
    BENCH_CHECK(&b, first);
    b.env.of = sm_trial_find(b.trial, "CNN_conv0.bias", 14);
    b.env.step.n = 34;
    BENCH_CHECK(&b, large);
    bench_close(&b);
}

static void test_variables(void **state)
{
    (void)state;
    struct bench b;
    double lr = 0.25;
    bench_open(&b, NULL);
    b.env.variable = variable_value;
    b.env.ctx = &lr;
    static const struct case_row rows[] = {
        {"$lr*4", "1"}, {"$lr/2", "0.125"}, {"$t", "void"}, {"$x", "void"}};
    BENCH_CHECK(&b, rows);
    bench_close(&b);
}

static void test_subject(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, NULL);
    uint64_t n = 4;
    static const float data[] = {1, -2, NAN, 4000};
    struct sm_value subject = {.type = SM_TENSOR};
    assert_true(sm_tensor_new(SM_DTYPE_FLOAT32, 1, &n, data, &subject.tensor, NULL));
    b.env.subject = &subject;
    b.env.step.n = 7;
    static const struct case_row rows[] = {
        {"x > 1e3", "bool (4,): 0 0 0 1"},
        {"max($t)", "4000"},
        {"x/2", "float64 (4,): 0.5 -1 nan 2000"},
        {"max(x)/min(x)", "-2000"},
        {"$s", "7"},
        {"$v", "void"},
        {"$t[1]", "-2"},
        {"x > 0 && x < 10", "bool (4,): 1 0 0 0"},
        {"!(x > 0)", "bool (4,): 0 1 1 0"},
        {"count(x > 0 || x < 0)", "3"},
        {"x != x", "bool (4,): 0 0 0 0"},
        {"-x", "float64 (4,): -1 2 nan -4000"},
        {"isnan(x)", "bool (4,): 0 0 1 0"},
        {"1 && x > 0", "bool (4,): 1 0 0 1"},
        {"0 && x > 0", "false"},
        {"`x`", "error: no trial is open, so there is no tensor \"x\" at column 1"},
    };
    BENCH_CHECK(&b, rows);
    assert_true(bench_eval(&b, "x > 1e3"));
    assert_true(sm_expr_is_true(&b.value));
    assert_true(bench_eval(&b, "x > 1e4"));
    assert_false(sm_expr_is_true(&b.value));
    sm_value_clear(&subject);
    bench_close(&b);
}

static void test_tensors(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "dtypes");
    b.env.step.n = 2;
    static const struct case_row rows[] = {
        {"scope/inner/leaf", "float32 (2,): 1 2"},
        {"scope/inner/leaf/2", "float64 (2,): 0.5 1"},
        {"scope/inner/leaf/scope/inner/leaf", "float64 (2,): 1 1"},
        {"a:b:c/scope/inner/leaf^2", "float64 (2,): 3 0.5"},
        {"scope/inner/leaf/max(a:b:c)", "float64 (2,): 0.333333 0.666667"},
        {"UPPER_lower-123-4", "float64 (2,): 6 -2"},
        {"`dense/kernel:0` - 1", "float64 (2,): 1 1"},
        {"1 ? dense/kernel:0:3", "float32 (2,): 2 2"},
        {"`name with spaces`[1] > 0", "true"},
        {"shape/transposed[0]", "float32 (3,): 0 4 8"},
        {"shape/transposed[3, 2]", "11"},
        {"shape/transposed[:2, -1]", "float32 (2,): 8 9"},
        {"shape/transposed[:2] - shape/transposed[0]", "float64 (2, 3): 0 0 0 1 1 1"},
        {"shape/transposed[:2] - shape/transposed[:2, :1]", "float64 (2, 3): 0 4 8 0 4 8"},
        {"shape/transposed + a:b:c", "error: shapes (4, 3) and (2,) do not match at column 18"},
        {"shape/transposed[7]",
         "error: slice at column 17: index 7 is out of bounds for axis 0 with size 4"},
        {"int64/extremes[4]", "9007199254740993"},
        {"int64/extremes[4] + 1", "9007199254740994"},
        {"int64/extremes[0] % int64/extremes[1]", "0"},
        {"uint64/x[1]", "1.8446744073709552e+19"},
        {"shape/one_by_one", "float32 (1, 1): 2.25"},
        {"shape/one_by_one * 2", "4.5"},
        {"shape/one_by_one * a:b:c", "float64 (2,): 6.75 4.5"},
        {"shape/zero_dim_float32", "5.5"},
        {"shape/python_float", "float64 (1,): 2.1"},
        {"shape/python_int + 1", "44"},
        {"-shape/zero_dim_int64", "-9"},
        {"float32/special[0] > 1", "false"},
        {"float32/special == float32/special", "bool (8,): 0 1 1 1 1 1 1 1"},
        {"float32/special[3]", "-0"},
        {"-float32/special[4]", "-0"},
        {"bool/all_true[0]", "true"},
        {"bool/all_true + 1", "int64 (4,): 2 2 2 2"},
        {"string/list + 1", "error: cannot calculate with elements of type string at column 13"},
        {"complex64/x * 2", "error: cannot calculate with elements of type complex64 at column 13"},
        {"nosuch + 1", "error: No tensor \"nosuch\"."},
        {"scope/inner/leav",
         "error: No tensor \"scope/inner/leav\". Did you mean \"scope/inner/leaf\"?"},
    };
    BENCH_CHECK(&b, rows);
    bench_close(&b);
}

static void test_steps(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "cnn_healthy");
    static const struct case_row rows[] = {
        {"CrossEntropyLoss_output_0@0", "3.1932964"},
        {"CrossEntropyLoss_output_0@first", "3.1932964"},
        {"CrossEntropyLoss_output_0@30", "0.94722223"},
        {"CrossEntropyLoss_output_0@eval:0", "0.94722223"},
        {"CrossEntropyLoss_output_0@train:40", "0.39519456"},
        {"CrossEntropyLoss_output_0@last", "0.00026378114"},
        {"CrossEntropyLoss_output_0", "0.00026378114"},
        {"CrossEntropyLoss_output_0@-0", "0.00026378114"},
        {"scalar/accuracy@+1", "missing: scalar/accuracy has no step +1 from here"},
        {"CrossEntropyLoss_output_0@44/worker_0", "0.39519456"},
        {"CrossEntropyLoss_output_0@44/2 == CrossEntropyLoss_output_0@44*0.5", "true"},
        {"CrossEntropyLoss_output_0@31",
         "missing: CrossEntropyLoss_output_0 was not saved at step 31 (nearest 30, 32)"},
        {"CrossEntropyLoss_output_0@31 > 1",
         "missing: CrossEntropyLoss_output_0 was not saved at step 31 (nearest 30, 32)"},
        {"mean(conv0_input_0@32)",
         "missing: conv0_input_0 was not saved at step 32 (nearest 30, 34)"},
        {"CrossEntropyLoss_output_0@500",
         "missing: CrossEntropyLoss_output_0 was not saved at step 500 (nearest 100)"},
        {"CrossEntropyLoss_output_0@eval:1", "missing: there is no step EVAL 1"},
        {"CrossEntropyLoss_output_0@31 ? 1 : 2",
         "missing: CrossEntropyLoss_output_0 was not saved at step 31 (nearest 30, 32)"},
        {"CrossEntropyLoss_output_0@31 && 0", "false"},
        {"CrossEntropyLoss_output_0@31 || 1", "true"},
        {"!CrossEntropyLoss_output_0@31",
         "missing: CrossEntropyLoss_output_0 was not saved at step 31 (nearest 30, 32)"},
        {"exists(CrossEntropyLoss_output_0@31) && CrossEntropyLoss_output_0@31 > 1", "false"},
    };
    BENCH_CHECK(&b, rows);
    b.env.step.n = 33;
    static const struct case_row at_33[] = {
        {"CrossEntropyLoss_output_0",
         "missing: CrossEntropyLoss_output_0 was not saved at step 33 (nearest 32, 34)"},
        {"CrossEntropyLoss_output_0@-1", "0.94722223"},
        {"CrossEntropyLoss_output_0@+2", "0.39519456"},
        {"gradient/CNN_conv0.bias@+1 == gradient/CNN_conv0.bias@34", "bool (4,): 1 1 1 1"},
    };
    BENCH_CHECK(&b, at_33);
    b.env.mode = SM_MODE_TRAIN;
    b.env.step.n = 44;
    static const struct case_row in_train[] = {
        {"CrossEntropyLoss_output_0@40", "0.39519456"},
        {"CrossEntropyLoss_output_0@global:30", "0.94722223"},
        {"CrossEntropyLoss_output_0@-1 == CrossEntropyLoss_output_0@30", "true"},
        {"CrossEntropyLoss_output_0@+2 == CrossEntropyLoss_output_0@60", "true"},
        {"CrossEntropyLoss_output_0@last == CrossEntropyLoss_output_0@80", "true"},
    };
    BENCH_CHECK(&b, in_train);
    bench_close(&b);
}

static void test_workers(void **state)
{
    (void)state;
    struct bench b;
    bench_open(&b, "ddp_two_workers");
    static const struct case_row rows[] = {
        {"CrossEntropyLoss_output_0@8", "1.0127056"},
        {"CrossEntropyLoss_output_0@8/worker_0", "1.0127056"},
        {"CrossEntropyLoss_output_0@8/worker_1", "0.999874"},
        {"CrossEntropyLoss_output_0@18/worker_1 - CrossEntropyLoss_output_0@18/worker_0 < 0",
         "true"},
        {"CrossEntropyLoss_output_0@18/worker_7", "error: No tensor \"worker_7\"."},
        {"CrossEntropyLoss_output_0@first/worker_1", "1.1244445"},
    };
    BENCH_CHECK(&b, rows);
    b.env.worker = sm_trial_find_worker(b.trial, "worker_1");
    b.env.step.n = 8;
    static const struct case_row at_worker[] = {
        {"CrossEntropyLoss_output_0", "0.999874"},
        {"CrossEntropyLoss_output_0@8/worker_0", "1.0127056"},
        {"last(CrossEntropyLoss_output_0)", "0.90227157"},
    };
    BENCH_CHECK(&b, at_worker);
    bench_close(&b);
}

/* As many operators in a row as the parser accepts. */
static void test_long_sum(void **state)
{
    (void)state;
    struct bench b;
    char text[2000] = "1";
    bench_open(&b, NULL);
    for (size_t i = 1; i < 1800; i += 2)
        memcpy(text + i, "+1", 3);
    assert_string_equal(bench_text(&b, text), "901");
    bench_close(&b);
}

/* The meaning of a text depends on the names of the trial; values requested together are read
 * together. */
static void test_names_decide(void **state)
{
    (void)state;
    struct bench a, b;
    struct sm_expr *e;
    const char *text = "scalar/python_int";
    bench_open(&a, "dtypes");
    bench_open(&b, NULL);
    a.env.step.n = 2;
    assert_true(sm_expr_parse(text, strlen(text), &a.arena, &e, &a.err));
    assert_false(sm_expr_eval(e, &b.env, &b.value, &b.err));
    assert_int_equal(b.err.code, SM_ERR_USAGE);
    while (!sm_expr_eval(e, &a.env, &a.value, &a.err)) {
        assert_int_equal(a.err.code, SM_ERR_WAIT);
        sm_fetch_pump(a.fetch);
        sm_pool_collect(a.pool, 100);
    }
    assert_int_equal(a.value.type, SM_TENSOR);
    assert_string_equal(bench_text(&a, "a:b:c + scope/inner/leaf + dense/kernel:0"),
                        "float64 (2,): 6 6");
    assert_int_equal(a.waits, 1);
    bench_close(&a);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),      cmocka_unit_test(test_many_elements),
        cmocka_unit_test(test_own_tensor),   cmocka_unit_test(test_variables),
        cmocka_unit_test(test_subject),      cmocka_unit_test(test_tensors),
        cmocka_unit_test(test_steps),        cmocka_unit_test(test_workers),
        cmocka_unit_test(test_names_decide), cmocka_unit_test(test_long_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
