/* Every panel record, one line each. */
#ifndef SM_PANEL_LIST_H
#define SM_PANEL_LIST_H

#include "tui/panel.h"

extern const struct sm_panel_ops sm_panel_tensors, sm_panel_scalars, sm_panel_value, sm_panel_rules, sm_panel_events;

#endif
