/* SPDX-License-Identifier: Apache-2.0 */
/* A run of training of TensorBoard that reads its run of validation, too. */
#include "reader/trial_kinds.h"
#include "tests/reader/board.h"

static void add_steps(struct sm_str *out, const char *tag, int from, int to, float base)
{
    for (int i = from; i < to; i++)
        add_record(out, tag, i, base + (float)i);
}

/* Both runs have a loss, each has a tag that the other has not. */
static void write_pair(struct live *l, int to)
{
    struct sm_str train = {0}, validation = {0};
    add_steps(&train, "epoch_loss", 0, to, 100);
    add_steps(&train, "lr", 0, to, 0);
    add_steps(&validation, "iteration_loss", 0, 3 * to, 500);
    add_steps(&validation, "epoch_loss", 0, to, 200);
    write_run(l, "train", &train, train.len);
    write_run(l, "validation", &validation, validation.len);
    sm_str_clear(&train);
    sm_str_clear(&validation);
}

static struct sm_source *validation_of(struct live *l)
{
    struct sm_err err;
    struct sm_source *s = sm_source_tree_new(in(l, "validation"), &err);
    assert_non_null(s);
    return s;
}

static void open_pair(struct live *l, struct sm_source *validation)
{
    char train[512];
    snprintf(train, sizeof train, "%s", in(l, "train"));
    live_open_path(l, train,
                   (struct sm_trial_options){.follow = true,
                                             .kind = &sm_trial_kind_tensorboard,
                                             .validation = validation,
                                             .validation_name = validation ? "val" : NULL});
}

static void check_pair(struct live *l, int steps)
{
    assert_int_equal(sm_trial_step_count(l->trial), steps);
    assert_int_equal(sm_trial_tensor_count(l->trial), 3);
    assert_int_equal(sm_trial_worker_count(l->trial), 1);
    assert_float_equal(scalar_value(l, "epoch_loss", steps - 1), 100 + steps - 1, 0);
    assert_float_equal(scalar_value(l, "val/epoch_loss", steps - 1), 200 + steps - 1, 0);
    assert_int_equal(tensor(l, "val/epoch_loss")->steps, steps);
    assert_int_equal(tensor(l, "val/epoch_loss")->modes, 1 << SM_MODE_TRAIN);
    assert_true(sm_trial_is_validation(l->trial, "val/epoch_loss"));
    assert_false(sm_trial_is_validation(l->trial, "epoch_loss"));
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
}

static void test_scalars_of_both(void **state)
{
    struct live *l = *state;
    write_pair(l, 10);
    struct sm_source *validation = validation_of(l);
    open_pair(l, validation);
    sm_source_unref(validation);
    check_pair(l, 10);
    write_pair(l, 20);
    live_beat(l);
    check_pair(l, 20);
    live_close(l);
}

/* The folder of validation comes after the first epoch. */
static void test_validation_that_comes_later(void **state)
{
    struct live *l = *state;
    write_pair(l, 10);
    open_pair(l, NULL);
    assert_int_equal(sm_trial_tensor_count(l->trial), 2);
    struct sm_source *validation = validation_of(l);
    sm_trial_join(l->trial, validation, "val");
    sm_trial_join(l->trial, validation, "other"); /* it has one */
    sm_source_unref(validation);
    live_beat(l);
    check_pair(l, 10);
    live_close(l);
}

static void write_tag(struct live *l, const char *run, const char *tag, int to, float base)
{
    struct sm_str out = {0};
    add_steps(&out, "other", 0, 1, 0);
    add_steps(&out, tag, 0, to, base);
    write_run(l, run, &out, out.len);
    sm_str_clear(&out);
}

/* Validation has values of a tag before the training has one: they wait for it. */
static void test_validation_that_is_earlier(void **state)
{
    struct live *l = *state;
    write_tag(l, "train", "lr", 5, 0);
    write_tag(l, "validation", "epoch_loss", 5, 200);
    struct sm_source *validation = validation_of(l);
    open_pair(l, validation);
    sm_source_unref(validation);
    assert_int_equal(sm_trial_tensor_count(l->trial), 3); /* other, val/other, lr */
    write_tag(l, "validation", "epoch_loss", 7, 200);
    live_beat(l);
    assert_int_equal(sm_trial_tensor_count(l->trial), 3);
    struct sm_str train = {0};
    add_steps(&train, "other", 0, 1, 0);
    add_steps(&train, "lr", 0, 5, 0);
    add_steps(&train, "epoch_loss", 0, 7, 100);
    write_run(l, "train", &train, train.len);
    sm_str_clear(&train);
    write_tag(l, "validation", "epoch_loss", 9, 200);
    live_beat(l);
    assert_int_equal(tensor(l, "val/epoch_loss")->steps, 9);
    for (int i = 0; i < 9; i++)
        assert_float_equal(scalar_value(l, "val/epoch_loss", i), 200 + i, 0);
    live_close(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_scalars_of_both, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_validation_that_comes_later, live_setup,
                                        live_teardown),
        cmocka_unit_test_setup_teardown(test_validation_that_is_earlier, live_setup, live_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
