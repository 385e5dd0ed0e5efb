/* SPDX-License-Identifier: Apache-2.0 */
/* Removes what a restarted run writes again: values of one worker from a step on. Parts stay,
 * because readers identify cached values by part numbers; steps without parts go. */
#include "reader/trial_take.h"

#include <string.h>

struct removal {
    struct sm_trial *t;
    uint16_t worker;
    int64_t from;     /* the first step removed */
    uint32_t path;    /* of the event file that removes: the files after it keep their values */
    bool any, failed; /* failed: no memory */
};

static int compare_paths(const struct sm_trial *t, uint32_t a, uint32_t b)
{
    if (a == b || a == SM_NAME_NONE || b == SM_NAME_NONE)
        return 0;
    return strcmp(sm_names_text(t->paths, a), sm_names_text(t->paths, b));
}

bool sm_trial_file_before(const struct sm_trial *t, const struct sm_part *a,
                          const struct sm_part *b)
{
    return t->traits->runs && compare_paths(t, a->event_file, b->event_file) < 0;
}

static bool is_removed(const struct removal *r, const struct sm_part *p)
{
    return p->worker == r->worker && p->step.n >= r->from && !p->replaced &&
           compare_paths(r->t, p->event_file, r->path) <= 0;
}

/* ---- entries ---- */

static void count_again(struct sm_trial *t, struct sm_trial_tensor *x)
{
    struct sm_trial_tensor old = *x;
    *x = (struct sm_trial_tensor){.name = old.name,
                                  .scalars = old.scalars,
                                  .located = old.located,
                                  .n_entries = old.n_entries,
                                  .forms = old.forms,
                                  .cap_entries = old.cap_entries,
                                  .kept = old.kept,
                                  .cap_briefs = old.cap_briefs,
                                  .unsettled = old.unsettled,
                                  .asked = old.asked};
    for (size_t i = 0; i < x->n_entries; i++) {
        const struct sm_entry e = sm_tensor_entry(t, x, i);
        x->modes |= (uint8_t)(1 << t->parts[e.part].mode);
        x->steps += !i || sm_trial_entry_step(t, x, i) != sm_trial_entry_step(t, x, i - 1);
        if (e.kind == SM_ENTRY_REDUCTION)
            x->reductions[(e.reduction & SM_REDUCE_ABS) != 0] |=
                1u << (e.reduction & (SM_REDUCE_ABS - 1));
        x->has_value = x->has_value || e.kind == SM_ENTRY_VALUE;
        x->has_shape = x->has_shape || e.kind == SM_ENTRY_SHAPE;
    }
    if (x->n_entries) {
        x->first.n = sm_trial_entry_step(t, x, 0);
        x->last.n = sm_trial_entry_step(t, x, x->n_entries - 1);
    } else {
        t->order_stale = true;
        t->tensors_added++; /* collections match the names again */
    }
}

/* Adds `by` to the tensors of each step of x's entries [from, to). */
static void count_steps(struct sm_trial *t, const struct sm_trial_tensor *x, size_t from, size_t to,
                        uint32_t by)
{
    for (size_t i = from; i < to; i++) {
        int64_t step = sm_trial_entry_step(t, x, i);
        if (i > from && sm_trial_entry_step(t, x, i - 1) == step)
            continue;
        sm_step_list_at(t->steps, sm_step_list_place(t->steps, step))->tensors += by;
    }
}

static bool is_kept(const struct sm_scalar_point *p, void *removal)
{
    const struct removal *r = removal;
    return !is_removed(r, &r->t->parts[p->part]);
}

static void remove_packed(struct removal *r, struct sm_trial_tensor *x, size_t from)
{
    struct sm_trial *t = r->t;
    for (size_t i = from; i < x->n_entries; i++)
        t->parts[sm_points_part(x->scalars, i)].entries--; /* put back if it is kept */
    r->failed = !sm_points_filter(x->scalars, from, is_kept, r) || r->failed;
    t->briefs.all -= x->n_entries - sm_points_count(x->scalars);
    x->n_entries = sm_points_count(x->scalars);
    for (size_t i = from; i < x->n_entries; i++)
        t->parts[sm_points_part(x->scalars, i)].entries++;
}

