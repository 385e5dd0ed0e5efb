/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/tensor_health.h"

#include "reader/analysis/step_values.h"

#include <math.h>

struct sm_entry sm_tensor_health_entry(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                       struct sm_step step, uint16_t worker)
{
    for (size_t i = x->n_entries; i-- > 0;) {
        const struct sm_part *p = sm_tensor_part(t, x, i);
        bool wanted = worker == SM_WORKER_ANY || worker == p->worker;
        if (sm_tensor_entry(t, x, i).kind == SM_ENTRY_VALUE && wanted && !p->replaced &&
            (step.n < 0 || p->step.n <= step.n))
            return sm_trial_entry(t, x, p->step, worker, SM_ENTRY_VALUE, SM_REDUCE_NONE);
    }
    return sm_entry_none();
}

bool sm_tensor_health_text(const struct sm_facts *f, struct sm_str *out)
{
    const struct sm_stats *s = &f->stats;
    if (!f->has_stats)
        return false;
    if (s->nan)
        sm_str_printf(out, "%llu NaN", (unsigned long long)s->nan);
    else if (s->pos_inf + s->neg_inf)
        sm_str_printf(out, "%llu Inf", (unsigned long long)s->pos_inf + s->neg_inf);
    else if (s->n > 1 && s->zero == s->n)
        sm_str_add(out, "all 0");
    return s->nan || s->pos_inf || s->neg_inf;
}

/* A mix of modes would jump between two curves, so the numbers of TRAIN are used alone if there are
 * any. */
static enum sm_mode trend_mode(const struct sm_trial_tensor *x)
{
    return x->modes >> SM_MODE_TRAIN & 1 ? SM_MODE_TRAIN : SM_MODE_ANY;
}

static const struct sm_statistic *trend_statistic(void)
{
    return sm_reduction_statistic(SM_REDUCE_MEAN);
}

/* The number that stands for some steps; false if there is none, such as for complex numbers. */
static bool trend_number(const struct sm_worst_value *w, double *out)
{
    int rank = sm_entry_exists(&w->entry) ? sm_brief_rank(&w->brief) : 0;
    if (rank == 2)
        *out = w->brief.flags & SM_BRIEF_POS_INF ? INFINITY : -INFINITY;
    else
        *out = rank == 1 ? sm_step_value_number(&w->entry, &w->brief, trend_statistic()) : NAN;
    return rank >= 2 || !isnan(*out);
}

/* Adds what stands for some steps. Where nothing is known yet, one value is requested at once. */
static void end_bin(struct sm_trial *t, struct sm_fetch *f, const struct sm_worst_value *w,
                    struct sm_trend *out)
{
    double v;
    bool known = trend_number(w, &v);
    bool unread = sm_entry_exists(&w->unread), found = sm_entry_exists(&w->entry),
         pending = f && unread && (!found || sm_fetch_surveying(f, t));
    struct sm_brief ignored;
    if (f && unread && !found)
        sm_fetch_brief(f, t, &w->unread, &ignored, NULL);
    out->left += unread;
    if (!known && !pending)
        return;
    out->v[out->n] = v;
    out->pending[out->n++] = pending && !(known && !isfinite(v));
}

static void read_trend(struct sm_step_tree *tree, struct sm_trial *t, struct sm_fetch *f,
                       const struct sm_trial_tensor *x, size_t most, struct sm_trend *out)
{
    struct sm_step_total total = sm_step_tree_total(tree);
    size_t bins = total.steps < most ? total.steps : most, from = 0;
    for (size_t i = 1; i <= bins; i++) {
        size_t first = (i * total.steps + bins - 1) / bins, /* the first step of the next bin */
            to = i < bins ? sm_step_tree_entry(tree, first) : x->n_entries;
        struct sm_worst_value w = sm_step_tree_worst(tree, from, to, total.mean);
        end_bin(t, f, &w, out);
        from = to;
    }
}

/* Without memory in *own, which the caller clears. */
static struct sm_step_tree *look_at_steps(struct sm_trial *t, struct sm_trends *kept,
                                          const struct sm_trial_tensor *x, uint16_t worker,
                                          struct sm_step_tree *own)
{
    const struct sm_step_values_spec spec = {.statistic = trend_statistic(),
                                             .worker = worker,
                                             .mode = SM_MODE_ANY,
                                             .first_only = sm_traits_has_runs(sm_trial_traits(t))};
    struct sm_step_tree *tree = kept ? sm_trends_tree(kept, t, x->name, worker) : NULL;
    tree = tree ? tree : own;
    sm_step_tree_update(tree, t, x, &spec, trend_mode(x));
    return tree;
}

void sm_tensor_health_trend(struct sm_trial *t, struct sm_fetch *f, struct sm_trends *kept,
                            const struct sm_trial_tensor *x, uint16_t worker, size_t most,
                            struct sm_trend *out)
{
    struct sm_step_tree own = {0};
    out->n = out->left = 0;
    if (sm_trial_has_histograms(t, x->name))
        return; /* the mean of edges and counts says nothing */
    read_trend(look_at_steps(t, kept, x, worker, &own), t, f, x,
               most < SM_TREND_MOST ? most : SM_TREND_MOST, out);
    sm_step_tree_clear(&own);
}

struct sm_entry sm_tensor_health_hidden(struct sm_trial *t, struct sm_trends *kept,
                                        const struct sm_trial_tensor *x, struct sm_brief *brief)
{
    struct sm_step_tree own = {0}, *tree = look_at_steps(t, kept, x, SM_WORKER_ANY, &own);
    size_t hidden = sm_step_tree_hidden(tree);
    sm_step_tree_clear(&own);
    if (hidden >= x->n_entries)
        return sm_entry_none();
    *brief = sm_tensor_brief(t, x, hidden);
    return sm_tensor_entry(t, x, hidden);
}
