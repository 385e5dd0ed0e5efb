/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/charts/scalar_chart.h"

#include "commands/session/trial_list.h"
#include "plot/table.h"
#include "plot/tell_apart.h"
#include "reader/analysis/tensor_health.h"
#include "tui/charts/chart_window.h"
#include "tui/charts/scalar_baseline.h"
#include "tui/charts/scalar_step.h"
#include "tui/panes/baseline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEGEND_W = 9, NUMBER_W = 9, NUMBER_LEAST = 1 }; /* columns of a legend, without the names */

struct chart {
    const struct sm_view *v;
    const struct sm_scalar_options *options;
    struct sm_scalar_lines *l;
    struct sm_line_series *all; /* the lines as they are drawn; raw ones first */
};

/* ---- legend ---- */

/* Adds " +0.31". */
static void add_difference(const struct chart *c, size_t i, struct sm_str *out)
{
    double mine, other;
    if (!sm_scalar_difference(c->v, c->l, i, c->options->x_unit, &mine, &other))
        return;
    sm_str_addc(out, ' ');
    sm_baseline_add(out, mine, other, NUMBER_W);
}

/* Adds the number of the trial and as much of its name as fits next to `rest`. */
static void add_trial_name(const struct chart *c, size_t i, const char *name, int room,
                           const struct sm_str *rest, struct sm_str *out)
{
    enum { LEAST = 5 };
    sm_str_printf(out, "%zu", c->l->of[i].trial + 1);
    room -= (int)(out->len + sm_text_width(sm_str_text(rest), rest->len)) + 1;
    if (room >= LEAST || room >= (int)strlen(name)) {
        sm_str_addc(out, ' ');
        sm_elide_name(out, name, room, c->v->glyphs);
    }
}

