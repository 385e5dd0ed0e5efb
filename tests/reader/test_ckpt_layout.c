/* SPDX-License-Identifier: Apache-2.0 */
/* Steps and workers in names, and which files of a folder are of which step. */
#include "reader/checkpoints/ckpt_layout.h"

#include "reader/checkpoints/ckpt_names.h"
#include "reader/checkpoints/ckpt_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_steps(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t step; /* -1: none */
    } rows[] = {
        {"it60", 60},
        {"checkpoint_000100", 100},
        {"iter_0000100", 100},
        {"step=100", 100},
        {"epoch=1-step=100", 100},
        {"model_100", 100},
        {"ckpt-100", 100},
        {"ep0-ba1000-rank0", 1000},
        {"rl_model_10000_steps", 10000},
        {"10000_steps", 10000},
        {"1e5steps", -1},
        {"_steps", -1},
        {"last_steps", -1},
        {"update_500", 500},
        {"round-12", 12},
        {"bart-large-3", -1},
        {"rubato1", -1},
        {"step143000-unsharded", 143000},
        {"stage1-step7000-tokens3B", 7000},
        {"gpt--val_loss=1.23-step=40-consumed_samples=80.0", 40},
        {"unit_16", -1},
        {"checkpoint_2_5000", 5000},
        {"checkpoint_2_best", 2},
        {"lora-000004", -1},
        {"checkpoint-10", 10},
        {"epoch=1-step=8", 8},
        {"iter_0000005", 5},
        {"global_step1000", 1000},
        {"step0", 0},
        {"step_0010", 10},
        {"Step-7", 7},
        {"ckpt_300", 300},
        {"epoch_3", 3},
        {"100", 100},
        {"model_1000", 1000},
        {"layer_fc1_weight_iter_000002", 2},
        {"model-00001-of-00003", -1},
        {"model", -1},
        {"timestep_3", -1},
        {"step", -1},
        {"attn.out", -1},
        {"version_0", -1},
        {"step_99999999999999999999", -1},
        {"layer0", -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sm_ckpt_step s;
        bool has = sm_ckpt_step_of(rows[i].name, strlen(rows[i].name), &s);
        if (has != (rows[i].step >= 0) || (has && s.n != rows[i].step))
            fail_msg("%s: %lld", rows[i].name, has ? (long long)s.n : -1);
    }
}

/* A number at the end of a file's name, unless it counts parts. */
static void test_steps_of_files(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t step; /* -1: none */
    } rows[] = {{"lora-000004", 4},
                {"G_1000", 1000},
                {"net_g_5000", 5000},
                {"epoch=1-step=8-000", 8},
                {"model-00001-of-00003", -1},
                {"layer_000", -1},
                {"zero_rank_001", -1},
                {"roof_100", 100},
                {"val-0.5321", -1},
                {"adapter_12", -1},
                {"lamp123", -1},
                {"_100", -1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sm_ckpt_step s;
        bool has = sm_ckpt_step_of_file(rows[i].name, strlen(rows[i].name), &s);
        if (has != (rows[i].step >= 0) || (has && s.n != rows[i].step))
            fail_msg("%s: %lld", rows[i].name, has ? (long long)s.n : -1);
    }
}

