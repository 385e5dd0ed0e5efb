#include "commands/judge/session_rules.h"

#include "reader/base/str.h"

#include "commands/judge/rule_action.h"
#include "commands/session/incident.h"
#include "reader/base/clock.h"
#include "reader/base/grow.h"

enum { BUDGET_US = 10000 };

static void on_fire(void *ctx, const struct sm_rule_instance *i, const struct sm_finding *f)
{
    sm_action_fire(ctx, i, f);
}

struct sm_rules *sm_session_rules_of(struct sm_session *s, size_t i)
{
    struct sm_open_trial *t = &s->trials[i];
    if (!t->rules) {
        t->rules = sm_rules_new(t->trial, s->fetch, s->pool);
        sm_rules_on_fire(t->rules, on_fire, s);
        sm_rules_shard(t->rules, s->shard, s->shards);
    }
    sm_rules_fallback(t->rules, s->settings.values[SM_SET_RULE_FALLBACK].b);
    return t->rules;
}

struct sm_rules *sm_session_rules_current(struct sm_session *s)
{
    return s->current < s->n_trials ? sm_session_rules_of(s, s->current) : NULL;
}

const struct sm_rule *sm_session_rules_find(const struct sm_session *s, const char *name)
{
    for (size_t i = s->n_customs; i-- > 0;) /* the newest of a name */
        if (sm_same_letters(s->customs[i]->rule.name, name))
            return &s->customs[i]->rule;
    return sm_rule_find(name);
}

const char *sm_session_rules_mode(const struct sm_session *s, const struct sm_rule *rule)
{
    for (size_t i = 0; i < s->n_customs; i++)
        if (&s->customs[i]->rule == rule)
            return s->customs[i]->mode;
    return NULL;
}

size_t sm_session_rules_fired(const struct sm_session *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_trials; i++)
        n += s->trials[i].rules ? sm_rules_fired(s->trials[i].rules) : 0;
    return n;
}

/* ---- judging history ---- */

struct sm_rules *sm_session_rules_judge(struct sm_session *s)
{
    sm_rules_free(s->judging);
    s->judging = sm_rules_new(sm_session_trial(s), s->fetch, s->pool);
    sm_rules_finite(s->judging, true);
    sm_rules_fallback(s->judging, s->settings.values[SM_SET_RULE_FALLBACK].b);
    return s->judging;
}

bool sm_session_rules_judged(struct sm_call *c, struct sm_err *err)
{
    struct sm_session *s = c->session;
    sm_fetch_aside(s->fetch, true);
    sm_rules_pump(s->judging, true, BUDGET_US);
    sm_fetch_aside(s->fetch, false);
    if (sm_rules_over(s->judging))
        return true;
    int64_t due = sm_rules_busy(s->judging) ? sm_clock_mono_us() : sm_rules_deadline_us(s->judging);
    c->wake_us = due < INT64_MAX ? due : 0;
    return sm_err_set(err, SM_ERR_WAIT, "judging the steps");
}

/* ---- the loop ---- */

bool sm_session_rules_pump(struct sm_session *s, bool news)
{
    bool changed = s->judging && sm_rules_busy(s->judging);
    sm_fetch_aside(s->fetch, true);
    for (size_t i = 0; i < s->n_trials; i++)
        if (s->trials[i].rules) {
            sm_rules_pause(s->trials[i].rules, s->settings.values[SM_SET_RULE_PAUSE].i);
            changed = sm_rules_pump(s->trials[i].rules, news, BUDGET_US) || changed;
        }
    sm_fetch_aside(s->fetch, false);
    changed = changed || s->incidents->total != s->incidents->noticed;
    s->incidents->noticed = s->incidents->total;
    return changed;
}

int64_t sm_session_rules_deadline_us(const struct sm_session *s)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < s->n_trials; i++) {
        int64_t d = s->trials[i].rules ? sm_rules_deadline_us(s->trials[i].rules) : INT64_MAX;
        first = d < first ? d : first;
    }
    return first;
}

void sm_session_rules_close(struct sm_session *s, size_t i)
{
    if (s->judging && sm_rules_trial(s->judging) == s->trials[i].trial) {
        sm_rules_free(s->judging);
        s->judging = NULL;
    }
    sm_rules_free(s->trials[i].rules);
    s->trials[i].rules = NULL;
}

void sm_session_rules_free(struct sm_session *s)
{
    for (size_t i = 0; i < s->n_customs; i++)
        sm_custom_free(s->customs[i]);
    sm_free(s->customs);
    sm_incidents_free(s->incidents);
}

/* ---- rules of files ---- */

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
    SM_GROW(s->customs, s->n_customs, s->cap_customs);
    s->customs[s->n_customs++] = c;
    *out = &c->rule;
    return true;
}
