/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/run/exec_state.h"
#include "commands/run/run_state.h"

enum {
    STATUS_OK,
    STATUS_FAILED = 1,
    STATUS_VERDICT = 3,
    STATUS_MISSING = 4,
    STATUS_TRIAL = 5,
    STATUS_TIMEOUT = 6,
    STATUS_PARTIAL = 7,
};

int sm_exec_status_of(const struct sm_err *err)
{
    switch (err->code) {
    case SM_OK:
        return STATUS_OK;
    case SM_ERR_MISSING:
        return STATUS_MISSING;
    case SM_ERR_DATA:
    case SM_ERR_IO:
        return STATUS_TRIAL;
    case SM_ERR_TIMEOUT:
        return STATUS_TIMEOUT;
    case SM_ERR_VERDICT:
        return STATUS_VERDICT;
    default:
        return STATUS_FAILED;
    }
}

void sm_exec_record_status(struct sm_exec *x, int status, enum sm_line_origin origin)
{
    struct sm_session *s = x->session;
    s->exit_code = status;
    s->failures += status != STATUS_OK;
    /* errors of an interactive prompt do not change the exit status */
    if (!x->status && !(origin == SM_FROM_PROMPT && s->interactive) && !x->ops->machine)
        x->status = status;
}

void sm_exec_fail(struct sm_exec *x, const struct sm_err *err, enum sm_line_origin origin,
                  bool forgiven)
{
    bool by_script = !forgiven && sm_exec_is_forgiven(x);
    sm_exec_report_failure(x, err, forgiven || by_script);
    /* the hook after a command runs only if the command succeeds */
    if (x->script && x->script->unhooked) {
        sm_free(x->script->after);
        x->script->after = NULL;
    }
    if (by_script)
        sm_exec_end_forgiven(x);
    if (forgiven || by_script) {
        x->session->exit_code = sm_exec_status_of(err);
        return;
    }
    sm_exec_record_status(x, sm_exec_status_of(err), origin);
    if (x->keep_going || !sm_run_settings(x->session)->stop_on_error)
        return;
    sm_exec_abandon(x);
    if (x->session->batch && !x->ops->machine)
        x->quit = true;
}

/* With "set strict", damaged pieces that were skipped are an error. */
static int partial_status(const struct sm_exec *x)
{
    const struct sm_trial *t = sm_session_trial(x->session);
    bool strict = sm_run_settings(x->session)->strict;
    return strict && t && sm_trial_problems(t)->total ? STATUS_PARTIAL : STATUS_OK;
}

void sm_exec_succeed(struct sm_exec *x, enum sm_line_origin origin, const struct sm_result *r)
{
    int status = r->verdict ? STATUS_VERDICT : r->missing ? STATUS_MISSING : partial_status(x);
    sm_exec_record_status(x, status, origin);
}
