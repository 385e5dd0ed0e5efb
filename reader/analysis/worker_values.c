/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/worker_values.h"

#include "reader/base/grow.h"

#include <stdlib.h>

static void add_value(struct sm_worker_values *v, const struct sm_entry *e)
{
    SM_GROW(v->items, v->n, v->cap);
    v->items[v->n++] = *e;
}

/* The entries of a step are in the order of workers; later records of a worker replace earlier. */
static void read_step(struct sm_worker_values *v, const struct sm_trial *t,
                      const struct sm_trial_tensor *x, struct sm_step step, uint16_t worker)
{
    size_t from, to;
    if (!sm_trial_entries_at(t, x, step, &from, &to))
        return;
    for (size_t i = from; i < to; i++) {
        struct sm_entry e = sm_tensor_entry(t, x, i);
        const struct sm_part *p = sm_trial_part(t, e.part);
        if (e.kind != SM_ENTRY_VALUE || p->replaced ||
            (worker != SM_WORKER_ANY && p->worker != worker))
            continue;
        if (v->n && sm_trial_part(t, v->items[v->n - 1].part)->worker == p->worker)
            v->items[v->n - 1] = e;
        else
            add_value(v, &e);
    }
}

static void read_newest(struct sm_worker_values *v, const struct sm_trial *t,
                        const struct sm_trial_tensor *x, uint16_t worker)
{
    size_t n = sm_trial_worker_count(t), found = 0;
    struct sm_entry *newest = sm_xalloc_zero(n + 1, sizeof *newest);
    for (size_t i = x->n_entries; i-- > 0 && found < n;) {
        struct sm_entry e = sm_tensor_entry(t, x, i);
        const struct sm_part *p = sm_trial_part(t, e.part);
        if (e.kind != SM_ENTRY_VALUE || p->replaced || p->worker >= n ||
            sm_entry_exists(&newest[p->worker]) || (worker != SM_WORKER_ANY && p->worker != worker))
            continue;
        newest[p->worker] = e;
        found += worker == SM_WORKER_ANY ? 1 : n;
    }
    for (size_t w = 0; w < n; w++)
        if (sm_entry_exists(&newest[w]))
            add_value(v, &newest[w]);
    sm_free(newest);
}

void sm_worker_values_read(struct sm_worker_values *v, const struct sm_trial *t,
                           const struct sm_trial_tensor *x, struct sm_step step, uint16_t worker)
{
    v->n = 0;
    if (!x || !x->has_value)
        return;
    if (step.n < 0)
        read_newest(v, t, x, worker);
    else
        read_step(v, t, x, step, worker);
}

void sm_worker_values_clear(struct sm_worker_values *v)
{
    sm_free(v->items);
    *v = (struct sm_worker_values){0};
}

void sm_worker_values_defects(const struct sm_worker_values *v, struct sm_trial *t,
                              struct sm_fetch *f, const struct sm_entry *but,
                              struct sm_worker_defects *out)
{
    *out = (struct sm_worker_defects){0};
    for (size_t i = 0; i < v->n; i++) {
        const struct sm_facts *facts;
        struct sm_err err = {0};
        if (but && sm_entry_same(&v->items[i], but))
            continue;
        if (!sm_fetch_stats(f, t, &v->items[i], &facts, &err)) {
            out->unknown += err.code == SM_ERR_WAIT;
            continue;
        }
        uint64_t infinite = facts->stats.pos_inf + facts->stats.neg_inf;
        if (!facts->has_stats || !(facts->stats.nan || infinite))
            continue;
        out->first = sm_entry_exists(&out->first) ? out->first : v->items[i];
        out->workers++;
        out->nan += facts->stats.nan;
        out->infinite += infinite;
    }
}

void sm_worker_defects_describe(const struct sm_trial *t, const struct sm_worker_defects *d,
                                struct sm_str *out)
{
    if (!sm_entry_exists(&d->first))
        return;
    sm_str_add(out, sm_trial_worker(t, sm_trial_part(t, d->first.part)->worker));
    if (d->workers > 1)
        sm_str_printf(out, " and %zu more", d->workers - 1);
    sm_str_add(out, ": ");
    if (d->nan)
        sm_str_printf(out, "%llu NaN", (unsigned long long)d->nan);
    if (d->infinite)
        sm_str_printf(out, "%s%llu Inf", d->nan ? ", " : "", (unsigned long long)d->infinite);
}
