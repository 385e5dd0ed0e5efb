/* SPDX-License-Identifier: Apache-2.0 */
/* info modes. */
#include "commands/answer/shape.h"
#include "commands/place/describe.h"
#include "commands/trials/trials.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column modes_columns[] = {
    {.key = "mode", .header = "MODE"},
    {.key = "steps", .header = "STEPS", .format = SM_COL_NUMBER},
    {.key = "first", .header = "FIRST", .format = SM_COL_NUMBER},
    {.key = "last", .header = "LAST", .format = SM_COL_NUMBER},
};

static bool run_info_modes(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (int m = SM_MODE_TRAIN; m < SM_MODES; m++) {
        struct sm_mode_span span = sm_mode_span(t, (enum sm_mode)m);
        if (!span.steps)
            continue;
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "mode", sm_mode_name(m));
        sm_node_uint(out, row, "steps", span.steps);
        sm_node_int(out, row, "first", span.first.n);
        sm_node_int(out, row, "last", span.last.n);
    }
    sm_result_listing(out, list, modes_columns, COUNT(modes_columns));
    return true;
}

const struct sm_cmd sm_cmd_info_modes = {
    .parent = "info",
    .name = "modes",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "List the modes of the saved steps, with their step numbers",
    .example = "info modes",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{mode:mode,steps:int,first:int,last:int}]",
    .run = run_info_modes,
};
