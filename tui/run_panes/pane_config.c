/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration and summary of the current run, beside those of the marked ones: what differs is
 * accented. */
#include "commands/runs/run_fields.h"
#include "commands/session/trial_list.h"
#include "plot/scalar_form.h"
#include "plot/table.h"
#include "plot/tell_apart.h"
#include "reader/base/grow.h"
#include "reader/logs/log_json.h"
#include "tui/panes/listing.h"
#include "tui/panes/pane_list.h"

#include <string.h>

enum { KEY_MIN_W = 12, VALUE_MIN_W = 10, RUNS_MOST = 16, INDENT = 1 };

struct row {
    const char *key; /* of a run's fields; NULL: the heading of the summary */
    bool summary;
};
struct state {
    struct sm_rows rows;
    char *filter; /* a part of a key or value; NULL: all */
    struct row *items;
    size_t n, cap;
};
/* The runs that have a column: the current one first. */
struct runs {
    size_t at[RUNS_MOST], n, all;
};

static void find_runs(const struct sm_session *s, struct runs *out)
{
    *out = (struct runs){.at = {s->current}, .n = s->n_trials > 0, .all = s->n_trials > 0};
    for (size_t i = 0; i < s->n_trials; i++) {
        if (i == s->current || !sm_trials_shown(s, i))
            continue;
        if (out->n < RUNS_MOST)
            out->at[out->n++] = i;
        out->all++;
    }
}

static const char *value_of(const struct sm_session *s, size_t trial, const struct row *r)
{
    const struct sm_run_info *info = sm_trial_info(s->trials[trial].trial);
    return sm_run_fields_get(r->summary ? &info->summary : &info->config, r->key);
}

static bool differs(const struct sm_session *s, const struct runs *runs, const struct row *r)
{
    const char *first = runs->n ? value_of(s, runs->at[0], r) : NULL;
    for (size_t i = 1; i < runs->n; i++) {
        const char *v = value_of(s, runs->at[i], r);
        if (!first != !v || (v && strcmp(first, v) != 0))
            return true;
    }
    return false;
}

static bool passes(const struct state *s, const struct sm_session *session, const struct runs *runs,
                   const struct row *r)
{
    if (!s->filter || strcasestr(r->key, s->filter))
        return true;
    for (size_t i = 0; i < runs->n; i++) {
        const char *v = value_of(session, runs->at[i], r);
        if (v && strcasestr(v, s->filter))
            return true;
    }
    return false;
}

static void add_fields(struct state *s, const struct sm_session *session, const struct runs *runs,
                       bool summary)
{
    struct sm_names *seen = sm_names_new();
    size_t begin = s->n;
    if (summary && begin) {
        SM_GROW(s->items, s->n, s->cap);
        s->items[s->n++] = (struct row){NULL, true};
    }
    size_t first = s->n;
    for (size_t i = 0; seen && i < runs->n; i++) {
        const struct sm_run_info *info = sm_trial_info(session->trials[runs->at[i]].trial);
        const struct sm_run_fields *f = summary ? &info->summary : &info->config;
        for (size_t k = 0; k < f->n; k++) {
            struct row r = {f->items[k].key, summary};
            uint32_t before = sm_names_count(seen);
            if (sm_names_add(seen, r.key, strlen(r.key)) < before || !passes(s, session, runs, &r))
                continue;
            SM_GROW(s->items, s->n, s->cap);
            s->items[s->n++] = r;
        }
    }
    s->n = s->n == first ? begin : s->n;
    sm_names_free(seen);
}

static void build(struct state *s, const struct sm_session *session, const struct runs *runs)
{
    s->n = 0;
    add_fields(s, session, runs, false);
    add_fields(s, session, runs, true);
}

/* ---- drawing ---- */

static void draw_text(struct sm_grid *g, int x, int y, int w, enum sm_role role, const char *text,
                      const struct sm_glyphs *glyphs)
{
    struct sm_str escaped = {0};
    sm_str_add_escaped(&escaped, text, strlen(text));
    sm_cut_text(g, x, y, w, role, sm_str_text(&escaped), glyphs);
    sm_str_clear(&escaped);
}

/* The names of the runs in w columns; in the arena. */
static const char **names_of(const struct sm_view *v, const struct runs *runs, int w,
                             struct sm_arena *arena)
{
    const char **names = sm_arena_xalloc(arena, RUNS_MOST * sizeof *names);
    for (size_t i = 0; i < runs->n; i++) {
        const char *name = sm_trials_name(v->session, runs->at[i]);
        struct sm_str escaped = {0};
        sm_str_add_escaped(&escaped, name, strlen(name));
        names[i] = sm_arena_xstrndup(arena, sm_str_text(&escaped), escaped.len);
        sm_str_clear(&escaped);
    }
    sm_tell_apart(names, runs->n, w, v->glyphs, arena, names);
    return names;
}

static void draw_header(const struct sm_view *v, const struct runs *runs, struct sm_grid *g,
                        struct sm_rect r, int key_w, int w)
{
    const struct sm_session *s = v->session;
    struct sm_arena arena = {0};
    const char **names = names_of(v, runs, w - 1, &arena);
    sm_grid_text(g, r.x + INDENT, r.y, key_w, SM_ROLE_DIM, 0, "KEY");
    for (size_t i = 0; i < runs->n; i++) {
        struct sm_scalar_form form = sm_scalar_form(s->trials[runs->at[i]].style, 0);
        sm_grid_text(g, r.x + INDENT + key_w + 1 + (int)i * w, r.y, w - 1,
                     runs->n > 1 ? form.role : SM_ROLE_DIM, 0, names[i]);
    }
    sm_arena_clear(&arena);
}

