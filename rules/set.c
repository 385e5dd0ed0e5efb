/* SPDX-License-Identifier: Apache-2.0 */
/* The rule set of a trial: creation, options and counts. */
#include "rules/private.h"

const char *sm_rule_status_name(enum sm_rule_status s)
{
    static const char *const names[SM_RULE_STATUSES] = {"InProgress", "NoIssuesFound",
                                                        "IssuesFound", "Error", "Stopped"};
    return names[s];
}

/* Of sets that were made by one thread. */
static uint64_t first_version(void)
{
    static uint64_t made;
    return ++made << 32;
}

struct sm_rules *sm_rules_new(struct sm_trial *t, struct sm_fetch *f, struct sm_pool *pool)
{
    struct sm_rules *r = sm_xalloc_zero(1, sizeof *r);
    *r = (struct sm_rules){.trial = t,
                           .fetch = f,
                           .pool = pool,
                           .explain = -1,
                           .ahead = -1,
                           .version = first_version()};
    return r;
}

void sm_rules_free(struct sm_rules *r)
{
    if (!r)
        return;
    sm_rules_free(r->again);
    for (size_t i = 0; i < r->n; i++)
        sm_rule_detach(r->items[i]);
    sm_free(r->items);
    sm_rule_entries_clear(&r->ranges);
    sm_free(r->asked);
    sm_free(r);
}

void sm_rules_auto(struct sm_rules *r, const struct sm_rule *const *table)
{
    r->candidates = table;
    r->takes_windows = false;
    for (; table && *table; table++)
        r->takes_windows = r->takes_windows || ((*table)->on_windows && (*table)->automatic);
    r->auto_key = 0;
    r->version++;
    r->busy = true;
}

void sm_rules_auto_by_definition(struct sm_rules *r, bool on)
{
    r->by_definition = on;
}

void sm_rules_auto_by_guide(struct sm_rules *r, bool on)
{
    r->by_guide = on;
}

bool sm_rules_is_auto(const struct sm_rules *r)
{
    return r->candidates != NULL;
}

void sm_rules_fallback(struct sm_rules *r, bool on)
{
    r->no_fallback = !on;
}

void sm_rules_finite(struct sm_rules *r, bool on)
{
    r->busy = r->busy || r->finite != on;
    r->version += r->finite != on;
    r->finite = on;
}

void sm_rules_pause(struct sm_rules *r, int64_t us)
{
    if (r->pause_us != us)
        r->rest_until_us = 0;
    r->pause_us = us;
}

void sm_rules_attach_like(struct sm_rules *r, const struct sm_rules *like)
{
    r->finite = like->finite;
    r->no_fallback = like->no_fallback;
    r->by_definition = like->by_definition;
    r->by_guide = like->by_guide;
    r->pause_us = like->pause_us;
    for (size_t k = 0; k < like->n; k++) {
        const struct sm_rule_instance *i = like->items[k];
        sm_rules_add(r, i->rule, i->name, i->args, i->n_args, NULL);
        if (i->status == SM_RULE_STOPPED)
            sm_rules_enable(r, k, false);
    }
    sm_rules_auto(r, like->candidates);
}

void sm_rules_explain(struct sm_rules *r, int64_t step)
{
    r->explain = step;
}

size_t sm_rules_count(const struct sm_rules *r)
{
    return r->n;
}

struct sm_rule_instance *sm_rules_item(const struct sm_rules *r, size_t i)
{
    return r->items[i];
}

struct sm_trial *sm_rules_trial(const struct sm_rules *r)
{
    return r->trial;
}

bool sm_rules_busy(const struct sm_rules *r)
{
    return r->busy || r->answered || (r->again && sm_rules_busy(r->again));
}

bool sm_rules_all_judged(const struct sm_rules *r)
{
    return r->settled && !r->windows_unjudged && !sm_rules_is_behind(r);
}

uint64_t sm_rules_version(const struct sm_rules *r)
{
    return r->version;
}

void sm_rules_on_fire(struct sm_rules *r,
                      void (*fired)(void *ctx, const struct sm_rule_instance *i,
                                    const struct sm_finding *f),
                      void *ctx)
{
    r->fired = fired;
    r->ctx = ctx;
}

void sm_rules_on_violation(struct sm_rules *r,
                           void (*violated)(void *ctx, const struct sm_rule_instance *i,
                                            const struct sm_finding *f),
                           void *ctx)
{
    sm_rules_on_fire(r, violated, ctx);
    r->each = true;
}

bool sm_rules_finished(const struct sm_rules *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->items[i]->status == SM_RULE_IN_PROGRESS)
            return false;
    return true;
}

bool sm_rules_wait_for_clock(const struct sm_rules *r)
{
    for (size_t i = 0; !sm_rules_is_auto(r) && i < r->n; i++)
        if (r->items[i]->rule->on_clock && r->items[i]->status == SM_RULE_IN_PROGRESS)
            return true;
    return false;
}

/* What has no step comes last. */
static uint64_t fired_at(const struct sm_rule_instance *i)
{
    return (uint64_t)i->first_fired;
}

static bool is_worse(const struct sm_rule_instance *a, const struct sm_rule_instance *b)
{
    return a->rule->fatal != b->rule->fatal ? a->rule->fatal : fired_at(a) < fired_at(b);
}

const struct sm_rule_instance *sm_rules_worst(const struct sm_rules *r, size_t *fired)
{
    const struct sm_rule_instance *worst = NULL;
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        if (!r->items[i]->violations)
            continue;
        n++;
        worst = !worst || is_worse(r->items[i], worst) ? r->items[i] : worst;
    }
    if (fired)
        *fired = n;
    return worst;
}

size_t sm_rules_fired(const struct sm_rules *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        n += r->items[i]->triggered > 0;
    return n;
}
