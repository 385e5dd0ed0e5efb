/* The rows of the list of tensors: by collection, some of them folded, or flat; filtered and
 * ordered. */
#ifndef SM_TENSOR_LIST_H
#define SM_TENSOR_LIST_H

#include "reader/base/map.h"
#include "tui/panes/tensor_sort.h"

struct sm_tensor_line {
    const char *group; /* a collection's line: its name; NULL: a tensor's */
    size_t count;
    uint32_t tensor; /* name id */
};
struct sm_tensor_list {
    struct sm_tensor_line *rows;
    size_t n, cap, matched;
    bool flat, inverted;
    enum sm_tensor_key key;
    char *filter; /* NULL or "": all; text, a glob, or "/" and a regular expression */
    /* by the regular expression: by name id, n_chosen of them; NULL: there is none, or it is not
     * valid */
    uint8_t *chosen;
    size_t n_chosen;
    struct sm_names *folded; /* names of the collections that were ever folded */
    uint8_t *toggles;        /* by their id: folded now */
    size_t cap_toggles;
};
void sm_tensor_list_init(struct sm_tensor_list *l);
void sm_tensor_list_clear(struct sm_tensor_list *l);
bool sm_tensor_list_is_folded(const struct sm_tensor_list *l, const char *group);
void sm_tensor_list_toggle(struct sm_tensor_list *l, const char *group);
/* Makes the rows anew from the current trial. */
void sm_tensor_list_build(struct sm_tensor_list *l, struct sm_session *s);
/* The first tensor of such a list, losses before others; SM_NAME_NONE: there is none yet. */
uint32_t sm_tensor_list_first(struct sm_session *s);

#endif
