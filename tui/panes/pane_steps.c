/* SPDX-License-Identifier: Apache-2.0 */
/* The steps on disk, newest first, with modes, gaps, sessions and workers; above the list all steps
 * in one line. */
#include "commands/stops/chart_marks.h"
#include "plot/table.h"
#include "reader/analysis/timeline.h"
#include "tui/panes/listing.h"
#include "tui/panes/open_rule.h"
#include "tui/panes/pane_list.h"

#include <stdio.h>
#include <string.h>

enum {
    FIRED_MAX = 64,
    LACKING = 5,
    KEY_W = 29
}; /* LACKING: index of the shade for incomplete steps */

struct state {
    struct sm_rows rows;
    struct sm_timeline line;
    const struct sm_trial *trial;
    uint64_t version;
    int top;      /* lines above the list, as drawn last */
    int64_t seen; /* the current step when the cursor was last put on one */
};

static size_t count_of(const struct sm_view *v)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    return t ? sm_trial_step_count(t) : 0;
}

/* Moves the cursor to the current step if that has changed elsewhere. */
static void update_steps(struct state *s, const struct sm_view *v)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    size_t n = count_of(v);
    int64_t now = sm_session_step(v->session).n;
    if (t && (s->trial != t || s->version != sm_trial_version(t))) {
        s->trial = t;
        s->version = sm_trial_version(t);
        s->seen = -1;
        sm_timeline_read(t, &s->line);
    }
    if (!n || s->seen == now)
        return;
    size_t at = sm_trial_step_at(t, (struct sm_step){now});
    s->rows.cursor = n - 1 - (at < n ? at : n - 1);
    s->seen = now;
}

/* ---- line of all steps ---- */

static uint32_t glyph_of_mode(uint8_t mode, const struct sm_glyphs *g)
{
    return mode == SM_MODE_EVAL ? g->bar[4] : mode == SM_MODE_PREDICT ? g->bar[2] : g->bar[7];
}

static enum sm_role role_of_mode(uint8_t mode)
{
    return mode == SM_MODE_EVAL      ? SM_ROLE_SERIES_0 + 1
           : mode == SM_MODE_PREDICT ? SM_ROLE_SERIES_0 + 2
                                     : SM_ROLE_SERIES_0;
}

static void mark_step(const struct sm_trial *t, struct sm_grid *g, struct sm_rect r, int64_t step,
                      uint32_t rune, enum sm_role role)
{
    size_t n = sm_trial_step_count(t), at = sm_trial_step_at(t, (struct sm_step){step});
    if (at < n)
        sm_grid_put(g, r.x + (int)((2 * at + 1) * (size_t)r.w / (2 * n)), r.y, rune, role,
                    SM_ATTR_BOLD);
}

/* The cell of the steps from..to-1: the mode of the first, or the shade of incomplete steps. Blank
 * if there are missing steps or a pause before one of them. */
static void draw_cell(const struct sm_view *v, const struct sm_timeline *line, size_t from,
                      size_t to, bool begins, struct sm_cell *cell)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    uint8_t mode = sm_trial_step(t, from)->mode;
    bool whole = true, gap = false;
    for (size_t i = from; i < to; i++) {
        whole = whole && sm_trial_step(t, i)->complete && !line->notes[i].lacking;
        gap = gap || (begins && (line->notes[i].missing || line->notes[i].pause_us));
    }
    cell->rune = gap ? ' ' : whole ? glyph_of_mode(mode, v->glyphs) : v->glyphs->shade[LACKING];
    cell->role = gap || whole ? role_of_mode(mode) : SM_ROLE_WARN;
}

/* Draws all steps in one line; below it the marks of rules, session starts and the current step. */
static void draw_all_steps(const struct sm_view *v, const struct sm_timeline *line,
                           struct sm_grid *g, struct sm_rect r)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    size_t n = sm_trial_step_count(t), w = r.w > 0 ? (size_t)r.w : 0;
    int64_t fired[FIRED_MAX];
    for (size_t x = 0; x < w; x++) {
        size_t from = x * n / w, to = (x + 1) * n / w;
        struct sm_cell *cell = sm_grid_at(g, r.x + (int)x, r.y);
        if (cell)
            draw_cell(v, line, from, to > from ? to : from + 1, !x || from != (x - 1) * n / w,
                      cell);
    }
    struct sm_rect below = {r.x, r.y + 1, r.w, 1};
    for (size_t i = 1; i < sm_trial_session_count(t); i++)
        mark_step(t, g, below, sm_trial_session(t, i)->first.n, v->glyphs->cursor, SM_ROLE_OK);
    for (size_t i = 0, k = sm_chart_marked_steps(v->session, fired, FIRED_MAX); i < k; i++)
        mark_step(t, g, below, fired[i], v->glyphs->rule_mark, SM_ROLE_WARN);
    mark_step(t, g, below, sm_session_step(v->session).n, v->glyphs->v, SM_ROLE_ACCENT);
}

/* Explains the colours of the existing modes; entries that do not fit are omitted. */
static void draw_legend(const struct sm_view *v, unsigned modes, struct sm_grid *g,
                        struct sm_rect r)
{
    static const struct {
        uint8_t mode;
        const char *name;
    } kinds[] = {{SM_MODE_TRAIN, "train"},
                 {SM_MODE_EVAL, "eval"},
                 {SM_MODE_PREDICT, "predict"},
                 {SM_MODES, "incomplete"}};
    int x = r.x;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        bool lacking = kinds[i].mode == SM_MODES;
        int n = 2 + (int)strlen(kinds[i].name);
        if ((!lacking && !(modes >> kinds[i].mode & 1)) || x + n > r.x + r.w)
            continue;
        sm_grid_put(g, x, r.y,
                    lacking ? v->glyphs->shade[LACKING] : glyph_of_mode(kinds[i].mode, v->glyphs),
                    lacking ? SM_ROLE_WARN : role_of_mode(kinds[i].mode), 0);
        sm_grid_text(g, x + 2, r.y, n - 2, SM_ROLE_DIM, 0, kinds[i].name);
        x += n + 2;
    }
}

