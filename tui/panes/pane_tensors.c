/* SPDX-License-Identifier: Apache-2.0 */
/* The tensors by collection, with value or shape, health and trend. */
#include "commands/session/trial_list.h"
#include "reader/base/mem.h"
#include "tui/panes/baseline.h"
#include "tui/panes/fired_tensors.h"
#include "tui/panes/listing.h"
#include "tui/panes/name_group.h"
#include "tui/panes/pane_list.h"

#include <stdlib.h>
#include <string.h>

struct state {
    struct sm_tensor_list list;
    size_t cursor, top;
    bool dirty;
    const struct sm_trial *trial;
    uint64_t version, news;
    int64_t step;     /* with `news`: when the rows were ordered */
    int page, header; /* rows drawn last, lines above them */
    struct sm_fired_tensors fired;
    uint32_t seen; /* the current tensor when the cursor was last put on one */
};

/* ---- rows ---- */

static struct sm_tensor_line *row_of(const struct state *s)
{
    return s->cursor < s->list.n ? &s->list.rows[s->cursor] : NULL;
}

static void rebuild_rows(struct state *s, struct sm_session *session)
{
    const struct sm_tensor_line *row = row_of(s);
    uint32_t chosen = row && !row->group ? row->tensor : SM_NAME_NONE;
    sm_tensor_list_build(&s->list, session);
    for (size_t i = 0; chosen != SM_NAME_NONE && i < s->list.n; i++)
        if (!s->list.rows[i].group && s->list.rows[i].tensor == chosen) {
            s->cursor = i;
            break;
        }
    if (s->cursor >= s->list.n)
        s->cursor = s->list.n ? s->list.n - 1 : 0;
}

/* True if new values or another current step can change the order. */
static bool is_stale(const struct state *s, const struct sm_session *session)
{
    return sm_tensor_key_is_live(s->list.key) &&
           (s->news != session->news || s->step != sm_session_step(session).n);
}

static void select_row(struct state *s, struct sm_view *v)
{
    if (s->cursor < s->list.n && !s->list.rows[s->cursor].group)
        v->session->at.tensor = s->seen = s->list.rows[s->cursor].tensor;
}

/* Moves the cursor to the current tensor if a command or another pane has changed it and it has a
 * row. */
static void follow_tensor(struct state *s, const struct sm_view *v)
{
    uint32_t now = v->session->at.tensor;
    for (size_t i = 0; now != s->seen && i < s->list.n; i++)
        if (!s->list.rows[i].group && s->list.rows[i].tensor == now) {
            s->cursor = i;
            s->seen = now;
        }
}

/* Updates the rows from the trial. Call this before using them. */
static void update_rows(struct state *s, const struct sm_view *v)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    if (!t) {
        s->list.n = 0;
        s->trial = NULL;
        return;
    }
    if (s->trial == t && s->version == sm_trial_version(t) && !s->dirty &&
        !is_stale(s, v->session)) {
        follow_tensor(s, v);
        return;
    }
    bool first = s->trial != t || !s->list.n;
    s->trial = t;
    s->version = sm_trial_version(t);
    s->dirty = false;
    s->news = v->session->news;
    s->step = sm_session_step(v->session).n;
    rebuild_rows(s, v->session);
    if (first)
        for (s->cursor = 0; s->cursor + 1 < s->list.n && s->list.rows[s->cursor].group;)
            s->cursor++;
    follow_tensor(s, v);
}

/* ---- drawing ---- */

static struct sm_open_trial *tags_of(const struct sm_view *v)
{
    return &v->session->trials[v->session->current];
}

/* The names of the group's rows that are shown with row i. */
static void set_near(const struct state *s, const struct sm_names *names, size_t i,
                     struct sm_name_group *group, const char **near)
{
    size_t page = s->page > 0 ? (size_t)s->page : 0, to = s->top + page, from = i;
    to = to < group->to ? to : group->to;
    for (size_t k = from; k < to; k++)
        near[k - from] = sm_names_text(names, s->list.rows[k].tensor);
    group->names.near = near;
    group->names.n_near = to > from ? to - from : 0;
}

