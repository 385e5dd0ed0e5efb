/* Tensors that a person has tagged, or pinned to the charts: a small set in the order they were
 * added. */
#ifndef SM_TAGS_H
#define SM_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sm_tags {
    uint32_t *names; /* name ids of the trial */
    size_t n, cap;
};
bool sm_tags_has(const struct sm_tags *t, uint32_t name);
bool sm_tags_toggle(struct sm_tags *t, uint32_t name); /* true: it is in now */
void sm_tags_clear(struct sm_tags *t);                 /* none any more; frees */

#endif
