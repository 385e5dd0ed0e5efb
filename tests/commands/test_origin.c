/* SPDX-License-Identifier: Apache-2.0 */
/* bt, frame, up, down, layers on small trials written by the hook: the origins of NaNs, explosions
 * and zeros. */
#include "tests/commands/driver.h"
#include "tests/remove_tree.h"
#include "tests/scratch.h"

#include "reader/hook/smdbg_hook.h"

#include <math.h>
#include <unistd.h>

static struct driver d;
static char dir[64], path[128];
static smdbg_hook *hook;

static int setup(void **state)
{
    (void)state;
    assert_non_null(make_scratch(dir, sizeof dir));
    snprintf(path, sizeof path, "%s/trial", dir);
    hook = smdbg_hook_new(path);
    smdbg_hook_set(hook, "save_interval", "1");
    smdbg_hook_set(hook, "save_all", "true");
    smdbg_hook_set(hook, "rank", "0");
    smdbg_hook_set(hook, "world_size", "1");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    driver_close(&d);
    return remove_tree(dir);
}

static void step(void)
{
    smdbg_hook_step(hook, SMDBG_TRAIN);
}

/* Four elements around v; the first element is exactly v. */
static void save(const char *name, double v)
{
    const float data[] = {(float)v, 0.5f * (float)v, -0.25f * (float)v, 0.125f};
    const int64_t shape[] = {4};
    assert_int_equal(smdbg_hook_save(hook, name, SMDBG_FLOAT32, 1, shape, NULL, data), 0);
}

static void save_loss(double v)
{
    const float loss = (float)v;
    assert_int_equal(smdbg_hook_save(hook, "loss", SMDBG_FLOAT32, 0, NULL, NULL, &loss), 0);
}

static void save_same(const char *name, double v)
{
    const float data[] = {(float)v, (float)v, (float)v, (float)v};
    const int64_t shape[] = {4};
    assert_int_equal(smdbg_hook_save(hook, name, SMDBG_FLOAT32, 1, shape, NULL, data), 0);
}

static void save_zeros(const char *name)
{
    save_same(name, 0);
}

static void open_trial(void)
{
    struct sm_err err;
    assert_int_equal(smdbg_hook_close(hook), 0);
    driver_open(&d, NULL, false);
    assert_true(sm_session_open(d.session, path, NULL, true, &err));
}

/* Weights, an activation, the loss and a gradient, as saved by a training. */
static void save_step(double weight, double output, double loss, double gradient)
{
    step();
    save("w", weight);
    save("relu_output", output);
    save_loss(loss);
    save("gradient/w", gradient);
}

static void from_a_nan_loss_to_its_layer(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++)
        save_step(i < 12 ? 1 + 0.01 * i : NAN, i < 11 ? 2 : NAN, i < 11 ? 0.5 : NAN,
                  i < 11 ? 0.1 : NAN);
    open_trial();
    assert_answer(&d, "bt",
                  "#0  step 19  loss         NaN\n"
                  "#1  step 11  loss         NaN         first NaN, was 0.5 at 10\n"
                  "#2  step 11  relu_output  3 NaN of 4  first NaN, was 2 at 10  origin\n"
                  "Last good: relu_output at step 10, max |x| 2. \"goto 10\" goes there, "
                  "\"layers nan step 11\" shows all layers.\n");
    assert_answer(
        &d, "bt -full -field frame,step,tensor",
        "FRAME  STEP  TENSOR\n    0    19  loss\n    1    11  loss\n    2    11  relu_output\n");
    assert_answer(&d, "layers nan step 11 -csv -field name,value,problem",
                  "name,value,problem\nw,0,\nrelu_output,3,nan\nloss,1,nan\ngradient/w,3,nan\n");
}

/* The weights are written first in each step, so they seem to precede the gradient that damaged
 * them one step earlier. */
static void a_cause_one_step_before(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++)
        save_step(i < 8 ? 1 : NAN, i < 8 ? 2 : NAN, i < 8 ? 0.5 : NAN, i < 7 ? 0.1 : NAN);
    open_trial();
    assert_answer(&d, "bt w -field step,tensor",
                  "STEP  TENSOR\n  11  w\n   8  w\n   7  gradient/w\n");
}

