/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/dashboard/dashboard.h"
#include "tui/dashboard/dashboard_feature.h"

static bool run_act(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_dashboard *d = sm_dashboard_needed(c, err);
    (void)out;
    return d && sm_dashboard_act_by_name(d, sm_dashboard_word(c, 0), err);
}

static const struct sm_arg act_args[] = {{.name = "ACTION", .kind = SM_ARG_TEXT, .required = true},
                                         {0}};

const struct sm_cmd sm_cmd_act = {
    .name = "act",
    .cmd_class = SM_CLASS_TUI,
    .summary = "Run the action of a key by its name",
    .help = "\"info keys\" lists the actions with their keys.",
    .example = "act next-problem",
    .see_also = "key, focus",
    .args = act_args,
    .run = run_act,
};