/* group: the group of the previous row, or zeros; updated to the group of this row. */
static void draw_row(const struct state *s, const struct sm_view *v, size_t i,
                     struct sm_name_group *group, const char **near, struct sm_grid *g,
                     struct sm_rect r, int y, bool focused)
{
    const struct sm_tensor_line *row = &s->list.rows[i];
    if (row->group) {
        sm_tensor_row_draw_group(v, row->group, row->count,
                                 sm_tensor_list_is_folded(&s->list, row->group), g,
                                 (struct sm_rect){r.x, y, r.w, 1});
    } else {
        const struct sm_trial *t = sm_session_trial(v->session);
        const char *name = sm_names_text(sm_trial_names(t), row->tensor);
        const struct sm_trial_tensor *x =
            sm_trial_find(t, name, sm_names_length(sm_trial_names(t), row->tensor));
        if (i >= group->to) {
            *group = sm_name_group(&s->list, sm_trial_names(t), i);
            set_near(s, sm_trial_names(t), i, group, near);
        }
        const struct sm_tags *tagged = &tags_of(v)->tagged;
        if (sm_fired_tensors_has(&s->fired, row->tensor))
            sm_grid_put(g, r.x, y, v->glyphs->warn, SM_ROLE_WARN, SM_ATTR_BOLD);
        sm_tensor_row_draw(v, x, group->names, s->list.flat && !tagged->n ? 1 : 2, g,
                           (struct sm_rect){r.x, y, r.w, 1});
        if (sm_tags_has(tagged, row->tensor))
            sm_grid_put(g, r.x + 1, y, '*', SM_ROLE_ACCENT, SM_ATTR_BOLD);
    }
    if (i == s->cursor)
        sm_grid_attr(g, (struct sm_rect){r.x, y, r.w, 1}, focused ? SM_ATTR_REVERSE : SM_ATTR_BOLD);
}

/* Adds the order, the number of tagged tensors and how many are visible. */
static void add_note(const struct state *s, const struct sm_view *v, int h, struct sm_str *note)
{
    size_t lines = h > 0 ? (size_t)h : 0, n = s->list.n, end = s->top + lines;
    if (s->list.key != SM_TENSORS_BY_NAME || s->list.inverted)
        sm_str_printf(note, "by %s%s", sm_tensor_key_name(s->list.key),
                      s->list.inverted ? ", inverted" : "");
    size_t baseline;
    if (sm_baseline_is_other(v->session) && sm_trials_baseline(v->session, &baseline))
        sm_str_printf(note, "%sagainst %zu", note->len ? "  " : "", baseline + 1);
    if (s->trial && tags_of(v)->tagged.n)
        sm_str_printf(note, "%s%zu tagged", note->len ? "  " : "", tags_of(v)->tagged.n);
    if (s->trial && s->list.filter && *s->list.filter)
        sm_str_printf(note, "%s%zu of %zu", note->len ? "  " : "", s->list.matched,
                      sm_trial_tensor_count(s->trial));
    else if (n > lines)
        sm_str_printf(note, "%s%zu-%zu of %zu", note->len ? "  " : "", s->top + 1,
                      end < n ? end : n, n);
    sm_rows_note_survey(s->trial, note);
}