static void test_workers(void **state)
{
    (void)state;
    static const struct {
        const char *name, *worker; /* NULL: none */
    } rows[] = {
        {"mp_rank_01", "rank_1"},          {"rank0", "rank_0"}, {"rank_12", "rank_12"},
        {"proc4242", "proc4242"},          {"processed", NULL}, {"mp_rank_00_003", "rank_0_3"},
        {"consolidated.01.pth", "rank_1"}, {"ranking", NULL},   {"step_3", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sm_str out = {0};
        bool has = sm_ckpt_worker_of(rows[i].name, &out);
        assert_int_equal(has, rows[i].worker != NULL);
        if (has)
            assert_string_equal(sm_str_text(&out), rows[i].worker);
        sm_str_clear(&out);
    }
}

static void test_ranks(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        enum sm_ckpt_ranks ranks;
    } rows[] = {{"iter_0000005/mp_rank_01/model_optim_rng.pt", SM_CKPT_RANKS_PARTS},
                {"global_step2/zero_pp_rank_1_mp_rank_00_optim_states.pt", SM_CKPT_RANKS_PARTS},
                {"consolidated.01.pth", SM_CKPT_RANKS_PARTS},
                {"step_4/fsdp/rank_1/model.pt", SM_CKPT_RANKS_PARTS},
                {"tp_rank_01_pp_rank_000/model.ckpt", SM_CKPT_RANKS_PARTS},
                {"rank_1/iter_000002/fc_weight.pt", SM_CKPT_RANKS_ANY},
                {"step0/rank0/dump.json", SM_CKPT_RANKS_ANY},
                {"rank_1", SM_CKPT_RANKS_ANY},
                {"checkpoint-10/model-00001-of-00002.safetensors", SM_CKPT_RANKS_NOT_NAMED},
                {"ranking/shard/model.pt", SM_CKPT_RANKS_NOT_NAMED},
                {"events/000000000000/000000000000_worker_0.tfevents", SM_CKPT_RANKS_NOT_NAMED},
                {"", SM_CKPT_RANKS_NOT_NAMED}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sm_ckpt_ranks_of(rows[i].path) != rows[i].ranks)
            fail_msg("%s: %d", rows[i].path, (int)sm_ckpt_ranks_of(rows[i].path));
}

static void test_no_step(void **state)
{
    (void)state;
    static const char *const without[] = {"model.safetensors",
                                          "model-00001-of-00003.safetensors",
                                          "weights/pytorch_model.bin",
                                          "dump.json",
                                          "rank_0/fc.pt",
                                          "epoch_0.pt",
                                          "checkpoints/epoch=0.ckpt",
                                          "ep0/model.pt",
                                          "round-1/model.npz"},
                             *const with[] = {"step_0/model.safetensors",
                                              "checkpoint-0/model-00001-of-00003.safetensors",
                                              "0/model.pt",
                                              "checkpoints/epoch=0-step=4.ckpt",
                                              "rank_0/iter_000002/fc.pt",
                                              "step0/rank0/dump.json",
                                              "model_0.pt",
                                              "weights-000.npy",
                                              "events/000000000000/000000000000_worker_0.tfevents",
                                              "metrics.csv",
                                              ""};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        if (!sm_ckpt_path_has_no_step(without[i]))
            fail_msg("%s", without[i]);
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        if (sm_ckpt_path_has_no_step(with[i]))
            fail_msg("%s", with[i]);
}

/* "STEP WORKER: FILE FILE; ..." */
static void expect_layout(const char *const *paths, size_t n, const char *want)
{
    struct sm_err err;
    struct sm_source *s = sm_source_mem_new(&err);
    struct sm_ckpt_layout l = {0};
    struct sm_ckpt_folders *folders = sm_ckpt_folders_new();
    struct sm_str got = {0};
    for (size_t i = 0; i < n; i++)
        assert_true(sm_source_mem_put(s, paths[i], "x", 1));
    sm_ckpt_folders_begin(folders, 1);
    sm_ckpt_layout_scan(s, "", NULL, folders, &l);
    assert_false(l.failed);
    for (size_t i = 0; i < l.n; i++) {
        sm_str_printf(&got, "%lld %s:", (long long)l.groups[i].step, l.groups[i].worker);
        for (size_t k = 0; k < l.groups[i].n; k++)
            sm_str_printf(&got, " %s", l.groups[i].items[k].path);
        sm_str_add(&got, "; ");
    }
    assert_string_equal(sm_str_text(&got), want);
    sm_str_clear(&got);
    sm_ckpt_layout_clear(&l);
    sm_ckpt_folders_free(folders);
    sm_source_unref(s);
}

