/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/origin/saved_values.h"

#include <math.h>

/* Usefulness of an entry for the health of a value; 0: it has no numbers. */
static int rank_of(const struct sm_entry *e)
{
    static const int order[] = {
        SM_REDUCE_L1,  SM_REDUCE_STD, SM_REDUCE_MEAN, SM_REDUCE_ABS | SM_REDUCE_MEAN,
        SM_REDUCE_MIN, SM_REDUCE_MAX, SM_REDUCE_L2,   SM_REDUCE_ABS | SM_REDUCE_MAX,
    };
    if (e->kind == SM_ENTRY_VALUE)
        return 100;
    for (int i = 0; e->kind == SM_ENTRY_REDUCTION && i < (int)(sizeof order / sizeof *order); i++)
        if (order[i] == e->reduction)
            return 2 + i;
    return e->kind == SM_ENTRY_REDUCTION;
}

struct value_lister {
    struct sm_saved_values *saved;
    struct sm_step last;
    enum sm_mode mode;
    size_t *counts;                   /* per worker: entries of the current tensor */
    struct sm_saved_value_row **rows; /* per worker: its row of the current tensor */
};

static const struct sm_part *selected_part(const struct value_lister *t, const struct sm_entry *e)
{
    const struct sm_part *p = sm_trial_part(t->saved->trial, e->part);
    bool wanted = rank_of(e) && !p->replaced && p->step.n <= t->last.n &&
                  (t->mode == SM_MODE_ANY || p->mode == t->mode);
    return wanted ? p : NULL;
}

static void add_rows(struct value_lister *t, const struct sm_trial_tensor *x)
{
    struct sm_saved_values *c = t->saved;
    struct sm_arena *a = &c->call->arena;
    uint16_t workers = (uint16_t)sm_trial_worker_count(c->trial);
    for (uint16_t w = 0; w < workers; w++) {
        if (!t->counts[w])
            continue;
        t->rows[w] = &c->rows[c->n++];
        *t->rows[w] = (struct sm_saved_value_row){
            .tensor = x->name,
            .worker = w,
            .role = sm_tensor_role_of(c->trial, x->name),
            .values = sm_arena_xalloc(a, t->counts[w] * sizeof(struct sm_saved_value))};
        t->counts[w] = 0;
    }
}

static void add_value(struct sm_saved_value_row *row, const struct sm_entry *e,
                      const struct sm_part *p)
{
    struct sm_saved_value *last = row->n ? &row->values[row->n - 1] : NULL;
    if (last && last->step.n == p->step.n) {
        if (rank_of(e) >= rank_of(&last->entry))
            last->entry = *e;
        return;
    }
    row->values[row->n++] = (struct sm_saved_value){
        .entry = *e, .step = p->step, .mode_step = p->mode_step, .mode = p->mode};
}

static void add_tensor(struct value_lister *t, const struct sm_trial_tensor *x)
{
    const struct sm_part *p;
    for (size_t i = 0; i < x->n_entries; i++) {
        struct sm_entry e = sm_tensor_entry(t->saved->trial, x, i);
        if ((p = selected_part(t, &e)))
            t->counts[p->worker]++;
    }
    add_rows(t, x);
    for (size_t i = 0; i < x->n_entries; i++) {
        struct sm_entry e = sm_tensor_entry(t->saved->trial, x, i);
        if ((p = selected_part(t, &e)))
            add_value(t->rows[p->worker], &e, p);
    }
}

void sm_saved_values_init(struct sm_call *c, struct sm_step last, enum sm_mode mode, uint32_t only,
                          struct sm_saved_values *out)
{
    struct sm_trial *trial = sm_session_trial(c->session);
    size_t workers = sm_trial_worker_count(trial), tensors = sm_trial_tensor_count(trial);
    struct value_lister t = {.saved = out, .last = last, .mode = mode};
    t.counts = sm_arena_xalloc(&c->arena, (workers + 1) * sizeof *t.counts);
    t.rows = sm_arena_xalloc(&c->arena, (workers + 1) * sizeof(struct sm_saved_value_row *));
    *out = (struct sm_saved_values){
        .call = c, .trial = trial, .tally = sm_arena_xalloc(&c->arena, sizeof *out->tally)};
    out->rows = sm_arena_xalloc(&c->arena, (workers * tensors + 1) * sizeof *out->rows);
    for (size_t i = 0; i < tensors; i++)
        if (only == SM_NAME_NONE || sm_trial_tensor(trial, i)->name == only)
            add_tensor(&t, sm_trial_tensor(trial, i));
}

size_t sm_saved_value_row_at(const struct sm_saved_value_row *row, struct sm_step step)
{
    size_t from = 0, to = row->n;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (row->values[middle].step.n < step.n)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

bool sm_saved_value_read(const struct sm_saved_values *c, struct sm_saved_value *x,
                         struct sm_err *err)
{
    const struct sm_facts *facts;
    struct sm_value_health *v;
    if (x->health)
        return true;
    bool read = sm_fetch_stats(c->call->session->fetch, c->trial, &x->entry, &facts, err);
    if (!read && err->code == SM_ERR_WAIT)
        return false;
    c->tally->tried++;
    v = sm_arena_xalloc(&c->call->arena, sizeof *v);
    if (read)
        sm_value_health_of(facts, v);
    else
        *v = (struct sm_value_health){.abs_max = NAN, .abs_mean = NAN};
    if (!read)
        sm_read_errors_add(&c->tally->unread, err);
    x->health = v;
    return true;
}

void sm_saved_values_release(const struct sm_saved_values *c)
{
    sm_fetch_release(c->call->session->fetch);
}