/* One bad batch: the input is good in the next step, the weights stay bad. */
static void a_cause_that_is_gone(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++) {
        step();
        save("w", i < 137 ? 1 : NAN);
        save("input", i == 136 ? INFINITY : 3);
        save_loss(i < 136 ? 0.5 : NAN);
    }
    open_trial();
    assert_answer(&d, "bt -field step,tensor,problem,last_good_step",
                  "STEP  TENSOR  PROBLEM  LAST-GOOD-STEP\n"
                  " 199  loss    nan                 135\n"
                  " 136  loss    nan                 135\n"
                  " 136  input   inf                 135\n");
}

static void an_explosion_against_its_past(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++)
        save_step(i < 8 ? 1 + 0.1 * (i % 2) : 1e5, i < 8 ? 2 : 1e9,
                  i < 8   ? 0.5
                  : i < 9 ? 1e12
                          : NAN,
                  0.1);
    open_trial();
    assert_answer(&d, "bt",
                  "#0  step 9  loss  NaN\n"
                  "#1  step 8  loss  |x| 1e+12      x 2e+12 since 7\n"
                  "#2  step 8  w     max |x| 1e+05  z 2e+06 against steps 0..7  origin\n"
                  "Last good: w at step 7, max |x| 1.1. \"goto 7\" goes there, \"layers "
                  "abs_max step 8\" shows all layers.\n");
    assert_answer(&d, "bt -json -field frame", "[{\"frame\":0},{\"frame\":1},{\"frame\":2}]\n");
}

/* Small values can explode too: the values before decide what is large. */
static void an_explosion_of_something_small(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        step();
        save_same("gradient/w", i < 2 ? 1e-12 : i < 10 ? 1e-6 * (1 + i % 2) : 5e-4);
        save_same("v", i < 9 ? 1e-6 : 0.5);
        save_same("young", i < 11 ? 0 : 5);
    }
    open_trial();
    driver_prompt(&d, "bt v -field step,problem,last_good_step");
    assert_string_equal(sm_str_text(&d.out), "STEP  PROBLEM    LAST-GOOD-STEP\n  11  exploding     "
                                             "          8\n   9  exploding               8\n");
    assert_answer(&d, "bt gradient/w",
                  "#0  step 11  gradient/w  max |x| 0.0005  z 997 against steps 2..9\n"
                  "#1  step 10  gradient/w  max |x| 0.0005  z 997 against steps 2..9\n"
                  "#2  step 9   v           max |x| 0.5     x 5e+05 since 8  origin\n"
                  "Last good: v at step 8, max |x| 1e-06. \"goto 8\" goes there, \"layers "
                  "abs_max step 9\" shows all layers.\n");
    assert_answer(&d, "bt young",
                  "Nothing is wrong with young at step 11 (train 11): max |x| 5. \"bt -worst\" "
                  "starts at the worst tensor.\n");
}

static void growth_is_an_explosion_too(void **state)
{
    (void)state;
    double v = 0.01;
    for (int i = 0; i < 20; i++, v *= 3) {
        step();
        save("w", v);
    }
    open_trial();
    driver_prompt(&d, "bt w -field step,problem");
    assert_non_null(strstr(sm_str_text(&d.out), "12  exploding\n"));
}

static void zeros_start_where_they_were_written_first(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        step();
        save_zeros("fresh_bias");
        save("w", 1);
        save_zeros("relu_output");
        save_zeros("gradient/fresh_bias");
        save_zeros("gradient/w");
    }
    open_trial();
    assert_answer(&d, "bt fresh_bias",
                  "Nothing is wrong with fresh_bias at step 2 (train 2): max |x| 0. \"bt -worst\" "
                  "starts at the worst tensor.\n");
    assert_answer(&d, "bt 1 gradient/fresh_bias -field problem", "PROBLEM\nzero\n");
    driver_prompt(&d, "goto last");
    driver_prompt(&d, "tensor gradient/w -s");
    assert_answer(&d, "bt -field step,tensor,problem",
                  "STEP  TENSOR       PROBLEM\n   2  gradient/w   zero\n   0  gradient/w   zero\n  "
                  " 0  relu_output  zero\n");
}

