/* Charts of losses, metrics and other scalars, with separate lines for TRAIN and EVAL. */
#include "commands/runs/run_view.h"
#include "commands/session/trial_list.h"
#include "commands/values/values.h"
#include "reader/base/mem.h"
#include "reader/base/vec.h"
#include "tui/panes/chart_window.h"
#include "tui/panes/pane_list.h"
#include "tui/panes/scalar_chart.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { CHART_MIN_W = 36, CHART_MIN_H = 9 };

struct item {
    size_t trial;  /* the current trial, or else the first that has the tensor */
    uint32_t name; /* name id in that trial */
};
struct state {
    struct item *items;   /* the charts */
    size_t n, cap, first; /* first: the chart in the upper left corner */
    enum sm_scalar_clip clip;
    int zoom; /* with shift: the window of all charts (tui/panes/chart_window.h) */
    double shift;
    bool metric_first;            /* the metric of the runs comes before the others */
    uint64_t stamp;               /* hash of the trials and pins that the list was made from */
    size_t shown;                 /* charts drawn last */
    struct sm_line_place *places; /* of the charts drawn last */
    size_t n_places, cap_places;
    bool single;      /* only one chart is shown */
    char *filter;     /* part of a name, or a pattern with * and ?; NULL: all charts */
    uint64_t filters; /* changes of the filter */
};

static bool is_charted(const struct sm_trial *t, uint32_t id)
{
    static const char *const names[] = {"losses", "metrics", "sm_metrics", "scalars"};
    for (size_t c = 0; c < sm_trial_collection_count(t); c++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strcmp(sm_trial_collection(t, c)->name, names[k]) == 0 &&
                sm_trial_in_collection(t, c, id))
                return true;
    return strncmp(sm_names_text(sm_trial_names(t), id), "scalar/", 7) == 0;
}

static void mix_stamp(uint64_t *stamp, uint64_t x)
{
    *stamp = (*stamp ^ x) * 1099511628211u;
}

/* Changes whenever the list of charts may change. */
static uint64_t stamp_of(const struct state *state, const struct sm_view *v)
{
    const struct sm_session *s = v->session;
    uint64_t stamp = 14695981039346656037u;
    for (size_t i = 0; i < s->n_trials; i++) {
        mix_stamp(&stamp, (uint64_t)(uintptr_t)s->trials[i].trial);
        mix_stamp(&stamp, sm_trial_version(s->trials[i].trial));
        mix_stamp(&stamp, sm_trials_shown(s, i));
    }
    mix_stamp(&stamp, state->filters);
    mix_stamp(&stamp, s->current);
    mix_stamp(&stamp, v->sweep);
    mix_stamp(&stamp, v->sweep ? (uint64_t)(uintptr_t)sm_run_view(s)->table.metric : 0);
    mix_stamp(&stamp, s->trials[s->current].pinned.n);
    return stamp;
}

static const char *name_of(const struct sm_session *s, const struct item *x)
{
    return sm_names_text(sm_trial_names(s->trials[x->trial].trial), x->name);
}

static bool has_chart(const struct state *s, const struct sm_session *session, const char *name)
{
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(name_of(session, &s->items[i]), name) == 0)
            return true;
    return false;
}

static void add_chart(struct state *s, size_t trial, uint32_t name)
{
    if (SM_VEC_ROOM(s->items, s->n, s->cap))
        s->items[s->n++] = (struct item){trial, name};
}

/* Adds losses, then other scalars. Tensors that are in the list for another trial share its chart.
 */
static void add_trial(struct state *s, const struct sm_session *session, size_t trial)
{
    const struct sm_trial *t = session->trials[trial].trial;
    const struct sm_tags *pinned = &session->trials[session->current].pinned;
    bool current = trial == session->current;
    for (int losses = 1; losses >= 0; losses--)
        for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
            const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
            bool loss = strcasestr(sm_trial_tensor_name(t, x), "loss") != NULL;
            bool there = current && !s->metric_first
                             ? sm_tags_has(pinned, x->name)
                             : has_chart(s, session, sm_trial_tensor_name(t, x));
            if (loss == (losses == 1) && is_charted(t, x->name) && !there)
                add_chart(s, trial, x->name);
        }
}

/* The metric of the table of runs comes first. */
static void add_metric(struct state *s, const struct sm_view *v)
{
    const struct sm_session *session = v->session;
    const char *metric = sm_run_view(session)->table.metric;
    for (size_t i = 0, k = session->current; metric && i < session->n_trials; i++) {
        const struct sm_trial *t = session->trials[k].trial;
        const struct sm_trial_tensor *x = sm_trial_find(t, metric, strlen(metric));
        if (x && sm_trials_shown(session, k)) {
            if (!has_chart(s, session, metric))
                add_chart(s, k, x->name);
            s->metric_first = true;
            return;
        }
        k = (k + 1) % session->n_trials;
    }
}

