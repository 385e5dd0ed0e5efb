/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of runs -scatter. */
#ifndef SM_RUN_POINTS_H
#define SM_RUN_POINTS_H

#include "commands/runs/run_table.h"

/* Options "scatter" and "y" of the call, for the rows of the table. */
bool sm_run_points_answer(struct sm_call *c, struct sm_result *out, const struct sm_run_table *t,
                          struct sm_err *err);

#endif
