/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/judge/judge.h"

#include "commands/session/feature.h"

const struct sm_state_kind sm_judge_state_kind = {.size = sizeof(struct sm_judge),
                                                  .trial_size = sizeof(struct sm_judged_trial)};

struct sm_judge *sm_judge(const struct sm_session *s)
{
    return sm_session_state(s, &sm_judge_state_kind);
}