static void draw_tensors(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    update_rows(s, v);
    sm_fired_tensors_read(v->session, &s->fired);
    s->header = r.h > 1 && s->list.n && sm_tensor_row_draw_header(g, r);
    r.y += s->header;
    r.h -= s->header;
    s->page = r.h;
    if (s->cursor < s->top)
        s->top = s->cursor;
    if (r.h > 0 && s->cursor >= s->top + (size_t)r.h)
        s->top = s->cursor - (size_t)r.h + 1;
    if (s->list.n <= (size_t)(r.h > 0 ? r.h : 0))
        s->top = 0;
    struct sm_name_group group = {0};
    const char **near = sm_xalloc((size_t)(r.h > 0 ? r.h + 1 : 1) * sizeof *near);
    for (int y = 0; y < r.h && s->top + (size_t)y < s->list.n; y++)
        draw_row(s, v, s->top + (size_t)y, &group, near, g, r, r.y + y, focused);
    sm_free(near);
    if (!s->list.n)
        sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0,
                     s->list.filter && *s->list.filter ? "no matches" : "no tensors yet");
    add_note(s, v, r.h, note);
}

/* ---- actions ---- */

static void move_cursor(struct state *s, struct sm_view *v, int64_t by)
{
    int64_t to = (int64_t)s->cursor + by;
    s->cursor = to < 0                     ? 0
                : to >= (int64_t)s->list.n ? (s->list.n ? s->list.n - 1 : 0)
                                           : (size_t)to;
    select_row(s, v);
}

static bool fold_group(struct state *s, struct sm_view *v, bool open)
{
    size_t i = s->cursor;
    while (i && !s->list.rows[i].group)
        i--;
    if (!s->list.n || !s->list.rows[i].group ||
        sm_tensor_list_is_folded(&s->list, s->list.rows[i].group) != open)
        return false;
    s->cursor = i;
    sm_tensor_list_toggle(&s->list, s->list.rows[i].group);
    s->dirty = true;
    update_rows(s, v);
    return true;
}

static bool open_row(struct state *s, struct sm_view *v)
{
    if (s->cursor >= s->list.n || !s->list.rows[s->cursor].group)
        return false;
    sm_tensor_list_toggle(&s->list, s->list.rows[s->cursor].group);
    s->dirty = true;
    update_rows(s, v);
    return true;
}

static void order_by(struct state *s, struct sm_view *v, int by)
{
    s->list.key = (enum sm_tensor_key)(((int)s->list.key + by) % SM_TENSOR_KEYS);
    s->dirty = true;
    update_rows(s, v);
}

/* Tags the tensor and moves to the next row; on the line of a collection, tags its tensors. */
static void toggle_tag(struct state *s, struct sm_view *v)
{
    const struct sm_tensor_line *row = row_of(s);
    if (!row)
        return;
    if (!row->group) {
        sm_tags_toggle(&tags_of(v)->tagged, row->tensor);
        move_cursor(s, v, 1);
        return;
    }
    for (size_t i = s->cursor + 1; i < s->list.n && !s->list.rows[i].group; i++)
        sm_tags_toggle(&tags_of(v)->tagged, s->list.rows[i].tensor);
}

static bool act_on_tensors(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    update_rows(s, v);
    switch (a) {
    case SM_ACT_DOWN:
        move_cursor(s, v, 1);
        return true;
    case SM_ACT_UP:
        move_cursor(s, v, -1);
        return true;
    case SM_ACT_HALF_DOWN:
        move_cursor(s, v, s->page / 2);
        return true;
    case SM_ACT_HALF_UP:
        move_cursor(s, v, -(s->page / 2));
        return true;
    case SM_ACT_PAGE_DOWN:
        move_cursor(s, v, s->page);
        return true;
    case SM_ACT_PAGE_UP:
        move_cursor(s, v, -s->page);
        return true;
    case SM_ACT_FIRST:
        move_cursor(s, v, INT32_MIN);
        return true;
    case SM_ACT_LAST:
        move_cursor(s, v, INT32_MAX);
        return true;
    case SM_ACT_LEFT:
        fold_group(s, v, false);
        return true;
    case SM_ACT_RIGHT:
        fold_group(s, v, true);
        return true;
    case SM_ACT_OPEN:
        return open_row(s, v);
    case SM_ACT_SORT_NEXT:
        order_by(s, v, 1);
        return true;
    case SM_ACT_SORT_PREV:
        order_by(s, v, SM_TENSOR_KEYS - 1);
        return true;
    case SM_ACT_INVERT:
        s->list.inverted = !s->list.inverted;
        order_by(s, v, 0);
        return true;
    case SM_ACT_TAG:
        toggle_tag(s, v);
        return true;
    case SM_ACT_UNTAG:
        if (sm_session_trial(v->session))
            sm_tags_clear(&tags_of(v)->tagged);
        return true;
    case SM_ACT_TREE:
        s->list.flat = !s->list.flat;
        s->dirty = true;
        update_rows(s, v);
        return true;
    default:
        return false;
    }
}

