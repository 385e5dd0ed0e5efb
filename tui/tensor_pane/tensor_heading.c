/* SPDX-License-Identifier: Apache-2.0 */
/* The lines above a value: its name and place, what is wrong with it in other workers; or what was
 * saved in its place. */
#include "commands/place/place.h"
#include "plot/table.h"
#include "tui/panes/tensor_row.h"
#include "tui/tensor_pane/tensor_pane.h"

#include <string.h>

enum { NAME_LEAST = 20 };

void sm_tensor_pane_draw_saved(const struct sm_view *v, const struct sm_trial_tensor *x,
                               struct sm_grid *g, struct sm_rect r)
{
    struct sm_trial *t = sm_session_trial(v->session);
    struct sm_step now = sm_session_step(v->session);
    struct sm_str text = {0};
    char number[32];
    size_t from = 0, to = 0;
    int y = 0;
    for (size_t i = x->n_entries; i-- > 0;) {
        struct sm_step step = sm_tensor_part(t, x, i)->step;
        if ((now.n < 0 || step.n <= now.n) && sm_trial_entries_at(t, x, step, &from, &to))
            break;
    }
    for (size_t i = from; i < to; i++) {
        struct sm_entry e = sm_tensor_entry(t, x, i);
        const struct sm_facts *f;
        if (e.kind == SM_ENTRY_REDUCTION && sm_fetch_stats(v->session->fetch, t, &e, &f, NULL)) {
            sm_str_truncate(&text, 0);
            sm_format_double(sm_dtype_load(f->dtype, f->first), 6, number);
            sm_str_printf(&text, "%-13s %s", sm_reduction_name(e.reduction), number);
            y = sm_tensor_pane_line(g, r, y, SM_ROLE_TEXT, sm_str_text(&text));
        }
    }
    sm_str_clear(&text);
}

/* Adds "step 29 (train 29) worker_3" if there are several workers; without the step of the mode if
 * that is too wide. */
static void describe_place(const struct sm_trial *t, const struct sm_part *p, int w,
                           struct sm_str *out)
{
    sm_place_add_part(out, t, p, " ", false);
    if (sm_trial_worker_count(t) < 2 || (int)out->len <= w)
        return;
    sm_str_truncate(out, 0);
    sm_place_add_part(out, t, p, " ", true);
}

void sm_tensor_pane_draw_heading(const struct sm_view *v, const struct sm_trial_tensor *x,
                                 const struct sm_part *p, struct sm_grid *g, struct sm_rect r)
{
    const char *name = sm_trial_tensor_name(sm_session_trial(v->session), x);
    struct sm_str text = {0}, step = {0}, elided = {0};
    sm_str_add_escaped(&text, name, strlen(name));
    if (p)
        describe_place(sm_session_trial(v->session), p, r.w - NAME_LEAST, &step);
    if (p && p->step.n != sm_session_step(v->session).n && (int)(text.len + step.len) + 20 < r.w)
        sm_str_printf(&step, ", now %lld", (long long)sm_session_step(v->session).n);
    int w = r.w - 3 - (int)step.len;
    sm_elide_name(&elided, sm_str_text(&text), w > 8 ? w : r.w - 1, v->glyphs);
    sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_TITLE, SM_ATTR_BOLD, sm_str_text(&elided));
    if (w > 8)
        sm_grid_text(g, r.x + r.w - (int)step.len - 1, r.y, (int)step.len, SM_ROLE_DIM, 0,
                     sm_str_text(&step));
    sm_str_clear(&text);
    sm_str_clear(&step);
    sm_str_clear(&elided);
}

int sm_tensor_pane_draw_others(const struct sm_tensor_pane_frame *frame, struct sm_grid *g,
                               struct sm_rect r)
{
    struct sm_str text = {0};
    int lines = 0;
    if (r.h > 1 && frame->e.kind == SM_ENTRY_VALUE &&
        sm_tensor_row_others(frame->v, frame->x, &frame->e, r.w - 2, &text))
        lines = sm_tensor_pane_line(g, r, 0, SM_ROLE_PROBLEM, sm_str_text(&text));
    sm_str_clear(&text);
    return lines;
}
