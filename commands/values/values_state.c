/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/values/values.h"

#include "commands/session/feature.h"

const struct sm_state_kind sm_values_state_kind = {.size = sizeof(struct sm_values)};

struct sm_values *sm_values(const struct sm_session *s)
{
    return sm_session_state(s, &sm_values_state_kind);
}

uint64_t sm_values_listed(const struct sm_call *c)
{
    enum { FOR_PROGRAMS = 1000 };
    int64_t most = sm_values_settings(c->session)->print_elements;
    if (sm_call_flag(c, "a"))
        return UINT64_MAX;
    return c->output != SM_OUTPUT_TEXT && most < FOR_PROGRAMS ? FOR_PROGRAMS : (uint64_t)most;
}

const char *sm_values_listed_text(struct sm_call *c, uint64_t found, uint64_t listed)
{
    if (found <= listed)
        return "";
    return sm_arena_xprintf(&c->arena,
                            "; the first %llu are listed, -a or \"set print elements\" list more",
                            (unsigned long long)listed);
}
