/* SPDX-License-Identifier: Apache-2.0 */
/* The engine: chooses the next step, judges it with each rule and records the results. */
#include "rules/run.h"

#include "reader/base/clock.h"
#include "rules/private.h"

enum { CLOCK_US = 1000000, POLL_US = 20000 };

void sm_rule_set_status(struct sm_rules *r, struct sm_rule_instance *i, enum sm_rule_status status)
{
    i->status = status;
    r->version++;
    if (status != SM_RULE_IN_PROGRESS) {
        sm_measured_drop(i->own, 0);
        sm_evaluated_drop(i->own, 0);
        sm_expr_memory_clear(&i->own->memory);
    }
}

void sm_rules_enable(struct sm_rules *r, size_t k, bool on)
{
    struct sm_rule_instance *i = r->items[k];
    if (on && i->status == SM_RULE_STOPPED) {
        size_t n = sm_trial_step_count(r->trial);
        int64_t newest = n ? sm_trial_step(r->trial, n - 1)->step.n + 1 : 0;
        i->own->next = newest > i->own->next ? newest : i->own->next;
        i->own->resumed = true;
        sm_rule_set_status(r, i, SM_RULE_IN_PROGRESS);
        r->settled = false;
        r->busy = true;
    } else if (!on && i->status == SM_RULE_IN_PROGRESS) {
        sm_rule_set_status(r, i, SM_RULE_STOPPED);
    }
}

/* ---- one rule at one step ---- */

bool sm_rule_by_steps(const struct sm_rule_instance *i)
{
    return i->status == SM_RULE_IN_PROGRESS && sm_rule_has_steps(i->rule);
}

/* The first call decides on fallback patterns. */
void sm_rule_update_needs(struct sm_rules *r, struct sm_rule_instance *i)
{
    struct sm_rule_private *p = i->own;
    for (size_t k = 0; k < p->n_needs; k++) {
        const char *missing = p->begun ? NULL : sm_need_missing(&p->needs[k], r->trial);
        if (missing && !p->failure) {
            struct sm_str text = {0};
            sm_str_printf(&text, "the trial has no collection \"%s\"", missing);
            p->failure = sm_xstrdup(sm_str_text(&text));
            sm_str_clear(&text);
        }
        sm_need_update(&p->needs[k], r->trial);
        if (!p->begun && !r->no_fallback)
            i->fell_back = sm_need_fall_back(&p->needs[k], r->trial) || i->fell_back;
        i->matched = i->matched || p->needs[k].n_ids > 0;
    }
    i->matched = i->matched || !p->n_needs;
    p->begun = true;
}

struct sm_rule_at sm_rule_at_begin(struct sm_rules *r, struct sm_rule_instance *i,
                                   const struct sm_trial_step *step)
{
    return (struct sm_rule_at){.fetch = r->fetch,
                               .trial = r->trial,
                               .step = *step,
                               .p = i->values,
                               .state = i->own->state,
                               .instance = i,
                               .rules = r,
                               .fell_back = i->fell_back};
}

void sm_rule_at_step(struct sm_rules *r, struct sm_rule_instance *i,
                     const struct sm_trial_step *step, struct sm_rule_at *x)
{
    struct sm_rule_private *p = i->own;
    *x = sm_rule_at_begin(r, i, step);
    for (size_t k = 0; k < p->n_needs; k++) {
        x->picks[k].n = sm_need_items(&p->needs[k], r->trial, &r->ranges, step->step, i->workers,
                                      &p->items[k], &p->cap_items[k]);
        x->picks[k].items = p->items[k];
        x->picks[k].known = p->needs[k].n_ids;
    }
}

static void keep_findings(struct sm_rule_instance *i)
{
    struct sm_rule_private *p = i->own;
    for (size_t k = 0; k < p->n_notes && i->n_findings < SM_RULE_FINDINGS_MAX; k++) {
        if (i->n_findings == i->cap_findings)
            i->findings = sm_xrealloc(i->findings, i->cap_findings = 2 * i->cap_findings + 4,
                                      sizeof *i->findings);
        i->findings[i->n_findings++] = p->notes[k];
        p->notes[k] = (struct sm_finding){0};
    }
}

