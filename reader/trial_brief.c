/* The briefs of a trial: beside the entries of each tensor, and counted. */
#include "reader/base/vec.h"
#include "reader/trial_state.h"

#include <string.h>

/* Of entries that are equal in order only so many are searched. */
enum { EQUALS_MAX = 64 };

struct sm_trial_seen sm_trial_seen(const struct sm_trial *t)
{
    uint64_t done = t->briefs.all - t->briefs.unsettled;
    return (struct sm_trial_seen){.values = t->briefs.all - t->briefs.skipped,
                                  .read = done - t->briefs.failed - t->briefs.skipped,
                                  .failed = t->briefs.failed,
                                  .asked = t->briefs.asked};
}

static bool same_entry(const struct sm_entry *a, const struct sm_entry *b)
{
    return a->part == b->part && a->offset == b->offset && a->length == b->length &&
           a->value == b->value && a->kind == b->kind;
}

/* The index of the entry; n_entries if the tensor does not have it any more. */
static size_t index_of(const struct sm_trial *t, const struct sm_trial_tensor *x,
                       const struct sm_entry *e)
{
    uintptr_t from = (uintptr_t)x->entries, here = (uintptr_t)e;
    if (here >= from && here - from < x->n_entries * sizeof *e)
        return (here - from) / sizeof *e;
    size_t at = x->n_entries ? sm_trial_entry_position(t, x, e) : 0;
    for (size_t i = 0; i < EQUALS_MAX && at-- > 0; i++)
        if (same_entry(&x->entries[at], e))
            return at;
    return x->n_entries;
}

struct sm_brief sm_trial_brief(const struct sm_trial *t, const struct sm_entry *e)
{
    const struct sm_trial_tensor *x = &t->tensors[e->tensor];
    size_t i = x->briefs ? index_of(t, x, e) : x->n_entries;
    return i < x->n_entries ? x->briefs[i] : (struct sm_brief){0};
}

bool sm_trial_need_briefs(struct sm_trial_tensor *x)
{
    if (x->briefs)
        return true;
    if (!sm_vec_reserve((void **)&x->briefs, &x->cap_briefs, x->cap_entries, sizeof *x->briefs))
        return false;
    memset(x->briefs, 0, x->n_entries * sizeof *x->briefs);
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
    size_t i = index_of(t, x, e);
    if (i >= x->n_entries || e->kind == SM_ENTRY_SHAPE || !sm_trial_need_briefs(x))
        return false;
    count_flags(t, x, x->briefs[i].flags, -1);
    x->briefs[i] = *b;
    count_flags(t, x, b->flags, 1);
    return true;
}

void sm_trial_uncount_brief(struct sm_trial *t, struct sm_trial_tensor *x, size_t i)
{
    if (x->entries[i].kind == SM_ENTRY_SHAPE)
        return;
    t->briefs.all--;
    count_flags(t, x, x->briefs ? x->briefs[i].flags : 0, -1);
}