static bool passes(const struct state *s, const char *name)
{
    bool pattern = s->filter && strpbrk(s->filter, "*?[");
    return !s->filter ||
           (pattern ? sm_glob_match(s->filter, name) : strcasestr(name, s->filter) != NULL);
}

static void filter_charts(struct state *s, const struct sm_session *session)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->n; i++)
        if (passes(s, name_of(session, &s->items[i])))
            s->items[kept++] = s->items[i];
    s->n = kept;
}

static void update_charts(struct state *s, const struct sm_view *v)
{
    const struct sm_session *session = v->session;
    struct sm_err err;
    if (v->sweep)
        sm_run_view_read(v->session, sm_run_view(session), &err);
    if (!sm_session_trial(session) || s->stamp == stamp_of(s, v))
        return;
    const struct sm_tags *pinned = &session->trials[session->current].pinned;
    s->stamp = stamp_of(s, v);
    s->n = 0;
    s->metric_first = false;
    for (size_t i = 0; i < pinned->n; i++)
        add_chart(s, session->current, pinned->names[i]);
    if (v->sweep)
        add_metric(s, v);
    add_trial(s, session, session->current);
    for (size_t i = 0; i < session->n_trials; i++)
        if (i != session->current && sm_trials_shown(session, i))
            add_trial(s, session, i);
    filter_charts(s, session);
    if (s->first >= s->n)
        s->first = 0;
}

/* ---- the charts ---- */

