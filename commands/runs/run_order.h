/* Sorts rows of the table of runs. */
#ifndef SM_RUN_ORDER_H
#define SM_RUN_ORDER_H

#include "commands/answer/result.h"

/* key: a member of the rows, or of their map "config". falling: numbers of the metric are better if
 * they are less; "best" and "newest" begin with the best. Rows without the key, and with NaN, come
 * last in any case; equal rows keep their order. */
void sm_run_order(struct sm_arena *arena, struct sm_node *list, const char *key, bool falling,
                  bool reverse);

#endif
