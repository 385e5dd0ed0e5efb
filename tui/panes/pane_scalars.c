/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of losses, metrics and other scalars, with separate lines for TRAIN and EVAL. */
#include "commands/values/values.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "tui/panes/chart_list.h"
#include "tui/panes/chart_note.h"
#include "tui/panes/chart_window.h"
#include "tui/panes/pane_list.h"
#include "tui/panes/scalar_chart.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { CHART_MIN_W = 36, CHART_MIN_H = 9 };

struct state {
    struct sm_chart_list list;
    size_t first, at; /* the charts in the upper left corner, and chosen */
    enum sm_scalar_clip clip;
    int zoom; /* with shift: the window of all charts (tui/panes/chart_window.h) */
    double shift;
    size_t shown;                 /* charts drawn last */
    struct sm_line_place *places; /* of the charts drawn last */
    size_t n_places, cap_places;
    bool single;            /* only one chart is shown */
    struct sm_place before; /* the current place before a click changed it, for a drag */
};

/* ---- the charts ---- */

/* Smoothing and axes are settings of the session, shared with the commands. */
static struct sm_scalar_options options_of(const struct state *s, const struct sm_view *v)
{
    const struct sm_values_settings *set = sm_values_settings(v->session);
    return (struct sm_scalar_options){
        .y_scale = (enum sm_y_scale)set->y_axis,
        .x_unit = (enum sm_x_unit)set->x_axis,
        .x_log = set->x_scale,
        .clip = s->clip,
        .smoothing = set->smoothing,
        .zoom = s->zoom,
        .shift = s->shift,
    };
}

static void set_setting(struct sm_view *v, const char *name, const char *text)
{
    struct sm_settings *all = &v->session->settings;
    sm_setting_set(all, sm_setting_named(all, name), text, NULL);
}

static void turn_setting(struct sm_view *v, const char *name)
{
    struct sm_settings *all = &v->session->settings;
    sm_setting_cycle(all, sm_setting_named(all, name), true);
}

/* How many charts fit across and down, without empty rows or columns. */
static void fit_charts(const struct state *s, struct sm_rect r, int *across, int *down)
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

static void add_note(const struct state *s, const struct sm_view *v,
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
static void scroll_to_chosen(struct state *s)
{
    s->at = s->at < s->list.n ? s->at : s->list.n ? s->list.n - 1 : 0;
    s->first = s->first < s->list.n ? s->first : 0;
    if (s->at < s->first)
        s->first = s->at;
    else if (s->at >= s->first + s->shown)
        s->first = s->at + 1 - s->shown;
}

static void draw_scalars(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    struct sm_scalar_options options = options_of(s, v);
    int across, down;
    sm_chart_list_update(&s->list, v);
    fit_charts(s, r, &across, &down);
    if (s->single)
        across = down = 1;
    s->shown = (size_t)across * (size_t)down;
    scroll_to_chosen(s);
    int zoom = s->list.n ? 0 : s->zoom;
    s->n_places = 0;
    for (int i = 0; i < across * down && s->first + (size_t)i < s->list.n; i++) {
        int cx = i % across, cy = i / across;
        struct sm_rect cell = {r.x + cx * r.w / across, r.y + cy * r.h / down, 0, 0};
        cell.w = r.x + (cx + 1) * r.w / across - cell.x;
        cell.h = r.y + (cy + 1) * r.h / down - cell.y;
        if (SM_VEC_ROOM(s->places, s->n_places, s->cap_places)) {
            options.place = &s->places[s->n_places++];
            *options.place = (struct sm_line_place){.lo = 1};
        }
        size_t k = s->first + (size_t)i;
        options.chosen = focused && s->shown > 1 && k == s->at;
        int most =
            sm_scalar_chart_draw(v, sm_chart_list_name(&s->list, v->session, k), &options, g, cell);
        zoom = most > zoom ? most : zoom;
    }
    s->zoom = zoom;
    if (!s->list.n)
        sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0,
                     s->list.filter ? "no chart has such a name"
                                    : "no losses, metrics or scalars saved");
    add_note(s, v, &options, r.w, note);
}

static void choose_chart(struct state *s, size_t at)
{
    s->at = at;
    scroll_to_chosen(s);
}

static void next_chart(struct state *s, bool forward)
{
    if (forward ? s->at + 1 < s->list.n : s->at > 0)
        choose_chart(s, forward ? s->at + 1 : s->at - 1);
}

static void next_page(struct state *s, bool forward)
{
    size_t last = s->list.n ? s->list.n - 1 : 0;
    s->at = !forward                   ? s->at - (s->at < s->shown ? s->at : s->shown)
            : s->at + s->shown <= last ? s->at + s->shown
                                       : last;
    if (forward && s->first + s->shown <= last)
        s->first += s->shown;
    else if (!forward)
        s->first -= s->first < s->shown ? s->first : s->shown;
    scroll_to_chosen(s);
}

