/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/kind/trial_options.h"

bool sm_trial_includes_step(const struct sm_trial_options *o, int64_t step)
{
    return !o->stride ||
           (step >= o->first.n && step <= o->last.n && (step - o->first.n) % o->stride == 0);
}
