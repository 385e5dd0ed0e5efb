/* SPDX-License-Identifier: Apache-2.0 */
/* The mouse in the chart over the steps. */
#include "tui/charts/chart_mouse.h"
#include "tui/charts/scalar_step.h"
#include "tui/tensor_pane/tensor_pane.h"

#include <math.h>

void sm_tensor_pane_click(struct sm_pane *p, struct sm_view *v, int x, int y)
{
    struct sm_tensor_pane *s = p->state;
    double at = sm_line_x_at(&s->place, x, y);
    s->before = v->session->at;
    if (!isnan(at))
        sm_chart_go_to(v, sm_scalar_step_of_x(v, "", SM_X_STEP, at));
}

void sm_tensor_pane_drag(struct sm_pane *p, struct sm_view *v, int from_x, int from_y, int x,
                         bool done)
{
    struct sm_tensor_pane *s = p->state;
    double from, to;
    if (sm_chart_dragged(&s->place, from_x, from_y, x, &from, &to))
        sm_chart_select(v, &s->before, llround(from), llround(to), done);
}
