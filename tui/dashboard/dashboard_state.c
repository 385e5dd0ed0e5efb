/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/dashboard_feature.h"

const struct sm_state_kind sm_dashboard_state_kind = {.size = sizeof(struct sm_dashboard_state)};

struct sm_dashboard_state *sm_dashboard_state(const struct sm_session *s)
{
    return sm_session_state(s, &sm_dashboard_state_kind);
}

struct sm_dashboard *sm_dashboard_shown(const struct sm_session *s)
{
    return sm_dashboard_state(s)->shown;
}

struct sm_dashboard *sm_dashboard_needed(const struct sm_call *c, struct sm_err *err)
{
    const struct sm_dashboard_state *s = sm_dashboard_state(c->session);
    if (!s->shown)
        sm_err_set(err, SM_ERR_USAGE, "The dashboard is not active: %s.",
                   s->may_switch ? "\"tui enable\" shows it" : "start with --tui");
    return s->shown;
}

const char *sm_dashboard_word(struct sm_call *c, size_t i)
{
    return sm_arena_xstrndup(&c->arena, c->words[i].text.p, c->words[i].text.n);
}