/* Smoothing and axes are settings of the session, shared with the commands. */
static struct sm_scalar_options options_of(const struct state *s, const struct sm_view *v)
{
    const struct sm_values_settings *set = sm_values_settings(v->session);
    return (struct sm_scalar_options){
        .y_scale = (enum sm_y_scale)set->y_axis,
        .x_unit = (enum sm_x_unit)set->x_axis,
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

static void add_escaped(const char *name, struct sm_str *note)
{
    sm_str_add(note, note->len ? "  " : "");
    sm_str_add_escaped(note, name, strlen(name));
}

/* How many charts fit across and down, without empty rows or columns. */
static void fit_charts(const struct state *s, struct sm_rect r, int *across, int *down)
{
    int n = s->n < INT_MAX ? (int)s->n : INT_MAX;
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

static void add_word(const char *word, struct sm_str *note)
{
    sm_str_printf(note, "%s%s", note->len ? "  " : "", word);
}

/* What is not as at the start. */
static void add_options(const struct sm_scalar_options *o, struct sm_str *note)
{
    if (o->y_scale != SM_Y_LINEAR)
        add_word(o->y_scale == SM_Y_LOG ? "log y" : "symlog y", note);
    if (o->x_unit != SM_X_STEP)
        add_word(o->x_unit == SM_X_SECONDS ? "seconds" : "wall time", note);
    if (o->clip != SM_CLIP_DIVERGED)
        add_word(o->clip == SM_CLIP_OUTLIERS ? "no outliers" : "not clipped", note);
    if (o->smoothing > 0)
        sm_str_printf(note, "%ssmoothing %g", note->len ? "  " : "", o->smoothing);
}

/* Adds to the title: visible charts, worker, part of the steps, axes, smoothing. */
static void add_note(const struct state *s, const struct sm_view *v,
                     const struct sm_scalar_options *o, struct sm_str *note)
{
    if (s->n > s->shown)
        sm_str_printf(note, "%zu", s->first + 1);
    if (s->n > s->shown && s->shown > 1)
        sm_str_printf(note, "-%zu", s->first + s->shown < s->n ? s->first + s->shown : s->n);
    if (s->n > s->shown)
        sm_str_printf(note, " of %zu", s->n);
    if (s->filter) {
        add_escaped("filter ", note);
        sm_str_add_escaped(note, s->filter, strlen(s->filter));
    }
    const struct sm_trial *t = sm_session_trial(v->session);
    uint16_t worker = v->session->at.worker;
    if (t && worker != SM_WORKER_ANY && sm_trial_worker_count(t) > 1)
        add_escaped(sm_trial_worker(t, worker), note);
    if (s->zoom)
        sm_str_printf(note, "%s1/%d of the steps", note->len ? "  " : "", 1 << s->zoom);
    if (v->sweep && sm_run_view(v->session)->group) {
        add_escaped(sm_run_view(v->session)->group, note);
        sm_str_add(note, ": mean and range");
    }
    add_options(o, note);
}

static void draw_scalars(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note)
{
    struct state *s = p->state;
    struct sm_scalar_options options = options_of(s, v);
    int across, down;
    (void)focused;
    update_charts(s, v);
    fit_charts(s, r, &across, &down);
    if (s->single)
        across = down = 1;
    s->shown = (size_t)across * (size_t)down;
    int zoom = s->n ? 0 : s->zoom;
    s->n_places = 0;
    for (int i = 0; i < across * down && s->first + (size_t)i < s->n; i++) {
        int cx = i % across, cy = i / across;
        struct sm_rect cell = {r.x + cx * r.w / across, r.y + cy * r.h / down, 0, 0};
        cell.w = r.x + (cx + 1) * r.w / across - cell.x;
        cell.h = r.y + (cy + 1) * r.h / down - cell.y;
        if (SM_VEC_ROOM(s->places, s->n_places, s->cap_places)) {
            options.place = &s->places[s->n_places++];
            *options.place = (struct sm_line_place){.lo = 1};
        }
        int most = sm_scalar_chart_draw(v, name_of(v->session, &s->items[s->first + (size_t)i]),
                                        &options, g, cell);
        zoom = most > zoom ? most : zoom;
    }
    s->zoom = zoom;
    if (!s->n)
        sm_grid_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, 0,
                     s->filter ? "no chart has such a name"
                               : "no losses, metrics or scalars saved");
    add_note(s, v, &options, note);
}

static void next_chart(struct state *s, bool forward)
{
    if (forward && s->first + 1 < s->n)
        s->first++;
    else if (!forward && s->first)
        s->first--;
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

static void toggle_pin(const struct state *s, struct sm_view *v)
{
    if (s->first < s->n && s->items[s->first].trial == v->session->current)
        v->notice =
            sm_tags_toggle(&v->session->trials[v->session->current].pinned, s->items[s->first].name)
                ? "pinned"
                : "no longer pinned";
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
    update_charts(s, v);
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
        s->first += s->first + s->shown < s->n ? s->shown : 0;
        return true;
    case SM_ACT_PAGE_UP:
        s->first -= s->first < s->shown ? s->first : s->shown;
        return true;
    case SM_ACT_OPEN:
        s->single = !s->single;
        return true;
    case SM_ACT_PIN:
        toggle_pin(s, v);
        return true;
    case SM_ACT_FIRST:
        s->first = 0;
        return true;
    case SM_ACT_LAST:
        s->first = s->n ? s->n - 1 : 0;
        return true;
    default:
        return act_on_options(s, v, a);
    }
}

/* Goes to the saved step of the current run that is nearest. */
static void go_to_step(struct sm_view *v, double step)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    size_t n = t ? sm_trial_step_count(t) : 0;
    if (!n)
        return;
    size_t i = sm_trial_step_at(t, (struct sm_step){llround(step)});
    i = i < n ? i : 0;
    if (i + 1 < n &&
        (double)sm_trial_step(t, i + 1)->step.n - step < step - (double)sm_trial_step(t, i)->step.n)
        i++;
    v->session->at.step = sm_trial_step(t, i)->step;
    v->session->at.follow = false;
}

static void click_chart(struct sm_pane *p, struct sm_view *v, int x, int y)
{
    struct state *s = p->state;
    for (size_t i = 0; i < s->n_places; i++) {
        double at = sm_line_x_at(&s->places[i], x, y);
        if (isnan(at))
            continue;
        if (options_of(s, v).x_unit == SM_X_STEP)
            go_to_step(v, at);
        else
            v->notice = "a click goes to a step only where the x axis is steps (x)";
    }
}

static void set_filter(struct sm_pane *p, struct sm_view *v, const char *text)
{
    struct state *s = p->state;
    (void)v;
    sm_free(s->filter);
    s->filter = *text ? sm_xstrdup(text) : NULL;
    s->filters++;
}

static void clear_scalars(struct sm_pane *p)
{
    sm_free(((struct state *)p->state)->filter);
    sm_free(((struct state *)p->state)->places);
    sm_free(((struct state *)p->state)->items);
}

static void forget_scalars(struct sm_pane *p)
{
    struct state *s = p->state;
    s->n = 0;
    s->stamp = 0;
}

const struct sm_pane_ops sm_pane_scalars = {
    .name = "scalars",
    .title = "losses and scalars",
    .help = "A chart for each loss, metric and scalar over the steps, with separate lines for "
            "TRAIN and EVAL. The lines of all visible trials share a chart; with a baseline (D) "
            "the legend shows the differences from it. + and - zoom into the steps around the "
            "current or up to the newest one; h and l move that part. Enter shows one chart alone, "
            "j and k go to the next; / filters by name. o chooses what is clipped. "
            "With the mouse on, a click goes to the step there and the wheel zooms.",
    .context = SM_CTX_PLOT,
    .hints = {"? help", ": command", "y x s axes", "+ - zoom", "[ ] step"},
    .state_size = sizeof(struct state),
    .min_w = 24,
    .min_h = 5,
    .clear = clear_scalars,
    .forget = forget_scalars,
    .draw = draw_scalars,
    .act = act_on_scalars,
    .filter = set_filter,
    .click_cell = click_chart,
    .wheel_up = SM_ACT_CHART_IN,
    .wheel_down = SM_ACT_CHART_OUT,
    .filter_hint = "part of a name, * ?",
};