/* Moves the charts by half a window. Without zoom, goes to the next or previous chart. */
static void pan_charts(struct state *s, bool forward)
{
    double most = 1 << s->zoom, shift = s->shift + (forward ? -0.5 : 0.5);
    if (!s->zoom)
        next_chart(s, forward);
    else
        s->shift = shift > most ? most : shift < -most ? -most : shift;
}

static void zoom_charts(struct state *s, int by)
{
    s->zoom += by > 0 ? s->zoom < SM_CHART_ZOOM_MAX : -(s->zoom > 0);
    s->shift = s->zoom ? s->shift * (by > 0 ? 2 : 0.5) : 0;
}

/* Pins are those of the current run; the chart stays chosen. */
static void toggle_pin(struct state *s, struct sm_view *v)
{
    const struct sm_session *session = v->session;
    if (s->at >= s->list.n)
        return;
    char *name = sm_xstrdup(sm_chart_list_name(&s->list, session, s->at));
    const struct sm_trial_tensor *x = sm_trial_find(sm_session_trial(session), name, strlen(name));
    if (!x)
        v->notice = "the current run has no such scalar, so it cannot be pinned";
    else
        v->notice = sm_tags_toggle(&session->trials[session->current].pinned, x->name)
                        ? "pinned"
                        : "no longer pinned";
    sm_chart_list_update(&s->list, v);
    choose_chart(s, sm_chart_list_find(&s->list, session, name));
    sm_free(name);
}

static void move_chart(struct state *s, struct sm_view *v, int by)
{
    if (sm_chart_list_move(&s->list, v->session, s->at, by))
        choose_chart(s, by > 0 ? s->at + 1 : s->at - 1);
    else
        v->notice = "the chart is at the end: pinned charts come first";
}

/* By hand only if charts were moved. */
static void next_order(struct state *s, struct sm_view *v)
{
    static const char *const notices[] = {"charts: losses first", "charts by name",
                                          "charts with the newest step first", "charts by hand"};
    enum sm_chart_order next = (s->list.order + 1) % SM_CHART_ORDERS;
    next = next == SM_CHARTS_BY_HAND && !s->list.hand ? SM_CHARTS_BY_KIND : next;
    sm_chart_list_sort(&s->list, next);
    v->notice = notices[next];
}

/* Actions on axes, outliers and smoothing. */
static bool act_on_options(struct state *s, struct sm_view *v, enum sm_key_action a)
{
    switch (a) {
    case SM_ACT_Y_SCALE:
        turn_setting(v, "y-axis");
        v->notice = options_of(s, v).y_scale == SM_Y_LINEAR ? "y axis: linear"
                    : options_of(s, v).y_scale == SM_Y_LOG  ? "y axis: logarithmic"
                                                            : "y axis: symlog";
        return true;
    case SM_ACT_X_AXIS:
        turn_setting(v, "x-axis");
        v->notice = options_of(s, v).x_unit == SM_X_STEP ? "x axis: step"
                    : options_of(s, v).x_unit == SM_X_SECONDS
                        ? "x axis: seconds since the first value"
                        : "x axis: wall time";
        return true;
    case SM_ACT_X_SCALE:
        turn_setting(v, "x-scale");
        v->notice = options_of(s, v).x_log ? "x axis: logarithmic" : "x axis: linear";
        return true;
    case SM_ACT_OUTLIERS:
        s->clip = (s->clip + 1) % SM_CLIPS;
        v->notice = s->clip == SM_CLIP_OUTLIERS  ? "outliers are clipped"
                    : s->clip == SM_CLIP_NOTHING ? "nothing is clipped"
                                                 : "only runs that diverged are clipped";
        return true;
    case SM_ACT_SMOOTH:
        set_setting(v, "smoothing",
                    options_of(s, v).smoothing <= 0    ? "0.6"
                    : options_of(s, v).smoothing < 0.9 ? "0.9"
                                                       : "0");
        return true;
    default:
        return false;
    }
}

static bool act_on_scalars(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct state *s = p->state;
    sm_chart_list_update(&s->list, v);
    switch (a) {
    case SM_ACT_DOWN:
        next_chart(s, true);
        return true;
    case SM_ACT_UP:
        next_chart(s, false);
        return true;
    case SM_ACT_RIGHT:
    case SM_ACT_LEFT:
        pan_charts(s, a == SM_ACT_RIGHT);
        return true;
    case SM_ACT_CHART_IN:
    case SM_ACT_CHART_OUT:
        zoom_charts(s, a == SM_ACT_CHART_IN ? 1 : -1);
        return true;
    case SM_ACT_CHART_ALL:
        s->zoom = 0;
        s->shift = 0;
        return true;
    case SM_ACT_PAGE_DOWN:
    case SM_ACT_PAGE_UP:
        next_page(s, a == SM_ACT_PAGE_DOWN);
        return true;
    case SM_ACT_CHART_ORDER:
        next_order(s, v);
        return true;
    case SM_ACT_CHART_LATER:
    case SM_ACT_CHART_EARLIER:
        move_chart(s, v, a == SM_ACT_CHART_LATER ? 1 : -1);
        return true;
    case SM_ACT_OPEN:
        s->single = !s->single;
        return true;
    case SM_ACT_PIN:
        toggle_pin(s, v);
        return true;
    case SM_ACT_FIRST:
        choose_chart(s, 0);
        return true;
    case SM_ACT_LAST:
        choose_chart(s, s->list.n);
        return true;
    default:
        return act_on_options(s, v, a);
    }
}