/* First violation of the current step: among the kept findings, else among the notes. */
static const struct sm_finding *first_violation(const struct sm_rule_instance *i, size_t first_note)
{
    const struct sm_rule_private *p = i->own;
    for (size_t k = first_note; k < i->n_findings; k++)
        if (i->findings[k].violated)
            return &i->findings[k];
    for (size_t k = 0; k < p->n_notes; k++)
        if (p->notes[k].violated)
            return &p->notes[k];
    return NULL;
}

void sm_rule_fire(struct sm_rules *r, struct sm_rule_instance *i, int64_t step, size_t first_note)
{
    const struct sm_finding *f = first_violation(i, first_note);
    i->triggered++;
    i->first_fired = i->first_fired < 0 ? step : i->first_fired;
    i->last_fired = step;
    r->version++;
    if (!i->continues)
        sm_rule_set_status(r, i, SM_RULE_ISSUES);
    if (r->fired && f && !r->each)
        r->fired(r->ctx, i, f);
    for (size_t k = 0; r->each && k < i->own->n_notes; k++)
        if (i->own->notes[k].violated)
            r->fired(r->ctx, i, &i->own->notes[k]);
}

/* "... (2 of 24 tensors)" after the first violation of the step. */
static void count_tensors(const struct sm_rule_instance *i)
{
    struct sm_rule_private *p = i->own;
    size_t k = 0;
    while (k < p->n_notes && !p->notes[k].violated)
        k++;
    if (k == p->n_notes || p->tensors < 2 || i->rule->by_check)
        return;
    struct sm_str text = {0};
    sm_str_printf(&text, "%s (%zu of %zu tensors)", p->notes[k].text, p->violating, p->tensors);
    sm_free(p->notes[k].text);
    p->notes[k].text = sm_xstrdup(sm_str_text(&text));
    sm_str_clear(&text);
}

size_t sm_rule_keep_notes(struct sm_rules *r, struct sm_rule_instance *i)
{
    const struct sm_rule_private *p = i->own;
    size_t before = i->n_findings;
    for (size_t k = 0; k < SM_RULE_SKIPS && p->skips[k].why; k++)
        sm_rule_count_skip(i->skips, p->skips[k].why, p->skips[k].count);
    if (!r->each)
        keep_findings(i);
    return before;
}

static void commit_step(struct sm_rules *r, struct sm_rule_instance *i, int64_t step)
{
    struct sm_rule_private *p = i->own;
    bool fires = p->violations > 0;
    i->datapoints += p->datapoints;
    i->last_tested = p->datapoints ? step : i->last_tested;
    i->violations += p->violations;
    count_tensors(i);
    size_t first_note = sm_rule_keep_notes(r, i);
    if (p->failure) {
        i->reason = p->failure;
        p->failure = NULL;
        sm_rule_set_status(r, i, SM_RULE_ERROR);
    } else if (fires) {
        sm_rule_fire(r, i, step, first_note);
    }
    sm_rule_clear_notes(p);
    sm_measured_drop(p, 0);
    sm_evaluated_drop(p, 0);
}

bool sm_rule_matches_mode(const struct sm_rule_instance *i, const struct sm_trial_step *step)
{
    return i->mode == SM_MODE_ANY || i->mode == SM_MODE_GLOBAL || step->mode == i->mode;
}

