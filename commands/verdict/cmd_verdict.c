/* SPDX-License-Identifier: Apache-2.0 */
/* verdict: what is wrong with the run. */
#include "commands/answer/shape.h"
#include "commands/verdict/session_verdict.h"
#include "commands/verdict/verdict_command.h"
#include "commands/verdict/verdict_tree.h"

static bool run_verdict(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_verdict *v = sm_verdict_ask(c, err);
    if (!v)
        return false;
    sm_verdict_node(out, NULL, NULL, v);
    sm_verdict_print(out, v);
    return true;
}

const struct sm_cmd sm_cmd_verdict = {
    .name = "verdict",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Say what is wrong with the run: one cause, since when, and why",
    .help = "Looks at every saved value once, in the background, and names the one cause that "
            "explains what is out of band; what follows from it is listed as effects. Each line of "
            "evidence has the command that shows it. \"Nothing wrong\" is said only if losses and "
            "weights were saved. Of a run with a profile it says, too, what holds it up: as the "
            "cause, if "
            "nothing is wrong with what is learned, else in the line SPEED. doc/verdict.md has the "
            "causes, their signals and limits.",
    .example = "verdict",
    .see_also = "rule, backtrace, report, profile summary",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{" SM_SHAPE_VERDICT "}",
    .run = run_verdict,
};
