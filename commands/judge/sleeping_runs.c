/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/sleeping_runs.h"

#include "commands/judge/judge.h"
#include "commands/judge/session_rules.h"
#include "commands/session/trial_list.h"
#include "reader/base/clock.h"
#include "rules/builtin/rule_list.h"

/* BUDGET: of a turn of the loop, for all of them. AGAIN: the least pause between two looks at a
 * run. GIVE_UP: what takes longer is left as it is then. */
enum { BUDGET_US = 5000, AGAIN_US = 30000000, GIVE_UP_US = 120000000 };
/* The pause before a run is judged again is as many times as long as the last look at any took:
 * runs that are written all the time keep one core busy for a tenth of its time. */
enum { REST = 10 };

static struct sm_judged_trial *judged(const struct sm_session *s, size_t i)
{
    return sm_session_trial_state(s, i, &sm_judge_state_kind);
}

/* ---- what was found ---- */

static struct sm_run_findings findings_of(const struct sm_rules *r)
{
    struct sm_run_findings found = {.step = -1};
    const struct sm_rule_instance *worst = sm_rules_worst(r, &found.fired);
    found.worst = worst ? worst->name : NULL;
    found.fatal = worst && worst->rule->fatal;
    found.step = worst ? worst->first_fired : -1;
    return found;
}

static bool has_caught_up(const struct sm_rules *r)
{
    return sm_rules_all_judged(r) && !sm_rules_busy(r);
}

struct sm_run_findings sm_run_findings(const struct sm_session *s, size_t i)
{
    const struct sm_rules *r = sm_session_rules_at(s, i);
    const struct sm_judged_trial *j = judged(s, i);
    if (r && (!j->asleep.judged || has_caught_up(r)))
        return findings_of(r);
    return (struct sm_run_findings){j->asleep.fired, j->asleep.worst, j->asleep.fatal,
                                    j->asleep.worst ? j->asleep.step : -1};
}

bool sm_run_has_rules(const struct sm_session *s, size_t i)
{
    const struct sm_rules *r = sm_session_rules_at(s, i);
    return judged(s, i)->waits_for_rules || (r && (sm_rules_count(r) || sm_rules_is_auto(r)));
}

bool sm_run_is_judged(const struct sm_session *s, size_t i)
{
    const struct sm_rules *r = sm_session_rules_at(s, i);
    return judged(s, i)->asleep.judged || (r && sm_rules_all_judged(r));
}

struct sm_runs_judged sm_runs_judged(const struct sm_session *s)
{
    struct sm_runs_judged n = {0};
    for (size_t i = 0; i < s->n_trials; i++) {
        bool has = sm_run_has_rules(s, i);
        n.n += has;
        n.judged += has && sm_run_is_judged(s, i);
    }
    return n;
}

/* ---- a second handle ---- */

static void end_look(struct sm_session *s, struct sm_sleeper *x)
{
    sm_rules_free(x->rules);
    sm_fetch_forget(s->fetch, x->handle);
    sm_trial_close(x->handle);
    *x = (struct sm_sleeper){0};
}

static void begin_look(struct sm_session *s, size_t i, struct sm_sleeper *x)
{
    struct sm_judged_trial *j = judged(s, i);
    struct sm_err err;
    j->asleep.at = sm_trial_version(s->trials[i].trial);
    j->asleep.state = sm_trial_state(s->trials[i].trial);
    *x = (struct sm_sleeper){.of = s->trials[i].trial, .began_us = sm_clock_mono_us()};
    if (!sm_session_open_again(s, i, &x->handle, &err)) {
        *x = (struct sm_sleeper){0};
        j->asleep.again_us = sm_clock_mono_us() + AGAIN_US;
        j->asleep.judged = true; /* as far as it can be */
        return;
    }
    x->rules = sm_rules_new(x->handle, s->fetch, s->pool);
    sm_rules_fallback(x->rules, sm_judge_settings(s)->rule_fallback);
    sm_rules_pause(x->rules, sm_judge_settings(s)->rule_pause);
    sm_rules_auto(x->rules, sm_rule_table);
}

/* Keeps what was found. */
static void take_findings(struct sm_session *s, struct sm_sleeper *x)
{
    struct sm_judge *all = sm_judge(s);
    struct sm_judged_trial *j = judged(s, sm_trials_index(s, x->of));
    struct sm_run_findings found = findings_of(x->rules);
    int64_t now = sm_clock_mono_us();
    sm_free(j->asleep.worst);
    j->asleep.worst = found.worst ? sm_xstrdup(found.worst) : NULL;
    j->asleep.fired = found.fired;
    j->asleep.fatal = found.fatal;
    j->asleep.step = found.step;
    j->asleep.judged = true;
    j->asleep.again_us = now + AGAIN_US;
    all->rest_until_us = now + REST * (now - x->began_us);
}

