/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/tensor_sort.h"

#include "reader/analysis/tensor_health.h"

#include <math.h>
#include <stdlib.h>

enum { ASK_MOST = 256 }; /* new values requested per call */

struct item {
    double number; /* NaN: not known */
    size_t place;
    uint32_t id;
};

const char *sm_tensor_key_name(enum sm_tensor_key k)
{
    static const char *const names[SM_TENSOR_KEYS] = {"name", "size", "steps",
                                                      "mean", "std",  "NaN and Inf"};
    return names[k];
}

bool sm_tensor_key_is_live(enum sm_tensor_key k)
{
    return k == SM_TENSORS_BY_SIZE || k >= SM_TENSORS_BY_MEAN;
}

static double statistic_of(const struct sm_facts *f, enum sm_tensor_key k)
{
    const struct sm_stats *s = &f->stats;
    if (!f->has_stats)
        return (double)NAN;
    if (k == SM_TENSORS_BY_PROBLEMS)
        return (double)(s->nan + s->pos_inf + s->neg_inf);
    return s->finite ? sm_stats_get(s, k == SM_TENSORS_BY_STD ? SM_REDUCE_STD : SM_REDUCE_MEAN)
                     : (double)NAN;
}

static double number_of(struct sm_session *s, uint32_t id, enum sm_tensor_key k, size_t *budget)
{
    struct sm_trial *t = sm_session_trial(s);
    const struct sm_trial_tensor *x = sm_trial_find(t, sm_names_text(sm_trial_names(t), id),
                                                    sm_names_length(sm_trial_names(t), id));
    const struct sm_facts *f;
    if (k == SM_TENSORS_BY_STEPS)
        return x->steps;
    struct sm_entry e = sm_tensor_health_entry(t, x, sm_session_step(s), s->at.worker);
    if (k == SM_TENSORS_BY_SIZE)
        return sm_entry_exists(&e) ? (double)e.length : (double)NAN;
    if (!sm_entry_exists(&e) || !*budget)
        return (double)NAN;
    if (sm_fetch_stats(s->fetch, t, &e, &f, NULL))
        return statistic_of(f, k);
    --*budget;
    return (double)NAN;
}

static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    if (isnan(x->number) != isnan(y->number))
        return isnan(x->number) ? 1 : -1;
    if (!isnan(x->number) && (x->number < y->number || x->number > y->number))
        return x->number > y->number ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

void sm_tensor_sort(struct sm_session *s, uint32_t *ids, size_t n, enum sm_tensor_key k,
                    bool inverted)
{
    size_t budget = ASK_MOST;
    struct item *items = sm_xalloc((n + 1) * sizeof *items);
    for (size_t i = 0; i < n; i++)
        items[i] = (struct item){k == SM_TENSORS_BY_NAME ? 0 : number_of(s, ids[i], k, &budget), i,
                                 ids[i]};
    if (n)
        qsort(items, n, sizeof *items, compare_items);
    for (size_t i = 0; i < n; i++)
        ids[i] = items[inverted ? n - 1 - i : i].id;
    sm_free(items);
}
