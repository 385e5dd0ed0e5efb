/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/verdict/session_verdict.h"

#include "commands/session/feature.h"
#include "commands/session/incident.h"
#include "commands/session/survey_limit.h"
#include "reader/base/clock.h"
#include "reader/base/mem.h"
#include "reader/profile/profile.h"
#include "reader/trace/trace_set.h"
#include "rules/verdict/collect.h"

#include <string.h>

/* BUDGET: of a turn of the loop, for all trials together. REST: a view is made again after this
 * many times the time that it took. */
enum { BUDGET_US = 10000, REST = 20, SILENCE_US = 10000000 };

struct of_trial {
    struct sm_rules *rules; /* with one instance, of sm_rule_signals; NULL until it is asked for */
    struct sm_verdict *verdict; /* of some 30 kB; NULL until it is asked for */
    uint64_t judged;            /* steps and trial version that the verdict is of */
    uint64_t version;
    enum sm_trial_state state; /* stalled: by the clock */
    bool known;
    struct sm_trial_speed speed;
    uint64_t sped;             /* version of the profile that the verdict is of */
    struct sm_signals nothing; /* of a trial that has a profile alone */
    struct sm_verdict_view view;
    /* of the view: values, version and state of the trial; when it was made and may be again */
    uint64_t shown_values, shown_version, shown_speed;
    enum sm_trial_state shown_state;
    int64_t made_us, due_us;
    const char *told; /* id of the cause that sm_session_verdict_tell told last, or NULL */
};
struct of_session {
    bool watching;
};
const struct sm_state_kind sm_verdict_state_kind = {.size = sizeof(struct of_session),
                                                    .trial_size = sizeof(struct of_trial)};

static struct of_session *of_session(const struct sm_session *s)
{
    return sm_session_state(s, &sm_verdict_state_kind);
}

static struct of_trial *of_trial(const struct sm_session *s, size_t trial)
{
    return sm_session_trial_state(s, trial, &sm_verdict_state_kind);
}

static void start(struct sm_session *s, struct of_trial *o, struct sm_trial *t)
{
    static const char *const args[] = {"workers=all"};
    struct sm_err err;
    o->rules = sm_rules_new(t, s->fetch, s->pool);
    sm_rules_add(o->rules, &sm_rule_signals, NULL, args, 1, &err);
}

const struct sm_speed *sm_session_speed(struct sm_session *s, size_t trial)
{
    return sm_trial_speed_find(&of_trial(s, trial)->speed, s->trials[trial].trial);
}

/* A trial without steps has no signals, but may have a profile. */
static const struct sm_signals *signals_of(struct of_trial *o, const struct sm_trial *t)
{
    const struct sm_signals *g = o->rules ? sm_signals_of(sm_rules_item(o->rules, 0)) : NULL;
    o->nothing = (struct sm_signals){.trial = t, .first_step = -1, .last_step = -1};
    return !g && o->speed.known && !sm_trial_step_count(t) ? &o->nothing : g;
}

const struct sm_signals *sm_session_signals(struct sm_session *s, size_t trial)
{
    struct of_trial *o = of_trial(s, trial);
    struct sm_trial *t = s->trials[trial].trial;
    if (!o->rules)
        start(s, o, t);
    return signals_of(o, t);
}

/* speed: NULL: not known. */
static const struct sm_verdict *verdict_with(struct sm_session *s, size_t trial,
                                             const struct sm_speed *speed)
{
    struct of_trial *o = of_trial(s, trial);
    const struct sm_signals *g = sm_session_signals(s, trial);
    uint64_t version = sm_trial_version(s->trials[trial].trial);
    enum sm_trial_state state = sm_trial_state(s->trials[trial].trial);
    if (!g)
        return NULL;
    if (!o->known || o->judged != g->values || o->version != version || o->state != state ||
        o->sped != o->speed.version) {
        if (o->verdict)
            sm_verdict_clear(o->verdict);
        else
            o->verdict = sm_xalloc_zero(1, sizeof *o->verdict);
        sm_verdict_find(g, sm_clock_wall_us(), o->verdict);
        if (speed)
            sm_verdict_join(o->verdict, speed);
        o->known = true;
        o->judged = g->values;
        o->version = version;
        o->state = state;
        o->sped = o->speed.version;
    }
    return o->verdict;
}

const struct sm_verdict *sm_session_verdict(struct sm_session *s, size_t trial)
{
    return verdict_with(s, trial, sm_session_speed(s, trial));
}

