/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict with all of its evidence and effects. Enter goes to the tensor and step of a row. */
#include "commands/verdict/session_verdict.h"
#include "plot/wrap.h"
#include "reader/base/vec.h"
#include "tui/panes/listing.h"
#include "tui/panes/open_rule.h"
#include "tui/panes/pane_list.h"

#include <string.h>

enum { INDENT = 2, WIDEST = 400 };

struct row {
    const char *text; /* in the arena */
    int indent;
    enum sm_role role;
    const struct sm_verdict_line *line; /* Enter goes there; NULL: nowhere */
};
struct state {
    struct sm_rows rows;
    struct row *items;
    size_t n, cap;
    struct sm_arena arena;
    int width;
    struct sm_str said;
};

static void clear_verdict(struct sm_pane *p)
{
    struct state *s = p->state;
    sm_free(s->items);
    sm_arena_clear(&s->arena);
    sm_str_clear(&s->said);
}

static void forget_verdict(struct sm_pane *p)
{
    struct state *s = p->state;
    s->n = 0;
    s->rows = (struct sm_rows){0};
}

/* ---- rows ---- */

/* Adds the text, wrapped. */
static void add_text(struct state *s, int indent, enum sm_role role, const char *text,
                     const struct sm_verdict_line *line)
{
    do {
        size_t n = sm_wrap_text(text, s->width - indent);
        if (SM_VEC_ROOM(s->items, s->n, s->cap))
            s->items[s->n++] =
                (struct row){sm_arena_xstrndup(&s->arena, text, n), indent, role, line};
        text += n + (text[n] == ' ');
    } while (*text);
}

static void add_line(struct state *s, const struct sm_verdict_line *l, const char *between)
{
    struct sm_str text = {0};
    sm_str_printf(&text, "%s%s%s", l->name ? l->name : "", l->name && *l->text ? between : "",
                  l->text);
    add_text(s, INDENT, SM_ROLE_TEXT, sm_str_text(&text), l);
    sm_str_truncate(&text, 0);
    sm_str_add_escaped(&text, l->command, strlen(l->command));
    if (text.len)
        add_text(s, 2 * INDENT, SM_ROLE_DIM, sm_str_text(&text), l);
    sm_str_clear(&text);
}

static void add_lines(struct state *s, const char *title, const struct sm_verdict_line *lines,
                      size_t n, const char *between)
{
    if (!n)
        return;
    add_text(s, 0, SM_ROLE_TEXT, "", NULL);
    add_text(s, 0, SM_ROLE_ACCENT, title, NULL);
    for (size_t i = 0; i < n; i++)
        add_line(s, &lines[i], between);
}

static const struct sm_verdict_view *view_of(const struct sm_view *v)
{
    const struct sm_session *s = v->session;
    return s->current < s->n_trials ? sm_session_verdict_view(s, s->current) : NULL;
}

static void list_parts(struct state *s, const struct sm_view *view, const struct sm_verdict_view *v)
{
    add_text(s, 0, v->state == SM_VERDICT_CAUSE ? SM_ROLE_PROBLEM : SM_ROLE_TEXT, v->headline,
             v->n_evidence ? v->evidence : NULL);
    if (!view->timeless || !v->timed)
        add_lines(s, "Evidence", v->evidence, v->n_evidence, ": ");
    add_lines(s, "Effects, in order of their first step", v->effects, v->n_effects, ": ");
    if (*v->attempts) {
        add_text(s, 0, SM_ROLE_TEXT, "", NULL);
        add_text(s, 0, SM_ROLE_ACCENT, "Try", NULL);
        add_text(s, INDENT, SM_ROLE_TEXT, v->attempts, NULL);
    }
    add_lines(s, v->speed_headline, v->speed_evidence, v->n_speed_evidence, ": ");
    add_text(s, 0, SM_ROLE_TEXT, "", NULL);
    if (*v->speed && !v->n_speed_evidence)
        add_text(s, 0, SM_ROLE_TEXT, v->speed, NULL);
    add_text(s, 0, SM_ROLE_DIM, v->looked_at, NULL);
}

static void list_rows(struct state *s, const struct sm_view *view)
{
    const struct sm_verdict_view *v = view_of(view);
    sm_arena_reset(&s->arena);
    s->n = 0;
    if (v && v->state == SM_VERDICT_TOO_LARGE)
        add_text(s, 0, SM_ROLE_DIM,
                 sm_arena_xprintf(&s->arena,
                                  "Not looked at: the trial is larger than the setting %s. The "
                                  "command \"verdict\" reads all of it.",
                                  v->limit),
                 NULL);
    else if (!v || v->state <= SM_VERDICT_READING)
        add_text(s, 0, SM_ROLE_DIM, "The saved values are being read.", NULL);
    else
        list_parts(s, view, v);
}

static void draw_verdict(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    s->width = r.w - 2 < WIDEST ? r.w - 2 : WIDEST;
    list_rows(s, v);
    sm_rows_show(&s->rows, s->n, r.h);
    for (int y = 0; y < r.h && s->rows.top + (size_t)y < s->n; y++) {
        const struct row *row = &s->items[s->rows.top + (size_t)y];
        struct sm_rect at = {r.x, r.y + y, r.w, 1};
        sm_grid_text(g, at.x + 1 + row->indent, at.y, at.w - 2 - row->indent, row->role,
                     row->role == SM_ROLE_PROBLEM ? SM_ATTR_BOLD : 0, row->text);
        if (focused)
            sm_rows_mark(&s->rows, g, at, s->rows.top + (size_t)y, true);
    }
    sm_rows_note(&s->rows, s->n, note);
}

/* ---- actions ---- */

/* Makes the place current and shows the other panes; without a tensor, runs the command. */
static void open_line(struct state *s, struct sm_view *v, const struct sm_verdict_line *l)
{
    struct sm_place *at = &v->session->at;
    if (l->place.step >= 0)
        sm_view_set_step(v, l->place.step);
    if (l->place.tensor == SM_NAME_NONE) {
        sm_view_run(v, l->command);
        return;
    }
    at->tensor = l->place.tensor;
    if (l->place.worker != SM_WORKER_ANY)
        at->worker = l->place.worker;
    sm_str_truncate(&s->said, 0);
    sm_str_printf(&s->said, "%s: %s", l->name, l->text);
    v->notice = sm_str_text(&s->said);
    sm_view_run(v, "act back");
}

static bool act_on_verdict(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    list_rows(s, v);
    if (a != SM_ACT_OPEN)
        return sm_rows_act(&s->rows, s->n, a);
    if (s->rows.cursor < s->n && s->items[s->rows.cursor].line)
        open_line(s, v, s->items[s->rows.cursor].line);
    return true;
}

static void click_verdict(struct sm_pane *p, struct sm_view *v, int y)
{
    struct state *s = p->state;
    (void)v;
    sm_rows_click(&s->rows, s->n, y);
}

static const enum sm_key_action own[] = {SM_ACT_NONE};

const struct sm_pane_ops sm_pane_verdict = {
    .name = "verdict",
    .title = "verdict",
    .help = "What is wrong with the run: one cause and its first step, the evidence, what follows "
            "from it, and what to try. Enter goes to the tensor and step of a row.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "Enter go there", "W close"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 1,
    .clear = clear_verdict,
    .forget = forget_verdict,
    .draw = draw_verdict,
    .act = act_on_verdict,
    .click = click_verdict,
};