/* False if the rule waits for numbers. */
static bool judge_step(struct sm_rules *r, struct sm_rule_instance *i,
                       const struct sm_trial_step *step)
{
    struct sm_rule_private *p = i->own;
    struct sm_rule_at x;
    if (sm_rule_matches_mode(i, step)) {
        sm_rule_clear_notes(p);
        sm_measured_begin(p);
        sm_evaluated_begin(p);
        sm_rule_update_needs(r, i);
        sm_rule_at_step(r, i, step, &x);
        if (!p->failure)
            p->how.judge(&x);
        if (x.waiting && !p->failure)
            return false;
        commit_step(r, i, step->step.n);
    }
    p->next = step->step.n + 1;
    return true;
}

/* ---- steps in order ---- */

bool sm_rules_count_step(const struct sm_rules *r, const struct sm_trial_step *step)
{
    return step->complete || r->as_it_is;
}

/* Index of the next step to judge, or the step count if there is none now. */
static size_t next_step(const struct sm_rules *r, const struct sm_rule_instance *i)
{
    size_t n = sm_trial_step_count(r->trial),
           at = sm_trial_step_at(r->trial, (struct sm_step){i->own->next});
    int64_t step = at < n ? sm_trial_step(r->trial, at)->step.n : 0;
    if (at >= n || (step >= i->own->known && !sm_rules_count_step(r, sm_trial_step(r->trial, at))))
        return n;
    return step >= i->end || sm_rules_is_old(r, step) ? n : at;
}

static size_t lowest_unjudged_step(const struct sm_rules *r)
{
    size_t lowest = sm_trial_step_count(r->trial);
    for (size_t i = 0; i < r->n; i++) {
        if (!sm_rule_by_steps(r->items[i]))
            continue;
        size_t at = r->items[i]->own->at = next_step(r, r->items[i]);
        lowest = at < lowest ? at : lowest;
    }
    return lowest;
}

static bool is_resting(const struct sm_rules *r)
{
    return r->pause_us && !r->waiting && !r->settled && sm_clock_mono_us() < r->rest_until_us;
}

/* True if a step has been judged, so there may be another. */
static bool judge_lowest_step(struct sm_rules *r)
{
    size_t at = lowest_unjudged_step(r);
    r->waiting = false;
    r->settled = at >= sm_trial_step_count(r->trial);
    if (r->settled || is_resting(r))
        return false;
    struct sm_trial_step step = *sm_trial_step(r->trial, at);
    for (size_t i = 0; i < r->n; i++)
        if (sm_rule_by_steps(r->items[i]) && r->items[i]->own->at == at &&
            !sm_rule_judge_stretch(r, r->items[i], at) && !judge_step(r, r->items[i], &step))
            r->waiting = true;
    sm_rules_request_ahead(r, at);
    if (r->waiting)
        return false;
    sm_fetch_lap(r->fetch);
    if (r->pause_us)
        r->rest_until_us = sm_clock_mono_us() + r->pause_us;
    return true;
}

/* ---- the clock and the end of the job ---- */

static void judge_by_clock(struct sm_rules *r)
{
    size_t n = sm_trial_step_count(r->trial);
    struct sm_trial_step step =
        n ? *sm_trial_step(r->trial, n - 1) : (struct sm_trial_step){.step = {-1}};
    for (size_t i = 0; i < r->n; i++)
        if (r->items[i]->status == SM_RULE_IN_PROGRESS && r->items[i]->rule->on_clock)
            judge_step(r, r->items[i], &step);
}

/* Incomplete steps count as they are if nobody waits for more, or nothing more comes. */
static void notice_end(struct sm_rules *r, bool ended)
{
    bool as_it_is =
        ended || !sm_trial_is_followed(r->trial) || sm_trial_state(r->trial) == SM_TRIAL_STALLED;
    r->busy = r->busy || as_it_is != r->as_it_is;
    r->as_it_is = as_it_is;
}

