/* By what the list of tensors is ordered. */
#ifndef SM_TENSOR_SORT_H
#define SM_TENSOR_SORT_H

#include "commands/session/session.h"

enum sm_tensor_key {
    SM_TENSORS_BY_NAME,
    SM_TENSORS_BY_SIZE,
    SM_TENSORS_BY_STEPS,
    SM_TENSORS_BY_MEAN,
    SM_TENSORS_BY_STD,
    SM_TENSORS_BY_PROBLEMS /* NaN and Inf */,
    SM_TENSOR_KEYS
};
const char *sm_tensor_key_name(enum sm_tensor_key k);
/* Does its order change while values come, or with the current step? */
bool sm_tensor_key_moves(enum sm_tensor_key k);
/* Orders name ids that are in natural order: by NAME stays so, by numbers the largest come first
 * and what is not known last; inverted: the other way round. */
void sm_tensor_sort(struct sm_session *s, uint32_t *ids, size_t n, enum sm_tensor_key k,
                    bool inverted);

#endif
