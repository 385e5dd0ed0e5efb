/* SPDX-License-Identifier: Apache-2.0 */
/* The table of runs: state, step, metric, configuration, trend and findings of each, filtered and
 * sorted; which are marked for the charts, which is current and which the baseline. */
#include "commands/judge/sleeping_runs.h"
#include "commands/runs/config_columns.h"
#include "commands/runs/run_group.h"
#include "commands/session/trial_list.h"
#include "plot/table.h"
#include "reader/base/mem.h"
#include "tui/panes/listing.h"
#include "tui/panes/pane_list.h"
#include "tui/run_panes/run_row.h"
#include "tui/run_panes/run_set.h"

#include <stdio.h>
#include <string.h>

struct state {
    struct sm_rows rows;
    const struct sm_trial *at; /* the run under the cursor; NULL: the current one */
    struct sm_run_columns columns;
};

static const struct sm_open_trial *open_of(const struct sm_view *v, const struct sm_run_row *row)
{
    return &v->session->trials[row->trial];
}

/* ---- drawing ---- */

/* The cursor stays on its run when the order changes. */
static void follow_cursor(struct state *s, const struct sm_view *v, const struct sm_run_table *t)
{
    const struct sm_trial *at = s->at ? s->at : sm_session_trial(v->session);
    for (size_t i = 0; i < t->n; i++)
        if (open_of(v, &t->rows[i])->trial == at)
            s->rows.cursor = i;
}

static void add_unknown(struct sm_str *out, const char *what, const char *name)
{
    sm_str_printf(out, "%s%s", out->len ? ": " : "", what);
    sm_str_add_escaped(out, name, strlen(name));
    sm_str_addc(out, '"');
}

/* What does not fit elsewhere: an error of the filter, that it leaves nothing, or names that no run
 * has. */
static bool message_of(const struct sm_run_view *view, struct sm_str *out)
{
    if (view->bad.code != SM_OK)
        sm_str_add(out, view->bad.msg);
    else if (view->n && !view->table.n)
        sm_str_printf(out, "none of %zu runs matches", view->n);
    if (view->bad.code == SM_OK && view->unknown)
        add_unknown(out, "no run has \"", view->unknown);
    if (view->bad.code == SM_OK && view->table.unknown_metric)
        add_unknown(out, "no run has the metric \"", view->table.unknown_metric);
    return out->len;
}

/* How far all runs are read; then how far their rules have judged them. */
static void add_progress(const struct sm_session *session, struct sm_str *note)
{
    struct sm_runs_judged rules = sm_runs_judged(session);
    size_t n = session->n_trials, read = 0;
    for (size_t i = 0; i < n; i++)
        read += sm_trial_scanned(session->trials[i].trial);
    if (read < n)
        sm_str_printf(note, "%s%zu of %zu runs read", note->len ? "  " : "", read, n);
    else if (rules.judged < rules.n)
        sm_str_printf(note, "%srules: %zu of %zu runs judged", note->len ? "  " : "", rules.judged,
                      rules.n);
}

static void add_note(const struct state *s, const struct sm_session *session,
                     const struct sm_run_view *view, struct sm_str *note)
{
    sm_rows_note(&s->rows, view->table.n, note);
    add_progress(session, note);
    if (view->filter)
        sm_str_printf(note, "%s%zu of %zu match", note->len ? "  " : "", view->table.n, view->n);
    if (view->best)
        sm_str_printf(note, "%sbest %zu", note->len ? "  " : "", view->best);
    if (view->out)
        sm_str_printf(note, "%s%zu hidden%s", note->len ? "  " : "", view->out,
                      view->unlisted ? ", shown" : "");
    if (view->marked < view->n)
        sm_str_printf(note, "%s%zu marked", note->len ? "  " : "", view->marked);
    if (s->columns.more_keys)
        sm_str_printf(note, "%s+%zu keys differ", note->len ? "  " : "", s->columns.more_keys);
}

