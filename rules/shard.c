/* A part of the judging of a finished trial, for one of several machines.
 *
 * The steps are cut into equal ranges. A rule that looks at each step by itself (and at earlier
 * ones in the trial) judges the steps of its range. One that remembers what it has seen must see
 * every step: it is judged as a whole by one of the machines, each in turn. So the parts together
 * say exactly what one machine would. */
#include "rules/private.h"

void sm_rules_shard(struct sm_rules *r, unsigned index, unsigned of)
{
    r->shard = index;
    r->shards = of;
}

static bool remembers(const struct sm_rule *rule)
{
    return rule->on_clock || (rule->state_size && !rule->forgets);
}

/* The first step of part k, or what follows the last. */
static int64_t begin_of(const struct sm_rules *r, unsigned k)
{
    size_t n = sm_trial_step_count(r->trial), at = (size_t)((uint64_t)n * k / r->shards);
    return k ? at < n ? sm_trial_step(r->trial, at)->step.n : INT64_MAX : 0;
}

static unsigned before(const struct sm_rules *r, const struct sm_rule_instance *i)
{
    unsigned n = 0;
    for (size_t k = 0; r->items[k] != i; k++)
        n += remembers(r->items[k]->rule);
    return n;
}

static void divide(struct sm_rules *r, struct sm_rule_instance *i)
{
    int64_t from = begin_of(r, r->shard),
            to = r->shard + 1 < r->shards ? begin_of(r, r->shard + 1) : INT64_MAX;
    struct sm_rule_private *p = i->own;
    p->share = SM_SHARE_RANGE;
    if (remembers(i->rule))
        p->share = before(r, i) % r->shards == r->shard ? SM_SHARE_WHOLE : SM_SHARE_ELSEWHERE;
    if (p->share == SM_SHARE_ELSEWHERE)
        i->end = p->next;
    if (p->share != SM_SHARE_RANGE)
        return;
    p->next = from > p->next ? from : p->next;
    i->end = to < i->end ? to : i->end;
}

void sm_rules_divide(struct sm_rules *r)
{
    for (size_t i = 0; r->shards > 1 && i < r->n; i++)
        if (r->items[i]->own->share == SM_SHARE_ALL)
            divide(r, r->items[i]);
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

bool sm_rule_begun(const struct sm_rule_instance *i)
{
    return i->own->begun;
}

bool sm_rule_has_judged(const struct sm_rule_instance *i)
{
    return (i->own->begun && !i->rule->on_clock) || i->status != SM_RULE_IN_PROGRESS;
}
