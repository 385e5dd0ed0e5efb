/* The phases of the framework by their time. */
#include "tui/panes/pane_list.h"
#include "tui/profile_panes/answer_rows.h"

enum { LOOP_MIN_W = 70 };

static bool add_part(struct sm_answer_making *m, const struct sm_profile *p)
{
    struct sm_err err;
    return !m->part && sm_profile_phase_rows(&m->result, m->list, sm_profile_events(p), NULL, &err);
}

static void add_time(struct sm_str *note, const char *name, double ns)
{
    char text[16];
    sm_format_nanoseconds(ns > 0 ? ns : 0, text);
    sm_str_printf(note, "%s %s", name, text);
}

/* "before 3.1 s, steps 20 s, after 1.0 s": initialisation, loop and finalisation of the job. */
static void add_loop(const struct sm_profile *p, struct sm_str *note)
{
    const struct sm_event_store *x = sm_profile_events(p);
    int64_t from, to;
    if (!x->n_steps || !sm_profile_span(p, &from, &to))
        return;
    double first = (double)x->steps[0].start_ns, last = (double)x->steps[x->n_steps - 1].end_ns;
    sm_str_add(note, note->len ? "  " : "");
    add_time(note, "before", first - (double)from);
    add_time(note, ", steps", last - first);
    add_time(note, ", after", (double)to - last);
}

static void draw_phases(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
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
        sm_answer_rows_draw(s, sm_profile_phase_columns(), "total_ns", v, g, r, focused, note);
    else
        sm_profile_say(v, g, r,
                       s->made && sm_profile_is_read(x)
                           ? "framework profiling was not enabled: there are no events"
                           : "reading the profile");
    if (r.w >= LOOP_MIN_W)
        add_loop(x, note);
    sm_profile_note(x, note);
}

static bool act_on_phases(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct sm_answer_rows *s = p->state;
    (void)v;
    return sm_rows_act(&s->rows, s->n, a);
}

static void click_phases(struct sm_pane *p, struct sm_view *v, int y)
{
    struct sm_answer_rows *s = p->state;
    (void)v;
    sm_rows_click(&s->rows, s->n, y - 1);
}

static void clear_phases(struct sm_pane *p)
{
    sm_answer_rows_clear(p->state);
}

static const enum sm_key_action own[] = {SM_ACT_NONE};

const struct sm_pane_ops sm_pane_phases = {
    .name = "phases",
    .title = "phases",
    .help = "The phases of the framework by their time: steps, forward, backward, waiting for "
            "data, and others. Phases overlap: a step contains its forward pass. The command: "
            "profile phases. The title has the time before the first step, "
            "of all steps, and after the last.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "z zoom"},
    .state_size = sizeof(struct sm_answer_rows),
    .min_w = 24,
    .min_h = 4,
    .clear = clear_phases,
    .forget = clear_phases,
    .draw = draw_phases,
    .act = act_on_phases,
    .click = click_phases,
};
