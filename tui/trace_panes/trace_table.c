/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/trace_panes/trace_table.h"

#include "plot/table.h"
#include "reader/trace/trace_set.h"
#include "reader/trial.h"

const enum sm_key_action sm_trace_table_keys[] = {SM_ACT_SORT_NEXT, SM_ACT_SORT_PREV, SM_ACT_INVERT,
                                                  SM_ACT_NONE};

void sm_trace_table_clear(struct sm_pane *p)
{
    sm_answer_view_clear(p->state);
}

bool sm_trace_table_act(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    return sm_answer_view_act(p->state, v, a);
}

void sm_trace_table_click(struct sm_pane *p, struct sm_view *v, int y)
{
    sm_answer_view_click(p->state, v, y);
}

bool sm_trace_table_search(struct sm_pane *p, struct sm_view *v, const char *text, int direction)
{
    return sm_answer_view_search(p->state, v, text, direction);
}

void sm_trace_table_draw(struct sm_pane *p, const struct sm_view *v,
                         const struct sm_answer_view_look *look, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note)
{
    struct sm_trial *t = sm_session_trial(v->session);
    if (t && sm_trial_scanned(t) && !sm_trial_traces(t))
        sm_cut_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, "this run has no traces", v->glyphs);
    else
        sm_answer_view_draw(p->state, v, look, g, r, focused, note);
}

/* NULL: not read yet, or none. */
static const struct sm_trace_set *set_of(const struct sm_view *v)
{
    struct sm_trial *t = sm_session_trial(v->session);
    const struct sm_trace_set *set = t ? sm_trial_traces(t) : NULL;
    return set && sm_trace_set_is_read(set) ? set : NULL;
}

bool sm_trace_has_gpu(const struct sm_pane *p, const struct sm_view *v)
{
    const struct sm_trace_set *set = set_of(v);
    (void)p;
    for (size_t i = 0; set && i < sm_trace_set_count(set); i++) {
        const struct sm_trace_data *t = &sm_trace_set_item(set, i)->trace;
        for (size_t k = 0; k < t->n_lanes; k++)
            if (t->lanes[k].gpu)
                return true;
    }
    return !set;
}

bool sm_trace_has_ranks(const struct sm_pane *p, const struct sm_view *v)
{
    const struct sm_trace_set *set = set_of(v);
    size_t n = set ? sm_trace_set_count(set) : 0;
    (void)p;
    return !set ||
           (n > 1 && sm_trace_set_item(set, 0)->rank != sm_trace_set_item(set, n - 1)->rank);
}

const char *sm_trace_layout(struct sm_trial *t)
{
    static const char *const layouts[] = {
        [SM_TRACE_KINETO] = "trace", [SM_TRACE_SNAPSHOT] = "memory", [SM_TRACE_FLIGHT] = "hang"};
    const struct sm_trace_set *set = t ? sm_trial_traces(t) : NULL;
    return set ? layouts[sm_trace_set_format(set)] : NULL;
}
