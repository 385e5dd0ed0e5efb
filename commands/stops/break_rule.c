/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/break_rule.h"
#include "commands/judge/judge.h"
#include "commands/stops/stops.h"

#include "commands/judge/rule_args.h"
#include "commands/judge/session_rules.h"
#include "commands/stops/breakpoint.h"
#include "reader/base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { TEXTS_MAX = 16 << 20 }; /* bytes */

struct sm_break_rule {
    const struct sm_rule *rule;
    struct sm_arena arena;
    const char **args;
    size_t n_args;
    struct sm_rules *judging; /* of the current trial; NULL before the first pump */
    struct sm_rule_instance *instance;
    bool pending;              /* the trial had no tensors for it when it was created */
    bool reported;             /* sm_break_rules_answered has reported it */
    size_t sessions;           /* of the trial, at the start of judging */
    struct sm_firing *firings; /* by step */
    size_t n, cap;
    struct sm_arena texts;
};

/* ---- creation ---- */

static void add_args(struct sm_break_rule *r, const char *const *args, size_t n)
{
    for (size_t i = 0; i < n; i++)
        r->args[r->n_args++] = sm_arena_xstrndup(&r->arena, args[i], strlen(args[i]));
}

static const struct sm_rule_instance *find_instance(struct sm_session *s, const char *name)
{
    struct sm_rules *r = sm_session_rules_current(s);
    size_t i = r ? sm_rules_find(r, name) : 0;
    return r && i < sm_rules_count(r) ? sm_rules_item(r, i) : NULL;
}

/* Checks the parameters, and whether the trial has tensors for the rule. */
static bool check_rule(struct sm_break_rule *r, struct sm_session *s, struct sm_err *err)
{
    struct sm_trial *t = sm_session_trial(s);
    struct sm_rules *rules = sm_rules_new(t, s->fetch, s->pool);
    const struct sm_rule_instance *i = sm_rules_add(rules, r->rule, NULL, r->args, r->n_args, err);
    bool ok = i->status != SM_RULE_ERROR;
    r->pending = ok && (!t || !sm_rule_has_tensors(r->rule, i->values, t));
    sm_rules_free(rules);
    return ok;
}

/* name: a rule, or an attached rule, whose parameters are copied. args: "name=value". Returns NULL
 * with err. */
static struct sm_break_rule *new_rule(struct sm_session *s, const char *name,
                                      const char *const *args, size_t n, struct sm_err *err)
{
    const struct sm_rule_instance *instance = find_instance(s, name);
    const struct sm_rule *rule = instance ? instance->rule : sm_session_rules_find(s, name);
    const char *mode = rule && !instance ? sm_session_rules_mode(s, rule) : NULL,
               *policy = "policy=continue";
    if (!rule) {
        sm_rule_unknown(sm_text(name), err);
        return NULL;
    }
    if (rule->on_windows) {
        sm_err_set(err, SM_ERR_USAGE, "%s judges the profile in windows of time, not step by step.",
                   rule->class_name);
        return NULL;
    }
    if (rule->on_clock) {
        sm_err_set(err, SM_ERR_USAGE,
                   "%s is judged by the clock, not step by step.  \"break stall\" stops when "
                   "no new data arrives.",
                   rule->class_name);
        return NULL;
    }
    struct sm_break_rule *r = sm_xalloc_zero(1, sizeof *r);
    r->rule = rule;
    r->args =
        sm_arena_xalloc(&r->arena, (n + (instance ? instance->n_args : 0) + 2) * sizeof *r->args);
    add_args(r, instance ? instance->args : NULL, instance ? instance->n_args : 0);
    add_args(r, &mode, mode != NULL);
    add_args(r, args, n);
    add_args(r, &policy, 1);
    if (check_rule(r, s, err))
        return r;
    sm_break_rule_free(r);
    return NULL;
}

struct sm_breakpoint *sm_breakpoints_add_rule(struct sm_session *s, const struct sm_word *words,
                                              size_t n, struct sm_err *err)
{
    const char **args = sm_xalloc((n + 1) * sizeof *args);
    for (size_t i = 2; i < n; i++)
        args[i - 2] = words[i].text.p;
    struct sm_break_rule *r = new_rule(s, words[1].text.p, args, n - 2, err);
    struct sm_breakpoint *b =
        r ? sm_breakpoints_add(&sm_stops(s)->breakpoints, SM_BREAK_RULE, words, n) : NULL;
    if (b)
        b->rule = r;
    sm_free(args);
    return b;
}

const char *sm_break_rule_pending(const struct sm_break_rule *r)
{
    return r->pending ? "the trial has no tensors for this rule yet." : NULL;
}

static void clear_judging(struct sm_break_rule *r)
{
    sm_rules_free(r->judging);
    r->judging = NULL;
    sm_arena_clear(&r->texts);
    r->n = 0;
}

void sm_break_rule_free(struct sm_break_rule *r)
{
    if (!r)
        return;
    clear_judging(r);
    sm_free(r->firings);
    sm_arena_clear(&r->arena);
    sm_free(r);
}

/* ---- judging ---- */