/* ---- list ---- */

static const char heading[] = "    STEP  MODE     MODE STEP  WORKERS  TENSORS  ";

enum { HEADING_W = sizeof heading - 1 };

static void draw_step(const struct state *s, const struct sm_view *v, size_t i, struct sm_grid *g,
                      struct sm_rect row)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    const struct sm_trial_step *x = sm_trial_step(t, i);
    const struct sm_step_note *note = &s->line.notes[i];
    struct sm_str text = {0};
    char pause[32];
    sm_grid_printf(g, row.x, row.y, row.w, x->complete ? SM_ROLE_TEXT : SM_ROLE_DIM, 0,
                   "%8lld  %-7s  %9lld  %7u  %7lu", (long long)x->step.n, sm_mode_name(x->mode),
                   (long long)x->mode_step.n, (unsigned)x->n_workers, (unsigned long)x->tensors);
    if (!x->complete)
        sm_str_add(&text, "incomplete  ");
    if (note->lacking)
        sm_str_printf(&text, "%u of %u workers  ", (unsigned)x->n_workers,
                      (unsigned)x->n_workers + note->lacking);
    if (note->missing)
        sm_str_printf(&text, "%lld missing before  ", (long long)note->missing);
    if (note->session)
        sm_str_printf(&text, "session %u begins  ", (unsigned)note->session + 1);
    if (note->pause_us && !v->timeless) {
        sm_format_duration(note->pause_us, pause);
        sm_str_printf(&text, "%s after the previous step", pause);
    }
    sm_cut_text(g, row.x + HEADING_W, row.y, row.w - HEADING_W,
                x->complete ? SM_ROLE_WARN : SM_ROLE_PROBLEM, sm_str_text(&text), v->glyphs);
    sm_str_clear(&text);
}

static void draw_steps(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                       struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    size_t n = count_of(v);
    update_steps(s, v);
    if (!n) {
        sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0, "no steps yet");
        return;
    }
    int top = s->top = r.h >= 10 ? 4 : r.h >= 6 ? 3 : r.h >= 3;
    if (top >= 3)
        draw_all_steps(v, &s->line, g, (struct sm_rect){r.x + 1, r.y, r.w - 2, 2});
    if (top == 4)
        draw_legend(v, s->line.modes, g, (struct sm_rect){r.x + 1, r.y + 2, r.w - 2, 1});
    if (top)
        sm_grid_text(g, r.x, r.y + top - 1, r.w, SM_ROLE_DIM, 0, heading);
    if (top == 3 && r.w >= HEADING_W + KEY_W)
        draw_legend(v, s->line.modes, g,
                    (struct sm_rect){r.x + HEADING_W, r.y + 2, r.w - HEADING_W, 1});
    sm_rows_show(&s->rows, n, r.h - top);
    for (int y = 0; y < r.h - top && s->rows.top + (size_t)y < n; y++) {
        struct sm_rect row = {r.x, r.y + top + y, r.w, 1};
        draw_step(s, v, n - 1 - s->rows.top - (size_t)y, g, row);
        sm_rows_mark(&s->rows, g, row, s->rows.top + (size_t)y, focused);
    }
    sm_rows_note(&s->rows, n, note);
    if (s->line.gaps)
        sm_str_printf(note, "  %zu gaps", s->line.gaps);
}

static bool act_on_steps(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    size_t n = count_of(v);
    update_steps(s, v);
    if (!sm_rows_act(&s->rows, n, a))
        return false;
    if (n)
        sm_view_set_step(
            v,
            s->seen = sm_trial_step(sm_session_trial(v->session), n - 1 - s->rows.cursor)->step.n);
    return true;
}

static void click_steps(struct sm_pane *p, struct sm_view *v, int y)
{
    struct state *s = p->state;
    size_t n = count_of(v);
    update_steps(s, v);
    if (sm_rows_click(&s->rows, n, y - s->top))
        sm_view_set_step(
            v,
            s->seen = sm_trial_step(sm_session_trial(v->session), n - 1 - s->rows.cursor)->step.n);
}

static void clear_steps(struct sm_pane *p)
{
    sm_timeline_clear(&((struct state *)p->state)->line);
}

static const enum sm_key_action own[] = {SM_ACT_NONE};

static void forget_steps(struct sm_pane *p)
{
    struct state *s = p->state;
    sm_timeline_clear(&s->line);
    s->line = (struct sm_timeline){0};
    s->trial = NULL;
    s->seen = -1;
}

const struct sm_pane_ops sm_pane_steps = {
    .name = "steps",
    .title = "steps",
    .help = "The steps on disk, newest first, with mode, workers and tensors. Incomplete steps, "
            "missing steps, pauses and restarts of the job are noted. The line above shows all "
            "steps by mode. The cursor is the current step of all panes.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "j k step", "f follow", "z zoom"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 2,
    .clear = clear_steps,
    .forget = forget_steps,
    .draw = draw_steps,
    .act = act_on_steps,
    .click = click_steps,
};
