/* SPDX-License-Identifier: Apache-2.0 */
/* The order of the list of tensors. */
#ifndef SM_TENSOR_SORT_H
#define SM_TENSOR_SORT_H

#include "commands/session/session.h"

enum sm_tensor_key {
    SM_TENSORS_BY_NAME,
    SM_TENSORS_BY_SIZE,
    SM_TENSORS_BY_STEPS,
    SM_TENSORS_BY_MEAN,
    SM_TENSORS_BY_STD,
    SM_TENSORS_BY_PROBLEMS /* number of NaN and Inf */,
    SM_TENSOR_KEYS
};
const char *sm_tensor_key_name(enum sm_tensor_key k);
/* True if the order depends on values, and so on the current step and on values that arrive. */
bool sm_tensor_key_is_live(enum sm_tensor_key k);
/* Orders name ids that are in natural order: BY_NAME keeps that order, numbers put the largest
 * first and unknown ones last. inverted: reverses the order. */
void sm_tensor_sort(struct sm_session *s, uint32_t *ids, size_t n, enum sm_tensor_key k,
                    bool inverted);

#endif
