/* SPDX-License-Identifier: Apache-2.0 */
/* Which names of configurations are one setting, and which are none. */
#include "commands/runs/config_key.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void test_what_no_person_has_chosen(void **state)
{
    static const char *const internal[] = {
        "pytorch-lightning_version",
        "transformers_version",
        "checkpoint_version",
        "global_step",
        "dump_data_dir",
        "output_dir",
        "_name_or_path",
        "loops.fit_loop.epoch_loop.batch_progress.total.ready",
        "callbacks.ModelCheckpoint{'monitor': None}.best_model_path",
        "optimizer.param_groups.0.betas",
        "optimizer.param_groups.0.params",
        "optimizer.param_groups.1.lr",
        "generation_config.use_cache",
        "rng_state.0.random_rng_state",
        "scheduler._step_count",
    };
    static const char *const chosen[] = {
        "lr",
        "optimizer.param_groups.0.lr",
        "args.hidden_size",
        "callbacks.patience",
        "scheduler",
        "scheduler.T_max",
        "data.path",
        "version",
        "lora_alpha",
        "model.eps",
        "epochs",
    };
    (void)state;
    for (size_t i = 0; i < sizeof internal / sizeof *internal; i++)
        assert_true(sm_config_key_is_internal(internal[i]));
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++)
        assert_false(sm_config_key_is_internal(chosen[i]));
}

static void test_spellings(void **state)
{
    struct sm_run_fields f = {0};
    (void)state;
    assert_true(sm_run_fields_set(&f, "args.Hidden-Size", 16, "6", 1));
    assert_true(sm_run_fields_set(&f, "opt.param_groups.0.lr", 21, "0.5", 3));
    assert_true(sm_run_fields_set(&f, "opt.param_groups.0.step", 23, "10", 2));
    assert_true(sm_run_fields_set(&f, "model/depth", 11, "4", 1));
    assert_true(sm_run_fields_set(&f, "args.", 5, "7", 1));
    assert_string_equal(sm_config_get(&f, "hidden_size"), "6");
    assert_string_equal(sm_config_get(&f, "hparams/hidden_size"), "6");
    assert_string_equal(sm_config_get(&f, "model.depth"), "4");
    assert_string_equal(sm_config_get(&f, "lr"), "0.5");
    assert_string_equal(sm_config_get(&f, "args."), "7");
    assert_null(sm_config_get(&f, "step"));
    assert_null(sm_config_get(&f, "hidden"));
    assert_null(sm_config_get(&f, "hidden_size2"));
    assert_null(sm_config_get(&f, ""));
    /* a name that a run has counts more than a spelling that comes before it */
    assert_true(sm_run_fields_set(&f, "hidden_size", 11, "8", 1));
    assert_string_equal(sm_config_get(&f, "hidden_size"), "8");
    sm_run_fields_clear(&f);
}

static void test_values(void **state)
{
    (void)state;
    assert_true(sm_config_same("1e-3", "0.001"));
    assert_true(sm_config_same("NaN", "NaN"));
    assert_true(sm_config_same("\"a\"", "\"a\""));
    assert_false(sm_config_same("1", "1.5"));
    assert_false(sm_config_same("\"1\"", "\"2\""));
    assert_false(sm_config_same("null", "0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_no_person_has_chosen),
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
