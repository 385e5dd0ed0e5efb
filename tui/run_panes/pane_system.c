/* SPDX-License-Identifier: Apache-2.0 */
/* The metrics of the machine of the current run: the newest value, and all of them as a line. */
#include "commands/answer/format.h"
#include "commands/runs/run_system.h"
#include "plot/chart.h"
#include "plot/table.h"
#include "tui/panes/listing.h"
#include "tui/panes/pane_list.h"
#include "tui/run_panes/run_note.h"

#include <string.h>

enum { NAME_MIN_W = 12, NUMBER_W = 9, LINE_MIN_W = 8, INDENT = 1, DIGITS = 5 };

struct state {
    struct sm_rows rows;
    const struct sm_trial *of; /* with version: what was read belongs to */
    uint64_t version;
    struct sm_run_system system;
    char *filter; /* a part of a name; NULL: all */
    bool stale;   /* the filter has changed */
};

static void update(struct state *s, const struct sm_view *v)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    if (!t || (s->of == t && s->version == sm_trial_version(t) && !s->stale))
        return;
    sm_run_system_clear(&s->system);
    sm_run_system_read(sm_trial_info(t), s->filter, &s->system);
    s->of = t;
    s->version = sm_trial_version(t);
    s->stale = false;
}

/* ---- drawing ---- */

struct layout {
    int name_w, line_w;
    int numbers; /* columns of numbers: newest, mean, max */
};

static struct layout lay_out(const struct state *s, int w)
{
    struct layout l = {.name_w = NAME_MIN_W};
    for (size_t i = 0; i < s->system.n; i++) {
        int k = (int)sm_text_width(s->system.rows[i].name, strlen(s->system.rows[i].name));
        l.name_w = k > l.name_w ? k : l.name_w;
    }
    l.name_w = l.name_w < w * 2 / 5 ? l.name_w : w * 2 / 5;
    int room = w - INDENT - l.name_w - 1 - LINE_MIN_W;
    l.numbers = room >= 3 * (NUMBER_W + 1) ? 3 : room >= NUMBER_W + 1 ? 1 : 0;
    l.line_w = w - INDENT - l.name_w - 1 - l.numbers * (NUMBER_W + 1);
    return l;
}

static void draw_number(struct sm_grid *g, int x, int y, double v, const struct sm_glyphs *glyphs)
{
    char text[32];
    sm_format_fit(v, DIGITS, NUMBER_W, text);
    int n = (int)strlen(text);
    x += n < NUMBER_W ? NUMBER_W - n : 0;
    sm_cut_text(g, x, y, NUMBER_W, SM_ROLE_TEXT, text, glyphs);
}

static void draw_row(const struct sm_view *v, const struct sm_run_system_row *row,
                     struct sm_grid *g, struct sm_rect r, const struct layout *l)
{
    const double numbers[] = {row->newest, row->mean, row->max};
    struct sm_str name = {0};
    int x = r.x + INDENT;
    sm_str_add_escaped(&name, row->name, strlen(row->name));
    sm_cut_text(g, x, r.y, l->name_w, SM_ROLE_TEXT, sm_str_text(&name), v->glyphs);
    sm_str_clear(&name);
    x += l->name_w + 1;
    for (int i = 0; i < l->numbers; i++, x += NUMBER_W + 1)
        draw_number(g, x, r.y, numbers[i], v->glyphs);
    sm_spark_draw(g, x, r.y, l->line_w, row->values, row->n, SM_ROLE_SERIES_0, v->glyphs);
}

static void draw_header(struct sm_grid *g, struct sm_rect r, const struct layout *l)
{
    static const char *const names[] = {"NEWEST", "MEAN", "MAX"};
    int x = r.x + INDENT + l->name_w + 1;
    sm_grid_text(g, r.x + INDENT, r.y, l->name_w, SM_ROLE_DIM, 0, "METRIC");
    for (int i = 0; i < l->numbers; i++, x += NUMBER_W + 1) {
        int pad = NUMBER_W - (int)strlen(names[i]);
        sm_grid_text(g, x + pad, r.y, NUMBER_W - pad, SM_ROLE_DIM, 0, names[i]);
    }
    sm_grid_text(g, x, r.y, l->line_w, SM_ROLE_DIM, 0, "OVER TIME");
}

static void add_note(const struct state *s, const struct sm_view *v, struct sm_str *note)
{
    sm_rows_note(&s->rows, s->system.n, note);
    sm_run_note_add(v, note);
    if (!s->filter)
        return;
    sm_str_printf(note, "%sfilter ", note->len ? "  " : "");
    sm_str_add_escaped(note, s->filter, strlen(s->filter));
}

static void draw_system(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                        struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    update(s, v);
    struct layout l = lay_out(s, r.w);
    if (r.h > 1 && s->system.n)
        draw_header(g, r, &l);
    r.y += r.h > 1;
    r.h -= r.h > 1;
    sm_rows_show(&s->rows, s->system.n, r.h);
    for (int y = 0; y < r.h && s->rows.top + (size_t)y < s->system.n; y++) {
        struct sm_rect row = {r.x, r.y + y, r.w, 1};
        draw_row(v, &s->system.rows[s->rows.top + (size_t)y], g, row, &l);
        if (focused)
            sm_rows_mark(&s->rows, g, row, s->rows.top + (size_t)y, true);
    }
    if (!s->system.n)
        sm_grid_text(g, r.x + INDENT, r.y, r.w - INDENT, SM_ROLE_DIM, 0,
                     s->filter ? "no metric has this" : "no metric of the machine was logged");
    add_note(s, v, note);
}

/* ---- what it can do ---- */

static bool act_on_system(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    update(s, v);
    return sm_rows_act(&s->rows, s->system.n, a);
}

static void click_system(struct sm_pane *p, struct sm_view *v, int y)
{
    struct state *s = p->state;
    (void)v;
    sm_rows_click(&s->rows, s->system.n, y - 1);
}

static void filter_system(struct sm_pane *p, struct sm_view *v, const char *text)
{
    struct state *s = p->state;
    (void)v;
    sm_free(s->filter);
    s->filter = *text ? sm_xstrdup(text) : NULL;
    s->stale = true;
}

static void forget_system(struct sm_pane *p)
{
    struct state *s = p->state;
    sm_run_system_clear(&s->system);
    s->of = NULL;
}

static void clear_system(struct sm_pane *p)
{
    struct state *s = p->state;
    sm_run_system_clear(&s->system);
    sm_free(s->filter);
}

static bool has_metrics(const struct sm_pane *p, const struct sm_view *v)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    (void)p;
    return t && sm_trial_info(t)->n_samples;
}

static const enum sm_key_action own[] = {SM_ACT_NONE};

const struct sm_pane_ops sm_pane_system = {
    .name = "system",
    .title = "machine",
    .help = "What the logger of the current run measured of the machine: processor, memory, disks, "
            "GPUs. The line goes over the whole run. / filters by a part of a name. The command: "
            "info system.",
    .context = SM_CTX_LIST,
    .own = own,
    .hints = {"? help", ": command", "/ filter", "z zoom"},
    .filter_hint = "part of a name",
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 2,
    .clear = clear_system,
    .forget = forget_system,
    .draw = draw_system,
    .act = act_on_system,
    .click = click_system,
    .filter = filter_system,
    .wanted = has_metrics,
};
