/* SPDX-License-Identifier: Apache-2.0 */
/* commands, silent: the lines that run at a breakpoint. */
#include "commands/stops/breakpoint.h"
#include "commands/stops/stops.h"

/* Without a word, the newest breakpoint. */
static bool read_range(const struct sm_call *c, const struct sm_word *w, int64_t *from, int64_t *to,
                       struct sm_err *err)
{
    *from = *to = sm_stops(c->session)->breakpoints.last;
    if (!w && !sm_breakpoint_numbered(c->session, *from, NULL))
        return sm_err_set(err, SM_ERR_USAGE, "No breakpoints specified.");
    return !w || sm_breakpoint_range(c->session, w, from, to, err);
}

static bool run_commands(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_breakpoints *list = &sm_stops(c->session)->breakpoints;
    int64_t from, to;
    for (size_t i = 0; i < c->n_words || i == 0; i++) {
        if (!read_range(c, c->n_words ? &c->words[i] : NULL, &from, &to, err))
            return false;
        for (size_t k = 0; k < list->n && c->body; k++) {
            if (list->items[k]->number < from || list->items[k]->number > to)
                continue;
            sm_body_unref(list->items[k]->commands);
            list->items[k]->commands = c->body->n ? sm_body_ref(c->body) : NULL;
        }
    }
    if (!c->body)
        sm_result_text(out, "Type commands for the breakpoint, one per line.\nEnd with a line "
                            "saying just \"end\".");
    return true;
}

static const struct sm_arg commands_args[] = {{.name = "N", .kind = SM_ARG_NUMBER, .repeats = true},
                                              {0}};
const struct sm_cmd sm_cmd_commands = {
    .name = "commands",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Set commands to run when a breakpoint stops; \"end\" ends them",
    .help = "Without N the newest breakpoint is used; N may be a range such as 2-5. If the first "
            "line is \"silent\", the stop\n"
            "itself is not reported. Without lines the commands are removed. $t is the tensor of "
            "the hit, $_bpnum the number\n"
            "of the breakpoint.",
    .example = "commands 1",
    .see_also = "break, dprintf",
    .args = commands_args,
    .flags = SM_CMD_NO_REPEAT | SM_CMD_BODY | SM_CMD_CHECK_FIRST,
    .run = run_commands,
};

static bool run_silent(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)c;
    (void)out;
    (void)err;
    return true;
}

const struct sm_cmd sm_cmd_silent = {
    .name = "silent",
    .cmd_class = SM_CLASS_BREAKPOINTS,
    .summary = "Print nothing at the stop; the first of a breakpoint's commands",
    .example = "silent",
    .see_also = "commands",
    .flags = SM_CMD_NO_REPEAT,
    .run = run_silent,
};
