/* SPDX-License-Identifier: Apache-2.0 */
/* shell, pipe: shell commands. */
#include "commands/run/exec.h"
#include "commands/support/support.h"

#include <string.h>

static bool run_shell(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    int status;
    (void)out;
    return sm_exec_shell(c->exec, c->raw.n ? c->raw.p : "${SHELL:-/bin/sh}", NULL, 0, &status, err);
}

static const struct sm_arg shell_args[] = {{.name = "COMMAND", .kind = SM_ARG_TEXT}, {0}};
const struct sm_cmd sm_cmd_shell = {
    .name = "shell",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Run a shell command (also \"!COMMAND\"), or a shell",
    .help = "Its exit status is in $_shell_exitcode.",
    .example = "shell nvidia-smi",
    .see_also = "pipe",
    .args = shell_args,
    .flags = SM_CMD_RAW | SM_CMD_SHELL | SM_CMD_NO_REPEAT,
    .run = run_shell,
};

/* Runs the line "COMMAND | SHELL_COMMAND"; -d sets a separator for the arguments. */
static bool run_pipe(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_word *d = sm_call_option(c, "d");
    const char *separator = d ? d->text.p : "|", *at = strstr(c->raw.p, separator);
    (void)out;
    if (!*separator || !at || at == c->raw.p || !at[strlen(separator)])
        return sm_err_set(err, SM_ERR_USAGE, "Usage: pipe COMMAND %s SHELL_COMMAND",
                          *separator ? separator : "|");
    sm_exec_next(c->exec, sm_arena_xprintf(&c->arena, "%.*s | %s", (int)(at - c->raw.p), c->raw.p,
                                           at + strlen(separator)));
    return true;
}

static const struct sm_arg pipe_args[] = {
    {.name = "COMMAND | SHELL_COMMAND", .kind = SM_ARG_TEXT, .required = true}, {0}};
static const struct sm_option pipe_options[] = {
    {.name = "d",
     .kind = SM_ARG_TEXT,
     .value = "DELIM",
     .help = "separator of the two commands instead of |"},
    {0},
};
const struct sm_cmd sm_cmd_pipe = {
    .name = "pipe",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Send the output of a command to a shell command",
    .help = "\"pipe CMD | SHELL\", \"|CMD | SHELL\" and \"CMD | SHELL\" are the same.",
    .example = "pipe tensors -csv | head -3",
    .see_also = "shell",
    .args = pipe_args,
    .options = pipe_options,
    .flags = SM_CMD_RAW | SM_CMD_SHELL | SM_CMD_NO_REPEAT,
    .run = run_pipe,
};
