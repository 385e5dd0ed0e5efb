/* SPDX-License-Identifier: Apache-2.0 */
/* Events, newest first. Enter goes to the step of an event. */
#include "commands/judge/session_events.h"
#include "commands/session/session_settings.h"
#include "plot/table.h"
#include "tui/panes/event_time.h"
#include "tui/panes/listing.h"
#include "tui/panes/open_rule.h"
#include "tui/panes/pane_list.h"

#include <string.h>

struct state {
    struct sm_rows rows;
    struct sm_trial_events events;
};

static uint32_t glyph_of(enum sm_trial_event_kind kind, const struct sm_glyphs *g,
                         enum sm_role *role)
{
    static const enum sm_role roles[] = {
        [SM_TRIAL_EVENT_RULE] = SM_ROLE_PROBLEM,  [SM_TRIAL_EVENT_ACTION] = SM_ROLE_WARN,
        [SM_TRIAL_EVENT_ERROR] = SM_ROLE_PROBLEM, [SM_TRIAL_EVENT_ALERT] = SM_ROLE_WARN,
        [SM_TRIAL_EVENT_SESSION] = SM_ROLE_OK,    [SM_TRIAL_EVENT_STALL] = SM_ROLE_WARN,
        [SM_TRIAL_EVENT_LOSS] = SM_ROLE_WARN,     [SM_TRIAL_EVENT_END] = SM_ROLE_DIM};
    const uint32_t glyphs[] = {
        [SM_TRIAL_EVENT_RULE] = g->warn,    [SM_TRIAL_EVENT_ACTION] = g->cursor,
        [SM_TRIAL_EVENT_ERROR] = g->error,  [SM_TRIAL_EVENT_ALERT] = g->warn,
        [SM_TRIAL_EVENT_SESSION] = g->live, [SM_TRIAL_EVENT_STALL] = g->stalled,
        [SM_TRIAL_EVENT_LOSS] = g->warn,    [SM_TRIAL_EVENT_END] = g->ended};
    *role = roles[kind];
    return glyphs[kind];
}

static void draw_events(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                        struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    sm_session_events_read(v->session, v->now_us, &s->events);
    sm_rows_show(&s->rows, s->events.n, r.h);
    struct sm_str escaped = {0};
    bool local = sm_session_settings(v->session)->time_zone == 0;
    int text = v->timeless || r.w < 40 ? 3 : 3 + SM_EVENT_TIME_W;
    for (int y = 0; y < r.h && s->rows.top + (size_t)y < s->events.n; y++) {
        const struct sm_trial_event *e = &s->events.items[s->rows.top + (size_t)y];
        struct sm_rect row = {r.x, r.y + y, r.w, 1};
        char time[SM_EVENT_TIME_W];
        enum sm_role role;
        uint32_t glyph = glyph_of(e->kind, v->glyphs, &role);
        sm_grid_put(g, row.x + 1, row.y, glyph, role, 0);
        sm_event_time(e->time_us, v->now_us, local, time);
        if (text > 3)
            sm_grid_text(g, row.x + 3, row.y, SM_EVENT_TIME_W, SM_ROLE_DIM, 0, time);
        sm_str_truncate(&escaped, 0);
        sm_str_add_escaped(&escaped, e->text, strlen(e->text));
        sm_cut_text(g, row.x + text, row.y, row.w - text - 1, SM_ROLE_TEXT, sm_str_text(&escaped),
                    v->glyphs);
        if (focused)
            sm_rows_mark(&s->rows, g, row, s->rows.top + (size_t)y, true);
    }
    sm_str_clear(&escaped);
    if (!s->events.n)
        sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0, "no events yet");
    sm_rows_note(&s->rows, s->events.n, note);
}

static bool open_event(struct state *s, struct sm_view *v)
{
    const struct sm_trial_event *e =
        s->rows.cursor < s->events.n ? &s->events.items[s->rows.cursor] : NULL;
    if (!e)
        return true;
    if (e->kind == SM_TRIAL_EVENT_ERROR)
        sm_view_run(v, "info errors");
    else if (e->rule && sm_open_rule(v, e->rule, e->step))
        return true;
    else if (e->step >= 0)
        sm_view_set_step(v, e->step);
    return true;
}

static bool act_on_events(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    sm_session_events_read(v->session, v->now_us, &s->events);
    if (a == SM_ACT_OPEN)
        return open_event(s, v);
    return sm_rows_act(&s->rows, s->events.n, a);
}

static void click_events(struct sm_pane *p, struct sm_view *v, int y)
{
    struct state *s = p->state;
    (void)v;
    sm_rows_click(&s->rows, s->events.n, y);
}

static void clear_events(struct sm_pane *p)
{
    sm_trial_events_clear(&((struct state *)p->state)->events);
}

static const enum sm_key_action own[] = {SM_ACT_NONE};

const struct sm_pane_ops sm_pane_events = {
    .name = "events",
    .title = "events",
    .help = "Events, newest first: rules that fired and the messages of their actions, errors in "
            "files, sessions of the job, times without new data, and lost workers. Enter goes to "
            "the step; on a rule it explains the finding.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "Enter go there", "z zoom"},
    .state_size = sizeof(struct state),
    .min_w = 20,
    .min_h = 1,
    .clear = clear_events,
    .draw = draw_events,
    .act = act_on_events,
    .click = click_events,
};