/* Of reads, lists and stats. */
static unsigned long cost_of_scan(struct sm_source *s, struct sm_ckpt_folders *folders,
                                  int64_t now_us, size_t groups)
{
    struct sm_ckpt_layout l = {0};
    unsigned long before = sm_source_read_count();
    sm_ckpt_folders_begin(folders, now_us);
    sm_ckpt_layout_scan(s, "", NULL, folders, &l);
    assert_false(l.failed);
    assert_int_equal(l.n, groups);
    sm_ckpt_layout_clear(&l);
    return sm_source_read_count() - before;
}

/* Looking for news costs nothing for folders of steps in which nothing was written for a while
 * (files in memory have the time 0), except once a minute. A folder that may get new steps is
 * listed. */
static void test_cost(void **state)
{
    struct sm_source *s = sm_source_mem_new(NULL);
    struct sm_ckpt_folders *folders = sm_ckpt_folders_new();
    int64_t now = 1000 * (int64_t)SM_CKPT_QUIET_US;
    char path[64];
    (void)state;
    for (int i = 0; i < 100; i++) {
        snprintf(path, sizeof path, "checkpoint-%d/model.safetensors", i);
        assert_true(sm_source_mem_put(s, path, "x", 1));
    }
    assert_in_range(cost_of_scan(s, folders, now, 100), 300, 310);
    assert_in_range(cost_of_scan(s, folders, now + 1000000, 100), 1, 3);
    assert_true(sm_source_mem_put(s, "checkpoint-100/model.safetensors", "x", 1));
    assert_in_range(cost_of_scan(s, folders, now + 2000000, 101), 4, 6);
    assert_in_range(cost_of_scan(s, folders, now + SM_CKPT_LOOK_US, 101), 300, 310);
    assert_in_range(cost_of_scan(s, folders, now + SM_CKPT_LOOK_US + 1, 101), 1, 3);
    sm_ckpt_folders_forget(folders);
    assert_in_range(cost_of_scan(s, folders, now + SM_CKPT_LOOK_US + 2, 101), 300, 310);
    assert_in_range(cost_of_scan(s, folders, SM_CKPT_QUIET_US / 2, 101), 300, 310); /* fresh */
    assert_in_range(cost_of_scan(s, folders, SM_CKPT_QUIET_US / 2 + 1, 101), 300, 310);
    sm_ckpt_folders_free(folders);
    sm_source_unref(s);
}

/* Files without a step beside others that have one are named. */
static void test_left_out(void **state)
{
    struct sm_source *s = sm_source_mem_new(NULL);
    struct sm_ckpt_folders *folders = sm_ckpt_folders_new();
    struct sm_ckpt_layout l = {0};
    (void)state;
    assert_true(sm_source_mem_put(s, "checkpoint-1/model.safetensors", "x", 1));
    assert_true(sm_source_mem_put(s, "model.safetensors", "x", 1));
    assert_true(sm_source_mem_put(s, "training_args.bin", "x", 1));
    sm_ckpt_folders_begin(folders, 1);
    sm_ckpt_layout_scan(s, "", NULL, folders, &l);
    assert_int_equal(l.n, 1);
    assert_int_equal(l.n_left, 2);
    assert_string_equal(l.left[0], "model.safetensors");
    assert_string_equal(l.left[1], "training_args.bin");
    sm_ckpt_layout_clear(&l);
    sm_ckpt_folders_free(folders);
    sm_source_unref(s);
}

#define EXPECT(want, ...)                                                                          \
    do {                                                                                           \
        static const char *const paths[] = {__VA_ARGS__};                                          \
        expect_layout(paths, sizeof paths / sizeof *paths, want);                                  \
    } while (0)

