/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of findings and the reasons of statuses. */
#include "rules/private.h"

#include <string.h>
#include <time.h>

/* " fired at 12:25:00 (from TRAIN 10) node algo-1": the window's begin, UTC */
static void add_window(const struct sm_finding *f, struct sm_str *out)
{
    time_t seconds = (time_t)(f->from_ns / 1000000000);
    struct tm t;
    char text[64] = "";
    if (gmtime_r(&seconds, &t))
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &t);
    sm_str_printf(out, " %s at %s", f->violated ? "fired" : "checked", text);
    if (f->mode_step >= 0)
        sm_str_printf(out, " (%s %lld)", sm_mode_name((int)f->mode), (long long)f->mode_step);
    if (f->node) {
        sm_str_add(out, " node ");
        sm_str_add_escaped(out, f->node, strlen(f->node));
    }
}

void sm_rule_message(const struct sm_rules *r, const struct sm_rule_instance *i,
                     const struct sm_finding *f, struct sm_str *out)
{
    sm_str_add_escaped(out, i->name, strlen(i->name));
    if (f->to_ns)
        add_window(f, out);
    else
        sm_str_printf(out, " %s at step %lld", f->violated ? "fired" : "checked",
                      (long long)f->step);
    if (!f->to_ns && f->mode != SM_MODE_ANY && f->mode != SM_MODE_GLOBAL)
        sm_str_printf(out, " (%s %lld)", sm_mode_name((int)f->mode), (long long)f->mode_step);
    if (f->worker && sm_trial_worker_count(r->trial) > 1) {
        sm_str_add(out, " worker ");
        sm_str_add_escaped(out, f->worker, strlen(f->worker));
    }
    sm_str_add(out, ": ");
    if (f->tensor) {
        sm_str_add_escaped(out, f->tensor, strlen(f->tensor));
        sm_str_add(out, ": ");
    }
    sm_str_add_escaped(out, f->text, strlen(f->text));
    if (i->fell_back)
        sm_str_add(out, " (fallback pattern)");
}

void sm_rule_remark_text(const struct sm_remark *m, struct sm_str *out)
{
    sm_str_add(out, m->why);
    if (!m->tensor)
        return;
    sm_str_add(out, ": ");
    sm_str_add_escaped(out, m->tensor, strlen(m->tensor));
    if (m->n > 1)
        sm_str_printf(out, " and %zu more", m->n - 1);
    if (m->known)
        sm_str_printf(out, " (%zu of %zu)", m->n, m->known);
}

static const struct sm_finding *first_violation(const struct sm_rule_instance *i)
{
    for (size_t k = 0; k < i->n_findings; k++)
        if (i->findings[k].violated)
            return &i->findings[k];
    return NULL;
}

/* The number of workers is unknown, so no step is known to be complete. */
static bool workers_unknown(const struct sm_trial *t)
{
    return sm_trial_step_count(t) && sm_trial_num_workers(t) < 0;
}

/* ---- what was not judged ---- */

uint64_t sm_rule_unjudged(const struct sm_rules *r, const struct sm_rule_instance *i)
{
    size_t n = sm_trial_step_count(r->trial);
    uint64_t left = 0;
    bool fired = i->status == SM_RULE_ISSUES && !i->continues;
    if (fired || i->status == SM_RULE_ERROR || !sm_rule_has_steps(i->rule) ||
        i->own->share == SM_SHARE_ELSEWHERE)
        return 0;
    for (size_t k = sm_trial_step_at(r->trial, (struct sm_step){i->own->next}); k < n; k++) {
        const struct sm_trial_step *s = sm_trial_step(r->trial, k);
        if (s->step.n >= i->end || sm_rules_is_old(r, s->step.n))
            break;
        left += sm_rule_matches_mode(i, s);
    }
    return left;
}

uint64_t sm_rule_unread(const struct sm_rule_instance *i)
{
    uint64_t n = 0;
    for (size_t k = 0; k < SM_RULE_SKIPS && i->skips[k].why; k++)
        if (strstr(i->skips[k].why, "could not be read"))
            n += i->skips[k].count;
    return n;
}

bool sm_rule_judged_nothing(const struct sm_rule_instance *i)
{
    bool over = i->status == SM_RULE_NO_ISSUES || i->status == SM_RULE_ERROR;
    return over && !i->datapoints && !i->rule->on_clock && i->own->share != SM_SHARE_ELSEWHERE;
}

static bool wrote_step(const struct sm_trial *t, size_t at, uint16_t worker)
{
    const struct sm_part *p;
    for (p = sm_trial_step_part(t, at, 0); p; p = sm_trial_next_part(t, p))
        if (p->worker == worker)
            return true;
    return false;
}

