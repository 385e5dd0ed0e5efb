/* Every panel record, one line each. */
#ifndef SM_PANEL_LIST_H
#define SM_PANEL_LIST_H

#include "tui/panes/pane.h"

extern const struct sm_panel_ops sm_panel_tensors, sm_panel_scalars, sm_panel_value, sm_panel_rules, sm_panel_events, sm_panel_health, sm_panel_steps,
    sm_panel_workers, sm_panel_sources, sm_panel_console, sm_panel_runs, sm_panel_diff;

#endif
