/* SPDX-License-Identifier: Apache-2.0 */
/* The console output of the current run, with search and filter. It follows the end while the
 * cursor is on the last line. */
#include "commands/runs/run_console.h"
#include "plot/table.h"
#include "reader/base/grow.h"
#include "tui/panes/listing.h"
#include "tui/panes/pane_list.h"
#include "tui/run_panes/run_note.h"

#include <string.h>

struct state {
    struct sm_rows rows;
    const struct sm_trial *of; /* with version: what the lines belong to */
    uint64_t version;
    struct sm_text *lines; /* in the console of the run */
    size_t n, cap;
    char *filter; /* only lines that have it; NULL: all */
    bool stale;   /* the filter has changed */
};

static void find_lines(struct state *s, const struct sm_str *console)
{
    bool follows = s->rows.cursor + 1 >= s->n;
    size_t at = 0, n = s->filter ? strlen(s->filter) : 0;
    s->n = 0;
    for (struct sm_text line; sm_run_console_next(console, &at, &line);) {
        if (n && !sm_run_console_has(line, s->filter, n))
            continue;
        SM_GROW(s->lines, s->n, s->cap);
        s->lines[s->n++] = line;
    }
    if (follows)
        s->rows.cursor = s->n ? s->n - 1 : 0;
}

/* Of the current run; NULL: none is open. */
static const struct sm_run_info *update(struct state *s, const struct sm_view *v)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    if (!t)
        return NULL;
    const struct sm_run_info *info = sm_trial_info(t);
    if (s->of != t)
        s->n = 0;
    if (s->of != t || s->version != sm_trial_version(t) || s->stale)
        find_lines(s, &info->console);
    s->of = t;
    s->version = sm_trial_version(t);
    s->stale = false;
    return info;
}

static void draw_log(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                     struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    const struct sm_run_info *info = update(s, v);
    sm_rows_show(&s->rows, s->n, r.h);
    for (int y = 0; y < r.h && s->rows.top + (size_t)y < s->n; y++) {
        struct sm_rect row = {r.x, r.y + y, r.w, 1};
        struct sm_str text = {0};
        sm_run_console_plain(s->lines[s->rows.top + (size_t)y], &text);
        sm_cut_text(g, row.x + 1, row.y, row.w - 1, SM_ROLE_TEXT, sm_str_text(&text), v->glyphs);
        sm_str_clear(&text);
        if (focused)
            sm_rows_mark(&s->rows, g, row, s->rows.top + (size_t)y, true);
    }
    if (!s->n)
        sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0,
                     info && info->console.len ? "no line has this"
                                               : "the run has no console output");
    sm_rows_note(&s->rows, s->n, note);
    sm_run_note_add(v, note);
    if (info && info->console_dropped)
        sm_str_printf(note, "%sthe start was dropped", note->len ? "  " : "");
    if (s->filter) {
        sm_str_printf(note, "%sfilter ", note->len ? "  " : "");
        sm_str_add_escaped(note, s->filter, strlen(s->filter));
    }
}

static bool act_on_log(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    update(s, v);
    return sm_rows_act(&s->rows, s->n, a);
}

static void click_log(struct sm_pane *p, struct sm_view *v, int y)
{
    struct state *s = p->state;
    (void)v;
    sm_rows_click(&s->rows, s->n, y);
}

static void filter_log(struct sm_pane *p, struct sm_view *v, const char *text)
{
    struct state *s = p->state;
    (void)v;
    sm_free(s->filter);
    s->filter = *text ? sm_xstrdup(text) : NULL;
    s->stale = true;
}

static bool search_log(struct sm_pane *p, struct sm_view *v, const char *text, int direction)
{
    struct state *s = p->state;
    update(s, v);
    for (size_t i = 1, at = s->rows.cursor; i <= s->n; i++) {
        at = (at + (direction > 0 ? 1 : s->n - 1)) % s->n;
        if (!sm_run_console_has(s->lines[at], text, strlen(text)))
            continue;
        s->rows.cursor = at;
        return true;
    }
    return false;
}

static void forget_log(struct sm_pane *p)
{
    struct state *s = p->state;
    s->of = NULL;
    s->n = 0;
}

static void clear_log(struct sm_pane *p)
{
    struct state *s = p->state;
    sm_free(s->filter);
    sm_free(s->lines);
}

static bool has_lines(const struct sm_pane *p, const struct sm_view *v)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    (void)p;
    return t && sm_trial_info(t)->console.len;
}

static const enum sm_key_action own[] = {SM_ACT_NONE};

const struct sm_pane_ops sm_pane_log = {
    .name = "log",
    .title = "console of the run",
    .help =
        "What the training program of the current run printed, as its logger kept it. / searches, "
        "n and N go to the next and previous hit, \\ shows only lines that have a text. The "
        "command: log.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "/ search", "\\ filter", "G end"},
    .filter_hint = "part of a line",
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 2,
    .clear = clear_log,
    .forget = forget_log,
    .draw = draw_log,
    .wanted = has_lines,
    .act = act_on_log,
    .click = click_log,
    .filter = filter_log,
    .search = search_log,
};
