/* SPDX-License-Identifier: Apache-2.0 */
/* Collections that get members during the training, and reductions that the caller has computed. */
#include "tests/reader/live.h"

#include "reader/hook/smdbg_hook.h"
#include "reader/tensor/statistic_list.h"

static const int64_t one[1] = {1};

static void put(smdbg_hook *h, const char *collection, const char *name, double v)
{
    assert_int_equal(smdbg_collection_add(h, collection, name), 0);
    assert_int_equal(smdbg_hook_save(h, name, SMDBG_FLOAT64, 1, one, NULL, &v), 0);
}

static smdbg_hook *open_hook(struct live *l)
{
    smdbg_hook *h = smdbg_hook_new(l->path);
    assert_int_equal(smdbg_collection_set(h, "weights", "include_regex", ""), 0);
    assert_int_equal(smdbg_collection_set(h, "scalars", "save_interval", "1"), 0);
    assert_int_equal(smdbg_collection_set(h, "scalars", "include_regex", ""), 0);
    return h;
}

static void close_hook(struct live *l, smdbg_hook *h)
{
    assert_string_equal(smdbg_hook_error(h), "");
    assert_int_equal(smdbg_hook_close(h), 0);
    live_open(l);
}

static bool is_member(struct live *l, const char *collection, const char *name)
{
    return sm_trial_in_named(l->trial, collection, tensor(l, name)->name);
}

static bool has_reduction(struct live *l, const char *name, int step, int code)
{
    struct sm_entry e = sm_trial_entry(l->trial, tensor(l, name), (struct sm_step){step},
                                       SM_WORKER_ANY, SM_ENTRY_REDUCTION, code);
    return sm_entry_exists(&e);
}

static void test_members_come_at_any_step(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = open_hook(l);
    for (int i = 0; i < 3; i++) {
        smdbg_hook_step(h, SMDBG_TRAIN);
        put(h, "scalars", "update_ratio/fc.weight", i); /* looks like a weight */
        put(h, "weights", "fc.weight", i);
        if (i == 2)
            put(h, "scalars", "late", i);
    }
    close_hook(l, h);
    assert_string_equal(steps_text(l), "0 1 2");
    assert_true(is_member(l, "scalars", "update_ratio/fc.weight"));
    assert_false(is_member(l, "weights", "update_ratio/fc.weight"));
    assert_true(is_member(l, "weights", "fc.weight"));
    assert_true(is_member(l, "scalars", "late"));
}

/* The collections file has a new member before the run ends. */
static void test_the_collections_file_follows(void **state)
{
    struct live *l = *state;
    char name[20];
    smdbg_hook *h = open_hook(l);
    for (int i = 0; i < 3; i++) {
        smdbg_hook_step(h, SMDBG_TRAIN);
        snprintf(name, sizeof name, "name%d", i);
        put(h, "scalars", name, i);
    }
    smdbg_hook_step(h, SMDBG_TRAIN);
    assert_int_equal(smdbg_hook_flush(h), 0);
    live_open(l);
    assert_true(is_member(l, "scalars", "name2"));
    smdbg_hook_close(h);
}

static void test_members_need_a_collection_that_is_saved(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = open_hook(l);
    smdbg_hook_step(h, SMDBG_TRAIN);
    assert_int_equal(smdbg_collection_add(h, "gradients", "x"), -1);
    assert_int_equal(smdbg_collection_add(h, "nosuch", "x"), -1);
    assert_int_equal(smdbg_collection_add(h, NULL, "x"), -1);
    assert_int_equal(smdbg_collection_add(h, "scalars", NULL), -1);
    assert_int_equal(smdbg_collection_add(h, "scalars", ""), -1);
    smdbg_hook_close(h);
}

static void test_the_number_of_the_next_step(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = open_hook(l);
    smdbg_hook_step(h, SMDBG_TRAIN);
    smdbg_hook_step(h, SMDBG_TRAIN);
    smdbg_hook_step(h, SMDBG_EVAL);
    put(h, "scalars", "x", 1);
    assert_int_equal(smdbg_hook_next_step(h, 0), 3);
    assert_int_equal(smdbg_hook_next_step(h, SMDBG_TRAIN), 2);
    assert_int_equal(smdbg_hook_next_step(h, SMDBG_EVAL), 1);
    assert_int_equal(smdbg_hook_next_step(h, SMDBG_GLOBAL), 3);
    assert_int_equal(smdbg_hook_next_step(h, 9), 0);
    assert_int_equal(smdbg_hook_next_step(NULL, 0), 0);
    smdbg_hook_close(h);
    h = smdbg_hook_new(l->path);
    smdbg_hook_set(h, "if_exists", "resume");
    assert_int_equal(smdbg_hook_open(h), 0);
    assert_int_equal(smdbg_hook_next_step(h, SMDBG_EVAL), 1);
    smdbg_hook_close(h);
}

static void test_reductions_of_the_caller(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = open_hook(l);
    smdbg_collection_set(h, "weights", "save_interval", "2");
    smdbg_collection_set(h, "weights", "reductions", "mean,abs_max");
    for (int i = 0; i < 3; i++) {
        smdbg_hook_step(h, SMDBG_TRAIN);
        assert_int_equal(smdbg_collection_add(h, "weights", "w"), 0);
        assert_int_equal(smdbg_hook_save_reduction(h, "w", "mean", SMDBG_BFLOAT16, 0.5 + i), 0);
        assert_int_equal(smdbg_hook_save_reduction(h, "w", "abs_max", SMDBG_FLOAT16, 2), 0);
        assert_int_equal(smdbg_hook_save_reduction(h, "w", "std", SMDBG_FLOAT32, 9), 0);
    }
    close_hook(l, h);
    assert_string_equal(steps_text(l), "0 2");
    assert_true(has_reduction(l, "w", 2, SM_REDUCE_MEAN));
    assert_true(has_reduction(l, "w", 2, SM_REDUCE_MAX | SM_REDUCE_ABS));
    assert_false(has_reduction(l, "w", 2, SM_REDUCE_STD));
}

static void test_reductions_that_cannot_be(void **state)
{
    struct live *l = *state;
    smdbg_hook *h = open_hook(l);
    smdbg_collection_set(h, "weights", "reductions", "mean");
    smdbg_hook_step(h, SMDBG_TRAIN);
    assert_int_equal(smdbg_collection_add(h, "weights", "w"), 0);
    assert_int_equal(smdbg_hook_save_reduction(h, "w", "maen", SMDBG_FLOAT32, 1), -1);
    assert_int_equal(smdbg_hook_save_reduction(h, "w", NULL, SMDBG_FLOAT32, 1), -1);
    assert_int_equal(smdbg_hook_save_reduction(h, NULL, "mean", SMDBG_FLOAT32, 1), -1);
    assert_int_equal(smdbg_hook_save_reduction(h, "w", "mean", SMDBG_COMPLEX64, 1), -1);
    assert_int_equal(smdbg_hook_save_reduction(h, "w", "mean", (smdbg_dtype)99, 1), -1);
    assert_int_equal(smdbg_hook_save_reduction(NULL, "w", "mean", SMDBG_FLOAT32, 1), -1);
    smdbg_hook_close(h);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_members_come_at_any_step),
        T(test_the_collections_file_follows),
        T(test_members_need_a_collection_that_is_saved),
        T(test_the_number_of_the_next_step),
        T(test_reductions_of_the_caller),
        T(test_reductions_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
