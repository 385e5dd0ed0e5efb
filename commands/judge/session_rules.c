/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/session_rules.h"
#include "commands/judge/judge.h"
#include "commands/judge/sleeping_runs.h"
#include "commands/session/survey_limit.h"
#include "commands/session/trial_list.h"

#include "reader/base/str.h"
#include "reader/s3/source_s3.h"

#include "commands/judge/rule_action.h"
#include "commands/session/incident.h"
#include "reader/base/clock.h"
#include "reader/base/grow.h"
#include "rules/builtin/rule_list.h"

/* Of a turn of the loop, for all trials together. */
enum { BUDGET_US = 10000 };

static struct sm_judged_trial *judged(const struct sm_session *s, size_t i)
{
    return sm_session_trial_state(s, i, &sm_judge_state_kind);
}

static struct sm_rules **rules_at(const struct sm_session *s, size_t i)
{
    return &judged(s, i)->rules;
}

/* The rules that judge trial i itself; NULL: none. */
static struct sm_rules *judging(const struct sm_session *s, size_t i)
{
    const struct sm_trial *t = s->trials[i].trial;
    bool unweighed = sm_judge(s)->auto_rules && !judged(s, i)->weighed && !sm_trial_scanned(t);
    return sm_trial_glance(t) || (unweighed && sm_is_s3(sm_trial_path(t))) ? NULL : *rules_at(s, i);
}

/* Rules that the dashboard attaches by itself do not judge a trial that costs too much. */
static void weigh(struct sm_session *s, size_t i)
{
    struct sm_judged_trial *j = judged(s, i);
    const struct sm_trial *t = s->trials[i].trial;
    if (j->weighed || !sm_judge(s)->auto_rules || !sm_trial_scanned(t) || sm_trial_glance(t))
        return;
    j->weighed = true;
    if (sm_survey_is_costly(s, t))
        sm_rules_auto(*rules_at(s, i), NULL);
}

/* ---- firings ---- */

size_t sm_session_rules_trial(const struct sm_session *s, const struct sm_rules *r)
{
    size_t i = 0;
    for (size_t k = 0; k < SM_SLEEPERS; k++)
        if (sm_judge(s)->sleepers[k].rules == r)
            return sm_trials_index(s, sm_judge(s)->sleepers[k].of);
    while (i < s->n_trials && *rules_at(s, i) != r)
        i++;
    return i;
}

/* A rule that fires once is reported once, others once for each step or window. */
static uint64_t key_of(const struct sm_rule_instance *i, const struct sm_finding *f)
{
    uint64_t key = 14695981039346656037u;
    for (const char *p = i->name; *p; p++)
        key = (key ^ (unsigned char)*p) * 1099511628211u;
    return i->continues ? key ^ (uint64_t)(f->to_ns ? f->from_ns : f->step) * 0x9e3779b97f4a7c15u
                        : key;
}

/* A run that sleeps is judged from its beginning each time, and once more when it is awake: what
 * was reported is not reported again. */
static bool is_reported(const struct sm_session *s, size_t trial, const struct sm_rule_instance *i,
                        const struct sm_finding *f)
{
    struct sm_judged_trial *t = judged(s, trial);
    bool asleep = sm_rule_set_of(i) != t->rules;
    uint64_t key = key_of(i, f), fresh = 0;
    bool known = sm_map_get(&t->reported, key, &fresh) && fresh;
    if (asleep)
        sm_map_put(&t->reported, key, 1);
    else if (known)
        sm_map_put(&t->reported, key, 0); /* a rule that is added again is reported again */
    return known;
}

static void on_fire(void *ctx, const struct sm_rule_instance *i, const struct sm_finding *f)
{
    size_t trial = sm_session_rules_trial(ctx, sm_rule_set_of(i));
    if (!is_reported(ctx, trial, i, f))
        sm_action_fire(ctx, trial, i, f);
}

void sm_session_rules_report(struct sm_session *s, struct sm_rules *r)
{
    sm_rules_on_fire(r, on_fire, s);
}

/* ---- the sets ---- */

struct sm_rules *sm_session_rules_at(const struct sm_session *s, size_t i)
{
    return *rules_at(s, i);
}