static void describe_worker(const struct sm_trial *t, uint16_t worker, size_t at,
                            struct sm_str *out)
{
    sm_str_add(out, sm_trial_worker(t, worker));
    while (at-- > 0)
        if (wrote_step(t, at, worker)) {
            sm_str_printf(out, ", which wrote nothing after step %lld",
                          (long long)sm_trial_step(t, at)->step.n);
            return;
        }
}

/* Whom the step waits for. */
static void describe_missing(const struct sm_trial *t, size_t at, struct sm_str *out)
{
    size_t missing = 0, workers = sm_trial_worker_count(t);
    uint16_t first = 0;
    for (size_t w = workers; w-- > 0;)
        if (!wrote_step(t, at, (uint16_t)w)) {
            missing++;
            first = (uint16_t)w;
        }
    if (!missing) {
        sm_str_add(out, "workers that have written nothing");
        return;
    }
    describe_worker(t, first, at, out);
    if (missing > 1)
        sm_str_printf(out, ", and for %zu more", missing - 1);
}

static bool leaves_out_workers(const struct sm_rule_instance *i)
{
    for (size_t k = 0; k < i->own->n_needs; k++)
        if (i->own->needs[k].left_out)
            return true;
    return false;
}

static void describe_steps_left(const struct sm_rules *r, const struct sm_rule_instance *i,
                                struct sm_str *out)
{
    uint64_t left = sm_rule_unjudged(r, i);
    size_t at = sm_trial_step_at(r->trial, (struct sm_step){i->own->next});
    const char *s = left == 1 ? "" : "s";
    bool waits = left && i->status == SM_RULE_IN_PROGRESS &&
                 !sm_rules_count_step(r, sm_trial_step(r->trial, at));
    if (waits) {
        sm_str_printf(out, "%llu step%s not judged: waiting for ", (unsigned long long)left, s);
        describe_missing(r->trial, at, out);
    } else if (left && i->status != SM_RULE_IN_PROGRESS) {
        sm_str_printf(out, "%llu step%s not judged", (unsigned long long)left, s);
    }
}

void sm_rule_describe_unjudged(const struct sm_rules *r, const struct sm_rule_instance *i,
                               struct sm_str *out)
{
    uint64_t unread = sm_rule_unread(i);
    describe_steps_left(r, i, out);
    if (unread)
        sm_str_printf(out, "%s%llu value%s not judged: could not be read", out->len ? "; " : "",
                      (unsigned long long)unread, unread == 1 ? "" : "s");
    if (leaves_out_workers(i))
        sm_str_printf(out, "%sonly the first worker was judged, workers=all judges every worker",
                      out->len ? "; " : "");
}

/* The most frequent reason why something was not judged; NULL if there is none. */
static const char *main_skip(const struct sm_rule_instance *i)
{
    const struct sm_skip *most = &i->skips[0];
    for (size_t k = 1; k < SM_RULE_SKIPS && i->skips[k].why; k++)
        most = i->skips[k].count > most->count ? &i->skips[k] : most;
    return most->why;
}

/* Of a rule that has not fired. */
static void add_unjudged(const struct sm_rules *r, const struct sm_rule_instance *i,
                         struct sm_str *out)
{
    if (sm_rule_judged_nothing(i) && i->status == SM_RULE_NO_ISSUES)
        sm_str_printf(out, "nothing was judged: %s",
                      i->rule->on_windows && main_skip(i) ? main_skip(i)
                      : i->rule->on_windows ? "the profile has none of the data that it needs"
                      : !i->own->begun      ? "no step is in its range and mode"
                      : main_skip(i)        ? main_skip(i)
                                            : "no values to compare");
    else
        sm_rule_describe_unjudged(r, i, out);
}

void sm_rule_reason(const struct sm_rules *r, const struct sm_rule_instance *i, struct sm_str *out)
{
    const struct sm_finding *f = first_violation(i);
    if (i->reason) {
        sm_str_add_escaped_lines(out, i->reason, strlen(i->reason));
    } else if (f) {
        sm_str_printf(out, "RuleEvaluationConditionMet: Evaluation of the rule %s ",
                      i->rule->class_name);
        if (!f->to_ns)
            sm_str_printf(out, "at step %lld ", (long long)f->step);
        sm_str_add(out, "resulted in the condition being met. ");
        sm_rule_message(r, i, f, out);
    } else if (i->status == SM_RULE_IN_PROGRESS && !i->own->begun && workers_unknown(r->trial)) {
        sm_str_add(out, "waiting for a collections file with the number of workers");
    } else if (i->own->begun && !i->matched && i->own->n_needs &&
               i->status != SM_RULE_IN_PROGRESS) {
        struct sm_str names = {0};
        bool some = sm_rule_similar(i, r->trial, &names);
        sm_str_printf(out, "0 tensors matched; this result means nothing%s%s",
                      some ? ". Similar: " : "", sm_str_text(&names));
        sm_str_clear(&names);
    } else {
        add_unjudged(r, i, out);
    }
}
