/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/profile_panes/profile_view.h"

#include "commands/place/describe.h"
#include "commands/session/feature.h"
#include "plot/table.h"
#include "reader/analysis/step_moments.h"
#include "reader/trial.h"
#include "tui/panes/open_rule.h"

/* Of each trial. */
struct profile_view {
    int64_t window_ns; /* how much of the time is shown; 0: all */
    bool has_center;   /* else it is the last part */
    int64_t center_ns; /* of what is shown */
    bool has_moment;
    int64_t moment_ns;
    int64_t moment_step; /* the current step when the moment was chosen */
    bool has_step;       /* with seen_step: */
    int64_t seen_step;   /* the step that was current in the last frame */
    bool followed;       /* the newest step was followed in the last frame */
};
static const struct sm_state_kind kind = {.trial_size = sizeof(struct profile_view)};
const struct sm_feature sm_profile_panes_feature = {.name = "profile-panes", .state = &kind};

static const int64_t window_least_ns = 1000000;

static struct profile_view *state_of(const struct sm_view *v)
{
    return sm_session_trial_state(v->session, v->session->current, &kind);
}

const struct sm_profile *sm_profile_shown(const struct sm_view *v, const char **why)
{
    struct sm_trial *t = sm_session_trial(v->session);
    const struct sm_profile *p = t ? sm_trial_profile(t) : NULL;
    *why = !t                         ? "no run is open"
           : p                        ? NULL
           : !sm_trial_scanned(t)     ? "looking for a profile"
           : sm_trial_profile_root(t) ? "the profile cannot be opened"
                                      : "this run has no profile";
    return p;
}

bool sm_profile_wanted(const struct sm_pane *p, const struct sm_view *v)
{
    struct sm_trial *t = sm_session_trial(v->session);
    (void)p;
    return !t || sm_trial_profile(t) || sm_trial_profile_root(t) || !sm_trial_info(t)->n_samples;
}

void sm_profile_say(const struct sm_view *v, struct sm_grid *g, struct sm_rect r, const char *text)
{
    if (r.h > 0 && r.w > 1)
        sm_cut_text(g, r.x + 1, r.y, r.w - 1, SM_ROLE_DIM, text, v->glyphs);
}

void sm_profile_note(const struct sm_profile *p, struct sm_str *note)
{
    if (!sm_profile_is_read(p))
        sm_str_printf(note, "%sreading %d %%", note->len ? "  " : "", sm_profile_percent(p));
}

/* ---- steps and times ---- */

bool sm_profile_step_range(const struct sm_view *v, const struct sm_profile *p,
                           struct sm_time_range *out)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    size_t n = t ? sm_trial_step_count(t) : 0;
    struct sm_step now = sm_session_step(v->session);
    size_t i = n ? sm_trial_step_at(t, now) : n;
    return i < n && sm_trial_step(t, i)->step.n == now.n &&
           sm_step_moment(t, p, i, &out->from_ns, &out->to_ns);
}

bool sm_profile_go_to_step(struct sm_view *v, const struct sm_profile *p, enum sm_mode mode,
                           int32_t step)
{
    const struct sm_trial *t = sm_session_trial(v->session);
    int64_t from, to;
    size_t first, last;
    struct sm_step exact;
    if (!t)
        return false;
    if (sm_trial_step_of_mode(t, mode, (struct sm_mode_step){step}, &exact)) {
        sm_view_set_step(v, exact.n);
        return true;
    }
    if (!sm_profile_step_time(p, mode, step, &from, &to) ||
        !sm_steps_of_moments(t, p, from, to, &first, &last))
        return false;
    sm_view_set_step(v, sm_trial_step(t, first)->step.n);
    return true;
}

/* The mode of a step that ran in [ns, ns + width_ns), of the mode of the summary if there is one;
 * false: none ran. */
static bool steps_at(const struct sm_profile *p, int64_t ns, int64_t width_ns, enum sm_mode *mode,
                     int32_t *first, int32_t *last)
{
    int64_t to = ns > INT64_MAX - width_ns ? INT64_MAX : ns + width_ns;
    *mode = sm_profile_main_mode(p);
    if (sm_profile_steps_in(p, *mode, ns, to, first, last))
        return true;
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++) {
        *mode = (enum sm_mode)m;
        if (sm_profile_steps_in(p, *mode, ns, to, first, last))
            return true;
    }
    return false;
}

void sm_profile_go_to(struct sm_view *v, const struct sm_profile *p, int64_t ns, int64_t width_ns)
{
    struct profile_view *s = state_of(v);
    const struct sm_trial *t = sm_session_trial(v->session);
    int64_t to = ns > INT64_MAX - width_ns ? INT64_MAX : ns + width_ns;
    size_t first, last;
    if (t && sm_steps_of_moments(t, p, ns, to, &first, &last))
        sm_view_set_step(v, sm_trial_step(t, first)->step.n);
    s->has_moment = true;
    s->moment_ns = ns;
    s->moment_step = s->seen_step = sm_session_step(v->session).n;
    s->has_step = true;
}

