/* SPDX-License-Identifier: Apache-2.0 */
/* Results in JSON that are read, joined and changed: nodes of which members are looked up by name
 * and type. A node belongs to the arena of the result that it was read into. */
#ifndef SM_MERGE_NODE_H
#define SM_MERGE_NODE_H

#include "commands/answer/result.h"

/* The member with that name and type, or NULL, also of a map that is NULL. Unlike that of
 * sm_node_get, it can be modified. */
struct sm_node *sm_merge_member(struct sm_node *map, const char *key, enum sm_node_type type);
struct sm_text sm_merge_text(struct sm_node *map, const char *key); /* "" if there is none */
int64_t sm_merge_int(struct sm_node *map, const char *key, int64_t otherwise);
bool sm_merge_flag(struct sm_node *map, const char *key); /* false if there is none */
/* Without its key's place in a list; shares the members. */
struct sm_node *sm_merge_copy(struct sm_result *r, const struct sm_node *x);
void sm_merge_append(struct sm_node *list, struct sm_node *x);
void sm_merge_remove(struct sm_node *map, const char *key);

#endif