static void another_order(void **state)
{
    (void)state;
    char file[128], line[200];
    for (int i = 0; i < 4; i++)
        save_step(i < 2 ? 1 : NAN, i < 2 ? 2 : NAN, i < 2 ? 0.5 : NAN, i < 2 ? 0.1 : NAN);
    open_trial();
    snprintf(file, sizeof file, "%s/order", dir);
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fputs("# ours\nlo*\nrelu_output\n", f);
    fclose(f);
    assert_answer(&d, "bt -1 relu_output -field tensor", "TENSOR\nw\n");
    driver_prompt(&d, "set bt-order name");
    assert_answer(&d, "bt -1 relu_output -field tensor", "TENSOR\ngradient/w\n");
    snprintf(line, sizeof line, "set bt-order %s", file);
    driver_prompt(&d, line);
    assert_answer(&d, "bt -1 relu_output -field tensor", "TENSOR\nloss\n");
    assert_complaint(
        &d, "set bt-order /nosuch",
        "bt-order is time, name or a file of names: /nosuch: No such file or directory.\n");
    assert_complaint(&d, "set bt-order /", "bt-order: /: Is a directory.\n");
    assert_answer(&d, "bt -1 relu_output -field tensor", "TENSOR\nloss\n");
    assert_int_equal(unlink(file), 0);
    snprintf(line, sizeof line, "bt-order: %s: No such file or directory.\n", file);
    assert_complaint(&d, "bt relu_output", line);
}

static void along_the_frames(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        save_step(i < 2 ? 1 : NAN, i < 2 ? 2 : NAN, i < 2 ? 0.5 : NAN, i < 2 ? 0.1 : NAN);
    open_trial();
    assert_answer(&d, "up", "#1  step 2  loss  NaN  first NaN, was 0.5 at 1\n");
    assert_answer(&d, "up", "#2  step 2  w  3 NaN of 4  first NaN, was 1 at 1  origin\n");
    assert_complaint(&d, "up", "Initial frame selected; you can't go up.\n");
    assert_answer(&d, "print $_tensor", "$1 = \"w\"\n");
    assert_answer(&d, "frame origin -field step,tensor", "STEP    2\nTENSOR  w\n");
    assert_answer(&d, "down 2", "#0  step 3  loss  NaN\n");
    assert_complaint(&d, "down", "Bottom (innermost) frame selected; you can't go down.\n");
    assert_complaint(&d, "frame 3", "No frame at level 3.\n");
    assert_answer(&d, "frame 2 -field tensor,step", "TENSOR  w\nSTEP    2\n");
    driver_prompt(&d, "goto 1");
    assert_complaint(&d, "frame", "Nothing is wrong here: there are no frames.  Try \"bt\".\n");
}

static void nothing_is_wrong(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        save_step(1, 2, 0.5, 0.1);
    open_trial();
    assert_answer(&d, "bt",
                  "No value up to step 3 is NaN, infinite or exploding, and none is vanishing or "
                  "zero at the end. Looked at: 16 values of 4 tensors at 4 steps.\n");
    assert_answer(&d, "bt -json", "[]\n");
    assert_answer(&d, "bt w step 2",
                  "Nothing is wrong with w at step 2 (train 2): max |x| 1. \"bt -worst\" starts at "
                  "the worst tensor.\n");
    assert_complaint(&d, "bt nosuch", "No tensor \"nosuch\". Try \"tensors\".\n");
}

/* Overwrites the records of a step with zeros. */
static void blank_step(int step)
{
    char file[200];
    struct stat st;
    snprintf(file, sizeof file, "%s/events/%012d/%012d_worker_0.tfevents", path, step, step);
    assert_int_equal(stat(file, &st), 0);
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    for (off_t i = 0; i < st.st_size; i++)
        fputc(0, f);
    assert_int_equal(fclose(f), 0);
}