void sm_profile_moment_text(const struct sm_profile *p, int64_t ns, int64_t width_ns,
                            struct sm_str *out)
{
    char text[16];
    int64_t from = 0, to = 0;
    enum sm_mode mode;
    int32_t first, last;
    sm_profile_span(p, &from, &to);
    sm_format_nanoseconds((double)ns - (double)from, text);
    sm_str_printf(out, "at %s", text);
    if (!steps_at(p, ns, width_ns, &mode, &first, &last)) {
        sm_str_add(out, sm_profile_events(p)->n_steps ? ": no step" : "");
        return;
    }
    sm_str_printf(out, ": %s %d", sm_mode_name(mode), first);
    if (last > first)
        sm_str_printf(out, "-%d", last);
}

bool sm_profile_moment(const struct sm_view *v, int64_t *ns)
{
    const struct profile_view *s = state_of(v);
    *ns = s->moment_ns;
    return s->has_moment && s->moment_step == sm_session_step(v->session).n;
}

/* ---- the part of the time ---- */

/* A part that is zoomed follows the current step. */
static void follow_step(struct profile_view *s, const struct sm_view *v, const struct sm_profile *p)
{
    struct sm_time_range step;
    int64_t now = sm_session_step(v->session).n;
    if (v->session->at.follow && !s->followed)
        s->has_center = s->has_moment = false; /* the last part again */
    s->followed = v->session->at.follow;
    if (s->has_step && s->seen_step == now)
        return;
    if (s->has_step && s->window_ns && sm_profile_step_range(v, p, &step)) {
        s->center_ns = step.from_ns;
        s->has_center = true;
    }
    s->has_step = true;
    s->seen_step = now;
}

bool sm_profile_window_shown(const struct sm_view *v, const struct sm_profile *p,
                             struct sm_time_range *out)
{
    struct profile_view *s = state_of(v);
    int64_t from, to;
    if (!sm_profile_span(p, &from, &to))
        return false;
    *out = (struct sm_time_range){from, to};
    follow_step(s, v, p);
    uint64_t all = (uint64_t)to - (uint64_t)from;
    if (!s->window_ns || (uint64_t)s->window_ns >= all)
        return true;
    int64_t w = s->window_ns;
    out->from_ns = !s->has_center || s->center_ns > to - w / 2 ? to - w
                   : s->center_ns < from + w / 2               ? from
                                                               : s->center_ns - w / 2;
    out->to_ns = out->from_ns + w;
    return true;
}

static bool is_all(const struct sm_profile *p, int64_t w)
{
    int64_t from, to;
    return !sm_profile_span(p, &from, &to) || (uint64_t)w >= (uint64_t)to - (uint64_t)from;
}

/* Around the moment, or else the step, or what is shown. */
static void zoom_by(struct sm_view *v, const struct sm_profile *p, int by)
{
    struct profile_view *s = state_of(v);
    struct sm_time_range step, now;
    int64_t ns;
    if (!sm_profile_window_shown(v, p, &now))
        return;
    bool center = s->has_center;
    if (sm_profile_moment(v, &ns))
        s->center_ns = ns, s->has_center = true;
    else if (!center && sm_profile_step_range(v, p, &step))
        s->center_ns = step.from_ns, s->has_center = true;
    int64_t w = now.to_ns - now.from_ns;
    if (by > 0)
        s->window_ns = w / 2 > window_least_ns ? w / 2 : w;
    else
        s->window_ns = w > INT64_MAX / 2 || is_all(p, 2 * w) ? 0 : 2 * w;
}

void sm_profile_show_last(struct sm_view *v, int64_t ns)
{
    *state_of(v) = (struct profile_view){.window_ns = ns};
}

static void move_by(struct sm_view *v, const struct sm_profile *p, int64_t width_ns, int columns)
{
    struct profile_view *s = state_of(v);
    struct sm_time_range now, step;
    int64_t ns, from, to, by;
    if (!sm_profile_window_shown(v, p, &now) || !sm_profile_span(p, &from, &to))
        return;
    if (!sm_profile_moment(v, &ns))
        ns = sm_profile_step_range(v, p, &step) ? step.from_ns : now.to_ns;
    if (__builtin_mul_overflow(width_ns, (int64_t)columns, &by) ||
        __builtin_add_overflow(ns, by, &ns))
        ns = columns > 0 ? to : from;
    ns = ns < from ? from : ns > to ? to : ns;
    sm_profile_go_to(v, p, ns, width_ns);
    if (s->window_ns && (ns < now.from_ns || ns > now.to_ns))
        s->center_ns = ns, s->has_center = true;
}

bool sm_profile_chart_act(struct sm_view *v, const struct sm_profile *p, int64_t width_ns,
                          enum sm_key_action a)
{
    switch (a) {
    case SM_ACT_LEFT:
    case SM_ACT_RIGHT:
        move_by(v, p, width_ns, a == SM_ACT_RIGHT ? 1 : -1);
        return true;
    case SM_ACT_CHART_IN:
    case SM_ACT_CHART_OUT:
        zoom_by(v, p, a == SM_ACT_CHART_IN ? 1 : -1);
        return true;
    case SM_ACT_CHART_ALL:
        *state_of(v) = (struct profile_view){0};
        return true;
    default:
        return false;
    }
}