static void label_line(struct chart *c, size_t i, const char *name, int room)
{
    struct sm_str text = {0}, rest = {0};
    bool worker = c->l->of[i].worker != SM_WORKER_ANY && !c->l->several,
         named = c->l->several || (worker && c->l->workers);
    if (!named || !c->l->of[i].first)
        sm_str_printf(&rest, "%s%s", named ? " " : "", sm_scalar_mode_names[c->l->of[i].mode]);
    size_t mode = rest.len;
    if (c->l->several) {
        add_difference(c, i, &rest);
        if ((int)rest.len + NUMBER_LEAST > room)
            sm_str_truncate(&rest, mode);
        add_trial_name(c, i, name, room, &rest, &text);
    } else if (named) {
        sm_elide_name(&text, name, room > (int)mode ? room - (int)mode : 1, c->v->glyphs);
    }
    sm_str_add(&text, sm_str_text(&rest));
    c->l->lines[i].label = sm_arena_xstrndup(&c->l->arena, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    sm_str_clear(&rest);
}

/* How many runs a group has goes first where there is no room. */
static void label_group(struct chart *c, size_t i, const char *name, int room)
{
    struct sm_str text = {0};
    sm_scalar_line_name(c->l, i, name, &text);
    bool fits = (int)sm_text_width(sm_str_text(&text), text.len) <= room;
    c->l->lines[i].label =
        fits ? sm_arena_xstrndup(&c->l->arena, sm_str_text(&text), text.len) : name;
    sm_str_clear(&text);
}

/* ---- chart ---- */

/* Whose values the lines show, if there are several workers and each has no line of its own. */
static void add_whose(const struct chart *c, const struct sm_trial *t, struct sm_str *out)
{
    size_t workers = sm_trial_worker_count(t);
    const char *what = sm_traits_has_runs(sm_trial_traits(t)) ? "runs" : "workers";
    if (c->l->banded && c->l->workers < workers)
        sm_str_printf(out, "mean and range of %zu of %zu %s", c->l->workers, workers, what);
    else if (c->l->banded)
        sm_str_printf(out, "mean and range of %zu %s", workers, what);
    else if (!c->l->workers && c->l->several)
        sm_str_printf(out, "first of %zu %s", workers, what);
}

/* Adds that the job saved the numbers, and whose values the curve shows, if there are several
 * workers and none is chosen, or which of them has a problem: "worker_2: NaN at step 20". Returns
 * true if one has. */
static bool add_workers(const struct chart *c, struct sm_str *out)
{
    struct sm_session *s = c->v->session;
    struct sm_trial *t = sm_session_trial(s);
    const struct sm_trial_tensor *x = sm_trial_find(t, c->l->name, strlen(c->l->name));
    size_t workers = sm_trial_worker_count(t);
    struct sm_brief brief;
    if (c->l->saved)
        sm_str_printf(out, "saved %s", c->l->saved->key);
    if (!x || s->at.worker != SM_WORKER_ANY || workers < 2)
        return false;
    struct sm_entry e = sm_tensor_health_hidden(t, &s->trends, x, &brief);
    const struct sm_part *p = sm_entry_exists(&e) ? sm_trial_part(t, e.part) : NULL;
    size_t begin = out->len;
    sm_str_add(out, out->len ? "  " : "");
    if (!p) {
        size_t before = out->len;
        add_whose(c, t, out);
        if (out->len == before)
            sm_str_truncate(out, begin);
        return false;
    }
    const char *name = sm_trial_worker(t, p->worker);
    sm_str_add_escaped(out, name, strlen(name));
    sm_str_printf(out, ": %s at step %lld", brief.flags & SM_BRIEF_NAN ? "NaN" : "Inf",
                  (long long)p->step.n);
    return true;
}

/* The name, and at the right what add_workers says, and how many lines are clipped. The name loses
 * its middle only for a problem and for lines that are clipped. */
static void draw_title(const struct chart *c, size_t clipped, struct sm_grid *g, struct sm_rect r)
{
    enum { NAME_LEAST = 12 };
    struct sm_str title = {0}, elided = {0}, workers = {0};
    bool hidden = add_workers(c, &workers);
    if (clipped)
        sm_str_printf(&workers, "%s%zu clipped", workers.len ? "  " : "", clipped);
    bool kept = hidden || clipped;
    sm_str_add_escaped(&title, c->l->name, strlen(c->l->name));
    int w = (int)sm_text_width(sm_str_text(&workers), workers.len), room = r.w - 2;
    int least = kept ? NAME_LEAST : (int)sm_text_width(sm_str_text(&title), title.len);
    if (w && room - w - 2 >= least) {
        room -= w + 2;
        sm_grid_text(g, r.x + r.w - 1 - w, r.y, w, hidden ? SM_ROLE_PROBLEM : SM_ROLE_DIM, 0,
                     sm_str_text(&workers));
    }
    sm_elide_middle(&elided, sm_str_text(&title), room, c->v->glyphs);
    bool chosen = c->options->chosen;
    if (chosen)
        sm_grid_put(g, r.x, r.y, c->v->glyphs->cursor, SM_ROLE_ACCENT, SM_ATTR_BOLD);
    sm_grid_text(g, r.x + 1, r.y, room, chosen ? SM_ROLE_ACCENT : SM_ROLE_TITLE,
                 chosen ? SM_ATTR_BOLD : 0, sm_str_text(&elided));
    sm_str_clear(&workers);
    sm_str_clear(&title);
    sm_str_clear(&elided);
}

static void cut_window(struct chart *c, struct sm_line_chart *chart, const struct sm_chart_window w)
{
    for (size_t i = 0; i < chart->n_series; i++)
        sm_chart_window_cut(&w, &c->all[i]);
    chart->n_marks = sm_chart_window_keep(&w, c->l->marks, chart->n_marks);
    chart->n_sessions = sm_chart_window_keep(&w, c->l->sessions, chart->n_sessions);
    if (!(chart->cursor_x >= w.lo && chart->cursor_x <= w.hi))
        chart->cursor_x = (double)NAN;
}

static void label_lines(struct chart *c, int w)
{
    struct sm_scalar_lines *l = c->l;
    size_t last = 0;
    int room = w / 2 - LEGEND_W - (isfinite(l->cursor) ? NUMBER_W - 2 : 0);
    const char **names = sm_arena_xalloc(&l->arena, (l->n + 1) * sizeof *names);
    for (size_t i = 0; i < l->n; i++) {
        names[i] = sm_scalar_line_run(c->v, l, i, &l->arena);
        last = l->of[i].trial > last ? l->of[i].trial : last;
    }
    int number = l->several ? snprintf(NULL, 0, "%zu ", last + 1) : 0;
    if (!l->groups)
        sm_tell_apart(names, l->n, room - number, c->v->glyphs, &l->arena, names);
    for (size_t i = 0; i < l->n; i++)
        if (l->groups)
            label_group(c, i, names[i], room);
        else
            label_line(c, i, names[i], room);
}

void sm_scalar_chart_draw(const struct sm_view *v, struct sm_scalar_lines *l,
                          const struct sm_scalar_options *options, struct sm_grid *g,
                          struct sm_rect r)
{
    struct chart c = {.v = v, .l = l, .options = options};
    label_lines(&c, r.w);
    enum sm_x_unit unit = options->x_unit;
    const struct sm_step_range *steps = sm_view_range(v);
    const double range[] = {sm_scalar_x_of_step(v, l->name, unit, (struct sm_step){steps->lo}),
                            sm_scalar_x_of_step(v, l->name, unit, (struct sm_step){steps->hi})};
    size_t raw = l->raw ? l->n : 0;
    c.all = sm_arena_xalloc(&l->arena, (raw + l->n + 1) * sizeof *c.all);
    if (raw)
        memcpy(c.all, l->raw, raw * sizeof *c.all);
    memcpy(c.all + raw, l->lines, l->n * sizeof *c.all);
    struct sm_line_chart chart = {
        .series = c.all,
        .n_series = raw + l->n,
        .y_scale = options->y_scale,
        .x_unit = options->x_unit,
        .x_log = options->x_log,
        .clip_outliers = options->clip == SM_CLIP_OUTLIERS,
        .legend = !options->no_legend && (l->n > 1 || l->several),
        .marks = l->marks,
        .n_marks = l->n_marks,
        .sessions = l->sessions,
        .n_sessions = l->n_sessions,
        .cursor_x = l->cursor,
        .range = steps->set && !isnan(range[0] + range[1]) ? range : NULL,
        .place = options->place,
    };
    if (options->clip != SM_CLIP_NOTHING && l->several)
        sm_line_mark_diverged(c.all, chart.n_series, chart.y_scale);
    const struct sm_chart_window *window = options->window;
    const double ends[] = {window ? window->lo : 0, window ? window->hi : 0};
    if (window) {
        cut_window(&c, &chart, *window);
        chart.window = ends;
    }
    draw_title(&c, sm_line_clipped(&chart), g, r);
    if (l->n)
        sm_line_draw(g, (struct sm_rect){r.x, r.y + 1, r.w, r.h - 1}, &chart, v->glyphs);
    else
        sm_grid_text(g, r.x + 2, r.y + 1, r.w - 2, SM_ROLE_DIM, 0,
                     l->known ? "..." : "no numbers yet");
}