static void remove_located(struct removal *r, struct sm_trial_tensor *x, size_t from)
{
    struct sm_trial *t = r->t;
    size_t n = x->n_entries;
    x->n_entries = from;
    for (size_t i = from; i < n; i++) {
        struct sm_entry e = x->located[i];
        if (is_removed(r, &t->parts[e.part])) {
            t->parts[e.part].entries--;
            sm_trial_uncount_brief(t, x, i);
            continue;
        }
        if (x->kept)
            x->kept[x->n_entries] = x->kept[i];
        x->located[x->n_entries++] = e;
    }
}

static void remove_entries(struct removal *r, struct sm_trial_tensor *x)
{
    struct sm_trial *t = r->t;
    size_t n = x->n_entries;
    if (!n || x->last.n < r->from)
        return;
    size_t from = sm_trial_entries_from(t, x, (struct sm_step){r->from});
    count_steps(t, x, from, n, UINT32_MAX); /* minus 1 */
    if (x->scalars)
        remove_packed(r, x, from);
    else
        remove_located(r, x, from);
    count_steps(t, x, from, x->n_entries, 1);
    r->any = r->any || x->n_entries < n;
    if (x->n_entries < n)
        count_again(t, x);
}

/* ---- parts and steps ---- */

/* Unlinks the parts of a step that have lost all their entries; whether it has others. */
static bool unlink_empty(struct sm_trial_step *s, void *removal)
{
    const struct removal *r = removal;
    struct sm_trial *t = r->t;
    bool had = false, has = false;
    for (uint32_t *link = &s->first_part; *link != NO_PART;) {
        struct sm_part *p = &t->parts[*link];
        bool ours = p->worker == r->worker, empty = is_removed(r, p) && !p->entries;
        had = had || ours;
        has = has || (ours && !empty);
        p->replaced = p->replaced || empty;
        if (empty)
            *link = t->next_part[*link];
        else
            link = &t->next_part[*link];
    }
    s->n_workers = (uint16_t)(s->n_workers - (had && !has));
    s->complete = false; /* decided again after the merge */
    return s->first_part != NO_PART;
}

static void remove_steps(struct removal *r)
{
    struct sm_trial *t = r->t;
    size_t from = sm_step_list_place(t->steps, r->from);
    sm_step_list_filter(t->steps, from, unlink_empty, r);
    t->completed = t->completed < from ? t->completed : from;
    if (t->last_complete >= r->from)
        t->last_complete = r->from - 1;
    if (t->worker_last[r->worker] >= r->from)
        t->worker_last[r->worker] = r->from - 1;
}

bool sm_trial_remove(struct sm_trial *t, const struct sm_batch *b, const struct sm_batch_part *p,
                     const struct name_ids *names, const struct prepared *x)
{
    bool all = p->removes == SM_REMOVES_STEPS;
    struct removal r = {.t = t,
                        .worker = (uint16_t)x->worker,
                        .from = all ? p->step : p->step + 1,
                        .path = x->path};
    if (p->removes == SM_REMOVES_NOTHING || t->worker_last[x->worker] < r.from)
        return true;
    for (size_t i = 0; all && i < t->n_tensors; i++)
        remove_entries(&r, &t->tensors[i]);
    for (size_t i = 0; !all && i < p->n_values; i++)
        remove_entries(&r, &t->tensors[names[b->values[p->first_value + i].name].tensor - 1]);
    for (size_t i = 0; !all && i < p->n_scalars; i++)
        remove_entries(&r, &t->tensors[names[b->scalars[p->first_scalar + i].name].tensor - 1]);
    if (!r.any || r.failed)
        return !r.failed;
    remove_steps(&r);
    t->new_session = t->new_session || (all && t->scanned); /* rules judge these steps again */
    return true;
}
