/* The one list of panels: a new one is a file panel_x.c and a line here. */
#include "tui/panel_list.h"

const struct sm_panel_ops *const sm_panel_table[] = {
    &sm_panel_tensors,
    &sm_panel_scalars,
    &sm_panel_value,
    NULL,
};
