/* SPDX-License-Identifier: Apache-2.0 */
/* Divides the judging of a finished trial among several machines.
 *
 * The steps are divided into equal ranges. A rule that needs only the step and earlier values of
 * the trial judges the steps of the range. A rule that keeps state between steps must see every
 * step, so one machine judges all of its steps; such rules are assigned to the machines in turn.
 * Together the parts give exactly the result of one machine. */
#include "rules/private.h"

void sm_rules_shard(struct sm_rules *r, unsigned index, unsigned of)
{
    r->shard = index;
    r->shards = of;
}

static bool keeps_state(const struct sm_rule_instance *i)
{
    return !sm_rule_has_steps(i->rule) || i->own->how.keeps_state;
}

/* The first step of part k, or INT64_MAX after the last step. */
static int64_t part_start(const struct sm_rules *r, unsigned k)
{
    size_t n = sm_trial_step_count(r->trial), at = (size_t)((uint64_t)n * k / r->shards);
    return k ? at < n ? sm_trial_step(r->trial, at)->step.n : INT64_MAX : 0;
}

static unsigned stateful_rules_before(const struct sm_rules *r, const struct sm_rule_instance *i)
{
    unsigned n = 0;
    for (size_t k = 0; r->items[k] != i; k++)
        n += keeps_state(r->items[k]);
    return n;
}

static void assign_share(struct sm_rules *r, struct sm_rule_instance *i)
{
    int64_t from = part_start(r, r->shard),
            to = r->shard + 1 < r->shards ? part_start(r, r->shard + 1) : INT64_MAX;
    struct sm_rule_private *p = i->own;
    p->share = SM_SHARE_RANGE;
    if (keeps_state(i))
        p->share = stateful_rules_before(r, i) % r->shards == r->shard ? SM_SHARE_WHOLE
                                                                       : SM_SHARE_ELSEWHERE;
    if (p->share == SM_SHARE_ELSEWHERE)
        i->end = p->next;
    if (p->share != SM_SHARE_RANGE)
        return;
    p->next = from > p->next ? from : p->next;
    i->end = to < i->end ? to : i->end;
}

void sm_rules_assign_shares(struct sm_rules *r)
{
    for (size_t i = 0; r->shards > 1 && i < r->n; i++)
        if (r->items[i]->own->share == SM_SHARE_ALL)
            assign_share(r, r->items[i]);
}

enum sm_rule_share sm_rule_share(const struct sm_rule_instance *i)
{
    return i->own->share;
}

unsigned sm_rules_shards(const struct sm_rules *r, unsigned *index)
{
    *index = r->shard;
    return r->shards > 1 ? r->shards : 1;
}

int64_t sm_rule_judged(const struct sm_rule_instance *i)
{
    return i->own->next;
}

bool sm_rule_started(const struct sm_rule_instance *i)
{
    return i->own->begun;
}

bool sm_rule_has_judged(const struct sm_rule_instance *i)
{
    return (i->own->begun && sm_rule_has_steps(i->rule)) || i->status != SM_RULE_IN_PROGRESS;
}