static const size_t *groups_of(const struct sm_view *v, const struct sm_run_view *view,
                               struct sm_arena *arena)
{
    struct sm_run_group *groups;
    size_t *of = NULL;
    if (v->sweep && view->group)
        sm_run_groups(v->session, &view->table, view->group, arena, &groups, &of);
    return of;
}

static void draw_rows(const struct state *s, const struct sm_view *v,
                      struct sm_run_row_parts *parts, struct sm_grid *g, struct sm_rect r,
                      bool focused)
{
    const struct sm_run_table *t = parts->table;
    struct sm_arena arena = {0};
    size_t top = s->rows.top, n = r.h > 0 ? (size_t)r.h : 0;
    n = n < t->n - top ? n : t->n - top;
    parts->first = top;
    parts->names = sm_run_row_names(v, n ? &t->rows[top] : NULL, n, s->columns.name_w, &arena);
    for (size_t i = 0; i < n; i++) {
        struct sm_rect row = {r.x, r.y + (int)i, r.w, 1};
        sm_run_row_draw(parts, v, &t->rows[top + i], g, row);
        if (focused)
            sm_rows_mark(&s->rows, g, row, top + i, true);
    }
    sm_arena_clear(&arena);
}

static void draw_runs(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                      struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    struct sm_run_view *view = sm_run_view(v->session);
    struct sm_str message = {0};
    struct sm_err err;
    sm_run_view_read(v->session, view, &err);
    const struct sm_run_table *t = &view->table;
    bool header = r.h > 1;
    struct sm_arena arena = {0};
    struct sm_run_row_parts parts = {t, &s->columns, groups_of(v, view, &arena), NULL, 0};
    follow_cursor(s, v, t);
    sm_rows_show(&s->rows, t->n, r.h - header);
    sm_run_columns_plan(v, t, s->rows.top, r.h - header, r.w, &s->columns);
    if (header)
        sm_run_row_header(&s->columns, v, g, r);
    r.y += header;
    r.h -= header;
    if (r.h > 1 && message_of(view, &message)) {
        sm_cut_text(g, r.x + 2, r.y, r.w - 2, SM_ROLE_WARN, sm_str_text(&message), v->glyphs);
        r.y++;
        r.h--;
    }
    draw_rows(s, v, &parts, g, r, focused);
    add_note(s, v->session, view, note);
    sm_str_clear(&message);
    sm_arena_clear(&arena);
}

/* ---- actions ---- */

static void toggle_mark(struct sm_view *v, size_t i)
{
    struct sm_session *s = v->session;
    sm_trials_hide(s, i, !s->trials[i].hidden);
    v->notice = !s->trials[i].hidden ? "shown in the charts"
                : i == s->current    ? "the trial will be hidden when it is not the current one"
                                     : "hidden from the charts";
}

/* Unmarks all runs; if none is marked, marks those of the table. */
static void toggle_all(struct sm_view *v, const struct sm_run_view *view)
{
    for (size_t i = 0; i < v->session->n_trials; i++)
        v->session->trials[i].hidden = true;
    for (size_t i = 0; !view->marked && i < view->table.n; i++)
        v->session->trials[view->table.rows[i].trial].hidden = false;
    sm_trials_restyle(v->session);
    v->notice = view->marked ? "no run is marked: the charts show the current one"
                             : "all runs of the table are marked";
}

/* Leaves the run under the cursor out of the table, which goes on to the next one; or puts it
 * back, where hidden runs are shown. */
static void toggle_hidden(struct state *s, struct sm_view *v, const struct sm_run_view *view)
{
    const struct sm_run_table *t = &view->table;
    size_t at = s->rows.cursor, next = at + 1 < t->n ? at + 1 : at ? at - 1 : at;
    const struct sm_open_trial *run = open_of(v, &t->rows[at]);
    bool hide = !run->unlisted;
    if (hide && !view->unlisted)
        s->at = open_of(v, &t->rows[next])->trial;
    sm_trials_unlist(v->session, t->rows[at].trial, hide);
    v->notice =
        hide ? "hidden; A shows the hidden runs, H there puts one back" : "in the table again";
}

