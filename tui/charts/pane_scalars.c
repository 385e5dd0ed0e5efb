/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of losses, metrics and other scalars, with separate lines for TRAIN and EVAL. */
#include "reader/analysis/curve.h"
#include "reader/base/mem.h"
#include "tui/charts/chart_mouse.h"
#include "tui/charts/chart_page.h"
#include "tui/charts/chart_window.h"
#include "tui/charts/scalar_step.h"
#include "tui/panes/pane_list.h"

#include <math.h>
#include <string.h>

/* ---- the charts ---- */

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

static void draw_scalars(struct sm_pane *p, const struct sm_view *v, struct sm_grid *g,
                         struct sm_rect r, bool focused, struct sm_str *note)
{
    sm_chart_page_draw(p->state, v, g, r, focused, note);
}

static void next_chart(struct sm_chart_page *s, bool forward)
{
    if (forward ? s->at + 1 < s->list.n : s->at > 0)
        sm_chart_page_choose(s, forward ? s->at + 1 : s->at - 1);
}

static void next_page(struct sm_chart_page *s, bool forward)
{
    size_t last = s->list.n ? s->list.n - 1 : 0;
    s->at = !forward                   ? s->at - (s->at < s->shown ? s->at : s->shown)
            : s->at + s->shown <= last ? s->at + s->shown
                                       : last;
    if (forward && s->first + s->shown <= last)
        s->first += s->shown;
    else if (!forward)
        s->first -= s->first < s->shown ? s->first : s->shown;
    sm_chart_page_choose(s, s->at);
}

/* Moves the charts by half a window. Without zoom, goes to the next or previous chart. */
static void pan_charts(struct sm_chart_page *s, bool forward)
{
    double most = 1 << s->zoom, shift = s->shift + (forward ? -0.5 : 0.5);
    if (!s->zoom)
        next_chart(s, forward);
    else
        s->shift = shift > most ? most : shift < -most ? -most : shift;
}

static void zoom_charts(struct sm_chart_page *s, int by)
{
    s->held = false;
    s->zoom += by > 0 ? s->zoom < SM_CHART_ZOOM_MAX : -(s->zoom > 0);
    s->shift = s->zoom ? s->shift * (by > 0 ? 2 : 0.5) : 0;
}

/* Pins are those of the current run; the chart stays chosen. */
static void toggle_pin(struct sm_chart_page *s, struct sm_view *v)
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
    sm_chart_page_choose(s, sm_chart_list_find(&s->list, session, name));
    sm_free(name);
}

static void move_chart(struct sm_chart_page *s, struct sm_view *v, int by)
{
    if (sm_chart_list_move(&s->list, v->session, s->at, by))
        sm_chart_page_choose(s, by > 0 ? s->at + 1 : s->at - 1);
    else
        v->notice = "the chart is at the end: pinned charts come first";
}

/* By hand only if charts were moved. */
static void next_order(struct sm_chart_page *s, struct sm_view *v)
{
    static const char *const notices[] = {"charts: losses first", "charts by name",
                                          "charts with the newest step first", "charts by hand"};
    enum sm_chart_order next = (s->list.order + 1) % SM_CHART_ORDERS;
    next = next == SM_CHARTS_BY_HAND && !s->list.hand ? SM_CHARTS_BY_KIND : next;
    sm_chart_list_sort(&s->list, next);
    v->notice = notices[next];
}

/* Actions on what is clipped, and on legends. */
static bool act_on_looks(struct sm_chart_page *s, struct sm_view *v, enum sm_key_action a)
{
    switch (a) {
    case SM_ACT_OUTLIERS:
        s->clip = (s->clip + 1) % SM_CLIPS;
        v->notice = s->clip == SM_CLIP_OUTLIERS  ? "outliers are clipped"
                    : s->clip == SM_CLIP_NOTHING ? "nothing is clipped"
                                                 : "only runs that diverged are clipped";
        return true;
    case SM_ACT_CHART_LEGEND:
        s->legend = (s->legend + 1) % SM_CHART_LEGENDS;
        v->notice = s->legend == SM_CHART_LEGEND_AS_FITS ? "legend: as it fits"
                    : s->legend == SM_CHART_LEGEND_BESIDE
                        ? "one legend with values beside the charts"
                        : "a legend in each chart";
        return true;
    default:
        return false;
    }
}

/* Actions on axes, and on smoothing. */
static bool act_on_options(struct sm_chart_page *s, struct sm_view *v, enum sm_key_action a)
{
    switch (a) {
    case SM_ACT_Y_SCALE:
        turn_setting(v, "y-axis");
        v->notice = sm_chart_page_options(s, v).y_scale == SM_Y_LINEAR ? "y axis: linear"
                    : sm_chart_page_options(s, v).y_scale == SM_Y_LOG  ? "y axis: logarithmic"
                                                                       : "y axis: symlog";
        return true;
    case SM_ACT_X_AXIS:
        turn_setting(v, "x-axis");
        v->notice = sm_chart_page_options(s, v).x_unit == SM_X_STEP ? "x axis: step"
                    : sm_chart_page_options(s, v).x_unit == SM_X_SECONDS
                        ? "x axis: seconds since the first value"
                        : "x axis: wall time";
        return true;
    case SM_ACT_X_SCALE:
        turn_setting(v, "x-scale");
        v->notice = !sm_chart_page_options(s, v).x_log ? "x axis: linear"
                    : sm_chart_page_options(s, v).x_unit == SM_X_WALL
                        ? "x axis: logarithmic for steps and seconds; wall time stays linear"
                        : "x axis: logarithmic";
        return true;
    case SM_ACT_SMOOTH:
        set_setting(v, "smoothing",
                    sm_chart_page_options(s, v).smoothing <= 0    ? "0.6"
                    : sm_chart_page_options(s, v).smoothing < 0.9 ? "0.9"
                                                                  : "0");
        return true;
    default:
        return act_on_looks(s, v, a);
    }
}

