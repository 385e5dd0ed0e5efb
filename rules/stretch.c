/* SPDX-License-Identifier: Apache-2.0 */
/* Judges many steps at once, where nothing but finite numbers was saved: most rules have nothing to
 * say of these, and looking at each of them at each step is most of the work of a long run. A rule
 * that is ahead of the others waits for them (run.c). */
#include "rules/private.h"

#include <string.h>

/* A stretch of less is no gain. After one that was refused so many steps are judged one by one, and
 * twice as many after the next. */
enum { STEPS_LEAST = 8, STEPS_MOST = 1024, PAUSE_LEAST = 16, PAUSE_MOST = 4096 };

static bool may_stretch(const struct sm_rules *r, const struct sm_rule_instance *i)
{
    return i->rule->judge_stretch && i->own->n_needs == 1 &&
           (!i->workers || strcmp(i->workers, "all") == 0) && r->explain < 0 && !r->pause_us &&
           !r->restarted && sm_trial_worker_count(r->trial) == 1;
}

/* The number of steps from index `at` on that the rule judges, all of one mode. */
static size_t count_steps(const struct sm_rules *r, const struct sm_rule_instance *i, size_t at)
{
    size_t n = sm_trial_step_count(r->trial), to = at;
    uint8_t mode = sm_trial_step(r->trial, at)->mode;
    for (; to < n && to - at < STEPS_MOST; to++) {
        const struct sm_trial_step *s = sm_trial_step(r->trial, to);
        if (s->mode != mode || s->step.n >= i->end || !sm_rule_matches_mode(i, s) ||
            (s->step.n >= i->own->known && !sm_rules_count_step(r, s)))
            break;
    }
    return to - at;
}

static struct sm_rule_span span_of(const struct sm_rules *r, uint32_t name, struct sm_step first,
                                   int64_t last)
{
    struct sm_rule_span s = {.tensor = sm_trial_tensor_of(r->trial, name)};
    if (s.tensor) {
        s.from = sm_trial_entries_from(r->trial, s.tensor, first);
        s.to = sm_trial_entries_from(r->trial, s.tensor, (struct sm_step){last + 1});
    }
    return s;
}

/* Reads what the tensors of the pick have at the steps from `first` on, up to step *last, which
 * becomes the last one before the first that is not calm. */
static void read_spans(const struct sm_rules *r, const struct sm_need *need, struct sm_step first,
                       int64_t *last, struct sm_rule_span *spans, size_t *n)
{
    *n = 0;
    for (size_t k = 0; k < need->n_ids && *last >= first.n; k++) {
        struct sm_rule_span s = span_of(r, need->ids[k], first, *last);
        if (s.from == s.to)
            continue;
        size_t to = sm_tensor_calm_to(r->trial, s.tensor, s.from, s.to, &s.calm);
        if (to < s.to)
            *last = sm_tensor_part(r->trial, s.tensor, to)->step.n - 1;
        s.to = to;
        spans[(*n)++] = s;
    }
}

/* Cuts the spans of tensors that were looked at before *last became lower. */
static void cut_spans(const struct sm_rules *r, struct sm_rule_span *spans, size_t *n, int64_t last)
{
    size_t kept = 0;
    for (size_t k = 0; k < *n; k++) {
        struct sm_rule_span s = spans[k];
        if (s.to > s.from && sm_tensor_part(r->trial, s.tensor, s.to - 1)->step.n > last)
            s.to = sm_trial_entries_from(r->trial, s.tensor, (struct sm_step){last + 1});
        if (s.to > s.from)
            spans[kept++] = s;
    }
    *n = kept;
}

void sm_rule_count(struct sm_rule_at *x, uint64_t datapoints)
{
    x->instance->own->datapoints += datapoints;
}

static int64_t newest_of(const struct sm_rules *r, const struct sm_rule_stretch *s)
{
    int64_t newest = -1;
    for (size_t k = 0; k < s->n; k++) {
        int64_t step = sm_tensor_part(r->trial, s->spans[k].tensor, s->spans[k].to - 1)->step.n;
        newest = step > newest ? step : newest;
    }
    return newest;
}

static bool judge_spans(struct sm_rules *r, struct sm_rule_instance *i,
                        const struct sm_trial_step *first, const struct sm_rule_stretch *s)
{
    struct sm_rule_at x = sm_rule_at_begin(r, i, first);
    struct sm_rule_private *p = i->own;
    sm_rule_clear_notes(p);
    if (!i->rule->judge_stretch(&x, s))
        return false;
    i->datapoints += p->datapoints;
    i->last_tested = p->datapoints ? newest_of(r, s) : i->last_tested;
    p->next = s->last + 1;
    p->stretched += s->n_steps;
    p->pause = 0;
    sm_rule_clear_notes(p);
    return true;
}

static void put_off(const struct sm_rules *r, struct sm_rule_private *p, size_t at)
{
    p->pause = !p->pause ? PAUSE_LEAST : p->pause < PAUSE_MOST ? 2 * p->pause : PAUSE_MOST;
    size_t n = sm_trial_step_count(r->trial), last = at + p->pause < n ? at + p->pause : n;
    p->by_one = sm_trial_step(r->trial, last - 1)->step.n + 1;
}

/* Judges at most n steps from index `at` on. */
static bool judge_steps(struct sm_rules *r, struct sm_rule_instance *i, size_t at, size_t n)
{
    const struct sm_need *need = &i->own->needs[0];
    const struct sm_trial_step first = *sm_trial_step(r->trial, at);
    struct sm_rule_span *spans = sm_xalloc((need->n_ids + 1) * sizeof *spans);
    struct sm_rule_stretch s = {.last = sm_trial_step(r->trial, at + n - 1)->step.n,
                                .spans = spans};
    read_spans(r, need, first.step, &s.last, spans, &s.n);
    cut_spans(r, spans, &s.n, s.last);
    s.n_steps = sm_trial_step_at(r->trial, (struct sm_step){s.last + 1}) - at;
    s.n_steps = s.n_steps < n ? s.n_steps : n;
    bool judged = s.n_steps >= STEPS_LEAST && judge_spans(r, i, &first, &s);
    sm_free(spans);
    return judged;
}

bool sm_rule_judge_stretch(struct sm_rules *r, struct sm_rule_instance *i, size_t at)
{
    if (!i->rule->judge_stretch || !i->own->begun || /* the first step tells what is missing */
        sm_trial_step(r->trial, at)->step.n < i->own->by_one)
        return false;
    sm_rule_update_needs(r, i);
    size_t n = may_stretch(r, i) ? count_steps(r, i, at) : 0;
    if (n < STEPS_LEAST)
        return false;
    bool judged = judge_steps(r, i, at, n);
    if (!judged)
        put_off(r, i->own, at);
    return judged;
}