static void toggle_unlisted(struct sm_view *v, struct sm_run_view *view)
{
    view->unlisted = !view->unlisted;
    v->notice = !view->out       ? "no run is hidden: H hides one"
                : view->unlisted ? "hidden runs are shown"
                                 : "hidden runs are not shown";
}

/* The next column that sorts: those that are shown, then keys of the configuration that have no
 * room; after the last, the order of the session. */
static void sort_next(const struct state *s, struct sm_view *v, bool forward)
{
    struct sm_run_view *view = sm_run_view(v->session);
    const char *keys[SM_RUN_COLUMNS_MAX + SM_RUN_KEYS + 2] = {NULL, "run"}, *more[SM_RUN_KEYS];
    size_t n = 2, at = 0, all,
           n_more = sm_run_table_differs(v->session, &view->table, more, SM_RUN_KEYS, &all);
    for (size_t i = 0; i < s->columns.n; i++)
        if (s->columns.items[i].sort)
            keys[n++] = s->columns.items[i].sort;
    for (size_t i = 0; i < n_more; i++) {
        bool there = false;
        for (size_t k = 1; k < n; k++)
            there = there || strcmp(keys[k], more[i]) == 0;
        if (!there)
            keys[n++] = more[i];
    }
    for (size_t i = 1; view->sort && i < n; i++)
        at = strcmp(keys[i], view->sort) == 0 ? i : at;
    sm_run_view_sort(view, keys[(at + (forward ? 1 : n - 1)) % n]);
}

/* The next key of the configuration that differs; after the last, none. The rows are sorted by it.
 */
static void group_next(struct sm_view *v)
{
    struct sm_run_view *view = sm_run_view(v->session);
    const char *keys[SM_RUN_KEYS];
    size_t all, at = 0, n = sm_run_table_differs(v->session, &view->table, keys, SM_RUN_KEYS, &all);
    while (view->group && at < n && strcmp(keys[at], view->group) != 0)
        at++;
    at = view->group ? at + 1 : 0;
    const char *key = at < n ? keys[at] : NULL;
    sm_run_view_group(view, key);
    sm_run_view_sort(view, key);
    v->notice = key ? "grouped: the charts show mean and range of the runs of the table"
                    : "not grouped: the charts show the marked runs";
}

/* Shows all marked runs in charts, and how the current one, or else the first that is marked,
 * differs from the baseline, or else from another that is marked. */
static void compare_marked(struct sm_view *v, const struct sm_run_view *view)
{
    struct sm_session *s = v->session;
    size_t a, b, first = s->n_trials;
    for (size_t i = view->table.n; i-- > 0;)
        if (!s->trials[view->table.rows[i].trial].hidden)
            first = view->table.rows[i].trial;
    if (first < s->n_trials && s->trials[s->current].hidden)
        sm_trials_select(s, first);
    if (!sm_trials_pair(s, &a, &b)) {
        v->notice = "mark two runs to compare them";
        return;
    }
    v->command = sm_xstrdup("layout compare");
}

static void open_run(struct sm_view *v, size_t i)
{
    sm_trials_select(v->session, i);
    if (v->sweep)
        v->command = sm_xstrdup("layout main");
}

static void toggle_baseline(struct sm_view *v, size_t i)
{
    struct sm_str text = {0};
    sm_trials_toggle_baseline(v->session, i, &text);
    v->notice = v->session->baseline ? "baseline set: other trials show their differences from it"
                                     : "no baseline: values are shown";
    sm_str_clear(&text);
}

