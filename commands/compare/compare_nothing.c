/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/compare/compare_nothing.h"

#include "commands/session/trial_list.h"

bool sm_compare_has_nothing(const struct sm_compare *x)
{
    for (size_t i = 0; i < x->n; i++)
        if (sm_compare_likeness(&x->rows[i]) != SM_LIKE_INCOMPARABLE)
            return false;
    return true;
}

static bool has_pair(const struct sm_compare *x)
{
    for (size_t i = 0; i < x->n; i++)
        if (x->rows[i].in_a && x->rows[i].in_b)
            return true;
    return false;
}

static long long last_step(const struct sm_trial *t)
{
    return (long long)sm_trial_step(t, sm_trial_step_count(t) - 1)->step.n;
}

void sm_compare_nothing_text(const struct sm_session *s, const struct sm_compare *x,
                             struct sm_str *out)
{
    const struct sm_trial *a = x->a.trial, *b = x->b.trial;
    size_t n_a = sm_trials_index(s, a) + 1, n_b = sm_trials_index(s, b) + 1;
    if (a == b)
        return;
    if (sm_trial_tensor_count(a) && sm_trial_tensor_count(b) && !has_pair(x))
        sm_str_printf(out,
                      "no tensor has the same name; \"diff %zu %zu -pairs FILE\" reads pairs of "
                      "names",
                      n_a, n_b);
    else if (!x->common_steps && sm_trial_step_count(a) && sm_trial_step_count(b))
        sm_str_printf(out, "no step in common; \"diff %zu@%lld %zu@%lld\" compares the last ones",
                      n_a, last_step(a), n_b, last_step(b));
}
