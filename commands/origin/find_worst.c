/* SPDX-License-Identifier: Apache-2.0 */
/* The worst value of the run, where a trace starts: every value is looked at, by its brief
 * (reader/brief.h). */
#include "commands/origin/find_origin.h"

#include <string.h>

static bool is_loss(const struct sm_trial *t, const struct sm_saved_value_row *row)
{
    for (size_t i = 0; i < sm_trial_collection_count(t); i++)
        if (strcmp(sm_trial_collection(t, i)->name, "losses") == 0 &&
            sm_trial_in_collection(t, i, row->tensor))
            return true;
    return strcasestr(sm_names_text(sm_trial_names(t), row->tensor), "loss") != NULL;
}

/* Higher is worse. */
static int badness(bool loss, enum sm_fault fault)
{
    return fault == SM_FAULT_NONE ? 0 : 2 * (SM_FAULT_COUNT - (int)fault) + loss;
}

/* A small number or a zero is a fault if it lasts; the others are, once. */
static bool counts(const struct sm_saved_value_row *row, size_t at, enum sm_fault fault)
{
    return fault != SM_FAULT_NONE &&
           (at + 1 == row->n || (fault != SM_FAULT_VANISHING && fault != SM_FAULT_ZERO));
}

static bool was_denied(const struct sm_origin *o, size_t row, size_t at)
{
    for (size_t i = 0; i < o->n_denied; i++)
        if (o->denied[i].row == row && o->denied[i].at == at)
            return true;
    return false;
}

static void count_value(struct sm_looked_at *l, const struct sm_brief *b,
                        const struct sm_value_health *v)
{
    l->values++;
    l->unread += !(b->flags & SM_BRIEF_READ);
    l->empty += (b->flags & SM_BRIEF_READ) && !v->n;
}

/* The worst of the values of a row, the last of several. */
struct row_worst {
    size_t at;
    enum sm_fault fault;
    struct sm_value_health health;
};

static void find_in_row(struct sm_origin *o, size_t row, struct row_worst *out)
{
    const struct sm_saved_value_row *r = &o->saved.rows[row];
    struct sm_value_baseline past = {0};
    out->fault = SM_FAULT_NONE;
    for (size_t at = 0; at < r->n; at++) {
        struct sm_brief b = sm_trial_brief(o->saved.trial, &r->values[at].entry);
        struct sm_value_health v;
        sm_value_health_of_brief(&b, &v);
        count_value(&o->looked, &b, &v);
        enum sm_fault fault = sm_value_health_judge(&v, r->role, &past);
        if (v.n && fault == SM_FAULT_NONE)
            sm_value_baseline_add(&past, &v, r->values[at].step);
        if (v.n && counts(r, at, fault) && badness(false, fault) >= badness(false, out->fault) &&
            !was_denied(o, row, at))
            *out = (struct row_worst){at, fault, v};
    }
}

/* Counts the tensors, and the steps with values. */
static void count_places(struct sm_origin *o)
{
    const struct sm_trial *t = o->saved.trial;
    size_t n = sm_trial_step_count(t);
    bool *seen = sm_arena_xalloc(&o->saved.call->arena, n + 1);
    memset(seen, 0, n + 1);
    for (size_t i = 0; i < o->saved.n; i++) {
        const struct sm_saved_value_row *r = &o->saved.rows[i];
        o->looked.tensors += !i || r->tensor != r[-1].tensor;
        for (size_t at = 0, k = 0; at < r->n; at++) {
            while (k < n && sm_trial_step(t, k)->step.n < r->values[at].step.n)
                k++;
            seen[k] = true;
        }
    }
    for (size_t k = 0; k < n; k++)
        o->looked.steps += seen[k];
}

/* Sets o->row and o->at to the worst value, as the briefs have it. */
static bool find_candidate(struct sm_origin *o)
{
    int worst = 0;
    struct sm_saved_value values[2]; /* of the worst so far, and of the current row */
    struct sm_value_health healths[2];
    struct sm_ordered_value best = {0};
    o->looked = (struct sm_looked_at){0};
    count_places(o);
    for (size_t i = 0; i < o->saved.n; i++) {
        struct sm_saved_value_row *row = &o->saved.rows[i];
        struct row_worst w;
        find_in_row(o, i, &w);
        int bad = badness(is_loss(o->saved.trial, row), w.fault);
        if (!bad || bad < worst)
            continue;
        healths[1] = w.health;
        values[1] = row->values[w.at];
        values[1].health = &healths[1];
        struct sm_ordered_value p = sm_order_place(&o->order, &o->saved, row, &values[1]);
        if (bad == worst && sm_placed_cmp(&p, &best) <= 0)
            continue;
        worst = bad;
        healths[0] = healths[1];
        values[0] = values[1];
        values[0].health = &healths[0];
        best = p;
        best.value = &values[0];
        o->row = i;
        o->at = w.at;
    }
    return worst > 0;
}

/* Reads one of the values that could not be read again, for the reason. */
static bool read_reason(struct sm_origin *o, struct sm_err *err)
{
    const struct sm_saved_values *c = &o->saved;
    for (size_t i = 0; i < c->n; i++)
        for (size_t at = 0; at < c->rows[i].n; at++) {
            struct sm_saved_value *x = &c->rows[i].values[at];
            if (sm_trial_brief(c->trial, &x->entry).flags & SM_BRIEF_READ)
                continue;
            if (!sm_saved_value_read(c, x, err))
                return false;
            c->tally->tried = o->looked.values;
            c->tally->unread.n = c->tally->unread.n ? o->looked.unread : 0;
            return true;
        }
    return true;
}

/* A brief is rounded, and the past of a value is sampled if it is long: a value that is not bad
 * after all is left out. */
bool sm_origin_worst(struct sm_origin *o, bool *found, struct sm_err *err)
{
    enum sm_fault fault = SM_FAULT_NONE;
    *found = false;
    if (!sm_fetch_all(o->saved.call->session->fetch, o->saved.trial, NULL, err))
        return false;
    while ((*found = o->n_denied < SM_ORIGIN_DENIED_MAX && find_candidate(o))) {
        if (!sm_origin_judge(o, &o->saved.rows[o->row], o->at, &fault, err))
            return false;
        if (fault != SM_FAULT_NONE)
            return true;
        o->denied[o->n_denied].row = o->row;
        o->denied[o->n_denied++].at = o->at;
    }
    return read_reason(o, err);
}