static bool act_on_scalars(struct sm_pane *p, struct sm_view *v, enum sm_key_action a)
{
    struct sm_chart_page *s = p->state;
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
        s->held = false;
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
        sm_chart_page_choose(s, 0);
        return true;
    case SM_ACT_LAST:
        sm_chart_page_choose(s, s->list.n);
        return true;
    default:
        return act_on_options(s, v, a);
    }
}

static void set_filter(struct sm_pane *p, struct sm_view *v, const char *text)
{
    (void)v;
    sm_chart_list_filter(&((struct sm_chart_page *)p->state)->list, text);
}

/* The number of the word in the list; false, with an error that names them, if it is not there. */
static bool word_of(const char *const *words, const char *value, size_t *i, struct sm_err *err)
{
    struct sm_str all = {0};
    for (*i = 0; words[*i]; ++*i) {
        if (strcmp(words[*i], value) == 0) {
            sm_str_clear(&all);
            return true;
        }
        sm_str_printf(&all, "%s%s", !*i ? "" : words[*i + 1] ? ", " : " or ", words[*i]);
    }
    sm_err_set(err, SM_ERR_USAGE, "Expected %s.", sm_str_text(&all));
    sm_str_clear(&all);
    return false;
}

/* pane scalars set order name, pane scalars set legend beside */
static bool set_scalars(struct sm_pane *p, struct sm_view *v, const char *attribute,
                        const char *value, struct sm_err *err)
{
    struct sm_chart_page *s = p->state;
    size_t i = 0;
    (void)v;
    if (strcmp(attribute, "order") == 0) {
        if (!word_of(sm_chart_order_words, value, &i, err))
            return false;
        sm_chart_list_sort(&s->list, (enum sm_chart_order)i);
        return true;
    }
    if (strcmp(attribute, "legend") != 0)
        return sm_err_set(err, SM_ERR_USAGE, "Expected order or legend.");
    if (!word_of(sm_chart_legend_words, value, &i, err))
        return false;
    s->legend = (enum sm_chart_legend)i;
    return true;
}

static void init_scalars(struct sm_pane *p, struct sm_view *v)
{
    (void)v;
    ((struct sm_chart_page *)p->state)->curves = sm_kept_curves_new();
}

static void clear_scalars(struct sm_pane *p)
{
    struct sm_chart_page *s = p->state;
    sm_chart_list_clear(&s->list);
    sm_kept_curves_free(s->curves);
    sm_free(s->places);
}

static void forget_scalars(struct sm_pane *p)
{
    struct sm_chart_page *s = p->state;
    sm_chart_list_forget(&s->list);
    sm_kept_curves_free(s->curves);
    s->curves = sm_kept_curves_new();
}

/* Of a chart that is shown alone, in the current run. */
static const struct sm_trial_tensor *tensor_of_single(const struct sm_pane *p,
                                                      const struct sm_view *v)
{
    const struct sm_chart_page *s = p->state;
    const struct sm_trial *t = sm_session_trial(v->session);
    const char *name =
        s->single && s->at < s->list.n ? sm_chart_list_name(&s->list, v->session, s->at) : NULL;
    return t && name ? sm_trial_find(t, name, strlen(name)) : NULL;
}

const struct sm_pane_ops sm_pane_scalars = {
    .name = "scalars",
    .title = "losses and scalars",
    .help =
        "A chart for each loss, metric and scalar over the steps, with separate lines for "
        "TRAIN and EVAL, and for each worker, or with more than 8 the mean and range of the "
        "workers. "
        "The lines of all visible trials share a chart; with a baseline (D) "
        "the legend shows the differences from it. + and - zoom into the steps around the "
        "current or up to the newest one; h and l move that part. j and k choose a chart, Enter "
        "shows it alone, p pins it, J and K move it, > orders by name or by the newest step; / "
        "filters by name. o chooses what is clipped. With more lines than a legend in each chart "
        "has room for, one beside the charts has the values of all at the current step, the best "
        "of the chosen chart first (v). "
        "With the mouse on, a click goes to the step there, a drag selects a range of steps and "
        "the wheel zooms around the step under it.",
    .context = SM_CTX_PLOT,
    .hints = {"? help", ": command", "y x s axes", "+ - zoom", "[ ] step"},
    .state_size = sizeof(struct sm_chart_page),
    .min_w = 24,
    .min_h = 5,
    .init = init_scalars,
    .clear = clear_scalars,
    .forget = forget_scalars,
    .draw = draw_scalars,
    .act = act_on_scalars,
    .set = set_scalars,
    .filter = set_filter,
    .click_cell = sm_chart_page_click,
    .drag = sm_chart_page_drag,
    .wheel = sm_chart_page_wheel,
    .wheel_up = SM_ACT_CHART_IN,
    .wheel_down = SM_ACT_CHART_OUT,
    .values_of = tensor_of_single,
    .filter_hint = "part of a name, * ?, /re/",
};
