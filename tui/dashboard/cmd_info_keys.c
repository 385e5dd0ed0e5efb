/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/answer/shape.h"
#include "tui/dashboard/dashboard.h"
#include "tui/dashboard/dashboard_feature.h"
#include "tui/panes/key_help.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column keys_columns[] = {
    {.key = "keys", .header = "KEYS"},
    {.key = "action", .header = "ACTION"},
    {.key = "context", .header = "WHERE"},
    {.key = "help", .header = "HELP", .wraps = true},
};

static bool run_info_keys(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_dashboard_state *s = sm_dashboard_state(c->session);
    (void)err;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < s->n_keys; i++) {
        const struct sm_key_help *k = &s->keys[i];
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "keys", k->keys);
        sm_node_text(out, row, "action", k->action);
        sm_node_text(out, row, "context", k->context);
        sm_node_text(out, row, "help", k->help);
    }
    sm_result_listing(out, list, keys_columns, COUNT(keys_columns));
    return true;
}

const struct sm_cmd sm_cmd_info_keys = {
    .parent = "info",
    .name = "keys",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "List the keys of the dashboard",
    .example = "info keys",
    .flags = SM_CMD_LISTING,
    .answer = "[{keys:text,action:text,context:text,help:text}]",
    .run = run_info_keys,
};
