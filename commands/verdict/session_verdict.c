#include "commands/verdict/session_verdict.h"

#include "commands/session/feature.h"
#include "reader/base/clock.h"
#include "rules/verdict/collect.h"

enum { BUDGET_US = 10000 };

struct of_trial {
    struct sm_rules *rules; /* with one instance, of sm_rule_signals; NULL until it is asked for */
    struct sm_verdict verdict;
    uint64_t judged; /* steps and trial version that the verdict is of */
    uint64_t version;
    enum sm_trial_state state; /* stalled: by the clock */
    bool known;
};
const struct sm_state_kind sm_verdict_state_kind = {.trial_size = sizeof(struct of_trial)};

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

const struct sm_signals *sm_session_signals(struct sm_session *s, size_t trial)
{
    struct of_trial *o = of_trial(s, trial);
    if (!o->rules)
        start(s, o, s->trials[trial].trial);
    return sm_signals_of(sm_rules_item(o->rules, 0));
}

const struct sm_verdict *sm_session_verdict(struct sm_session *s, size_t trial)
{
    struct of_trial *o = of_trial(s, trial);
    const struct sm_signals *g = sm_session_signals(s, trial);
    uint64_t version = sm_trial_version(s->trials[trial].trial);
    enum sm_trial_state state = sm_trial_state(s->trials[trial].trial);
    if (!g)
        return NULL;
    if (!o->known || o->judged != g->values || o->version != version || o->state != state) {
        sm_verdict_clear(&o->verdict);
        sm_verdict_find(g, sm_clock_wall_us(), &o->verdict);
        o->known = true;
        o->judged = g->values;
        o->version = version;
        o->state = state;
    }
    return &o->verdict;
}

bool sm_session_verdict_is_complete(const struct sm_session *s, size_t trial)
{
    const struct of_trial *o = of_trial(s, trial);
    return o->rules && sm_rules_all_judged(o->rules) && !sm_rules_busy(o->rules);
}

const struct sm_verdict *sm_verdict_ask(struct sm_call *c, struct sm_err *err)
{
    struct sm_session *s = c->session;
    const struct sm_verdict *v = sm_session_verdict(s, s->current);
    if (!sm_session_verdict_is_complete(s, s->current)) {
        int64_t due = sm_session_verdict_deadline_us(s);
        c->wake_us = due == INT64_MAX ? 0 : due ? due : sm_clock_mono_us();
        sm_err_set(err, SM_ERR_WAIT, "reading the values of all steps");
        return NULL;
    }
    if (!v)
        sm_err_set(err, SM_ERR_MISSING, "No step was saved yet, so there is no verdict.");
    return v;
}

bool sm_session_verdict_pump(struct sm_session *s, bool news)
{
    bool changed = false;
    sm_fetch_set_background(s->fetch, true);
    for (size_t i = 0; i < s->n_trials; i++) {
        struct of_trial *o = of_trial(s, i);
        if (!o->rules)
            continue;
        sm_rules_finite(o->rules, !s->open_options.follow);
        changed = sm_rules_pump(o->rules, news, BUDGET_US) || changed;
    }
    sm_fetch_set_background(s->fetch, false);
    return changed;
}

int64_t sm_session_verdict_deadline_us(const struct sm_session *s)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < s->n_trials; i++) {
        const struct of_trial *o = of_trial(s, i);
        int64_t due = o->rules ? sm_rules_deadline_us(o->rules) : INT64_MAX;
        first = due < first ? due : first;
    }
    return first;
}

void sm_session_verdict_close(struct sm_session *s, size_t trial)
{
    struct of_trial *o = of_trial(s, trial);
    sm_rules_free(o->rules);
    sm_verdict_clear(&o->verdict);
    *o = (struct of_trial){0};
}