/* A number in as many digits as fit into w columns. */
static const char *text_of(struct sm_arena *arena, const char *json, int w)
{
    enum { DIGITS = 12 };
    const char *text = json ? sm_run_field_text(arena, json) : "-";
    char number[32];
    double v;
    if ((int)strlen(text) <= w || !sm_log_number(text, strlen(text), &v))
        return text;
    sm_format_fit(v, DIGITS, w, number);
    return (int)strlen(number) <= w ? sm_arena_xstrndup(arena, number, strlen(number)) : text;
}

static void draw_row(const struct sm_view *v, const struct runs *runs, const struct row *row,
                     struct sm_grid *g, struct sm_rect r, int key_w, int w)
{
    struct sm_arena arena = {0};
    if (!row->key) {
        sm_grid_text(g, r.x + INDENT, r.y, r.w - INDENT, SM_ROLE_DIM, 0, "SUMMARY");
        return;
    }
    bool differ = differs(v->session, runs, row);
    draw_text(g, r.x + INDENT, r.y, key_w, row->summary ? SM_ROLE_DIM : SM_ROLE_TEXT, row->key,
              v->glyphs);
    for (size_t i = 0; i < runs->n; i++) {
        const char *json = value_of(v->session, runs->at[i], row);
        draw_text(g, r.x + INDENT + key_w + 1 + (int)i * w, r.y, w - 1,
                  differ ? SM_ROLE_ACCENT : SM_ROLE_TEXT, text_of(&arena, json, w - 1), v->glyphs);
    }
    sm_arena_clear(&arena);
}

static int widest_key(const struct state *s, int w)
{
    int most = KEY_MIN_W;
    for (size_t i = 0; i < s->n; i++) {
        const char *key = s->items[i].key ? s->items[i].key : "";
        int k = (int)sm_text_width(key, strlen(key));
        most = k > most ? k : most;
    }
    return most < w * 2 / 5 ? most : w * 2 / 5;
}

static void draw_config(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                        struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    struct runs runs;
    find_runs(v->session, &runs);
    build(s, v->session, &runs);
    int key_w = widest_key(s, r.w), room = r.w - INDENT - key_w - 1;
    size_t fit = room / VALUE_MIN_W > 1 ? (size_t)(room / VALUE_MIN_W) : 1;
    runs.n = runs.n < fit ? runs.n : fit;
    int w = runs.n ? room / (int)runs.n : room;
    if (r.h > 1)
        draw_header(v, &runs, g, r, key_w, w);
    r.y += r.h > 1;
    r.h -= r.h > 1;
    sm_rows_show(&s->rows, s->n, r.h);
    for (int y = 0; y < r.h && s->rows.top + (size_t)y < s->n; y++) {
        struct sm_rect row = {r.x, r.y + y, r.w, 1};
        draw_row(v, &runs, &s->items[s->rows.top + (size_t)y], g, row, key_w, w);
        if (focused)
            sm_rows_mark(&s->rows, g, row, s->rows.top + (size_t)y, true);
    }
    if (!s->n)
        sm_grid_text(g, r.x + INDENT, r.y, r.w - INDENT, SM_ROLE_DIM, 0,
                     s->filter ? "no key or value has this" : "no configuration was logged");
    sm_rows_note(&s->rows, s->n, note);
    if (runs.all > runs.n)
        sm_str_printf(note, "%s+%zu runs", note->len ? "  " : "", runs.all - runs.n);
    if (s->filter) {
        sm_str_printf(note, "%sfilter ", note->len ? "  " : "");
        sm_str_add_escaped(note, s->filter, strlen(s->filter));
    }
}

static bool act_on_config(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    (void)v;
    return sm_rows_act(&s->rows, s->n, a);
}

static void click_config(struct sm_pane *p, struct sm_view *v, int y)
{
    struct state *s = p->state;
    (void)v;
    sm_rows_click(&s->rows, s->n, y - 1);
}

static void filter_config(struct sm_pane *p, struct sm_view *v, const char *text)
{
    struct state *s = p->state;
    (void)v;
    sm_free(s->filter);
    s->filter = *text ? sm_xstrdup(text) : NULL;
}

static void forget_config(struct sm_pane *p)
{
    ((struct state *)p->state)->n = 0;
}

static void clear_config(struct sm_pane *p)
{
    struct state *s = p->state;
    sm_free(s->filter);
    sm_free(s->items);
}

static bool has_fields(const struct sm_pane *p, const struct sm_view *v)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    (void)p;
    return t && (sm_trial_info(t)->config.n || sm_trial_info(t)->summary.n);
}

static const enum sm_key_action own[] = {SM_ACT_NONE};

const struct sm_pane_ops sm_pane_config = {
    .name = "config",
    .title = "configuration",
    .help = "Configuration of the current run and below it its summary, beside those of the marked "
            "runs; values that differ are accented. / filters by a part of a key or value. The "
            "commands: info config, info summary.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "/ filter", "z zoom"},
    .filter_hint = "part of a key or value",
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 2,
    .clear = clear_config,
    .forget = forget_config,
    .draw = draw_config,
    .wanted = has_fields,
    .act = act_on_config,
    .click = click_config,
    .filter = filter_config,
};