bool sm_session_verdict_is_complete(const struct sm_session *s, size_t trial)
{
    const struct of_trial *o = of_trial(s, trial);
    return o->rules && sm_rules_all_judged(o->rules) && !sm_rules_busy(o->rules);
}

const struct sm_verdict *sm_verdict_ask(struct sm_call *c, struct sm_err *err)
{
    struct sm_session *s = c->session;
    sm_session_signals(s, s->current); /* starts to collect them */
    if (!sm_session_verdict_is_complete(s, s->current)) {
        int64_t due = sm_session_verdict_deadline_us(s);
        c->wake_us = due == INT64_MAX ? 0 : due ? due : sm_clock_mono_us();
        sm_err_set(err, SM_ERR_WAIT, "reading the values of all steps");
        return NULL;
    }
    struct sm_profile *p = sm_trial_profile(sm_session_trial(s));
    if (p && !sm_profile_is_read(p)) {
        sm_err_set(err, SM_ERR_WAIT, "reading the profile, %d %%", sm_profile_percent(p));
        return NULL;
    }
    if (!sm_trace_set_ready(sm_trial_traces(sm_session_trial(s)), err))
        return NULL;
    const struct sm_verdict *v = sm_session_verdict(s, s->current);
    if (!v)
        sm_err_set(err, SM_ERR_MISSING, "No step was saved yet, so there is no verdict.");
    return v;
}

/* ---- views ---- */

void sm_session_verdict_watch(struct sm_session *s, bool on)
{
    of_session(s)->watching = on;
}

const struct sm_verdict_view *sm_session_verdict_view(const struct sm_session *s, size_t trial)
{
    return &of_trial(s, trial)->view;
}

/* Starts to collect, unless that would read too much. */
static bool watch_trial(struct sm_session *s, size_t i)
{
    struct of_trial *o = of_trial(s, i);
    struct sm_trial *t = s->trials[i].trial;
    if (!of_session(s)->watching || !sm_trial_scanned(t) || sm_trial_glance(t))
        return false;
    if (o->rules || sm_survey_is_within(s, t)) {
        if (!o->rules)
            start(s, o, t);
        return true;
    }
    if (o->view.state != SM_VERDICT_TOO_LARGE)
        sm_verdict_view_reset(&o->view, SM_VERDICT_TOO_LARGE, 0);
    o->view.limit = sm_survey_limit_name(s, t);
    return false;
}

static bool is_stale(const struct of_trial *o, const struct sm_signals *g, const struct sm_trial *t)
{
    bool aged =
        o->view.timed && sm_trial_is_followed(t) && sm_clock_mono_us() >= o->made_us + SILENCE_US;
    return o->view.state <= SM_VERDICT_READING || o->shown_values != g->values || aged ||
           o->shown_version != sm_trial_version(t) || o->shown_state != sm_trial_state(t) ||
           o->shown_speed != o->speed.version;
}

/* The first reading takes a while; a verdict of some of the steps would be wrong. */
static bool show_progress(struct of_trial *o, const struct sm_signals *g, const struct sm_trial *t)
{
    size_t n = sm_trial_step_count(t);
    int percent = g && n ? (int)(100 * g->steps / n) : 0;
    if (!n || (o->view.state == SM_VERDICT_READING && o->view.percent == percent))
        return false;
    sm_verdict_view_reset(&o->view, SM_VERDICT_READING, percent > 99 ? 99 : percent);
    return true;
}

/* Whether all steps are read, for the first time or after the job was restarted. */
static bool is_reading(const struct sm_session *s, size_t i, const struct sm_signals *g)
{
    const struct of_trial *o = of_trial(s, i);
    return !g || ((o->view.state <= SM_VERDICT_READING || g->values < o->shown_values) &&
                  !sm_session_verdict_is_complete(s, i));
}

/* A profile may be large: only that of the trial that is shown is read for its view. */
static const struct sm_speed *speed_of_view(struct sm_session *s, size_t i)
{
    bool wanted = i == s->current || sm_trial_profile_opened(s->trials[i].trial);
    return wanted ? sm_session_speed(s, i) : NULL;
}

