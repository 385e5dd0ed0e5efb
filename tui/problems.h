/* From one problem to the next, wherever it is: what rules found, and NaN and Inf among the values read at the current step. */
#ifndef SM_PROBLEMS_H
#define SM_PROBLEMS_H

#include "commands/session.h"

/* Moves the current tensor and step to the next problem behind them (direction > 0) or before them, by step, then by the order
 * of tensors; behind the last it begins again. What to tell is added to told. */
void sm_problems_go(struct sm_session *s, int direction, struct sm_str *told);

#endif