static void test_layouts(void **state)
{
    (void)state;
    EXPECT("5 : checkpoint-5/model.safetensors; "
           "10 : checkpoint-10/model.safetensors checkpoint-10/optimizer.pt; ",
           "checkpoint-10/optimizer.pt", "checkpoint-10/model.safetensors",
           "checkpoint-5/model.safetensors", "model.safetensors", "runs/x/model.pt",
           "checkpoint-5/README.md");
    EXPECT("5 rank_0: iter_0000005/mp_rank_00/model_optim_rng.pt; "
           "5 rank_1: iter_0000005/mp_rank_01/model_optim_rng.pt; ",
           "iter_0000005/mp_rank_00/model_optim_rng.pt",
           "iter_0000005/mp_rank_01/model_optim_rng.pt");
    EXPECT("2 rank_0: global_step2/mp_rank_00_model_states.pt "
           "global_step2/zero_pp_rank_0_mp_rank_00_optim_states.pt; "
           "2 rank_0_1: global_step2/mp_rank_01_model_states.pt; "
           "2 rank_1: global_step2/bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt; ",
           "global_step2/mp_rank_00_model_states.pt", "global_step2/mp_rank_01_model_states.pt",
           "global_step2/bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt",
           "global_step2/zero_pp_rank_0_mp_rank_00_optim_states.pt");
    EXPECT("2 rank_0: rank_0/fc1_weight_iter_000002.pt; ", "rank_0/fc1_weight_iter_000002.pt");
    EXPECT("-1 : a.npy b.npy; ", "b.npy", "a.npy", "notes.txt");
    EXPECT("7 : step-7/.metadata; ", "step-7/.metadata", "step-7/__0_0.distcp",
           "step-8/__0_0.distcp");
    EXPECT("4 : checkpoints/epoch=0-step=4.ckpt; ", "checkpoints/epoch=0-step=4.ckpt", "a.csv");
}

static void add_named(struct sm_ckpt_file *f, const char *name)
{
    struct sm_err err;
    assert_non_null(sm_ckpt_add_number(f, sm_text(name), 1, &err));
}

static void test_names(void **state)
{
    (void)state;
    struct sm_ckpt_file model = {.path = "step_1/model.pt"}, ema = {.path = "step_1/ema.pt"},
                        optimizer = {.path = "step_1/optimizer.pt"},
                        one = {.path = "step_1/attn.out.npy"}, dump = {.path = "it/fc1_weight.pt"},
                        rng = {.path = "step_1/rng_state.pth"};
    struct sm_ckpt_file *files[] = {&optimizer, &model, &ema, &one, &dump, &rng};
    add_named(&model, "state_dict.a.weight");
    add_named(&model, "optimizer_states.0.state.0.exp_avg");
    add_named(&model, "_modules.fc._parameters.bias");
    add_named(&ema, "a.weight");
    add_named(&ema, "n_averaged");
    add_named(&optimizer, "state.0.exp_avg");
    add_named(&one, "");
    add_named(&dump, "high_precision");
    add_named(&rng, "cpu");
    assert_true(sm_ckpt_name_tensors(files, sizeof files / sizeof *files));
    assert_string_equal(model.tensors[0].name, "a.weight");
    assert_string_equal(model.tensors[1].name, "optimizer.0.state.0.exp_avg");
    assert_string_equal(model.tensors[2].name, "fc.bias");
    assert_string_equal(ema.tensors[0].name, "ema/a.weight");
    assert_string_equal(ema.tensors[1].name, "ema/n_averaged");
    assert_string_equal(optimizer.tensors[0].name, "optimizer.state.0.exp_avg");
    assert_string_equal(one.tensors[0].name, "attn.out");
    assert_string_equal(dump.tensors[0].name, "fc1_weight.high_precision");
    assert_string_equal(rng.tensors[0].name, "rng_state.cpu");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        sm_ckpt_file_clear(files[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),   cmocka_unit_test(test_steps_of_files),
        cmocka_unit_test(test_workers), cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_no_step), cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_cost),    cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
