/* From the prompt to the dashboard and back: the session stays, the front end changes. */
#include "tui/dashboard/dashboard_feature.h"
#include "tui/frontends/frontend.h"

static int run_one(struct sm_loop *l, const struct sm_options *o, bool dashboard)
{
    int status = dashboard ? sm_dashboard_run(l, o) : -1;
    return status >= 0 ? status : sm_repl_run(l, o);
}

int sm_front_switch_run(struct sm_loop *l, const struct sm_options *o, bool dashboard)
{
    struct sm_session *s = sm_loop_session(l);
    struct sm_options resumed = *o;
    int status = run_one(l, o, dashboard);
    resumed.resumed = true;
    while (sm_dashboard_state(s)->wanted != SM_FRONT_THIS) {
        dashboard = sm_dashboard_state(s)->wanted == SM_FRONT_DASHBOARD;
        sm_dashboard_state(s)->wanted = SM_FRONT_THIS;
        status = run_one(l, &resumed, dashboard);
    }
    return status;
}