/* Steps may come after the end, from a worker that lags, also the first. */
static void reopen_rules(struct sm_rules *r)
{
    for (size_t k = 0; k < r->n; k++) {
        struct sm_rule_instance *i = r->items[k];
        bool empty = i->status == SM_RULE_ERROR && i->own->state && !i->own->begun,
             over = i->status == SM_RULE_NO_ISSUES || (i->status == SM_RULE_ISSUES && i->continues);
        if ((!empty && !over) || !sm_rule_has_steps(i->rule) ||
            next_step(r, i) == sm_trial_step_count(r->trial))
            continue;
        sm_free(i->reason);
        i->reason = NULL;
        sm_rule_set_status(r, i, SM_RULE_IN_PROGRESS);
    }
}

/* As in the service, where a job that saved nothing is an error. */
static void fail_unbegun(struct sm_rules *r, struct sm_rule_instance *i)
{
    i->reason = sm_xstrdup("no step was judged: the trial has none");
    sm_rule_set_status(r, i, SM_RULE_ERROR);
}

static void finish_rules(struct sm_rules *r)
{
    bool empty = !sm_trial_step_count(r->trial);
    for (size_t k = 0; k < r->n; k++) {
        struct sm_rule_instance *i = r->items[k];
        if (empty && sm_rule_by_steps(i) && !i->own->begun)
            fail_unbegun(r, i);
        else if (i->status == SM_RULE_IN_PROGRESS)
            sm_rule_set_status(r, i, i->triggered ? SM_RULE_ISSUES : SM_RULE_NO_ISSUES);
    }
}

int64_t sm_rules_deadline_us(const struct sm_rules *r)
{
    if (!sm_trial_scanned(r->trial))
        return INT64_MAX; /* nothing is judged before, and the scan wakes the loop */
    if (sm_rules_busy(r))
        return 0;
    if (r->polling)
        return sm_clock_mono_us() + POLL_US;
    if (is_resting(r))
        return r->rest_until_us;
    if (!r->again_of && sm_rules_is_behind(r))
        return sm_rules_again_deadline_us(r);
    for (size_t i = 0; i < r->n; i++)
        if (r->items[i]->status == SM_RULE_IN_PROGRESS && r->items[i]->rule->on_clock)
            return sm_clock_mono_us() + CLOCK_US;
    return sm_rules_windows_deadline_us(r);
}

static void judge_steps(struct sm_rules *r, int64_t end)
{
    while (judge_lowest_step(r))
        if (sm_clock_mono_us() >= end) {
            r->busy = true;
            break;
        }
}

/* Nothing is left to judge: commands that wait for this must be run again when it becomes true. */
static bool is_over(const struct sm_rules *r)
{
    return sm_rules_all_judged(r) && !sm_rules_busy(r);
}

bool sm_rules_pump(struct sm_rules *r, bool changed, int64_t budget_us)
{
    uint64_t before = r->version;
    bool was_settled = sm_rules_all_judged(r), was_over = is_over(r);
    int64_t end = sm_clock_mono_us() + budget_us;
    if (!sm_trial_scanned(r->trial))
        return false;
    bool over = sm_trial_state(r->trial) == SM_TRIAL_ENDED, ended = r->finite || over;
    sm_rules_notice_restart(r);
    sm_rules_notice_late(r);
    sm_rules_notice_late_windows(r);
    if (r->candidates)
        sm_rules_attach_new(r);
    notice_end(r, ended);
    bool idle = (r->waiting || r->settled) && !changed && !r->busy && !r->answered && !r->polling;
    r->answered = r->polling = r->busy = false;
    sm_rule_entries_forget(&r->ranges);
    sm_rules_assign_shares(r);
    if (!idle) {
        reopen_rules(r);
        judge_steps(r, end);
    }
    if (!over)
        judge_by_clock(r);
    sm_rules_judge_windows(r, end);
    if (r->settled)
        sm_rules_pump_again(r, changed, ended, end - sm_clock_mono_us());
    if (ended && sm_rules_all_judged(r) && !r->again_of)
        finish_rules(r);
    return r->version != before || sm_rules_all_judged(r) != was_settled || is_over(r) != was_over;
}

void *sm_rule_state(const struct sm_rule_instance *i)
{
    return i->own->state;
}
