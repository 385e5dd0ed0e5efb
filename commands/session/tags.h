/* SPDX-License-Identifier: Apache-2.0 */
/* A small set of tensors, in the order in which they were added: the tagged tensors of a trial, or
 * those pinned to the charts. */
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
bool sm_tags_toggle(struct sm_tags *t, uint32_t name); /* adds (true) or removes (false) it */
void sm_tags_clear(struct sm_tags *t);                 /* empties it and frees its memory */

#endif
