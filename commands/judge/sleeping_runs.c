/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/sleeping_runs.h"

#include "commands/judge/describe_rule.h"
#include "commands/judge/judge.h"
#include "commands/judge/session_rules.h"
#include "commands/session/trial_list.h"
#include "reader/base/clock.h"

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
    struct sm_run_findings found = {.step = -1, .triggered = sm_rules_fired(r)};
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
    return (struct sm_run_findings){.fired = j->asleep.fired,
                                    .worst = j->asleep.worst,
                                    .fatal = j->asleep.fatal,
                                    .step = j->asleep.worst ? j->asleep.step : -1,
                                    .triggered = j->asleep.triggered};
}

bool sm_run_has_rules(const struct sm_session *s, size_t i)
{
    const struct sm_rules *r = sm_session_rules_at(s, i);
    return r && (sm_rules_count(r) || sm_rules_is_auto(r));
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

/* Whether what is known of the run is what its rules say now, of what was there. */
static bool is_answered(const struct sm_session *s, const struct sm_judged_trial *j)
{
    return j->asleep.judged && j->asleep.rules == sm_rules_version(j->rules) &&
           (j->asleep.rows || !sm_judge(s)->wants_rows);
}

void sm_sleepers_keep_rows(struct sm_session *s)
{
    sm_judge(s)->wants_rows = true;
}

const struct sm_node *sm_sleeper_rows(const struct sm_session *s, size_t i)
{
    const struct sm_judged_trial *j = judged(s, i);
    bool asleep = j->rules && sm_trial_glance(s->trials[i].trial);
    return asleep && is_answered(s, j) ? j->asleep.rows->root : NULL;
}

const struct sm_rules *sm_run_rules(const struct sm_session *s, size_t i)
{
    const struct sm_sleeper *all = sm_judge(s)->sleepers;
    for (size_t k = 0; k < SM_SLEEPERS; k++)
        if (all[k].of == s->trials[i].trial)
            return all[k].over ? all[k].rules : NULL;
    return sm_trial_glance(s->trials[i].trial) ? NULL : sm_session_rules_at(s, i);
}

static void forget_findings(struct sm_judged_trial *j)
{
    if (j->asleep.rows)
        sm_result_clear(j->asleep.rows);
    sm_free(j->asleep.rows);
    sm_free(j->asleep.worst);
    sm_free(j->asleep.nothing);
    j->asleep.rows = NULL;
    j->asleep.worst = j->asleep.nothing = NULL;
    j->asleep.judged = false;
}

/* ---- a second handle ---- */

static void end_look(struct sm_session *s, struct sm_sleeper *x)
{
    sm_rules_free(x->rules);
    sm_fetch_forget(s->fetch, x->handle);
    sm_trial_close(x->handle);
    *x = (struct sm_sleeper){0};
}

static struct sm_result *new_rows(void)
{
    struct sm_result *rows = sm_xalloc(sizeof *rows);
    sm_result_init(rows);
    sm_node_list(rows, NULL, NULL);
    return rows;
}

/* It cannot be opened: judged as far as it can be. */
static void give_up(struct sm_session *s, struct sm_judged_trial *j)
{
    forget_findings(j);
    j->asleep.fired = j->asleep.triggered = 0;
    j->asleep.rows = sm_judge(s)->wants_rows ? new_rows() : NULL;
    j->asleep.again_us = sm_clock_mono_us() + AGAIN_US;
    j->asleep.judged = j->asleep.finished = true;
}

static void begin_look(struct sm_session *s, size_t i, struct sm_sleeper *x)
{
    struct sm_judged_trial *j = judged(s, i);
    struct sm_err err;
    j->asleep.at = sm_trial_version(s->trials[i].trial);
    j->asleep.state = sm_trial_state(s->trials[i].trial);
    j->asleep.rules = sm_rules_version(j->rules);
    *x = (struct sm_sleeper){.of = s->trials[i].trial, .began_us = sm_clock_mono_us()};
    if (!sm_session_open_again(s, i, &x->handle, &err)) {
        *x = (struct sm_sleeper){0};
        give_up(s, j);
        return;
    }
    x->rules = sm_rules_new(x->handle, s->fetch, s->pool);
    unsigned part, parts = sm_rules_shards(j->rules, &part);
    sm_rules_shard(x->rules, part, parts);
    sm_rules_attach_like(x->rules, j->rules);
    sm_rules_pause(x->rules, sm_judge_settings(s)->rule_pause);
    sm_session_rules_report(s, x->rules);
}

static void keep_rows(struct sm_judged_trial *j, const struct sm_rules *r)
{
    j->asleep.rows = new_rows();
    for (size_t k = 0; k < sm_rules_count(r); k++)
        sm_describe_instance(j->asleep.rows, j->asleep.rows->root, r, sm_rules_item(r, k));
}

static void keep_nothing(struct sm_judged_trial *j, const struct sm_rules *r)
{
    struct sm_str why = {0};
    if (sm_rules_judged_nothing(r, &why))
        j->asleep.nothing = sm_xstrdup(sm_str_text(&why));
    sm_str_clear(&why);
}

/* Keeps what was found. */
static void take_findings(struct sm_session *s, struct sm_sleeper *x)
{
    struct sm_judge *all = sm_judge(s);
    struct sm_judged_trial *j = judged(s, sm_trials_index(s, x->of));
    struct sm_run_findings found = findings_of(x->rules);
    int64_t now = sm_clock_mono_us();
    forget_findings(j);
    j->asleep.worst = found.worst ? sm_xstrdup(found.worst) : NULL;
    j->asleep.fired = found.fired;
    j->asleep.triggered = found.triggered;
    j->asleep.fatal = found.fatal;
    j->asleep.step = found.step;
    j->asleep.finished = sm_rules_finished(x->rules);
    j->asleep.has_clock = sm_rules_wait_for_clock(x->rules);
    keep_nothing(j, x->rules);
    if (all->wants_rows)
        keep_rows(j, x->rules);
    j->asleep.judged = true;
    j->asleep.again_us = now + AGAIN_US;
    all->rest_until_us = now + REST * (now - x->began_us);
}

/* A run that is followed is not waited for for ever. */
static bool is_late(const struct sm_session *s, const struct sm_sleeper *x)
{
    return s->open_options.follow && sm_clock_mono_us() >= x->began_us + GIVE_UP_US;
}

/* Whether something new is known. When it has judged, the handle stays for a turn of the loop, so
 * that others see what its rules have found. */
static bool pump_look(struct sm_session *s, struct sm_sleeper *x, bool news)
{
    if (x->over || !sm_trial_glance(x->of)) { /* an awake trial judges by itself */
        end_look(s, x);
        return false;
    }
    bool changed = sm_trial_pump(x->handle);
    sm_fetch_set_background(s->fetch, true);
    sm_rules_pump(x->rules, news || changed, BUDGET_US / SM_SLEEPERS);
    sm_fetch_set_background(s->fetch, false);
    x->over = (sm_trial_scanned(x->handle) && has_caught_up(x->rules)) || is_late(s, x);
    if (x->over)
        take_findings(s, x);
    return x->over;
}

/* ---- whose turn it is ---- */

static bool is_looked_at(const struct sm_session *s, const struct sm_trial *t)
{
    for (size_t k = 0; k < SM_SLEEPERS; k++)
        if (sm_judge(s)->sleepers[k].of == t)
            return !sm_judge(s)->sleepers[k].over;
    return false;
}

/* When trial i is to be judged, by a handle: INT64_MAX if not, 0 if it never was. */
static int64_t due_us(const struct sm_session *s, size_t i)
{
    const struct sm_judged_trial *j = judged(s, i);
    const struct sm_trial *t = s->trials[i].trial;
    if (!sm_run_has_rules(s, i) || !sm_trial_glance(t) || !sm_trial_scanned(t) ||
        is_looked_at(s, t))
        return INT64_MAX;
    if (!is_answered(s, j))
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

/* The files are at rest, and nothing more is waited for. */
static bool is_at_rest(const struct sm_judged_trial *j)
{
    return j->asleep.state == SM_TRIAL_STALLED && !j->asleep.has_clock;
}

bool sm_sleeper_is_over(const struct sm_session *s, size_t i)
{
    const struct sm_judged_trial *j = judged(s, i);
    bool follows = s->open_options.follow, ends = j->asleep.state == SM_TRIAL_ENDED;
    bool may_attach = sm_rules_is_auto(j->rules) || !sm_rules_count(j->rules);
    if (!is_answered(s, j) || is_looked_at(s, s->trials[i].trial))
        return false;
    if (!follows || (j->asleep.finished && !may_attach))
        return true;
    return due_us(s, i) == INT64_MAX && (ends || is_at_rest(j));
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
        if (all[k].over)
            return 0;
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
    forget_findings(j);
    sm_map_clear(&j->reported);
}