static bool update_view(struct sm_session *s, size_t i, int64_t now)
{
    struct of_trial *o = of_trial(s, i);
    const struct sm_trial *t = s->trials[i].trial;
    const struct sm_speed *speed = speed_of_view(s, i);
    const struct sm_signals *g = sm_session_signals(s, i);
    if (is_reading(s, i, g))
        return o->view.state <= SM_VERDICT_READING && show_progress(o, g, t);
    if (!is_stale(o, g, t) || now < o->due_us)
        return false;
    o->shown_values = g->values;
    o->shown_version = sm_trial_version(t);
    o->shown_state = sm_trial_state(t);
    o->shown_speed = o->speed.version;
    o->known = false;
    sm_verdict_view_make(verdict_with(s, i, speed), &o->view);
    o->made_us = sm_clock_mono_us();
    o->due_us = o->made_us + REST * (o->made_us - now);
    return true;
}

bool sm_session_verdict_settled(const struct sm_session *s)
{
    for (size_t i = 0; of_session(s)->watching && i < s->n_trials; i++) {
        const struct of_trial *o = of_trial(s, i);
        const struct sm_signals *g = signals_of(of_trial(s, i), s->trials[i].trial);
        struct sm_profile *p = sm_trial_profile_opened(s->trials[i].trial);
        if (!p && i == s->current && o->rules)
            p = sm_trial_profile(s->trials[i].trial);
        if (p && !sm_profile_is_read(p))
            return false;
        if (sm_trial_glance(s->trials[i].trial))
            continue;
        if (o->view.state != SM_VERDICT_TOO_LARGE &&
            (!sm_session_verdict_is_complete(s, i) || (g && is_stale(o, g, s->trials[i].trial))))
            return false;
    }
    return true;
}

static void tell(struct sm_session *s, size_t i)
{
    const struct sm_verdict_view *v = sm_session_verdict_view(s, i);
    const char *name = sm_trial_name(s->trials[i].trial);
    struct sm_str text = {0};
    if (s->n_trials > 1) {
        sm_str_add_escaped(&text, name, strlen(name));
        sm_str_add(&text, ": ");
    }
    sm_str_printf(&text, "%s. \"verdict\" shows the evidence.", v->headline);
    sm_incidents_add(s->incidents, NULL, v->n_evidence ? v->evidence[0].place.step : -1, false,
                     sm_str_text(&text));
    sm_str_clear(&text);
}

void sm_session_verdict_tell(struct sm_session *s)
{
    for (size_t i = 0; i < s->n_trials; i++) {
        struct of_trial *o = of_trial(s, i);
        if (o->view.state != SM_VERDICT_CAUSE || (o->told && strcmp(o->told, o->view.id) == 0))
            continue;
        o->told = o->view.id;
        tell(s, i);
    }
}

/* ---- the feature ---- */

static int64_t reading_budget(const struct sm_session *s)
{
    int64_t n = 0;
    for (size_t i = 0; i < s->n_trials; i++)
        n += of_trial(s, i)->rules != NULL;
    return n ? BUDGET_US / n : BUDGET_US;
}

bool sm_session_verdict_pump(struct sm_session *s, bool news)
{
    int64_t budget = reading_budget(s);
    bool changed = false;
    sm_fetch_set_background(s->fetch, true);
    for (size_t i = 0; i < s->n_trials; i++) {
        struct of_trial *o = of_trial(s, i);
        bool watched = watch_trial(s, i);
        if (!o->rules)
            continue;
        sm_rules_finite(o->rules, !s->open_options.follow);
        changed = sm_rules_pump(o->rules, news, budget) || changed;
        changed = (watched && update_view(s, i, sm_clock_mono_us())) || changed;
    }
    sm_fetch_set_background(s->fetch, false);
    return changed;
}

int64_t sm_session_verdict_deadline_us(const struct sm_session *s)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < s->n_trials; i++) {
        struct of_trial *o = of_trial(s, i);
        int64_t due = o->rules ? sm_rules_deadline_us(o->rules) : INT64_MAX;
        const struct sm_signals *g = signals_of(o, s->trials[i].trial);
        if (of_session(s)->watching && o->view.state > SM_VERDICT_READING && !is_reading(s, i, g) &&
            is_stale(o, g, s->trials[i].trial))
            due = o->due_us < due ? o->due_us : due;
        first = due < first ? due : first;
    }
    return first;
}

void sm_session_verdict_close(struct sm_session *s, size_t trial)
{
    struct of_trial *o = of_trial(s, trial);
    sm_rules_free(o->rules);
    if (o->verdict)
        sm_verdict_clear(o->verdict);
    sm_free(o->verdict);
    sm_trial_speed_clear(&o->speed);
    sm_verdict_view_clear(&o->view);
    *o = (struct of_trial){0};
}
