/* SPDX-License-Identifier: Apache-2.0 */
/* Judges steps again: those of a job that was restarted, and, in order, all steps when something
 * was added to steps that were judged: a worker that lags, files that are copied in any order. What
 * is found while following a job is then what would be found when it is at rest.
 *
 * A second set judges the rules that are behind from the beginning, with a state of its own, while
 * the findings so far stay in place; when it has caught up, its results replace them. A firing that
 * is new is reported; one that was reported is not reported again. So that the work stays in
 * proportion where steps keep arriving late, a pause follows that is several times as long. */
#include "reader/base/clock.h"
#include "rules/private.h"

#include <string.h>

enum { PAUSE_FACTOR = 10 };

/* ---- which rules are behind ---- */

static bool can_be_behind(const struct sm_rules *r, const struct sm_rule_instance *i)
{
    return !i->rule->on_clock && !r->each && r->shards < 2 && i->values && i->own->begun &&
           !i->own->resumed && i->status != SM_RULE_STOPPED;
}

static bool is_judged(const struct sm_rules *r, const struct sm_rule_instance *i, int64_t step)
{
    size_t at = sm_trial_step_at(r->trial, (struct sm_step){step});
    return step >= i->start && step < i->own->next && at < sm_trial_step_count(r->trial) &&
           sm_trial_step(r->trial, at)->step.n == step &&
           sm_rule_matches_mode(i, sm_trial_step(r->trial, at));
}

void sm_rule_mark_behind(struct sm_rules *r, struct sm_rule_instance *i)
{
    if (!can_be_behind(r, i))
        return;
    i->own->behind = r->behind = true;
}

/* Rules may choose by the modes that there are (sm_rule_training_mode). */
static void notice_modes(struct sm_rules *r)
{
    uint8_t modes = 0;
    size_t n = sm_trial_step_count(r->trial);
    if (r->modes_at == n)
        return;
    r->modes_at = n;
    for (int m = SM_MODE_ANY; m < SM_MODES; m++)
        modes |= (uint8_t)(sm_trial_has_mode(r->trial, (enum sm_mode)m) << m);
    for (size_t k = 0; r->modes && r->modes != modes && k < r->n; k++)
        sm_rule_mark_behind(r, r->items[k]);
    r->modes = modes;
}

void sm_rules_notice_late(struct sm_rules *r)
{
    size_t n = sm_trial_late_count(r->trial);
    for (; r->late_seen < n; r->late_seen++)
        for (size_t k = 0; k < r->n; k++)
            if (!r->items[k]->own->behind &&
                is_judged(r, r->items[k], sm_trial_late_step(r->trial, r->late_seen).n))
                sm_rule_mark_behind(r, r->items[k]);
    notice_modes(r);
}

/* ---- judging again ---- */

/* After a restart at step `first` only the steps since then are judged again, what was found before
 * stays; unless the rule looks at the run as a whole. */
static int64_t restart_step(const struct sm_rule_instance *i, int64_t first)
{
    return first > i->start && !i->rule->whole ? first : i->start;
}

static int64_t first_step(const struct sm_rules *r, const struct sm_rule_instance *i)
{
    size_t n = sm_trial_session_count(r->trial);
    return restart_step(i,
                        r->restarted && n ? sm_trial_session(r->trial, n - 1)->first.n : i->start);
}

static void begin_again(struct sm_rules *r)
{
    struct sm_rules *again = sm_rules_new(r->trial, r->fetch, r->pool);
    again->again_of = r;
    again->finite = r->finite;
    again->no_fallback = r->no_fallback;
    again->explain = r->explain;
    again->pause_us = r->pause_us;
    again->sessions = r->sessions;
    again->restarted = r->restarted;
    again->late_seen = r->late_seen;
    again->windows_seen = r->windows_seen;
    again->modes = r->modes;
    again->modes_at = r->modes_at;
    for (size_t k = 0; k < r->n; k++) {
        struct sm_rule_instance *i = r->items[k];
        if (!i->own->behind)
            continue;
        i->own->behind = false;
        struct sm_rule_instance *x =
            sm_rules_add(again, i->rule, i->name, i->args, i->n_args, NULL);
        x->own->next = first_step(r, i);
        x->own->known = i->own->next;
        x->own->restarted = i->own->restarted;
        x->own->twin = i;
        i->own->twin = x;
    }
    r->behind = false;
    r->again = again;
    r->again_began_us = sm_clock_mono_us();
}

void sm_rule_forget_twin(struct sm_rule_instance *i)
{
    if (i->own->twin)
        i->own->twin->own->twin = NULL;
    i->own->twin = NULL;
}

/* ---- the results ---- */

static void add_skips(struct sm_rule_instance *i, const struct sm_skip *skips)
{
    for (size_t k = 0; k < SM_RULE_SKIPS && skips[k].why; k++)
        sm_rule_count_skip(i->skips, skips[k].why, skips[k].count);
}

/* Puts what was found before the restart in front of what x has found. */
static void add_kept(struct sm_rule_instance *x, struct sm_rule_instance *i)
{
    const struct sm_rule_kept *kept = &i->own->kept;
    size_t n = kept->n_findings, all = n + x->n_findings;
    if (all)
        x->findings = sm_xrealloc(x->findings, x->cap_findings = all, sizeof *x->findings);
    if (x->n_findings)
        memmove(x->findings + n, x->findings, x->n_findings * sizeof *x->findings);
    for (size_t k = 0; k < n; k++) {
        x->findings[k] = i->findings[k];
        i->findings[k] = (struct sm_finding){0};
    }
    x->n_findings = all;
    x->datapoints += kept->datapoints;
    x->violations += kept->violations;
    x->triggered += kept->triggered;
    x->first_fired = kept->first_fired >= 0 ? kept->first_fired : x->first_fired;
    x->last_fired = x->last_fired >= 0 ? x->last_fired : kept->last_fired;
    add_skips(x, kept->skips);
    x->own->kept = *kept;
}

