#include "commands/values/values.h"

#include "commands/session/feature.h"

const struct sm_state_kind sm_values_state_kind = {.size = sizeof(struct sm_values)};

struct sm_values *sm_values(const struct sm_session *s)
{
    return sm_session_state(s, &sm_values_state_kind);
}
