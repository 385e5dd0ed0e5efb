/* SPDX-License-Identifier: Apache-2.0 */
/* The briefs of a trial: beside the entries of each tensor, and counted. */
#include "reader/base/vec.h"
#include "reader/trial_state.h"

#include <string.h>

/* So many entries of a step are compared before a search, and so many that are equal in order. */
enum { NEAR_MAX = 8, EQUALS_MAX = 64 };

struct sm_trial_seen sm_trial_seen(const struct sm_trial *t)
{
    uint64_t done = t->briefs.all - t->briefs.unsettled;
    return (struct sm_trial_seen){.values = t->briefs.all - t->briefs.skipped,
                                  .read = done - t->briefs.failed - t->briefs.skipped,
                                  .failed = t->briefs.failed,
                                  .asked = t->briefs.asked};
}

/* The first of the entries [0, to) that is not before the scalar e. Of scalars that are equal in
 * order the offsets ascend. */
static size_t scalar_position(const struct sm_trial_tensor *x, const struct sm_entry *e, size_t to)
{
    size_t lo = 0;
    while (lo < to) {
        size_t mid = lo + (to - lo) / 2;
        const struct sm_entry *m = &x->located[mid];
        if (m->part == e->part && m->seq == e->seq && m->offset >= e->offset)
            to = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

/* The index of the entry; n_entries if the tensor does not have it any more. Most steps have few
 * entries, and are found without a search if steps are regular. */
static size_t index_of(const struct sm_trial *t, const struct sm_trial_tensor *x,
                       const struct sm_entry *e)
{
    if (!x->n_entries || e->part >= t->n_parts)
        return x->n_entries;
    size_t first = sm_trial_entries_from(t, x, t->parts[e->part].step);
    for (size_t i = first; i < x->n_entries && i - first < NEAR_MAX; i++)
        if (sm_entry_same(&x->located[i], e))
            return i;
    size_t at = sm_trial_entry_position(t, x, e);
    if (sm_entry_is_scalar(e) && at)
        at = scalar_position(x, e, at - 1) + 1;
    for (size_t i = 0; i < EQUALS_MAX && at-- > 0; i++)
        if (sm_entry_same(&x->located[at], e))
            return at;
    return x->n_entries;
}

struct sm_brief sm_trial_brief(const struct sm_trial *t, const struct sm_entry *e)
{
    const struct sm_trial_tensor *x = &t->tensors[e->tensor];
    size_t i = x->scalars ? sm_trial_scalar_index(t, x, e)
               : x->kept  ? index_of(t, x, e)
                          : x->n_entries;
    return i < x->n_entries ? sm_tensor_brief(t, x, i) : (struct sm_brief){0};
}

bool sm_trial_need_briefs(struct sm_trial_tensor *x)
{
    if (x->kept)
        return true;
    if (!sm_vec_reserve((void **)&x->kept, &x->cap_briefs, x->cap_entries, sizeof *x->kept))
        return false;
    memset(x->kept, 0, x->n_entries * sizeof *x->kept);
    return true;
}

/* Adds `by` (1 or -1) for the flags of a brief. */
static void count_flags(struct sm_trial *t, struct sm_trial_tensor *x, unsigned flags, int by)
{
    uint64_t add = (uint64_t)(int64_t)by;
    if (!(flags & SM_BRIEF_SETTLED)) {
        x->unsettled += (size_t)add;
        t->briefs.unsettled += add;
    }
    if (flags & SM_BRIEF_ASKED) {
        x->asked += (size_t)add;
        t->briefs.asked += add;
    }
    t->briefs.failed += flags & SM_BRIEF_FAILED ? add : 0;
    t->briefs.skipped += flags & SM_BRIEF_SKIPPED ? add : 0;
}

bool sm_trial_set_brief(struct sm_trial *t, const struct sm_entry *e, const struct sm_brief *b)
{
    struct sm_trial_tensor *x = &t->tensors[e->tensor];
    size_t i = x->scalars ? x->n_entries : index_of(t, x, e);
    if (i >= x->n_entries || e->kind == SM_ENTRY_SHAPE || !sm_trial_need_briefs(x))
        return false;
    count_flags(t, x, x->kept[i].flags, -1);
    x->kept[i] = *b;
    count_flags(t, x, b->flags, 1);
    return true;
}

void sm_trial_uncount_brief(struct sm_trial *t, struct sm_trial_tensor *x, size_t i)
{
    if (x->located[i].kind == SM_ENTRY_SHAPE)
        return;
    t->briefs.all--;
    count_flags(t, x, x->kept ? x->kept[i].flags : 0, -1);
}
