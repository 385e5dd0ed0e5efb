/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/origin/origin.h"

#include "commands/session/feature.h"

const struct sm_state_kind sm_origin_state_kind = {.size = sizeof(struct sm_origin_state)};

struct sm_origin_state *sm_origin_state(const struct sm_session *s)
{
    return sm_session_state(s, &sm_origin_state_kind);
}
