/* The order of a list of tensors. */
#ifndef SM_TENSOR_ORDER_H
#define SM_TENSOR_ORDER_H

#include "commands/answer/result.h"

/* what a list can be ordered by; NULL at the end */
extern const char *const sm_tensor_order_keys[];
/* Rows that are equal keep their order, unless it is reversed; numbers that a row lacks count as
 * the least. */
void sm_tensor_order(struct sm_arena *arena, struct sm_node *list, const char *key, bool reverse);

#endif
