/* SPDX-License-Identifier: Apache-2.0 */
/* Rules that judge windows of time of a trial's profile. The windows follow each other from the
 * first time of the data. A window is judged when there are data after it, or when nothing more
 * will come: then also the last one, which is not full. */
#include "rules/private.h"

#include "reader/base/clock.h"

#include <string.h>

/* While the profile grows: data up to this time are there of both kinds. */
static int64_t usable_until(const struct sm_profile *p)
{
    const struct sm_metric_store *m = sm_profile_metrics(p);
    const struct sm_event_store *x = sm_profile_events(p);
    int64_t events = x->last_ns;
    if (m->n_samples && !x->n_events)
        return m->last_ns;
    /* an event comes when it ends: a step that began in the window may not have come yet */
    if (__builtin_sub_overflow(events, x->longest_step_ns, &events))
        events = INT64_MIN;
    return !m->n_samples || events < m->last_ns ? events : m->last_ns;
}

static int64_t window_length(const struct sm_rule_instance *i)
{
    const struct sm_rule_value *v = sm_rule_value(i->rule, i->values, "scan_interval_us");
    return v && v->number >= 1 ? (int64_t)(v->number * 1e3) : INT64_C(60000000000);
}

static bool is_due(const struct sm_rule_instance *i)
{
    return i->status == SM_RULE_IN_PROGRESS && i->rule->on_windows &&
           i->own->share != SM_SHARE_ELSEWHERE;
}

static bool has_due(const struct sm_rules *r)
{
    bool any = r->takes_windows;
    for (size_t k = 0; k < r->n; k++)
        any = any || is_due(r->items[k]);
    return any;
}

/* Whether the last window, which is not full, is judged now. If a job that stalls goes on, the rule
 * begins again for it; so that this is not done at each of many pauses, it must have judged as many
 * windows since then as it had to judge again. */
static bool takes_partial(const struct sm_rule_instance *i, const struct sm_profile *p)
{
    const struct sm_rules *r = i->own->rules;
    return i->own->windows >= 2 * i->own->restarted || r->finite ||
           sm_trial_state(r->trial) != SM_TRIAL_STALLED || !sm_trial_is_followed(r->trial) ||
           sm_profile_ended(p);
}

/* The next window of the rule. False: there is none now. */
static bool next_window(const struct sm_rule_instance *i, const struct sm_profile *p, bool over,
                        int64_t *from, int64_t *to)
{
    int64_t first, last;
    if (!sm_profile_span(p, &first, &last))
        return false;
    *from = i->own->begun ? i->own->window_ns : first;
    if (__builtin_add_overflow(*from, window_length(i), to))
        *to = INT64_MAX;
    if (over)
        return *from <= last && (*to <= last || takes_partial(i, p));
    return usable_until(p) >= *to;
}

static bool has_samples(const struct sm_profile *p, int64_t from, int64_t to)
{
    const struct sm_metric_store *m = sm_profile_metrics(p);
    struct sm_event_walk walk = {.from_ns = from, .to_ns = to};
    for (size_t k = 0; k < m->n_series; k++) {
        size_t at = sm_metric_at(m, &m->series[k], from);
        if (at < m->series[k].n && sm_metric_time(m, &m->series[k], at) < to)
            return true;
    }
    return sm_event_next(sm_profile_events(p), &walk);
}

/* The first start of an event from `from` on. */
static int64_t next_event(const struct sm_event_store *x, int64_t from)
{
    int64_t next = INT64_MAX;
    for (size_t k = 0; k < x->n_blocks; k++) {
        const struct sm_event_block *b = &x->blocks[k];
        if (b->to_ns < from || b->from_ns >= next)
            continue;
        for (size_t i = 0; i < b->n; i++)
            if (b->events[i].start_ns >= from && b->events[i].start_ns < next)
                next = b->events[i].start_ns;
    }
    return next;
}

/* Begin of the first window from `from` on that has data. A gap of a year must not take a year's
 * windows. */
static int64_t skip_gap(const struct sm_rule_instance *i, const struct sm_profile *p, int64_t from)
{
    const struct sm_metric_store *m = sm_profile_metrics(p);
    int64_t length = window_length(i), next = next_event(sm_profile_events(p), from);
    for (size_t k = 0; k < m->n_series; k++) {
        size_t at = sm_metric_at(m, &m->series[k], from);
        int64_t ns = at < m->series[k].n ? sm_metric_time(m, &m->series[k], at) : INT64_MAX;
        next = ns < next ? ns : next;
    }
    return next == INT64_MAX ? from + length : from + (next - from) / length * length;
}

/* ---- what came late ---- */

/* Nothing more is expected: the last window counts, too. */
static bool is_over(const struct sm_rules *r, const struct sm_profile *p)
{
    enum sm_trial_state state = sm_trial_state(r->trial);
    return r->finite || !sm_trial_is_followed(r->trial) || state == SM_TRIAL_ENDED ||
           state == SM_TRIAL_STALLED || (p && sm_profile_ended(p));
}

