/* SPDX-License-Identifier: Apache-2.0 */
/* eval: format a command line and run it. */
#include "commands/run/exec.h"
#include "commands/values/printf_text.h"
#include "commands/values/values.h"

static bool run_eval(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_str text = {0};
    (void)out;
    bool ok = sm_printf_text_line(c, &text, err);
    if (ok)
        sm_exec_next(c->exec, sm_str_text(&text));
    sm_str_clear(&text);
    return ok;
}

const struct sm_cmd sm_cmd_eval = {
    .name = "eval",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Format a command line as printf does, and run it",
    .help = "For names and steps that are not known before the script runs.",
    .example = "eval \"tensor CNN_fc1.weight step %d -s\", $_step",
    .see_also = "printf, define",
    .args = sm_printf_args,
    .flags = SM_CMD_RAW | SM_CMD_NO_REPEAT,
    .run = run_eval,
};
