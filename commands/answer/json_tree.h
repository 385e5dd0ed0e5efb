/* SPDX-License-Identifier: Apache-2.0 */
/* Converts a JSON document to a tree of result nodes. */
#ifndef SM_JSON_TREE_H
#define SM_JSON_TREE_H

#include "commands/answer/result.h"

/* Parses p[0..n) into nodes in r's arena; integers stay exact. The document must be a list or a
 * map. Errors are SM_ERR_DATA with the byte offset. */
bool sm_json_tree(struct sm_result *r, const char *p, size_t n, struct sm_node **out,
                  struct sm_err *err);

#endif
