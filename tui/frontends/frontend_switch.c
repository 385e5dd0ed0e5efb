/* SPDX-License-Identifier: Apache-2.0 */
/* Switches between prompt and dashboard on one session. */
#include "tui/dashboard/dashboard_feature.h"
#include "tui/frontends/frontend.h"

static int run_frontend(struct sm_loop *l, const struct sm_options *o, bool dashboard)
{
    int status = dashboard ? sm_dashboard_run(l, o) : -1;
    return status >= 0 ? status : sm_repl_run(l, o);
}

int sm_frontend_run(struct sm_loop *l, const struct sm_options *o, bool dashboard)
{
    struct sm_session *s = sm_loop_session(l);
    struct sm_options resumed = *o;
    int status = run_frontend(l, o, dashboard);
    resumed.resumed = true;
    while (sm_dashboard_state(s)->next_frontend != SM_FRONTEND_SAME) {
        dashboard = sm_dashboard_state(s)->next_frontend == SM_FRONTEND_DASHBOARD;
        sm_dashboard_state(s)->next_frontend = SM_FRONTEND_SAME;
        status = run_frontend(l, &resumed, dashboard);
    }
    return status;
}