/* Something was added to what it has judged. */
static bool is_late(const struct sm_rule_instance *i, int64_t earliest, int64_t newest)
{
    const struct sm_rule_private *p = i->own;
    return i->rule->on_windows &&
           (earliest < p->window_ns || (p->partial_ns && newest > p->partial_ns));
}

/* Windows that were judged before something was added to them are judged again (again.c). */
void sm_rules_notice_late_windows(struct sm_rules *r)
{
    const struct sm_profile *p =
        r->windows_seen.any || has_due(r) ? sm_trial_profile(r->trial) : NULL;
    if (!p || !sm_profile_is_read(p))
        return;
    const struct sm_metric_store *m = sm_profile_metrics(p);
    const struct sm_event_store *x = sm_profile_events(p);
    int64_t metrics = sm_earliest_since(&m->added, r->windows_seen.metrics),
            events = sm_earliest_since(&x->added, r->windows_seen.events),
            late = metrics < events ? metrics : events, first, newest = INT64_MIN;
    r->windows_seen.any = true;
    r->windows_seen.metrics = m->version;
    r->windows_seen.events = x->version;
    sm_profile_span(p, &first, &newest);
    for (size_t k = 0; k < r->n; k++)
        if (is_late(r->items[k], late, newest)) {
            struct sm_rule_private *own = r->items[k]->own;
            own->restarted = late < own->window_ns ? own->restarted : own->windows;
            own->partial_ns = 0;
            sm_rule_mark_behind(r, r->items[k]);
        }
}

/* More data may come after the end that was said, and a job that stalled may go on. */
static void reopen(struct sm_rules *r, const struct sm_profile *p)
{
    int64_t from, to;
    bool more = !is_over(r, p);
    for (size_t k = 0; k < r->n; k++) {
        struct sm_rule_instance *i = r->items[k];
        bool ended = i->status == SM_RULE_NO_ISSUES || i->status == SM_RULE_ISSUES;
        if (i->rule->on_windows && ended && i->continues && i->own->begun &&
            (more || next_window(i, p, true, &from, &to)))
            sm_rule_set_status(r, i, SM_RULE_IN_PROGRESS);
    }
}

/* ---- judging ---- */

static void commit_window(struct sm_rules *r, struct sm_rule_instance *i)
{
    struct sm_rule_private *p = i->own;
    uint64_t triggered = i->triggered + p->triggering;
    int64_t from = p->window_ns;
    size_t first_note = sm_rule_keep_notes(r, i);
    if (p->failure) {
        i->reason = p->failure;
        p->failure = NULL;
        sm_rule_set_status(r, i, SM_RULE_ERROR);
    } else if (p->triggering) {
        i->first_fired_ns = i->first_fired_ns ? i->first_fired_ns : from;
        sm_rule_fire(r, i, -1, first_note);
        i->triggered = triggered;
    }
    p->triggering = 0;
    sm_rule_clear_notes(p);
    r->version++;
}

static int64_t end_of(const struct sm_profile *p)
{
    int64_t first, last = 0;
    sm_profile_span(p, &first, &last);
    return last;
}

static void judge_window(struct sm_rules *r, struct sm_rule_instance *i,
                         const struct sm_rule_at *at)
{
    struct sm_rule_at x = *at;
    x.fetch = r->fetch;
    x.trial = r->trial;
    x.p = i->values;
    x.state = i->own->state;
    x.instance = i;
    x.rules = r;
    sm_rule_clear_notes(i->own);
    i->own->begun = i->matched = true;
    i->own->window_ns = at->from_ns;
    i->own->how.judge(&x);
    i->own->windows++;
    (r->again_of ? r->again_of : r)->windows_done++;
    commit_window(r, i);
    i->own->window_ns = at->to_ns;
    i->own->partial_ns = at->last_window ? end_of(at->profile) : 0;
}

/* What all rules see in a window, and the steps that ran in it. */
static struct sm_rule_at window_at(const struct sm_profile *p, bool over, int64_t from, int64_t to)
{
    struct sm_rule_at x = {.profile = p, .from_ns = from, .to_ns = to};
    enum sm_mode mode = sm_profile_main_mode(p);
    int32_t first = -1, last;
    int64_t end;
    bool any = sm_profile_steps_in(p, mode, from, to, &first, &last);
    x.step = (struct sm_trial_step){.step = {-1},
                                    .mode_step = {any ? first : -1},
                                    .mode = any ? mode : SM_MODE_ANY,
                                    .time_us = from / 1000};
    sm_profile_span(p, &x.begin_ns, &end);
    x.last_window = over && to > end;
    return x;
}

/* Without a profile, or with an empty one, there is nothing to judge. */
static void end_without_data(struct sm_rules *r, const char *why)
{
    for (size_t k = 0; k < r->n; k++)
        if (is_due(r->items[k]) && !r->items[k]->own->begun) {
            r->items[k]->reason = sm_xstrdup(why);
            sm_rule_set_status(r, r->items[k], SM_RULE_ERROR);
        }
}

