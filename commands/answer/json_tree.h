/* A JSON document as the tree of an answer. */
#ifndef SM_JSON_TREE_H
#define SM_JSON_TREE_H

#include "commands/answer/result.h"

/* In the result's arena. Whole numbers stay exact. SM_ERR_DATA with the byte offset. */
bool sm_json_tree(struct sm_result *r, const char *p, size_t n, struct sm_node **out,
                  struct sm_err *err);

#endif
