/* From the prompt to the dashboard and back: the session stays, the front end changes. */
#include "tui/frontends/frontend.h"

int sm_front_switch_run(struct sm_loop *l, const struct sm_options *o, bool dashboard)
{
    struct sm_session *s = sm_loop_session(l);
    struct sm_options resumed = *o;
    int status = dashboard ? sm_dashboard_run(l, o) : sm_repl_run(l, o);
    resumed.resumed = true;
    while (s->wanted != SM_FRONT_THIS) {
        dashboard = s->wanted == SM_FRONT_DASHBOARD;
        s->wanted = SM_FRONT_THIS;
        status = dashboard ? sm_dashboard_run(l, &resumed) : sm_repl_run(l, &resumed);
    }
    return status;
}
