/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/compare/compare.h"

#include "commands/session/feature.h"

const struct sm_state_kind sm_compare_state_kind = {.size = sizeof(struct sm_compare_state)};

struct sm_compare_state *sm_compare_state(const struct sm_session *s)
{
    return sm_session_state(s, &sm_compare_state_kind);
}
