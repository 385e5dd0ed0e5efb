/* SPDX-License-Identifier: Apache-2.0 */
/* Requests values in advance, so that the values of several steps are read together.
 *
 * The judge functions are called for steps before their turn with x->ahead set: no value is
 * available to them, their requests are queued and their notes are discarded. */
#include "rules/private.h"

#include <string.h>

enum { AHEAD_STEPS = 8, AHEAD_BYTES = 32 << 20, SLOTS = 1024 };
enum { ASKED_STATS = 1, ASKED_TENSOR = 2 };

/* Marks the value as requested; true if it already was. Each record is requested once, no matter
 * how many rules need it. A collision in the table only causes a second request. */
static bool mark_requested(struct sm_rules *r, const struct sm_entry *e, uint8_t what)
{
    struct sm_rules_asked *slots = r->asked =
        r->asked ? r->asked : sm_xalloc_zero(SLOTS, sizeof *slots);
    struct sm_rules_asked *x = &slots[(e->offset * UINT64_C(0x9e3779b97f4a7c15) + e->part) >> 54];
    uint8_t asked =
        x->part == e->part && x->offset == e->offset && x->value == e->value ? x->asked : 0;
    *x = (struct sm_rules_asked){e->offset, e->part, e->value, asked | what};
    return asked & what;
}

void sm_rule_request_stats(struct sm_rule_at *x, const struct sm_entry *e)
{
    const struct sm_facts *facts;
    if (sm_entry_is_scalar(e)) /* known already */
        return;
    if (!mark_requested(x->rules, e, ASKED_STATS))
        sm_fetch_number(x->fetch, x->trial, e, &facts, NULL);
}

void sm_rule_request_tensor(struct sm_rule_at *x, struct sm_trial *t, const struct sm_entry *e)
{
    struct sm_tensor *tensor = NULL;
    if (sm_entry_is_scalar(e))
        return;
    if (t == x->trial && mark_requested(x->rules, e, ASKED_TENSOR))
        return;
    sm_fetch_tensor(x->fetch, t, e, &tensor, NULL);
    sm_tensor_unref(tensor);
    x->rules->ahead_bytes += e->length;
}

static void request_values(struct sm_rules *r, struct sm_rule_instance *i,
                           const struct sm_trial_step *step)
{
    struct sm_rule_at x;
    if (!sm_rule_matches_mode(i, step))
        return;
    sm_rule_at_step(r, i, step, &x);
    x.ahead = x.waiting = true;
    i->own->how.judge(&x);
    sm_rule_clear_notes(i->own);
}

/* Whether a tensor may have values that are not in memory: not if all are numbers that came with
 * their steps, or were read with the index. */
static bool has_records(const struct sm_trial *t, const struct sm_trial_tensor *x)
{
    if (sm_trial_traits(t)->runs)
        return x->forms != 1 << SM_FORM_SCALAR;
    return x->unsettled || !(sm_tensor_brief(t, x, x->n_entries - 1).flags & SM_BRIEF_ONE);
}

static bool any_has_records(const struct sm_trial *t)
{
    bool any = false;
    for (size_t i = 0; !any && i < sm_trial_tensor_count(t); i++)
        any = has_records(t, sm_trial_tensor(t, i));
    return any;
}

void sm_rules_request_ahead(struct sm_rules *r, size_t at)
{
    size_t n = any_has_records(r->trial) ? sm_trial_step_count(r->trial) : 0;
    r->ahead_bytes = 0;
    for (size_t k = at + 1; k < n && k <= at + AHEAD_STEPS && r->ahead_bytes < AHEAD_BYTES; k++) {
        const struct sm_trial_step step = *sm_trial_step(r->trial, k);
        if (!sm_rules_count_step(r, &step))
            return;
        if (step.step.n <= r->ahead)
            continue;
        for (size_t i = 0; i < r->n; i++)
            if (sm_rule_by_steps(r->items[i]) && r->items[i]->own->begun)
                request_values(r, r->items[i], &step);
        r->ahead = step.step.n;
        sm_fetch_flush(r->fetch); /* start reading while earlier steps are judged */
    }
}
