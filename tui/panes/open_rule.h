/* Enter on what a rule found: its explanation, and all panes at the tensor and the step. */
#ifndef SM_OPEN_RULE_H
#define SM_OPEN_RULE_H

#include "tui/panes/pane.h"

/* step -1: where it fired first. False: no such rule is attached to the current trial. */
bool sm_open_rule(struct sm_view *v, const char *instance, int64_t step);
/* A line that the dashboard is to run. */
void sm_view_run(struct sm_view *v, const char *line);
void sm_view_ask(struct sm_view *v, const char *line); /* a line that the person is to finish */
void sm_view_go(struct sm_view *v, int64_t step);      /* stands there, follows no longer */

#endif
