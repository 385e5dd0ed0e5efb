/* SPDX-License-Identifier: Apache-2.0 */
/* quit: leaves the debugger. */
#include "commands/support/support.h"

static bool run_quit(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    int64_t status = -1;
    if (c->n_words && !sm_call_int(&c->words[0], 0, 255, &status, err))
        return false;
    out->quit = true;
    out->quit_status = (int)status;
    return true;
}

static const struct sm_arg quit_args[] = {{.name = "STATUS", .kind = SM_ARG_NUMBER}, {0}};
const struct sm_cmd sm_cmd_quit = {
    .name = "quit",
    .aliases = "q exit",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Exit the debugger, with an optional exit status",
    .example = "quit",
    .args = quit_args,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_quit,
};
