/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/compare/compare_operand.h"

#include "commands/session/trial_list.h"

#include <string.h>

void sm_compare_operand_text(const struct sm_session *s, const struct sm_place *x,
                             struct sm_str *out)
{
    const char *name = sm_trials_name(s, sm_trials_index(s, x->trial));
    sm_str_add_escaped(out, name, strlen(name));
    if (x->step.n >= 0)
        sm_str_printf(out, " step %lld", (long long)x->step.n);
    if (x->mode != SM_MODE_ANY)
        sm_str_printf(out, " %s", sm_mode_name((int)x->mode));
    if (x->worker != SM_WORKER_ANY) {
        sm_str_addc(out, ' ');
        sm_str_add_escaped(out, sm_trial_worker(x->trial, x->worker),
                           strlen(sm_trial_worker(x->trial, x->worker)));
    }
}

/* ---- steps to compare ---- */

bool sm_compare_operand_same_step(const struct sm_trial *t, enum sm_mode mode,
                                  const struct sm_trial_step *as, struct sm_step *out)
{
    if (sm_trial_step_of_mode(t, mode, as->mode_step, out))
        return true;
    const struct sm_trial_step *there = sm_place_trial_step(t, as->step);
    *out = as->step;
    return there && (as->mode == SM_MODE_GLOBAL || there->mode == SM_MODE_GLOBAL);
}

static bool on_disk(const struct sm_session *s, const struct sm_place *x, struct sm_err *err)
{
    if (x->step.n < 0 || sm_place_trial_step(x->trial, x->step))
        return true;
    return sm_err_set(err, SM_ERR_MISSING, "There is no step %lld of %s.", (long long)x->step.n,
                      sm_trials_name(s, sm_trials_index(s, x->trial)));
}

bool sm_compare_operands_match(const struct sm_session *s, struct sm_place *a, struct sm_place *b,
                               struct sm_err *err)
{
    struct sm_place *without = a->step.n >= 0 ? b : a, *with = a->step.n >= 0 ? a : b;
    bool elsewhere = a->trial != b->trial || a->worker != b->worker;
    if (!on_disk(s, a, err) || !on_disk(s, b, err))
        return false;
    if ((a->step.n < 0) != (b->step.n < 0)) {
        without->step = elsewhere ? with->step : sm_session_step(s);
        if (elsewhere)
            sm_compare_operand_same_step(
                without->trial, (enum sm_mode)sm_place_trial_step(with->trial, with->step)->mode,
                sm_place_trial_step(with->trial, with->step), &without->step);
    }
    return on_disk(s, without, err);
}

static bool have_common_step(const struct sm_trial *a, const struct sm_trial *b)
{
    struct sm_step same;
    for (size_t i = 0; i < sm_trial_step_count(a); i++) {
        const struct sm_trial_step *step = sm_trial_step(a, i);
        if (sm_compare_operand_same_step(b, (enum sm_mode)step->mode, step, &same))
            return true;
    }
    return false;
}

bool sm_compare_operands_at_last(struct sm_place *a, struct sm_place *b)
{
    size_t n_a = sm_trial_step_count(a->trial), n_b = sm_trial_step_count(b->trial);
    bool checkpoints =
        sm_trial_traits(a->trial)->named_by_files && sm_trial_traits(b->trial)->named_by_files;
    if (a->trial == b->trial || a->step.n >= 0 || b->step.n >= 0 || a->mode != SM_MODE_ANY ||
        b->mode != SM_MODE_ANY || !n_a || !n_b || !(checkpoints || (n_a == 1 && n_b == 1)) ||
        have_common_step(a->trial, b->trial))
        return false;
    a->step = sm_trial_step(a->trial, n_a - 1)->step;
    b->step = sm_trial_step(b->trial, n_b - 1)->step;
    return true;
}
