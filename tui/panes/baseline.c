/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/baseline.h"

#include "commands/session/trial_list.h"

#include <math.h>
#include <string.h>

bool sm_baseline_is_other(const struct sm_session *s)
{
    size_t i;
    return sm_trials_baseline(s, &i) && i != s->current;
}

/* The newest value at or before the step of `as`; if both have modes, only steps of the same mode
 * count. */
static struct sm_entry entry_at(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                const struct sm_part *as)
{
    bool by_mode = as->mode != SM_MODE_GLOBAL && x->modes >> as->mode & 1;
    for (size_t i = x->n_entries; i-- > 0;) {
        const struct sm_part *p = sm_tensor_part(t, x, i);
        bool before = by_mode ? p->mode == as->mode && p->mode_step.n <= as->mode_step.n
                              : p->step.n <= as->step.n;
        if (sm_tensor_entry(t, x, i).kind == SM_ENTRY_VALUE && !p->replaced && before)
            return sm_trial_entry(t, x, p->step, SM_WORKER_ANY, SM_ENTRY_VALUE, SM_REDUCE_NONE);
    }
    return sm_entry_none();
}

const struct sm_facts *sm_baseline_facts(struct sm_session *s, const struct sm_trial_tensor *x,
                                         const struct sm_entry *mine)
{
    const struct sm_trial *here = sm_session_trial(s);
    const char *name = sm_trial_tensor_name(here, x);
    const struct sm_facts *f;
    size_t i;
    if (!sm_entry_exists(mine) || !sm_trials_baseline(s, &i))
        return NULL;
    struct sm_trial *t = s->trials[i].trial;
    const struct sm_trial_tensor *other = sm_trial_find(t, name, strlen(name));
    struct sm_entry e =
        other ? entry_at(t, other, sm_trial_part(here, mine->part)) : sm_entry_none();
    return sm_entry_exists(&e) && sm_fetch_stats(s->fetch, t, &e, &f, NULL) ? f : NULL;
}

void sm_baseline_add(struct sm_str *out, double mine, double other, int room)
{
    char text[32];
    double d = mine - other;
    sm_format_fit(d, 3, room - (d > 0), text);
    if (d == 0 || (isnan(mine) && isnan(other)))
        sm_str_addc(out, '=');
    else
        sm_str_printf(out, "%s%s", d > 0 ? "+" : "", text);
}

static bool equal_stats(const struct sm_stats *a, const struct sm_stats *b)
{
    return a->n == b->n && a->nan == b->nan && a->zero == b->zero && a->min == b->min &&
           a->max == b->max && a->sum == b->sum && a->l1 == b->l1;
}

bool sm_baseline_text(const struct sm_facts *mine, const struct sm_facts *other, int room,
                      struct sm_str *out)
{
    if (!mine->has_stats || !other->has_stats || !mine->stats.finite || !other->stats.finite)
        return false;
    if (equal_stats(&mine->stats, &other->stats))
        sm_str_addc(out, '=');
    else
        sm_baseline_add(out, mine->stats.mean, other->stats.mean, room);
    return true;
}
