/* SPDX-License-Identifier: Apache-2.0 */
/* The mouse in the pane of charts: what sm_pane_ops has for it. */
#ifndef SM_CHART_MOUSE_H
#define SM_CHART_MOUSE_H

#include "tui/charts/chart_page.h"

/* Goes to the step under the mouse. */
void sm_chart_page_click(struct sm_pane *p, struct sm_view *v, int x, int y);
/* Selects the steps between the ends of the drag; the click at its beginning does not count. */
void sm_chart_page_drag(struct sm_pane *p, struct sm_view *v, int from_x, int from_y, int x);
/* Zooms; the step under the mouse stays there. False: no chart is there. */
bool sm_chart_page_wheel(struct sm_pane *p, struct sm_view *v, int x, int y, bool up);

#endif
