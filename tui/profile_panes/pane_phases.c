/* SPDX-License-Identifier: Apache-2.0 */
/* The phases of the framework by their time. */
#include "commands/profile/step_parts.h"
#include "tui/panes/pane_list.h"
#include "tui/profile_panes/answer_rows.h"

enum { LOOP_MIN_W = 70, PARTS_MIN_H = 5 };

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

/* The first line says what a step is made of, where there is room; returns how many lines it
 * took. */
static int draw_parts(const struct sm_view *v, struct sm_grid *g, struct sm_rect r)
{
    const char *why;
    const struct sm_profile *p = sm_profile_shown(v, &why);
    struct sm_step_parts parts;
    struct sm_str text = {0};
    if (!p || r.h < PARTS_MIN_H || !sm_step_parts_of(sm_profile_events(p), &parts))
        return 0;
    sm_step_parts_text(&parts, v->glyphs, &text);
    if ((int)sm_text_width(sm_str_text(&text), text.len) >= r.w - 1) {
        sm_str_truncate(&text, 0);
        sm_step_parts_text(&parts, NULL, &text);
    }
    sm_cut_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_TEXT, sm_str_text(&text), v->glyphs);
    sm_str_clear(&text);
    return 1;
}

static void draw_phases(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                        struct sm_rect r, bool focused, struct sm_str *note)
{
    const struct sm_answer_look look = {add_part, sm_profile_phase_columns(), "total_ns",
                                        "no phases in this profile",
                                        "framework profiling was not enabled: there are no events"};
    int used = draw_parts(v, g, r);
    ((struct sm_answer_rows *)p->state)->above = used;
    const struct sm_profile *x = sm_answer_pane_draw(
        p, v, &look, g, (struct sm_rect){r.x, r.y + used, r.w, r.h - used}, focused, note);
    if (!x)
        return;
    if (r.w >= LOOP_MIN_W)
        add_loop(x, note);
    sm_profile_note(x, note);
}

const struct sm_pane_ops sm_pane_phases = {
    .name = "phases",
    .title = "phases",
    .help = "The phases of the framework by their time: steps, forward, backward, waiting for "
            "data; others is the time between the steps of each process. Phases overlap: a step "
            "contains its forward pass. The command: "
            "profile phases. The first line has what a step takes on average: waiting for data, "
            "forward, backward, optimizer, waiting for other workers, and the rest of it. The "
            "title has the time before the first step, "
            "of all steps, and after the last.",
    .context = SM_CTX_LIST,
    .own = sm_answer_pane_keys,
    .hints = {"? help", ": command", "< > sort", "z zoom"},
    .state_size = sizeof(struct sm_answer_rows),
    .min_w = 24,
    .min_h = 4,
    .clear = sm_answer_pane_clear,
    .forget = sm_answer_pane_clear,
    .draw = draw_phases,
    .act = sm_answer_pane_act,
    .click = sm_answer_pane_click,
};
