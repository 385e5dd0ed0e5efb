#include "commands/run/exec_state.h"
#include "commands/run/run_state.h"

#include "commands/run/logging.h"

#include <string.h>

static void add_place(const struct sm_exec *x, const char *message, struct sm_str *text)
{
    sm_script_place(x->script, text);
    sm_str_add(text, message);
    sm_script_chain(x->script, text);
}

static void report_error(struct sm_exec *x, const char *message)
{
    struct sm_str text = {0};
    if (x->session->batch)
        sm_str_add(&text, "smdbg: ");
    add_place(x, message, &text);
    sm_str_addc(&text, '\n');
    sm_logging_add(x->session, sm_str_text(&text), text.len);
    x->ops->complain(x->ctx, sm_str_text(&text), text.len);
    sm_str_clear(&text);
}

void sm_exec_report_failure(struct sm_exec *x, const struct sm_err *err, bool forgiven)
{
    struct sm_str text = {0};
    if (!x->ops->machine) {
        report_error(x, err->msg);
        return;
    }
    add_place(x, err->msg, &text);
    x->ops->machine->failed(x->ctx, err, sm_str_text(&text), forgiven);
    sm_str_clear(&text);
}

void sm_exec_trace(struct sm_exec *x, const char *line)
{
    bool on = sm_run_settings(x->session)->trace_commands || sm_script_traced(x->script);
    if (!on || !line[strspn(line, " \t")] || line[strspn(line, " \t")] == '#')
        return;
    struct sm_str text = {0};
    sm_str_fill(&text, '+', sm_script_level(x->script));
    sm_str_add_escaped(&text, line, strlen(line));
    sm_str_addc(&text, '\n');
    if (sm_logging_add(x->session, sm_str_text(&text), text.len))
        x->ops->answer(x->ctx, sm_str_text(&text), text.len);
    sm_str_clear(&text);
}
