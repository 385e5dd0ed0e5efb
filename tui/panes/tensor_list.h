/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the list of tensors: by collection, which can be folded, or flat; filtered and
 * ordered. */
#ifndef SM_TENSOR_LIST_H
#define SM_TENSOR_LIST_H

#include "reader/base/map.h"
#include "tui/panes/tensor_sort.h"

struct sm_tensor_line {
    const char *group; /* the name, on the line of a collection; NULL on the line of a tensor */
    size_t count;
    uint32_t tensor; /* name id */
};
struct sm_tensor_list {
    struct sm_tensor_line *rows;
    size_t n, cap, matched;
    bool flat, inverted;
    enum sm_tensor_key key;
    char *filter; /* NULL or "": all tensors; else text, a glob, or "/" and a regular expression */
    /* matches of the regular expression by name id, n_chosen flags; NULL if there is no expression,
     * or if it is invalid */
    uint8_t *chosen;
    size_t n_chosen;
    struct sm_names *folded; /* names of all collections that were folded at some time */
    uint8_t *toggles;        /* by id in `folded`: 1 if folded now */
    size_t cap_toggles;
};
void sm_tensor_list_init(struct sm_tensor_list *l);
void sm_tensor_list_clear(struct sm_tensor_list *l);
bool sm_tensor_list_is_folded(const struct sm_tensor_list *l, const char *group);
void sm_tensor_list_toggle(struct sm_tensor_list *l, const char *group);
/* Rebuilds the rows from the current trial. */
void sm_tensor_list_build(struct sm_tensor_list *l, struct sm_session *s);
/* The first tensor of an unfiltered list, losses first. SM_NAME_NONE if there are no tensors yet.
 */
uint32_t sm_tensor_list_first(struct sm_session *s);

#endif
