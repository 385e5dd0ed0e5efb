/* The operators of CPU and GPU by their time. */
#include "tui/panes/pane_list.h"
#include "tui/profile_panes/answer_rows.h"

enum { OPERATORS_MOST = 1000 };

static bool add_part(struct sm_answer_making *m, const struct sm_profile *p)
{
    const struct sm_event_store *x = sm_profile_events(p);
    struct sm_profile_choice w = sm_profile_all_operators(x);
    if (!m->part)
        sm_profile_op_rows(&m->result, m->list, x, &w, OPERATORS_MOST);
    return !m->part;
}

static void draw_ops(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                     struct sm_rect r, bool focused, struct sm_str *note)
{
    struct sm_answer_rows *s = p->state;
    const char *why;
    const struct sm_profile *x = sm_profile_shown(v, &why);
    if (!x) {
        sm_profile_say(v, g, r, why);
        return;
    }
    sm_answer_rows_read(s, x, add_part, v->timeless, &p->unfinished);
    if (s->n)
        sm_answer_rows_draw(s, sm_profile_op_columns(), "total_ns", v, g, r, focused, note);
    else
        sm_profile_say(v, g, r,
                       s->made && sm_profile_is_read(x)
                           ? "framework profiling was not enabled: there are no events"
                           : "reading the profile");
    sm_profile_note(x, note);
}

static bool act_on_ops(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct sm_answer_rows *s = p->state;
    (void)v;
    return sm_rows_act(&s->rows, s->n, a);
}

static void click_ops(struct sm_pane *p, struct sm_view *v, int y)
{
    struct sm_answer_rows *s = p->state;
    (void)v;
    sm_rows_click(&s->rows, s->n, y - 1);
}

static void clear_ops(struct sm_pane *p)
{
    sm_answer_rows_clear(p->state);
}

static const enum sm_key_action own[] = {SM_ACT_NONE};

const struct sm_pane_ops sm_pane_ops = {
    .name = "ops",
    .title = "operators",
    .help =
        "The operators of CPU and GPU by their time; if there are none, all events. A percentage "
        "is of the operators of the same device. The command, which also filters: profile ops.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "z zoom"},
    .state_size = sizeof(struct sm_answer_rows),
    .min_w = 24,
    .min_h = 4,
    .clear = clear_ops,
    .forget = clear_ops,
    .draw = draw_ops,
    .act = act_on_ops,
    .click = click_ops,
};
