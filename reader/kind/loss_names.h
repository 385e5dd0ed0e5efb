/* SPDX-License-Identifier: Apache-2.0 */
/* What the name of a loss, or of a run, says: whether it is of validation, and of which loss of
 * training it is the twin. Loggers have no modes: both losses are saved side by side under two
 * names. */
#ifndef SM_LOSS_NAMES_H
#define SM_LOSS_NAMES_H

#include "reader/base/str.h"

#include <stdbool.h>

/* A word of it says so: "val_loss", "eval/loss", "Loss/test", "validation-merror", "ValLoss". */
bool sm_name_is_of_validation(const char *name);
/* A word of it says that it is of training. */
bool sm_name_is_of_training(const char *name);
/* Of n bytes of a name: appends the words that do not say what it is of, in small letters, each
 * after a blank; and the first word that says that it is of validation, as it is. */
void sm_name_add_own_words(const char *name, size_t n, struct sm_str *out);
void sm_name_add_validation_word(const char *name, size_t n, struct sm_str *out);
/* Whether the first is of validation, the second is not, and the names are else the same: but for
 * words such as "train", and for "epoch", "step", "avg" ...: "val_loss" and "loss", "eval/loss" and
 * "train/loss", "lm loss validation" and "lm loss", "val_loss" and "train_loss_epoch". Letters
 * count alike in any case. */
bool sm_name_validates(const char *validation, const char *training);

#endif
