/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts a list of tensors. */
#ifndef SM_TENSOR_ORDER_H
#define SM_TENSOR_ORDER_H

#include "commands/answer/result.h"

/* the keys to sort by; NULL-terminated */
extern const char *const sm_tensor_order_keys[];
/* Equal rows keep their order, unless it is reversed. A missing number counts as the smallest. */
void sm_tensor_order(struct sm_arena *arena, struct sm_node *list, const char *key, bool reverse);

#endif
