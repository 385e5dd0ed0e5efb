/* SPDX-License-Identifier: Apache-2.0 */
/* The reduction, mode and worker of the series that the words of a command select. */
#ifndef SM_SERIES_ARGS_H
#define SM_SERIES_ARGS_H

#include "commands/language/cmd.h"
#include "reader/fetch/series.h"

/* x: a tensor of t. */
bool sm_args_series(struct sm_call *c, struct sm_trial *t, const struct sm_trial_tensor *x,
                    struct sm_series_spec *spec, struct sm_err *err);
/* "worker *": each worker has its series; the spec has any worker then. */
bool sm_args_all_workers(const struct sm_call *c);
/* Adds "saved": true if the numbers are reductions that the hook saved. */
void sm_args_saved_node(struct sm_result *out, struct sm_node *map, const struct sm_series_spec *s);
const char *sm_args_reduction_text(const struct sm_series_spec *s); /* NULL for the value itself */

#endif