static void an_unreadable_value_is_not_reported_good(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        save_step(1, 2, 0.5, 0.1);
    assert_int_equal(smdbg_hook_close(hook), 0);
    blank_step(3);
    driver_open(&d, NULL, false);
    struct sm_err err;
    assert_true(sm_session_open(d.session, path, NULL, true, &err));
    assert_answer(&d, "bt",
                  "No value up to step 3 is NaN, infinite or exploding, and none is vanishing or "
                  "zero at the end. Looked at: 16 values of 4 tensors at 4 steps.\n4 of 16 could "
                  "not be read; see \"info errors\".\n");
    driver_prompt(&d, "layers");
    assert_string_equal(sm_str_text(&d.out), "");
    driver_prompt(&d, "bt w step 3");
    assert_string_equal(sm_str_text(&d.out), "");
    assert_answer(&d, "bt w step 2",
                  "Nothing is wrong with w at step 2 (train 2): max |x| 1. \"bt -worst\" starts at "
                  "the worst tensor.\n");
}

static void nothing_can_be_read(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        save_step(1, 2, 0.5, 0.1);
    assert_int_equal(smdbg_hook_close(hook), 0);
    for (int i = 0; i < 4; i++)
        blank_step(i);
    driver_open(&d, NULL, false);
    struct sm_err err;
    assert_true(sm_session_open(d.session, path, NULL, true, &err));
    driver_prompt(&d, "bt");
    assert_string_equal(sm_str_text(&d.out), "");
    assert_non_null(strstr(sm_str_text(&d.err), "_worker_0.tfevents at offset"));
}

/* One value of one step in many, at any place of the run. */
static void one_bad_step_in_many(void **state)
{
    (void)state;
    for (int i = 0; i < 500; i++)
        save_step(i == 257 ? NAN : 1, 2, 0.5, 0.1);
    open_trial();
    assert_answer(&d, "bt",
                  "#0  step 257  w  3 NaN of 4  origin\n"
                  "Last good: w at step 256, max |x| 1. \"goto 256\" goes there, \"layers nan "
                  "step 257\" shows all layers.\n");
    assert_non_null(strstr(driver_prompt(&d, "health w -csv -w 50"), "w,257,nan,10\n"));
    assert_non_null(strstr(driver_prompt(&d, "tensors w"), "  0  ====x===\n"));
}

static void one_infinity_in_another_mode(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++) {
        smdbg_hook_step(hook, i == 123 ? SMDBG_EVAL : SMDBG_TRAIN);
        save("w", i == 123 ? -INFINITY : 1);
        save_loss(0.5);
    }
    open_trial();
    driver_prompt(&d, "bt");
    assert_non_null(strstr(sm_str_text(&d.out), "#0  step 123 (eval 0)  w"));
    assert_non_null(strstr(driver_prompt(&d, "health w -csv -w 30"), "w,123,inf,10\n"));
}

static void a_spike_of_the_loss(void **state)
{
    (void)state;
    for (int i = 0; i < 400; i++)
        save_step(1, 2, i == 201 ? 50 : 0.5 + 0.001 * (i % 9), 0.1);
    open_trial();
    driver_prompt(&d, "bt");
    assert_non_null(strstr(sm_str_text(&d.out), "#0  step 201  loss  |x| 50"));
    assert_non_null(strstr(driver_prompt(&d, "health loss -csv -w 40"), "loss,201,50,10\n"));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(from_a_nan_loss_to_its_layer),
        TEST(a_cause_one_step_before),
        TEST(a_cause_that_is_gone),
        TEST(an_explosion_against_its_past),
        TEST(an_explosion_of_something_small),
        TEST(growth_is_an_explosion_too),
        TEST(zeros_start_where_they_were_written_first),
        TEST(another_order),
        TEST(along_the_frames),
        TEST(nothing_is_wrong),
        TEST(an_unreadable_value_is_not_reported_good),
        TEST(nothing_can_be_read),
        TEST(one_bad_step_in_many),
        TEST(one_infinity_in_another_mode),
        TEST(a_spike_of_the_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
