/* SPDX-License-Identifier: Apache-2.0 */
/* source: runs the commands in a file. */
#include "commands/run/exec.h"
#include "commands/session/session.h"
#include "commands/support/support.h"
#include "reader/source/source_pipe.h"

#include <string.h>
#include <sys/stat.h>

/* Reading a pipe, or the keyboard that "-" is outside a batch, would stop the session. */
static bool may_wait(const char *path)
{
    struct stat st;
    return strcmp(path, "-") == 0 ||
           (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

static bool run_source(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    if (sm_pipe_is_path(c->words[0].text.p))
        return sm_err_set(err, SM_ERR_USAGE, "-: standard input is the log that is read.");
    bool waits_for_none = c->session->batch && !c->session->by_program;
    if (!waits_for_none && may_wait(c->words[0].text.p))
        return sm_err_set(err, SM_ERR_USAGE, "%s: only a batch reads commands from it.",
                          c->words[0].text.p);
    return sm_exec_source(c->exec, c->words[0].text.p, sm_call_flag(c, "v"), c->words + 1,
                          c->n_words - 1, err);
}

static const struct sm_arg source_args[] = {
    {.name = "FILE", .kind = SM_ARG_FILE, .required = true},
    {.name = "ARG", .kind = SM_ARG_TEXT, .repeats = true},
    {0},
};
static const struct sm_option source_options[] = {
    {.name = "v", .kind = SM_ARG_FLAG, .help = "print each command before it runs"},
    {0},
};
const struct sm_cmd sm_cmd_source = {
    .name = "source",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Run the commands in a file",
    .help = "The lines use the arguments as $arg0, $arg1 ... and their number as $argc. An error "
            "in a line ends the script,\n"
            "unless the line starts with \"-\".",
    .example = "source check.smdbg conv0_weight",
    .see_also = "set",
    .args = source_args,
    .options = source_options,
    .flags = SM_CMD_NO_REPEAT,
    .run = run_source,
};