/* Copies the text of a finding. Above TEXTS_MAX only the first finding of a step gets its text. */
static const char *copy_text(struct sm_break_rule *r, const struct sm_finding *f)
{
    bool first = !r->n || r->firings[r->n - 1].step.n != f->step;
    struct sm_str text = {0};
    if (!first && r->texts.total_bytes > TEXTS_MAX)
        return r->rule->class_name;
    sm_str_printf(&text, "%s: ", r->rule->class_name);
    sm_str_add_escaped(&text, f->text, strlen(f->text));
    const char *copy = sm_arena_xstrndup(&r->texts, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return copy;
}

static void add_firing(void *ctx, const struct sm_rule_instance *i, const struct sm_finding *f)
{
    struct sm_break_rule *r = ctx;
    const struct sm_trial *t = sm_rules_trial(r->judging);
    const char *text = copy_text(r, f);
    (void)i;
    SM_GROW(r->firings, r->n, r->cap);
    r->firings[r->n++] = (struct sm_firing){
        .step = {f->step},
        .tensor = f->tensor ? sm_names_find(sm_trial_names(t), f->tensor, strlen(f->tensor))
                            : SM_NAME_NONE,
        .worker = f->worker ? sm_trial_find_worker(t, f->worker) : SM_WORKER_ANY,
        .value = f->value,
        .text = text,
    };
}

/* A job that started again writes lower steps. */
static bool is_stale(const struct sm_break_rule *r, const struct sm_trial *t)
{
    return sm_rules_trial(r->judging) != t || sm_trial_session_count(t) != r->sessions;
}

static void start_judging(struct sm_break_rule *r, struct sm_session *s)
{
    r->judging = sm_rules_new(sm_session_trial(s), s->fetch, s->pool);
    r->sessions = sm_trial_session_count(sm_session_trial(s));
    sm_rules_on_violation(r->judging, add_firing, r);
    sm_rules_fallback(r->judging, sm_judge_settings(s)->rule_fallback);
    r->instance = sm_rules_add(r->judging, r->rule, NULL, r->args, r->n_args, NULL);
}

bool sm_break_rules_pump(struct sm_session *s, int64_t budget_us)
{
    bool busy = false;
    for (size_t i = 0; i < sm_stops(s)->breakpoints.n; i++) {
        struct sm_break_rule *r = sm_stops(s)->breakpoints.items[i]->rule;
        if (!r || !sm_stops(s)->breakpoints.items[i]->enabled)
            continue;
        if (r->judging && is_stale(r, sm_session_trial(s)))
            clear_judging(r);
        if (!r->judging)
            start_judging(r, s);
        sm_rules_pump(r->judging, true, budget_us);
        r->reported = false;
        busy = busy || sm_rules_busy(r->judging);
    }
    return busy;
}

bool sm_break_rules_answered(struct sm_session *s)
{
    bool found = false;
    for (size_t i = 0; i < sm_stops(s)->breakpoints.n; i++) {
        struct sm_break_rule *r = sm_stops(s)->breakpoints.items[i]->rule;
        bool answered = r && r->judging && !r->reported && sm_rules_busy(r->judging);
        if (answered)
            r->reported = found = true;
    }
    return found;
}

int64_t sm_break_rules_deadline_us(const struct sm_session *s)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < sm_stops(s)->breakpoints.n; i++) {
        const struct sm_breakpoint *b = sm_stops(s)->breakpoints.items[i];
        bool waits = b->enabled && b->rule && b->rule->judging && !sm_rules_busy(b->rule->judging);
        int64_t d = waits ? sm_rules_deadline_us(b->rule->judging) : INT64_MAX;
        first = d < first ? d : first;
    }
    return first;
}

void sm_break_rules_clear(struct sm_session *s, const struct sm_trial *t)
{
    for (size_t i = 0; i < sm_stops(s)->breakpoints.n; i++) {
        struct sm_break_rule *r = sm_stops(s)->breakpoints.items[i]->rule;
        if (r && r->judging && sm_rules_trial(r->judging) == t)
            clear_judging(r);
    }
}

/* ---- findings ---- */

static int compare_step(const void *key, const void *item)
{
    int64_t a = ((const struct sm_step *)key)->n, b = ((const struct sm_firing *)item)->step.n;
    return (a > b) - (a < b);
}

/* The firings of the same step as `found`. */
static size_t find_range(const struct sm_break_rule *r, const struct sm_firing *found,
                         const struct sm_firing **first)
{
    const struct sm_firing *end = found + 1;
    for (*first = found; *first > r->firings && (*first)[-1].step.n == found->step.n; --*first)
        ;
    for (; end < r->firings + r->n && end->step.n == found->step.n; end++)
        ;
    return (size_t)(end - *first);
}

bool sm_break_rule_at(const struct sm_break_rule *r, struct sm_step step,
                      const struct sm_firing **out, size_t *n, struct sm_err *err)
{
    *out = NULL;
    *n = 0;
    if (!r->judging)
        return sm_err_set(err, SM_ERR_WAIT, "judging the steps");
    const struct sm_firing *found =
        r->n ? bsearch(&step, r->firings, r->n, sizeof *r->firings, compare_step) : NULL;
    if (found)
        *n = find_range(r, found, out);
    if (found || sm_rule_judged(r->instance) > step.n)
        return true;
    if (r->instance->status == SM_RULE_ERROR)
        return sm_err_set(err, SM_ERR_USAGE, "%s: %s", r->rule->class_name, r->instance->reason);
    bool judged = r->instance->status != SM_RULE_IN_PROGRESS ||
                  (sm_rules_all_judged(r->judging) && sm_trial_scanned(sm_rules_trial(r->judging)));
    return judged || sm_err_set(err, SM_ERR_WAIT, "judging the steps");
}
