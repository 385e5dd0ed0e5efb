/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/stops/stops.h"

#include "commands/session/feature.h"

const struct sm_state_kind sm_stops_state_kind = {.size = sizeof(struct sm_stops)};

struct sm_stops *sm_stops(const struct sm_session *s)
{
    return sm_session_state(s, &sm_stops_state_kind);
}
