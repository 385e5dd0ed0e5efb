/* SPDX-License-Identifier: Apache-2.0 */
/* An item of a history, summary, config or stats record: a path of names and a value.
 *
 *   1 key, 2 nested_key (repeated): the path, one of the two
 *   16 value_json, or one of 3 none, 4 boolean, 5 integer, 6 number, 7 text, 8 json */
#ifndef SM_WANDB_ITEM_H
#define SM_WANDB_ITEM_H

#include "reader/base/bytes.h"
#include "reader/base/str.h"

enum sm_wandb_type { SM_WANDB_NONE, SM_WANDB_NUMBER, SM_WANDB_TEXT, SM_WANDB_JSON };
struct sm_wandb_item {
    struct sm_bytes path; /* the fields of the names, as they stand; or in the scratch */
    enum sm_wandb_type type;
    bool boolean;
    double number;         /* NUMBER */
    struct sm_bytes value; /* TEXT: as it is; what came as JSON: its bytes */
};
/* A value in JSON is not looked at: its type is JSON. False: no item. */
bool sm_wandb_item_parse(struct sm_bytes b, struct sm_wandb_item *out, struct sm_str *scratch);
/* Gives JSON that is null, a boolean or a number its type; other texts, objects and arrays stay. */
void sm_wandb_item_settle(struct sm_wandb_item *item);
/* Appends the names of a path, joined by '.'. */
void sm_wandb_path_join(struct sm_bytes path, struct sm_str *out);
/* Appends the value as JSON; bare NaN and Infinity where they are. */
void sm_wandb_item_json(const struct sm_wandb_item *item, struct sm_str *out);
/* A text that stands for a number that JSON cannot write: "NaN", "Infinity", "-Infinity". */
bool sm_wandb_non_finite(struct sm_bytes text, double *out);

#endif
