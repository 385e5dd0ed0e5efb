/* SPDX-License-Identifier: Apache-2.0 */
/* Actions of panes on the session: explain a rule, run a command, change the step. */
#ifndef SM_OPEN_RULE_H
#define SM_OPEN_RULE_H

#include "tui/panes/pane.h"

/* Runs `rule explain` and moves all panes to the tensor and step of the finding. step -1: the step
 * at which the rule fired first. Returns false if no such rule is attached to the current trial. */
bool sm_open_rule(struct sm_view *v, const char *instance, int64_t step);
/* Requests that the dashboard runs a command line. */
void sm_view_run(struct sm_view *v, const char *line);
void sm_view_prefill(struct sm_view *v, const char *line); /* puts a line into the prompt for the
                                                          user to edit */
void sm_view_set_step(struct sm_view *v, int64_t step); /* sets the current step and stops following
                                                     the newest */

#endif
