/* Restarts: a restarted job rewrites steps that were already judged. The rules judge them again
 * with cleared state; findings of the previous run are kept. Steps after the newest one of the new
 * session belong to the old run. */
#include "rules/private.h"

#include <string.h>

static void restart_rule(struct sm_rule_instance *i, int64_t first)
{
    struct sm_rule_private *p = i->own;
    if (p->next <= first)
        return;
    if (i->rule->clear)
        i->rule->clear(p->state);
    memset(p->state, 0, i->rule->state_size);
    sm_rule_clear_notes(p);
    sm_measured_drop(p, 0);
    sm_evaluated_drop(p, 0);
    p->next = first > i->start ? first : i->start;
}

void sm_rules_notice_restart(struct sm_rules *r)
{
    size_t n = sm_trial_session_count(r->trial);
    bool again = r->sessions && n > r->sessions;
    r->sessions = n;
    if (!again)
        return;
    int64_t first = sm_trial_session(r->trial, n - 1)->first.n;
    for (size_t i = 0; i < r->n; i++)
        if (sm_rule_by_steps(r->items[i]))
            restart_rule(r->items[i], first);
    r->restarted = true;
    r->waiting = r->settled = false;
    r->ahead = r->ahead < first ? r->ahead : first - 1;
}

bool sm_rules_is_old(const struct sm_rules *r, int64_t step)
{
    return r->restarted && step > sm_trial_session(r->trial, r->sessions - 1)->last.n;
}
