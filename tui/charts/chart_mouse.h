/* SPDX-License-Identifier: Apache-2.0 */
/* The mouse in the pane of charts: what sm_pane_ops has for it. */
#ifndef SM_CHART_MOUSE_H
#define SM_CHART_MOUSE_H

#include "tui/charts/chart_page.h"

/* The x at both ends of a drag in a chart, which may end beside it. False: it began elsewhere. */
bool sm_chart_dragged(const struct sm_line_place *p, int from_x, int from_y, int x, double *from,
                      double *to);
/* Makes the step the current one; nothing if it is negative. */
void sm_chart_go_to(struct sm_view *v, struct sm_step to);
/* Shows the steps as the range that is being selected; done: selects them, and forgets the click at
 * the beginning of the drag, before which `before` was the current place. */
void sm_chart_select(struct sm_view *v, const struct sm_place *before, int64_t lo, int64_t hi,
                     bool done);
/* Goes to the step under the mouse. */
void sm_chart_page_click(struct sm_pane *p, struct sm_view *v, int x, int y);
/* The steps between the ends of the drag (sm_chart_select). */
void sm_chart_page_drag(struct sm_pane *p, struct sm_view *v, int from_x, int from_y, int x,
                        bool done);
/* Zooms; the step under the mouse stays there. False: no chart is there. */
bool sm_chart_page_wheel(struct sm_pane *p, struct sm_view *v, int x, int y, bool up);

#endif
