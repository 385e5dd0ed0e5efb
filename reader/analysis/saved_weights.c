/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/saved_weights.h"

#include <string.h>

struct steps {
    int64_t from, to; /* those in this range count */
};

static void add_steps(const struct sm_trial *t, const struct sm_trial_tensor *x,
                      const struct steps *in, struct sm_step *first, struct sm_step *last)
{
    for (size_t i = 0; i < x->n_entries; i++) {
        struct sm_entry e = sm_tensor_entry(t, x, i);
        struct sm_step step = sm_trial_part(t, e.part)->step;
        if (e.kind != SM_ENTRY_VALUE)
            continue;
        if (sm_entry_is_scalar(&e))
            return;
        if (step.n < in->from || step.n > in->to)
            continue;
        *first = first->n < 0 || step.n < first->n ? step : *first;
        *last = step.n > last->n ? step : *last;
    }
}

static bool find_steps(const struct sm_trial *t, const struct sm_trial_tensor *const *of, size_t n,
                       const struct steps *in, struct sm_step *first, struct sm_step *last)
{
    *first = *last = (struct sm_step){-1};
    n = of ? n : sm_trial_tensor_count(t);
    for (int any = 0; any < 2 && last->n < 0; any++)
        for (size_t i = 0; i < n; i++) {
            const struct sm_trial_tensor *x = of ? of[i] : sm_trial_tensor(t, i);
            if (any || sm_trial_in_named(t, "weights", x->name))
                add_steps(t, x, in, first, last);
        }
    return last->n >= 0;
}

bool sm_weight_steps(const struct sm_trial *t, const struct sm_trial_tensor *const *of, size_t n,
                     struct sm_step *first, struct sm_step *last)
{
    return find_steps(t, of, n, &(struct steps){INT64_MIN, INT64_MAX}, first, last);
}

bool sm_weight_steps_within(const struct sm_trial *t, int64_t from, int64_t to,
                            struct sm_step *first, struct sm_step *last)
{
    return find_steps(t, NULL, 0, &(struct steps){from, to}, first, last);
}

bool sm_value_place(const struct sm_trial *t, const struct sm_entry *e, struct sm_str *out)
{
    const char *path = sm_trial_event_path(t, sm_trial_part(t, e->part));
    uint64_t at;
    if (!path || !sm_source_origin(sm_trial_source(t), path, e->offset, out, &at))
        return false;
    sm_str_printf(out, ":%llu", (unsigned long long)at);
    return !out->failed;
}

bool sm_is_training_state(const char *name)
{
    static const char *const beginnings[] = {"optimizer.", "rng_state", "random_states",
                                             "callbacks."};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}