/* The saved step of the current run that is nearest; n < 0 without steps. */
static struct sm_step nearest_step(const struct sm_view *v, double step)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    size_t n = t ? sm_trial_step_count(t) : 0;
    if (!n)
        return (struct sm_step){-1};
    size_t i = sm_trial_step_at(t, (struct sm_step){llround(step)});
    i = i < n ? i : 0;
    if (i + 1 < n &&
        (double)sm_trial_step(t, i + 1)->step.n - step < step - (double)sm_trial_step(t, i)->step.n)
        i++;
    return sm_trial_step(t, i)->step;
}

static void go_to_step(struct sm_view *v, double step)
{
    struct sm_step to = nearest_step(v, step);
    if (to.n < 0)
        return;
    v->session->at.step = to;
    v->session->at.follow = false;
}

/* Selects the steps between the ends of the drag; the click at its beginning does not count. */
static void drag_in_chart(struct sm_pane *p, struct sm_view *v, int from_x, int from_y, int x)
{
    struct state *s = p->state;
    for (size_t i = 0; i < s->n_places; i++) {
        const struct sm_rect *r = &s->places[i].plot;
        double from = sm_line_x_at(&s->places[i], from_x, from_y);
        int end = x < r->x ? r->x : x >= r->x + r->w ? r->x + r->w - 1 : x;
        double to = sm_line_x_at(&s->places[i], end, from_y);
        if (isnan(from) || isnan(to) || options_of(s, v).x_unit != SM_X_STEP)
            continue;
        if (s->before.trial == v->session->at.trial)
            v->session->at = s->before;
        sm_step_range_set(v->session, llround(from), llround(to));
        v->notice = "tables and statistics use these steps; Esc: all steps again";
    }
}

static void click_chart(struct sm_pane *p, struct sm_view *v, int x, int y)
{
    struct state *s = p->state;
    s->before = v->session->at;
    for (size_t i = 0; i < s->n_places; i++) {
        double at = sm_line_x_at(&s->places[i], x, y);
        if (isnan(at))
            continue;
        choose_chart(s, s->first + i);
        if (options_of(s, v).x_unit == SM_X_STEP)
            go_to_step(v, at);
        else
            v->notice = "a click goes to a step only where the x axis is steps (x)";
    }
}

static void set_filter(struct sm_pane *p, struct sm_view *v, const char *text)
{
    (void)v;
    sm_chart_list_filter(&((struct state *)p->state)->list, text);
}

/* pane scalars set order name */
static bool set_scalars(struct sm_pane *p, struct sm_view *v, const char *attribute,
                        const char *value, struct sm_err *err)
{
    struct state *s = p->state;
    size_t i = 0;
    (void)v;
    if (strcmp(attribute, "order") != 0)
        return sm_err_set(err, SM_ERR_USAGE, "Expected order.");
    while (sm_chart_order_words[i] && strcmp(sm_chart_order_words[i], value) != 0)
        i++;
    if (!sm_chart_order_words[i])
        return sm_err_set(err, SM_ERR_USAGE, "Expected kind, name, newest or hand.");
    sm_chart_list_sort(&s->list, (enum sm_chart_order)i);
    return true;
}

static void clear_scalars(struct sm_pane *p)
{
    sm_chart_list_clear(&((struct state *)p->state)->list);
    sm_free(((struct state *)p->state)->places);
}

static void forget_scalars(struct sm_pane *p)
{
    sm_chart_list_forget(&((struct state *)p->state)->list);
}

const struct sm_pane_ops sm_pane_scalars = {
    .name = "scalars",
    .title = "losses and scalars",
    .help =
        "A chart for each loss, metric and scalar over the steps, with separate lines for "
        "TRAIN and EVAL. The lines of all visible trials share a chart; with a baseline (D) "
        "the legend shows the differences from it. + and - zoom into the steps around the "
        "current or up to the newest one; h and l move that part. j and k choose a chart, Enter "
        "shows it alone, p pins it, J and K move it, > orders by name or by the newest step; / "
        "filters by name. o chooses what is clipped. "
        "With the mouse on, a click goes to the step there, a drag selects a range of steps and "
        "the wheel zooms.",
    .context = SM_CTX_PLOT,
    .hints = {"? help", ": command", "y x s axes", "+ - zoom", "[ ] step"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 5,
    .clear = clear_scalars,
    .forget = forget_scalars,
    .draw = draw_scalars,
    .act = act_on_scalars,
    .set = set_scalars,
    .filter = set_filter,
    .click_cell = click_chart,
    .drag = drag_in_chart,
    .wheel_up = SM_ACT_CHART_IN,
    .wheel_down = SM_ACT_CHART_OUT,
    .filter_hint = "part of a name, * ?",
};