static void click_tensors(struct sm_pane *p, struct sm_view *v, int y)
{
    struct state *s = p->state;
    y -= s->header;
    update_rows(s, v);
    if (y < 0 || y >= s->page || s->top + (size_t)y >= s->list.n)
        return;
    s->cursor = s->top + (size_t)y;
    if (!open_row(s, v))
        select_row(s, v);
}

static void filter_tensors(struct sm_pane *p, struct sm_view *v, const char *text)
{
    struct state *s = p->state;
    sm_free(s->list.filter);
    s->list.filter = sm_xstrdup(text);
    s->dirty = true;
    s->seen = SM_NAME_NONE; /* update moves the cursor back to its tensor if that matches */
    update_rows(s, v);
    if (!*text)
        return;
    while (s->cursor + 1 < s->list.n && s->list.rows[s->cursor].group)
        s->cursor++;
    select_row(s, v);
}

static bool search_tensors(struct sm_pane *p, struct sm_view *v, const char *text, int direction)
{
    struct state *s = p->state;
    const struct sm_trial *t = sm_session_trial(v->session);
    update_rows(s, v);
    for (size_t k = 1; k <= s->list.n; k++) {
        size_t i = (s->cursor + (direction > 0 ? k : s->list.n - k)) % s->list.n;
        const char *name = s->list.rows[i].group
                               ? s->list.rows[i].group
                               : sm_names_text(sm_trial_names(t), s->list.rows[i].tensor);
        if (strcasestr(name, text)) {
            s->cursor = i;
            select_row(s, v);
            return true;
        }
    }
    return false;
}

static void init_tensors(struct sm_pane *p, struct sm_view *v)
{
    struct state *s = p->state;
    (void)v;
    sm_tensor_list_init(&s->list);
    s->seen = SM_NAME_NONE;
}

static void clear_tensors(struct sm_pane *p)
{
    sm_tensor_list_clear(&((struct state *)p->state)->list);
    sm_fired_tensors_clear(&((struct state *)p->state)->fired);
}

static void forget_tensors(struct sm_pane *p)
{
    struct state *s = p->state;
    s->list.n = 0;
    s->trial = NULL;
    s->seen = SM_NAME_NONE;
    sm_fired_tensors_clear(&s->fired);
}

static const enum sm_key_action own[] = {SM_ACT_SORT_NEXT, SM_ACT_SORT_PREV, SM_ACT_INVERT,
                                         SM_ACT_TAG,       SM_ACT_UNTAG,     SM_ACT_TREE,
                                         SM_ACT_NONE};

const struct sm_pane_ops sm_pane_tensors = {
    .name = "tensors",
    .title = "tensors",
    .help = "The tensors by collection: value or shape at the current step, problems (NaN, Inf, "
            "all 0) in place of the value, and the trend of the mean over the steps. A warning "
            "sign before the name: there is such a problem, or a rule fired on the tensor. < and > "
            "change the order, Space tags a tensor, p pins it to the charts.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "\\ filter", "[ ] step", "f follow"},
    .state_size = sizeof(struct state),
    .min_w = 16,
    .min_h = 3,
    .max_w = 64,
    .init = init_tensors,
    .clear = clear_tensors,
    .forget = forget_tensors,
    .draw = draw_tensors,
    .act = act_on_tensors,
    .click = click_tensors,
    .filter = filter_tensors,
    .search = search_tensors,
};