/* Judges the next window of the rule, or goes past a gap. */
static void judge_next(struct sm_rules *r, struct sm_rule_instance *i, const struct sm_profile *p,
                       bool over, int64_t from, int64_t to)
{
    struct sm_rule_at at = window_at(p, over, from, to);
    if (i->own->begun && !at.last_window && !has_samples(p, from, to))
        i->own->window_ns = skip_gap(i, p, from);
    else
        judge_window(r, i, &at);
}

void sm_rules_judge_until(struct sm_rule_instance *i, const struct sm_rule_at *at)
{
    int64_t from, to;
    while (is_due(i) && next_window(i, at->profile, true, &from, &to) &&
           (to <= at->to_ns || at->last_window))
        judge_next(i->own->rules, i, at->profile, at->last_window, from, to);
}

/* False: time is over. */
static bool judge_all(struct sm_rules *r, const struct sm_profile *p, bool over, int64_t end)
{
    int64_t from, to;
    for (size_t k = 0; k < r->n; k++) {
        struct sm_rule_instance *i = r->items[k];
        while (is_due(i) && next_window(i, p, over, &from, &to)) {
            judge_next(r, i, p, over, from, to);
            if (sm_clock_mono_us() >= end)
                return false;
        }
    }
    return true;
}

/* The job stalls, or at least its profile has ended. */
static void finish_windows(struct sm_rules *r)
{
    for (size_t k = 0; k < r->n; k++)
        if (is_due(r->items[k]) && r->items[k]->own->begun)
            sm_rule_set_status(r, r->items[k],
                               r->items[k]->triggered ? SM_RULE_ISSUES : SM_RULE_NO_ISSUES);
}

void sm_rules_judge_windows(struct sm_rules *r, int64_t end)
{
    const struct sm_profile *p = r->windows_seen.any ? sm_trial_profile(r->trial) : NULL;
    int64_t first, last;
    r->windows_unjudged = false;
    r->windows_rules = r->n;
    if (p)
        reopen(r, p);
    if (!has_due(r))
        return;
    p = sm_trial_profile(r->trial);
    r->windows_version = p ? sm_profile_version(p) : 0;
    if (p && !sm_profile_is_read(p)) {
        r->windows_unjudged = true;
        return;
    }
    bool over = r->windows_over = is_over(r, p);
    if (p && sm_profile_span(p, &first, &last)) {
        r->windows_unjudged = !judge_all(r, p, over, end);
        r->busy = r->busy || r->windows_unjudged;
        if (over && !r->windows_unjudged && !r->again_of && !sm_rules_is_behind(r))
            finish_windows(r);
    } else if (over) {
        end_without_data(r, p ? "the profile is empty" : "the run has no profile");
    }
}

int64_t sm_rules_windows_deadline_us(const struct sm_rules *r)
{
    int64_t stalls_in_us = sm_trial_stalls_in_us(r->trial);
    return r->windows_over || !has_due(r) || stalls_in_us == INT64_MAX
               ? INT64_MAX
               : sm_clock_mono_us() + stalls_in_us;
}

/* ---- the same rule in two places ---- */

bool sm_rules_windows_judged(const struct sm_rules *r)
{
    const struct sm_profile *p = sm_trial_profile(r->trial);
    return r->windows_rules == r->n && !r->windows_unjudged && !sm_rules_is_behind(r) &&
           (!has_due(r) || !p ||
            (r->windows_version == sm_profile_version(p) && r->windows_over == is_over(r, p)));
}

static bool is_same_value(const struct sm_rule_param *p, const struct sm_rule_value *a,
                          const struct sm_rule_value *b)
{
    bool texts = a->text && b->text && strcmp(a->text, b->text) == 0;
    return a->set == b->set &&
           (!a->set || texts || (p->type != SM_RULE_TEXT && a->number == b->number));
}

/* Whether it has judged every window and goes on. */
static bool is_whole(const struct sm_rule_instance *i)
{
    return i->values && i->continues && !i->own->resumed && i->status != SM_RULE_STOPPED &&
           i->status != SM_RULE_ERROR && i->own->share != SM_SHARE_ELSEWHERE;
}

bool sm_rule_is_same(const struct sm_rule_instance *i, const struct sm_rule_instance *like)
{
    size_t n = sm_rule_param_count(like->rule), same = 0;
    if (i->rule != like->rule || !i->rule->on_windows || !is_whole(i) || !like->values)
        return false;
    while (same < n && is_same_value(&i->rule->params[same], &i->values[same], &like->values[same]))
        same++;
    return same == n;
}

struct sm_rule_instance *sm_rules_same(const struct sm_rules *r,
                                       const struct sm_rule_instance *like)
{
    for (size_t k = 0; k < r->n; k++)
        if (sm_rule_is_same(r->items[k], like))
            return r->items[k];
    return NULL;
}

struct sm_rules *sm_rule_set_of(const struct sm_rule_instance *i)
{
    return i->own->rules;
}
