/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/charts/chart_page.h"

#include "commands/pictures/pictures.h"
#include "reader/analysis/curve.h"
#include "reader/base/vec.h"
#include "tui/charts/chart_note.h"

#include <limits.h>
#include <math.h>

enum { CHART_MIN_W = 36, CHART_MIN_H = 9 };

struct sm_chart_held_at sm_chart_page_held_at(const struct sm_view *v)
{
    const struct sm_place *at = &v->session->at;
    return (struct sm_chart_held_at){
        at->follow ? -1 : at->step.n,
        (enum sm_x_unit)sm_pictures_settings(v->session)->x_axis,
    };
}

static bool is_held(const struct sm_chart_page *s, const struct sm_view *v)
{
    struct sm_chart_held_at now = sm_chart_page_held_at(v);
    return s->held && s->held_at.step == now.step && s->held_at.unit == now.unit;
}

struct sm_scalar_options sm_chart_page_options(const struct sm_chart_page *s,
                                               const struct sm_view *v)
{
    const struct sm_pictures_settings *set = sm_pictures_settings(v->session);
    return (struct sm_scalar_options){
        .y_scale = (enum sm_y_scale)set->y_axis,
        .x_unit = (enum sm_x_unit)set->x_axis,
        .x_log = set->x_scale,
        .clip = s->clip,
        .smoothing = set->smoothing,
        .zoom = s->zoom,
        .shift = s->shift,
        .anchor = is_held(s, v) ? s->anchor : (struct sm_chart_anchor){(double)NAN, 0.5},
        .curves = s->curves,
    };
}

/* How many charts fit across and down, without empty rows or columns. */
static void fit_charts(const struct sm_chart_page *s, struct sm_rect r, int *across, int *down)
{
    int n = s->list.n < INT_MAX ? (int)s->list.n : INT_MAX;
    *across = r.w / CHART_MIN_W < 1 ? 1 : r.w / CHART_MIN_W;
    *down = r.h / CHART_MIN_H < 1 ? 1 : r.h / CHART_MIN_H;
    while (*across * *down > n) {
        if (*down > 1 && *across * (*down - 1) >= n)
            --*down;
        else if (*across > 1 && (*across - 1) * *down >= n)
            --*across;
        else
            break;
    }
}

static void add_note(const struct sm_chart_page *s, const struct sm_view *v,
                     const struct sm_scalar_options *o, int room, struct sm_str *note)
{
    const struct sm_chart_note n = {.charts = s->list.n,
                                    .first = s->first,
                                    .shown = s->shown,
                                    .filter = s->list.filter,
                                    .order = s->list.order,
                                    .options = o};
    sm_chart_note_add(&n, v, room, note);
}

/* The chosen chart is among those that are shown. */
static void scroll_to_chosen(struct sm_chart_page *s)
{
    s->at = s->at < s->list.n ? s->at : s->list.n ? s->list.n - 1 : 0;
    s->first = s->first < s->list.n ? s->first : 0;
    if (s->at < s->first)
        s->first = s->at;
    else if (s->at >= s->first + s->shown)
        s->first = s->at + 1 - s->shown;
}

/* The charts of the page, and where they go. */
struct layout {
    struct sm_rect room;
    int across, down;
    size_t n;
    struct sm_scalar_lines *lines;
    struct sm_scalar_options options;
};

static struct sm_rect cell_of(const struct layout *l, int i)
{
    const struct sm_rect r = l->room;
    int cx = i % l->across, cy = i / l->across;
    struct sm_rect cell = {r.x + cx * r.w / l->across, r.y + cy * r.h / l->down, 0, 0};
    cell.w = r.x + (cx + 1) * r.w / l->across - cell.x;
    cell.h = r.y + (cy + 1) * r.h / l->down - cell.y;
    return cell;
}

static void lay_out(struct sm_chart_page *s, struct layout *l)
{
    fit_charts(s, l->room, &l->across, &l->down);
    if (s->single)
        l->across = l->down = 1;
    s->shown = (size_t)l->across * (size_t)l->down;
    scroll_to_chosen(s);
    size_t behind = s->list.n - s->first;
    l->n = behind < s->shown ? behind : s->shown;
}