struct sm_rules *sm_session_rules_of(struct sm_session *s, size_t i)
{
    struct sm_judged_trial *t = judged(s, i);
    if (!t->rules) {
        t->rules = sm_rules_new(s->trials[i].trial, s->fetch, s->pool);
        sm_session_rules_report(s, t->rules);
        if (!s->trials[i].dealt.runs)
            sm_rules_shard(t->rules, s->part, s->parts);
    }
    sm_rules_fallback(t->rules, sm_judge_settings(s)->rule_fallback);
    return t->rules;
}

struct sm_rules *sm_session_rules_to_come(struct sm_session *s)
{
    struct sm_judge *all = sm_judge(s);
    if (!all->to_come) {
        all->to_come = sm_rules_new(NULL, s->fetch, s->pool);
        sm_rules_fallback(all->to_come, sm_judge_settings(s)->rule_fallback);
    }
    return all->to_come;
}

struct sm_rules *sm_session_rules_current(struct sm_session *s)
{
    return s->current < s->n_trials ? sm_session_rules_of(s, s->current) : NULL;
}

void sm_session_rules_ask(struct sm_session *s)
{
    if (s->current < s->n_trials)
        judged(s, s->current)->weighed = true;
}

const struct sm_rule *sm_session_rules_find(const struct sm_session *s, const char *name)
{
    for (size_t i = sm_judge(s)->n_customs; i-- > 0;) /* the last one with the name */
        if (sm_same_letters(sm_judge(s)->customs[i]->rule.name, name))
            return &sm_judge(s)->customs[i]->rule;
    return sm_rule_find(name);
}

const char *sm_session_rules_mode(const struct sm_session *s, const struct sm_rule *rule)
{
    for (size_t i = 0; i < sm_judge(s)->n_customs; i++)
        if (&sm_judge(s)->customs[i]->rule == rule)
            return sm_judge(s)->customs[i]->mode;
    return NULL;
}

size_t sm_session_rules_fired(const struct sm_session *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_trials; i++)
        n += sm_run_findings(s, i).triggered;
    return n;
}

static bool add_nothing(const struct sm_rules *r, const struct sm_rule_instance *i,
                        struct sm_str *out)
{
    struct sm_str why = {0};
    sm_rule_reason(r, i, &why);
    sm_str_printf(out, "%s judged nothing: %s", i->name, sm_str_text(&why));
    sm_str_clear(&why);
    return true;
}

bool sm_rules_judged_nothing(const struct sm_rules *r, struct sm_str *out)
{
    size_t judged = 0, n = sm_rules_count(r);
    unsigned part;
    if (sm_rules_shards(r, &part) > 1)
        return false;
    for (size_t k = 0; k < n; k++) {
        const struct sm_rule_instance *i = sm_rules_item(r, k);
        if (i->status == SM_RULE_ERROR || (!i->automatic && sm_rule_judged_nothing(i)))
            return add_nothing(r, i, out);
        judged += !i->rule->on_clock && !sm_rule_judged_nothing(i);
    }
    if (!judged && (n || sm_rules_is_auto(r)))
        sm_str_printf(out, "no rule judged anything: %s",
                      sm_trial_step_count(sm_rules_trial(r)) ? "no values to compare"
                                                             : "the trial has no steps");
    return !judged && (n || sm_rules_is_auto(r));
}

static bool run_judged_nothing(const struct sm_session *s, size_t i, struct sm_str *out)
{
    const struct sm_rules *r = judging(s, i);
    const char *asleep = r ? NULL : judged(s, i)->asleep.nothing;
    if (asleep)
        sm_str_add(out, asleep);
    return asleep || (r && sm_rules_judged_nothing(r, out));
}

bool sm_session_rules_judged_nothing(const struct sm_session *s, struct sm_str *out)
{
    for (size_t i = 0; i < s->n_trials; i++) {
        size_t before = out->len;
        if (s->n_trials > 1)
            sm_str_printf(out, "%s: ", sm_trial_name(s->trials[i].trial));
        if (run_judged_nothing(s, i, out))
            return true;
        sm_str_truncate(out, before);
    }
    return false;
}