/* The step of a finding, or the begin of its window. */
static uint64_t place_of(const struct sm_finding *f)
{
    return (uint64_t)(f->to_ns ? f->from_ns : f->step);
}

/* The steps at which the old results have fired, now or before they were replaced, too. */
static void keep_reported(struct sm_rule_instance *x, struct sm_rule_instance *i)
{
    x->own->reported = i->own->reported;
    i->own->reported = (struct sm_map){0};
    for (size_t k = 0; k < i->n_findings; k++)
        if (i->findings[k].violated)
            sm_map_put(&x->own->reported, place_of(&i->findings[k]), 1);
}

/* Reports the steps at which the new results fire and no old ones did. */
static void report_new(struct sm_rules *r, struct sm_rule_instance *i, bool had_fired)
{
    uint64_t once;
    for (size_t k = i->own->kept.n_findings; k < i->n_findings; k++) {
        const struct sm_finding *f = &i->findings[k];
        if (!f->violated || sm_map_get(&i->own->reported, place_of(f), &once))
            continue;
        sm_map_put(&i->own->reported, place_of(f), 1);
        if (r->fired && (i->continues || !had_fired))
            r->fired(r->ctx, i, f);
    }
}

/* i, which others hold a pointer to, gets the contents of x, and x those of i. */
static void exchange(struct sm_rules *r, struct sm_rule_instance *i, struct sm_rule_instance *x)
{
    struct sm_rule_instance old = *i;
    char *name = i->name;
    sm_rule_forget_twin(i);
    old = *i;
    *i = *x;
    *x = old;
    x->name = i->name;
    i->automatic = x->automatic;
    i->name = name;
    i->own->rules = r;
    x->own->rules = r->again;
}

static void take_results(struct sm_rules *r, struct sm_rule_instance *x)
{
    struct sm_rule_instance *i = x->own->twin;
    if (!i || i->status == SM_RULE_STOPPED || i->own->resumed)
        return;
    bool behind = i->own->behind || x->own->behind;
    keep_reported(x, i);
    bool had_fired = x->own->reported.count;
    if (r->restarted)
        add_kept(x, i);
    exchange(r, i, x);
    i->own->behind = behind;
    r->behind = r->behind || behind;
    r->version++;
    report_new(r, i, had_fired);
}

static void drop_again(struct sm_rules *r)
{
    sm_rules_free(r->again);
    r->again = NULL;
}

static void end_again(struct sm_rules *r)
{
    for (size_t k = 0; k < r->again->n; k++)
        take_results(r, r->again->items[k]);
    drop_again(r);
    int64_t now = sm_clock_mono_us();
    r->again_after_us = now + PAUSE_FACTOR * (now - r->again_began_us);
    r->settled = r->waiting = false;
    r->busy = true;
}

bool sm_rules_is_behind(const struct sm_rules *r)
{
    return r->behind || r->again;
}

int64_t sm_rules_again_deadline_us(const struct sm_rules *r)
{
    if (r->again)
        return sm_rules_deadline_us(r->again);
    return r->behind ? r->again_after_us : INT64_MAX;
}

void sm_rules_pump_again(struct sm_rules *r, bool changed, bool ended, int64_t budget_us)
{
    if (r->again_of) /* the other set judges once more when this one has caught up */
        return;
    if (!r->again && r->behind && (ended || sm_clock_mono_us() >= r->again_after_us))
        begin_again(r);
    if (!r->again)
        return;
    sm_rules_finite(r->again, r->finite);
    sm_rules_pump(r->again, changed, budget_us);
    if (r->again->settled && !r->again->busy && !r->again->answered)
        end_again(r);
}

/* ---- restarts ---- */

/* A restarted job rewrites steps that were already judged. The rules judge them again with cleared
 * state; findings of the previous run are kept. Steps after the newest one of the new session
 * belong to the old run. */
static void restart_rule(struct sm_rule_instance *i, int64_t first)
{
    struct sm_rule_private *p = i->own;
    if (p->next <= first)
        return;
    p->behind = false;
    p->kept = (struct sm_rule_kept){.datapoints = i->datapoints,
                                    .violations = i->violations,
                                    .triggered = i->triggered,
                                    .first_fired = i->first_fired,
                                    .last_fired = i->last_fired,
                                    .n_findings = i->n_findings};
    memcpy(p->kept.skips, i->skips, sizeof p->kept.skips);
    if (p->how.clear)
        p->how.clear(p->state);
    memset(p->state, 0, p->how.state_size);
    sm_rule_clear_notes(p);
    sm_measured_drop(p, 0);
    sm_evaluated_drop(p, 0);
    sm_expr_memory_clear(&p->memory);
    p->next = restart_step(i, first);
}

void sm_rules_notice_restart(struct sm_rules *r)
{
    size_t n = sm_trial_session_count(r->trial);
    bool again = r->sessions && n > r->sessions;
    r->sessions = n;
    if (!again)
        return;
    if (r->again)
        drop_again(r);
    int64_t first = sm_trial_session(r->trial, n - 1)->first.n;
    for (size_t i = 0; i < r->n; i++)
        if (sm_rule_by_steps(r->items[i]))
            restart_rule(r->items[i], first);
    r->restarted = true;
    r->waiting = r->settled = false;
    r->ahead = r->ahead < first ? r->ahead : first - 1;
}

bool sm_rules_is_old(const struct sm_rules *r, int64_t step)
{
    return r->restarted && step > sm_trial_session(r->trial, r->sessions - 1)->last.n;
}
