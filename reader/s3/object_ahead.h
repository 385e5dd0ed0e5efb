/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of objects that are going to be read: asked for before they are, many at a time, as soon as
 * their folders are listed and there is room. For several threads. */
#ifndef SM_OBJECT_AHEAD_H
#define SM_OBJECT_AHEAD_H

#include "reader/s3/blocks.h"
#include "reader/s3/object_list.h"

struct sm_object_ahead;

/* All three are borrowed. NULL: no memory. */
struct sm_object_ahead *sm_object_ahead_new(struct sm_bucket *bucket, struct sm_object_list *list,
                                            struct sm_object_blocks *blocks);
void sm_object_ahead_free(struct sm_object_ahead *a);
/* Notes that n bytes at offset of an object are going to be read. Without requests. n 0: up to 256
 * bytes, which cost a small block only if they lie far behind those that were noted before. Without
 * memory it has no effect; of more than 4096 the first are forgotten. */
void sm_object_ahead_add(struct sm_object_ahead *a, const char *key, uint64_t offset, uint64_t n);
/* Asks for what was noted, the first first, as far as lists know it and there is room. Waits for no
 * answer; without effect while there is no login. */
void sm_object_ahead_start(struct sm_object_ahead *a);
/* n bytes at offset of an object are about to be read, which nobody announced. If it is a small
 * one, and the one behind another such one that was read, or the one of its name in the next
 * folder, those that follow are noted, too; of a larger one that is read from one block to the
 * next, the blocks that follow. */
void sm_object_ahead_follow(struct sm_object_ahead *a, const struct sm_listed *e, uint64_t offset,
                            uint64_t n);

#endif
