/* SPDX-License-Identifier: Apache-2.0 */
/* What the name of a loss says: whether it is of validation, and of which loss of training it is
 * the twin. Loggers have no modes: both losses are saved side by side under two names. */
#ifndef SM_LOSS_NAMES_H
#define SM_LOSS_NAMES_H

#include <stdbool.h>

/* A word of it says so: "val_loss", "eval/loss", "Loss/test", "validation-merror", "ValLoss". */
bool sm_name_is_of_validation(const char *name);
/* Whether the first is of validation, the second is not, and the names are else the same: but for
 * words such as "train", and for "epoch", "step", "avg" ...: "val_loss" and "loss", "eval/loss" and
 * "train/loss", "lm loss validation" and "lm loss", "val_loss" and "train_loss_epoch". Letters
 * count alike in any case. */
bool sm_name_validates(const char *validation, const char *training);

#endif
