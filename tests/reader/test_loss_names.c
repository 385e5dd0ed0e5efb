/* SPDX-License-Identifier: Apache-2.0 */
/* Which losses are of validation, and of which loss of training, by their names. */
#include "reader/kind/loss_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_pairs(void **state)
{
    static const char *const pairs[][2] = {
        {"val_loss", "loss"},
        {"val/loss", "train/loss"},
        {"eval_loss", "train_loss"},
        {"eval/loss", "loss"},
        {"Loss/test", "Loss/train"},
        {"validation_loss", "training_loss"},
        {"valid_nll", "nll"},
        {"ValLoss", "TrainLoss"},
        {"val_loss", "train_loss_epoch"},
        {"lm loss validation", "lm loss"},
        {"val/box_loss", "train/box_loss"},
        {"validation-merror", "train-merror"},
        {"test-mlogloss", "train-mlogloss"},
        {"dev/ce_loss", "train/CE_loss"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (!sm_name_validates(pairs[i][0], pairs[i][1]))
            fail_msg("%s is of %s", pairs[i][0], pairs[i][1]);
        assert_false(sm_name_validates(pairs[i][1], pairs[i][0]));
        assert_true(sm_name_is_of_validation(pairs[i][0]));
        assert_false(sm_name_is_of_validation(pairs[i][1]));
    }
}

static void test_others(void **state)
{
    static const char *const others[][2] = {
        {"val_loss", "train/box_loss"},
        {"val/box_loss", "train/cls_loss"},
        {"val_loss", "test_loss"},
        {"loss", "train_loss"},
        {"val_loss_2", "loss"},
        {"val_loss", "loss2"},
        {"", ""},
        {"val", "loss"},
        {"value_loss", "loss"},
        {"interval_loss", "loss"},
        {"device_loss", "loss"},
        {"latest_loss", "loss"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (sm_name_validates(others[i][0], others[i][1]))
            fail_msg("%s is not of %s", others[i][0], others[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
