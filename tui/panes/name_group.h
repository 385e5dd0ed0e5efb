/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors that follow each other in the list without the line of a collection between them. Their
 * names are shortened alike. */
#ifndef SM_NAME_GROUP_H
#define SM_NAME_GROUP_H

#include "tui/panes/tensor_list.h"
#include "tui/panes/tensor_row.h"

struct sm_name_group {
    size_t from, to; /* rows of the list */
    struct sm_row_names names;
};
/* The group of a row with a tensor. */
struct sm_name_group sm_name_group(const struct sm_tensor_list *l, const struct sm_names *names,
                                   size_t row);

#endif
