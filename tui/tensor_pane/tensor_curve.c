/* SPDX-License-Identifier: Apache-2.0 */
/* A curve of precision and recall in the tensor pane. */
#include "commands/pictures/special_values.h"
#include "tui/tensor_pane/tensor_pane.h"

bool sm_tensor_pane_draw_curve(struct sm_tensor_pane *s, const struct sm_tensor_pane_frame *frame,
                               struct sm_grid *g, struct sm_rect r, struct sm_err *err)
{
    enum { PR_ROWS = 6 };
    const struct sm_facts *f = frame->facts;
    if (frame->slice || f->n_dims != 2 || f->dims[0] != PR_ROWS ||
        frame->x->forms != 1 << SM_FORM_TENSOR)
        return false;
    const struct sm_tensor *t = sm_tensor_pane_tensor(s, frame, err);
    if (!t || !t->pr_curve)
        return false;
    sm_tensor_pane_line(g, r, 0, SM_ROLE_DIM, "precision over recall");
    if (!sm_pr_curve_draw(t, g, (struct sm_rect){r.x + 1, r.y + 1, r.w - 2, r.h - 1},
                          frame->v->glyphs))
        sm_tensor_pane_line(g, r, 1, SM_ROLE_DIM, "no threshold has a precision");
    return true;
}