static void read_page(struct sm_chart_page *s, const struct sm_view *v, struct layout *l)
{
    sm_kept_curves_begin(s->curves);
    l->lines = sm_xalloc_zero(l->n + 1, sizeof *l->lines);
    for (size_t i = 0; i < l->n; i++)
        sm_scalar_lines_read(v, sm_chart_list_name(&s->list, v->session, s->first + i), &l->options,
                             cell_of(l, (int)i).w, &l->lines[i]);
}

/* Draws the one legend of all charts if each on its own has no room for one. */
static void draw_values(const struct sm_chart_page *s, const struct sm_view *v, struct sm_grid *g,
                        struct layout *l)
{
    const struct sm_chart_values values = {l->lines, l->n, s->at - s->first, l->options.x_unit};
    struct sm_rect r = l->room;
    int w = sm_chart_values_width(&values, v, s->legend, r.w, r.w / l->across, r.h / l->down);
    l->options.no_legend = w > 0;
    if (w)
        sm_chart_values_draw(&values, v, g, (struct sm_rect){r.x + r.w - w, r.y, w, r.h});
    l->room.w -= w;
}

/* The one part of the x axis that all charts of the page show; *zoom: 0 if it is all, and lowered
 * to what is possible. */
static struct sm_chart_window window_of(const struct sm_chart_page *s, const struct layout *l,
                                        int *zoom)
{
    size_t n = 0, all = 1;
    for (size_t i = 0; i < l->n; i++)
        all += l->lines[i].n;
    struct sm_line_series *lines = sm_xalloc(all * sizeof *lines);
    for (size_t i = 0; i < l->n; i++)
        for (size_t k = 0; k < l->lines[i].n; k++)
            lines[n++] = l->lines[i].lines[k];
    struct sm_chart_anchor anchor = l->options.anchor;
    if (isnan(anchor.at) && l->n)
        anchor = (struct sm_chart_anchor){l->lines[s->at - s->first].cursor, 0.5};
    struct sm_chart_window w = {0, 0};
    if (n)
        w = sm_chart_window(lines, n, zoom, l->options.shift, anchor);
    sm_free(lines);
    if (*zoom && l->options.x_unit == SM_X_STEP && ceil(w.lo) < floor(w.hi))
        w = (struct sm_chart_window){ceil(w.lo), floor(w.hi)}; /* no step is lost */
    return w;
}

static bool has_lines(const struct layout *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        n += l->lines[i].n;
    return n;
}

static void draw_page(struct sm_chart_page *s, const struct sm_view *v, struct sm_grid *g,
                      bool focused, struct layout *l)
{
    const struct sm_chart_window window = window_of(s, l, &s->zoom);
    l->options.window = s->zoom && has_lines(l) ? &window : NULL;
    l->options.zoom = s->zoom;
    s->n_places = 0;
    for (size_t i = 0; i < l->n; i++) {
        struct sm_scalar_options *options = &l->options;
        if (SM_VEC_ROOM(s->places, s->n_places, s->cap_places)) {
            options->place = &s->places[s->n_places++];
            *options->place = (struct sm_line_place){.lo = 1};
        }
        options->chosen = focused && s->shown > 1 && s->first + i == s->at;
        sm_scalar_chart_draw(v, &l->lines[i], options, g, cell_of(l, (int)i));
        sm_scalar_lines_clear(&l->lines[i]);
    }
    l->options.window = NULL;
    sm_free(l->lines);
}

void sm_chart_page_draw(struct sm_chart_page *s, const struct sm_view *v, struct sm_grid *g,
                        struct sm_rect r, bool focused, struct sm_str *note)
{
    struct layout l = {.room = r, .options = sm_chart_page_options(s, v)};
    sm_chart_list_update(&s->list, v);
    lay_out(s, &l);
    read_page(s, v, &l);
    draw_values(s, v, g, &l);
    draw_page(s, v, g, focused, &l);
    if (!s->list.n)
        sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0,
                     s->list.filter ? "no chart has such a name"
                                    : "no losses, metrics or scalars saved");
    add_note(s, v, &l.options, r.w, note);
}

void sm_chart_page_choose(struct sm_chart_page *s, size_t at)
{
    s->at = at;
    scroll_to_chosen(s);
}
