/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/language/language.h"

struct state {
    struct sm_cmd_set *set;
};

static const struct sm_state_kind state_kind = {.size = sizeof(struct state)};

static void init_commands(struct sm_session *s)
{
    struct state *x = sm_session_state(s, &state_kind);
    x->set = sm_cmd_set_new(s->features);
}

static void clear_commands(struct sm_session *s)
{
    struct state *x = sm_session_state(s, &state_kind);
    sm_cmd_set_free(x->set);
}

struct sm_cmd_set *sm_commands(const struct sm_session *s)
{
    const struct state *x = sm_session_state(s, &state_kind);
    return x->set;
}

struct sm_users *sm_users(const struct sm_session *s)
{
    return sm_commands(s)->users;
}

const struct sm_feature sm_language_feature = {
    .name = "language",
    .state = &state_kind,
    .init = init_commands,
    .clear = clear_commands,
};