static bool act_on_table(const struct state *s, struct sm_view *v, struct sm_run_view *view,
                         enum sm_key_action a)
{
    switch (a) {
    case SM_ACT_UNTAG:
        toggle_all(v, view);
        return true;
    case SM_ACT_SORT_NEXT:
    case SM_ACT_SORT_PREV:
        sort_next(s, v, a == SM_ACT_SORT_NEXT);
        return true;
    case SM_ACT_INVERT:
        view->reverse = !view->reverse;
        return true;
    case SM_ACT_TREE:
        group_next(v);
        return true;
    case SM_ACT_COMPARE:
        compare_marked(v, view);
        return true;
    case SM_ACT_SHOW_HIDDEN:
        toggle_unlisted(v, view);
        return true;
    default:
        return false;
    }
}

static bool act_on_run(struct sm_view *v, size_t i, enum sm_key_action a)
{
    switch (a) {
    case SM_ACT_OPEN:
        open_run(v, i);
        return true;
    case SM_ACT_TAG:
        toggle_mark(v, i);
        return true;
    case SM_ACT_BASELINE:
        toggle_baseline(v, i);
        return true;
    default:
        return false;
    }
}

static void remember_cursor(struct state *s, const struct sm_view *v, const struct sm_run_table *t)
{
    s->at = s->rows.cursor < t->n ? open_of(v, &t->rows[s->rows.cursor])->trial : NULL;
}

static bool act_on_runs(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    struct sm_run_view *view = sm_run_view(v->session);
    struct sm_err err;
    sm_run_view_read(v->session, view, &err);
    const struct sm_run_table *t = &view->table;
    follow_cursor(s, v, t);
    if (act_on_table(s, v, view, a))
        return true;
    if (a == SM_ACT_HIDE && s->rows.cursor < t->n) {
        toggle_hidden(s, v, view);
        return true;
    }
    if (s->rows.cursor < t->n && act_on_run(v, t->rows[s->rows.cursor].trial, a))
        return true;
    bool moved = sm_rows_act(&s->rows, t->n, a);
    if (moved)
        remember_cursor(s, v, t);
    return moved;
}

static void click_runs(struct sm_pane *p, struct sm_view *v, int y)
{
    struct state *s = p->state;
    const struct sm_run_table *t = &sm_run_view(v->session)->table;
    if (sm_rows_click(&s->rows, t->n, y - 1))
        remember_cursor(s, v, t);
}

static void filter_runs(struct sm_pane *p, struct sm_view *v, const char *text)
{
    (void)p;
    sm_run_view_filter(sm_run_view(v->session), text);
}

static void forget_runs(struct sm_pane *p)
{
    ((struct state *)p->state)->at = NULL;
}

static const enum sm_key_action own[] = {
    SM_ACT_SORT_NEXT, SM_ACT_SORT_PREV, SM_ACT_INVERT, SM_ACT_TAG,         SM_ACT_UNTAG,
    SM_ACT_COMPARE,   SM_ACT_TREE,      SM_ACT_HIDE,   SM_ACT_SHOW_HIDDEN, SM_ACT_NONE};

const struct sm_pane_ops sm_pane_runs = {
    .name = "runs",
    .title = "runs",
    .help = "The open runs: state, newest step, the metric (\"set metric\"), its best value and "
            "where, keys of the configuration that differ, trend, and the worst rule that fired. "
            "Enter makes a run current and opens it, Space marks it for the charts or unmarks it, "
            "U unmarks all or marks all, > and < choose the column to sort by, I reverses, / "
            "filters (lr > 1e-4 && !ended), t draws mean and range for each value of a key, C "
            "compares the marked runs: charts of all, differences of two, D makes the run the "
            "baseline. H hides a run, A shows hidden ones; \"pane runs set sort KEY\", \"group "
            "KEY\", \"best N\" and \"columns NAMES\" choose by name, keys of the configuration "
            "or series with their newest value; \"none\" for none. \":add-trial PATH\" opens "
            "another one.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", "Enter open", "Space mark", "/ filter", "> sort"},
    .filter_hint = "lr > 1e-4 && !ended",
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 1,
    .forget = forget_runs,
    .draw = draw_runs,
    .act = act_on_runs,
    .set = sm_runs_set,
    .click = click_runs,
    .filter = filter_runs,
};
