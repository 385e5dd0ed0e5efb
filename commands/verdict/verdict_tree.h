/* SPDX-License-Identifier: Apache-2.0 */
/* A verdict in the answer of a command. */
#ifndef SM_VERDICT_TREE_H
#define SM_VERDICT_TREE_H

#include "commands/answer/result.h"
#include "rules/verdict/verdict.h"

/* A map with the keys of SM_SHAPE_VERDICT (commands/answer/shape.h). */
void sm_verdict_node(struct sm_result *out, struct sm_node *parent, const char *key,
                     const struct sm_verdict *v);
/* Its lines, for people. */
void sm_verdict_print(struct sm_result *out, const struct sm_verdict *v);

#endif
