/* SPDX-License-Identifier: Apache-2.0 */
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
    const struct sm_answer_look look = {add_part, sm_profile_phase_columns(), "total_ns",
                                        "framework profiling was not enabled: there are no events"};
    const struct sm_profile *x = sm_answer_pane_draw(p, v, &look, g, r, focused, note);
    if (!x)
        return;
    if (r.w >= LOOP_MIN_W)
        add_loop(x, note);
    sm_profile_note(x, note);
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
    .clear = sm_answer_pane_clear,
    .forget = sm_answer_pane_clear,
    .draw = draw_phases,
    .act = sm_answer_pane_act,
    .click = sm_answer_pane_click,
};
