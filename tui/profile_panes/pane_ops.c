/* SPDX-License-Identifier: Apache-2.0 */
/* The operators of CPU and GPU by their time. */
#include "tui/panes/pane_list.h"
#include "tui/profile_panes/answer_rows.h"

#include <string.h>

enum { OPERATORS_MOST = 1000 };

/* A filter without * and ? is a part of the name; /re/ is a regular expression, of which nothing
 * is shown while it is not complete. */

static bool add_part(struct sm_answer_making *m, const struct sm_profile *p)
{
    const struct sm_event_store *x = sm_profile_events(p);
    struct sm_profile_choice w = sm_profile_all_operators(x);
    struct sm_str pattern = {0};
    if (m->part)
        return false;
    size_t n = m->filter ? strlen(m->filter) : 0;
    struct sm_err err;
    if (n && m->filter[0] == '/') {
        sm_str_printf(&pattern, "%s%s", m->filter, n > 2 && m->filter[n - 1] == '/' ? "" : "/");
    } else if (n) {
        const char *star = strpbrk(m->filter, "*?[") ? "" : "*";
        sm_str_printf(&pattern, "%s%s%s", star, m->filter, star);
    }
    w.filter = m->filter ? sm_str_text(&pattern) : NULL;
    sm_profile_op_rows(&m->result, m->list, x, &w, OPERATORS_MOST, &n, &err);
    sm_str_clear(&pattern);
    return true;
}

static void draw_ops(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                     struct sm_rect r, bool focused, struct sm_str *note)
{
    const char *filter = ((struct sm_answer_rows *)p->state)->filter;
    const struct sm_answer_look look = {add_part, sm_profile_op_columns(), "total_ns",
                                        "no operator has this name",
                                        "framework profiling was not enabled: there are no events"};
    const struct sm_profile *x = sm_answer_pane_draw(p, v, &look, g, r, focused, note);
    if (!x)
        return;
    if (filter) {
        sm_str_printf(note, "%sfilter ", note->len ? "  " : "");
        sm_str_add_escaped(note, filter, strlen(filter));
    }
    sm_profile_note(x, note);
}

static void filter_ops(struct sm_pane *p, struct sm_view *v, const char *text)
{
    (void)v;
    sm_answer_rows_filter(p->state, text);
}

static void forget_ops(struct sm_pane *p)
{
    sm_answer_rows_forget(p->state);
}

const struct sm_pane_ops sm_pane_ops = {
    .name = "ops",
    .title = "operators",
    .help =
        "The operators of CPU and GPU by their time; if there are none, all events. A percentage "
        "is of the operators of the same device. \\ filters by a part of a name, a pattern as "
        "conv*, or a regular expression as /conv|gemm/. The command: profile ops.",
    .context = SM_CTX_LIST,
    .own = sm_answer_pane_keys,
    .hints = {"? help", ": command", "\\ filter", "< > sort", "z zoom"},
    .state_size = sizeof(struct sm_answer_rows),
    .min_w = 24,
    .min_h = 4,
    .clear = sm_answer_pane_clear,
    .forget = forget_ops,
    .draw = draw_ops,
    .act = sm_answer_pane_act,
    .click = sm_answer_pane_click,
    .filter = filter_ops,
    .filter_hint = "part of a name, * ?, /re/",
};
