/* Every panel record, one line each. */
#ifndef SM_PANE_LIST_H
#define SM_PANE_LIST_H

#include "tui/panes/pane.h"

extern const struct sm_pane_ops sm_pane_tensors, sm_pane_scalars, sm_pane_value, sm_pane_rules,
    sm_pane_events, sm_pane_health, sm_pane_steps, sm_pane_workers, sm_pane_sources,
    sm_pane_console, sm_pane_runs, sm_pane_diff;

#endif
