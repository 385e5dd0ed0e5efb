/* SPDX-License-Identifier: Apache-2.0 */
/* What is chosen of the table of runs by name. */
#ifndef SM_RUN_SET_H
#define SM_RUN_SET_H

#include "tui/panes/pane.h"

/* For the record of the pane: "pane runs set sort lr", "group batch", "best 10"; "none", or no
 * value, is as at the start. */
bool sm_runs_set(struct sm_pane *p, struct sm_view *v, const char *attribute, const char *value,
                 struct sm_err *err);

#endif
