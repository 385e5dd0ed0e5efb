/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/analysis/all_values.h"

static void count_value(const struct sm_trial *t, const struct sm_entry *e,
                        const struct sm_brief *b, struct sm_all_values *out)
{
    int64_t step = sm_trial_part(t, e->part)->step.n;
    out->values++;
    out->read += (b->flags & SM_BRIEF_READ) != 0;
    out->empty += (b->flags & SM_BRIEF_READ) && !sm_brief_rank(b);
    if (sm_brief_rank(b) < 2)
        return;
    if (!out->bad++ || step < out->first_bad.n)
        out->first_bad.n = step;
}

void sm_all_values_count(const struct sm_trial *t, struct sm_all_values *out)
{
    *out = (struct sm_all_values){0};
    for (size_t i = 0; i < sm_trial_tensor_count(t); i++) {
        const struct sm_trial_tensor *x = sm_trial_tensor(t, i);
        uint64_t before = out->bad;
        for (size_t k = 0; k < x->n_entries; k++) {
            struct sm_entry e = sm_tensor_entry(t, x, k);
            struct sm_brief b = sm_tensor_brief(t, x, k);
            if (e.kind != SM_ENTRY_SHAPE && !sm_trial_part(t, e.part)->replaced)
                count_value(t, &e, &b, out);
        }
        out->bad_tensors += out->bad > before;
    }
}
