/* SPDX-License-Identifier: Apache-2.0 */
/* A point for each run of the table: the metric, or another number, against a key of the
 * configuration. */
#include "commands/runs/config_columns.h"
#include "commands/runs/run_scatter.h"
#include "commands/runs/run_view.h"
#include "commands/session/trial_list.h"
#include "plot/scalar_form.h"
#include "plot/table.h"
#include "reader/base/mem.h"
#include "tui/panes/pane_list.h"

#include <string.h>

enum { KEYS = 16 };

struct state {
    char *x, *y; /* NULL: the first key that differs; the metric */
};

static const char *key_of(const struct state *s, const struct sm_view *v,
                          const struct sm_run_table *t)
{
    const char *keys[1];
    size_t all;
    if (s->x)
        return s->x;
    return sm_run_table_differs(v->session, t, keys, 1, &all) ? keys[0] : NULL;
}

/* ---- drawing ---- */

/* Points look as the lines of their runs do; those that are not marked are dots. */
static void draw_points(const struct sm_view *v, const struct sm_run_scatter *p,
                        struct sm_arena *arena, struct sm_grid *g, struct sm_rect r)
{
    unsigned *group = sm_arena_xalloc(arena, (p->n + 1) * sizeof *group);
    uint32_t *marks = sm_arena_xalloc(arena, (p->n + 1) * sizeof *marks);
    enum sm_role *roles = sm_arena_xalloc(arena, (p->n + 1) * sizeof *roles);
    for (size_t i = 0; i < p->n; i++) {
        size_t trial = p->rows[i]->trial;
        bool shown = sm_trials_shown(v->session, trial);
        struct sm_scalar_form form = sm_scalar_form(v->session->trials[trial].style, 0);
        bool current = trial == v->session->current;
        group[i] = (unsigned)i;
        marks[i] = current       ? v->glyphs->cursor
                   : !shown      ? v->glyphs->marker[1]
                   : form.marker ? v->glyphs->marker[form.marker]
                                 : v->glyphs->marker[1];
        roles[i] = shown ? form.role : SM_ROLE_DIM;
    }
    struct sm_scatter chart = {.group = group, .marks = marks, .roles = roles};
    sm_run_scatter_chart(p, &chart);
    sm_scatter_draw(g, r, &chart, v->glyphs);
}

static void draw_line(const struct sm_view *v, struct sm_grid *g, struct sm_rect r, int y,
                      enum sm_role role, const struct sm_str *text)
{
    sm_cut_text(g, r.x + 1, y, r.w - 1, role, sm_str_text(text), v->glyphs);
}

static void draw_scatter(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note)
{
    const struct state *s = p->state;
    struct sm_run_view *view = sm_run_view(v->session);
    struct sm_arena arena = {0};
    struct sm_run_scatter points;
    struct sm_err err = {0};
    struct sm_str text = {0};
    (void)focused;
    (void)note;
    sm_run_view_read(v->session, view, &err);
    const char *key = key_of(s, v, &view->table);
    if (!key) {
        sm_str_add(&text, "no key of the configuration differs; pane scatter set x NAME");
        draw_line(v, g, r, r.y, SM_ROLE_DIM, &text);
    } else if (!sm_run_scatter_read(v->session, &view->table, key, s->y, &arena, &points, &err) &&
               err.code != SM_ERR_WAIT) {
        sm_str_add(&text, err.msg);
        draw_line(v, g, r, r.y, SM_ROLE_WARN, &text);
    } else {
        sm_run_scatter_title(&points, &text);
        draw_line(v, g, r, r.y, SM_ROLE_TEXT, &text);
        sm_str_truncate(&text, 0);
        sm_run_scatter_values(&points, &text);
        bool values = text.len && r.h > 6;
        draw_points(v, &points, &arena, g, (struct sm_rect){r.x, r.y + 1, r.w, r.h - 1 - values});
        if (values)
            draw_line(v, g, r, r.y + r.h - 1, SM_ROLE_DIM, &text);
    }
    sm_str_clear(&text);
    sm_arena_clear(&arena);
}

/* ---- actions ---- */

static void set_name(char **name, const char *to)
{
    char *copy = to && *to ? sm_xstrdup(to) : NULL;
    sm_free(*name);
    *name = copy;
}

/* The next key of the configuration that differs. */
static void next_key(struct state *s, const struct sm_view *v, bool forward)
{
    const char *keys[KEYS];
    struct sm_run_view *view = sm_run_view(v->session);
    struct sm_err err;
    size_t all, at = 0;
    sm_run_view_read(v->session, view, &err);
    size_t n = sm_run_table_differs(v->session, &view->table, keys, KEYS, &all);
    for (size_t i = 0; s->x && i < n; i++)
        at = strcmp(keys[i], s->x) == 0 ? i : at;
    if (n)
        set_name(&s->x, keys[(at + (forward ? 1 : n - 1)) % n]);
}

static bool act_on_scatter(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    if (a != SM_ACT_SORT_NEXT && a != SM_ACT_SORT_PREV)
        return false;
    next_key(p->state, v, a == SM_ACT_SORT_NEXT);
    return true;
}

/* pane scatter set x NAME, set y NAME; none: what is shown at first */
static bool set_scatter(struct sm_pane *p, struct sm_view *v, const char *attribute,
                        const char *value, struct sm_err *err)
{
    struct state *s = p->state;
    bool x = strcmp(attribute, "x") == 0;
    struct sm_run_view *view = sm_run_view(v->session);
    struct sm_err ignored;
    if (!x && strcmp(attribute, "y") != 0)
        return sm_err_set(err, SM_ERR_USAGE, "Expected x or y.");
    sm_run_view_read(v->session, view, &ignored);
    if (strcmp(value, "none") == 0)
        value = "";
    if (*value && view->table.n && !sm_run_is_field(value) &&
        !sm_run_some_has(v->session, &view->table, value))
        return sm_err_set(err, SM_ERR_MISSING, "No run has \"%s\".", value);
    set_name(x ? &s->x : &s->y, value);
    return true;
}

static void clear_scatter(struct sm_pane *p)
{
    struct state *s = p->state;
    sm_free(s->x);
    sm_free(s->y);
}

static const enum sm_key_action own[] = {SM_ACT_SORT_NEXT, SM_ACT_SORT_PREV, SM_ACT_NONE};

const struct sm_pane_ops sm_pane_scatter = {
    .name = "scatter",
    .title = "runs as points",
    .help = "A point for each run of the table: the newest value of the metric against a key of "
            "the configuration. > and < choose the next key that differs; \"pane scatter set x "
            "NAME\" and \"y NAME\" choose a key, a series or a column by name, \"none\" for what "
            "is shown at first. Marked runs have the colour of their lines. Runs that diverged are "
            "counted and not drawn. The command: runs -scatter KEY.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "> key", "z zoom"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 4,
    .clear = clear_scatter,
    .draw = draw_scatter,
    .act = act_on_scatter,
    .set = set_scatter,
};