/* Whether something new is known, or the handle was closed. */
static bool pump_look(struct sm_session *s, struct sm_sleeper *x, bool news)
{
    if (!sm_trial_glance(x->of)) { /* it judges by itself */
        end_look(s, x);
        return false;
    }
    bool changed = sm_trial_pump(x->handle);
    sm_fetch_set_background(s->fetch, true);
    sm_rules_pump(x->rules, news || changed, BUDGET_US / SM_SLEEPERS);
    sm_fetch_set_background(s->fetch, false);
    bool over = sm_trial_scanned(x->handle) && has_caught_up(x->rules);
    if (!over && sm_clock_mono_us() < x->began_us + GIVE_UP_US)
        return false;
    take_findings(s, x);
    end_look(s, x);
    return true;
}

/* ---- whose turn it is ---- */

static bool is_looked_at(const struct sm_session *s, const struct sm_trial *t)
{
    for (size_t k = 0; k < SM_SLEEPERS; k++)
        if (sm_judge(s)->sleepers[k].of == t)
            return true;
    return false;
}

/* When trial i is to be judged, by a handle: INT64_MAX if not, 0 if it never was. */
static int64_t due_us(const struct sm_session *s, size_t i)
{
    const struct sm_judged_trial *j = judged(s, i);
    const struct sm_trial *t = s->trials[i].trial;
    if (!j->waits_for_rules || !sm_trial_glance(t) || !sm_trial_scanned(t) || is_looked_at(s, t))
        return INT64_MAX;
    if (!j->asleep.judged)
        return 0;
    if (j->asleep.at == sm_trial_version(t) && j->asleep.state == sm_trial_state(t))
        return INT64_MAX;
    int64_t rest = sm_judge(s)->rest_until_us;
    return j->asleep.again_us > rest ? j->asleep.again_us : rest;
}

/* The run whose turn it is, the one after the last one first; n_trials if there is none. The table
 * is read first: no run is judged before the glance of each is complete. */
static size_t next_run(const struct sm_session *s, int64_t *when)
{
    size_t n = s->n_trials, best = n, from = sm_judge(s)->last_looked + 1;
    *when = INT64_MAX;
    for (size_t k = 0; k < n; k++) {
        size_t i = (from + k) % n;
        const struct sm_trial *t = s->trials[i].trial;
        int64_t due = due_us(s, i);
        if (sm_trial_glance(t) && !sm_trial_scanned(t)) {
            *when = INT64_MAX;
            return n;
        }
        if (due < *when) {
            *when = due;
            best = i;
        }
    }
    return best;
}

bool sm_sleepers_busy(const struct sm_session *s)
{
    int64_t when;
    for (size_t k = 0; k < SM_SLEEPERS; k++)
        if (sm_judge(s)->sleepers[k].of)
            return true;
    return next_run(s, &when) < s->n_trials && !when;
}

static void begin_next(struct sm_session *s, struct sm_sleeper *x)
{
    int64_t when;
    size_t i = next_run(s, &when);
    if (i == s->n_trials || when > sm_clock_mono_us())
        return;
    sm_judge(s)->last_looked = i;
    begin_look(s, i, x);
}

bool sm_sleepers_pump(struct sm_session *s, bool news)
{
    struct sm_sleeper *all = sm_judge(s)->sleepers;
    bool changed = false;
    for (size_t k = 0; k < SM_SLEEPERS; k++) {
        if (all[k].of)
            changed = pump_look(s, &all[k], news) || changed;
        if (!all[k].of)
            begin_next(s, &all[k]);
    }
    return changed;
}

int64_t sm_sleepers_deadline_us(const struct sm_session *s)
{
    const struct sm_sleeper *all = sm_judge(s)->sleepers;
    int64_t first = INT64_MAX;
    bool is_free = false;
    for (size_t k = 0; k < SM_SLEEPERS; k++) {
        is_free = is_free || !all[k].of;
        if (!all[k].of)
            continue;
        int64_t files = sm_trial_deadline_us(all[k].handle),
                rules = sm_rules_deadline_us(all[k].rules);
        first = files < first ? files : first;
        first = rules < first ? rules : first;
    }
    int64_t next;
    if (is_free && next_run(s, &next) < s->n_trials)
        first = next < first ? next : first;
    return first;
}

void sm_sleepers_close(struct sm_session *s, size_t i)
{
    struct sm_judged_trial *j = judged(s, i);
    for (size_t k = 0; k < SM_SLEEPERS; k++)
        if (sm_judge(s)->sleepers[k].of == s->trials[i].trial)
            end_look(s, &sm_judge(s)->sleepers[k]);
    sm_free(j->asleep.worst);
    j->asleep.worst = NULL;
    j->asleep.judged = false;
}