/* ---- judging without attaching ---- */

struct sm_rules *sm_session_rules_judge(struct sm_session *s)
{
    sm_rules_free(sm_judge(s)->judging);
    sm_judge(s)->judging = sm_rules_new(sm_session_trial(s), s->fetch, s->pool);
    sm_rules_finite(sm_judge(s)->judging, true);
    sm_rules_fallback(sm_judge(s)->judging, sm_judge_settings(s)->rule_fallback);
    return sm_judge(s)->judging;
}

bool sm_session_rules_judged(struct sm_call *c, struct sm_err *err)
{
    struct sm_session *s = c->session;
    sm_fetch_set_background(s->fetch, true);
    sm_rules_pump(sm_judge(s)->judging, true, BUDGET_US);
    sm_fetch_set_background(s->fetch, false);
    if (sm_rules_finished(sm_judge(s)->judging))
        return true;
    int64_t due = sm_rules_busy(sm_judge(s)->judging) ? sm_clock_mono_us()
                                                      : sm_rules_deadline_us(sm_judge(s)->judging);
    c->wake_us = due < INT64_MAX ? due : 0;
    return sm_err_set(err, SM_ERR_WAIT, "judging the steps");
}

/* ---- the loop ---- */

static int64_t judging_budget(const struct sm_session *s)
{
    int64_t n = 0;
    for (size_t i = 0; i < s->n_trials; i++)
        n += judging(s, i) != NULL;
    return n ? BUDGET_US / n : BUDGET_US;
}

bool sm_session_rules_pump(struct sm_session *s, bool news)
{
    int64_t budget = judging_budget(s);
    bool changed = sm_judge(s)->judging && sm_rules_busy(sm_judge(s)->judging);
    sm_fetch_set_background(s->fetch, true);
    for (size_t i = 0; i < s->n_trials; i++)
        if (judging(s, i)) {
            weigh(s, i);
            sm_rules_pause(*rules_at(s, i), sm_judge_settings(s)->rule_pause);
            changed = sm_rules_pump(*rules_at(s, i), news, budget) || changed;
        }
    sm_fetch_set_background(s->fetch, false);
    changed = changed || s->incidents->total != s->incidents->noticed;
    s->incidents->noticed = s->incidents->total;
    return changed;
}

int64_t sm_session_rules_deadline_us(const struct sm_session *s)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < s->n_trials; i++) {
        int64_t d = judging(s, i) ? sm_rules_deadline_us(*rules_at(s, i)) : INT64_MAX;
        first = d < first ? d : first;
    }
    return first;
}

void sm_session_rules_close(struct sm_session *s, size_t i)
{
    if (sm_judge(s)->judging && sm_rules_trial(sm_judge(s)->judging) == s->trials[i].trial) {
        sm_rules_free(sm_judge(s)->judging);
        sm_judge(s)->judging = NULL;
    }
    sm_rules_free(*rules_at(s, i));
    *rules_at(s, i) = NULL;
}

void sm_session_rules_free(struct sm_session *s)
{
    sm_rules_free(sm_judge(s)->to_come);
    for (size_t i = 0; i < sm_judge(s)->n_customs; i++)
        sm_custom_free(sm_judge(s)->customs[i]);
    sm_free(sm_judge(s)->customs);
}

/* ---- rules of .rule files ---- */

bool sm_session_rules_load(struct sm_session *s, const char *path, const char *text, size_t n,
                           const struct sm_rule **out, struct sm_err *err)
{
    struct sm_custom_rule *c;
    if (!sm_custom_parse(text, n, &c, err))
        return sm_err_prefix(err, "%s", path);
    if (sm_rule_find(c->rule.name)) {
        sm_err_set(err, SM_ERR_USAGE, "%s: %s is the name of a built-in rule", path, c->rule.name);
        sm_custom_free(c);
        return false;
    }
    SM_GROW(sm_judge(s)->customs, sm_judge(s)->n_customs, sm_judge(s)->cap_customs);
    sm_judge(s)->customs[sm_judge(s)->n_customs++] = c;
    *out = &c->rule;
    return true;
}
