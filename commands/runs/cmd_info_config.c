/* SPDX-License-Identifier: Apache-2.0 */
/* info config, info summary: what the logger says of a run. */
#include "commands/answer/shape.h"
#include "commands/runs/run_fields.h"
#include "commands/runs/runs.h"
#include "commands/session/trial_list.h"

static const struct sm_column columns[] = {{.key = "key", .header = "KEY"},
                                           {.key = "value", .header = "VALUE"}};

/* Text is a table of two columns; for programs it is one map. */
static bool show_fields(struct sm_call *c, const struct sm_run_fields *f, const char *none,
                        struct sm_result *out)
{
    struct sm_node *map = sm_run_fields_node(out, NULL, NULL, f);
    if (c->output != SM_OUTPUT_TEXT && c->output != SM_OUTPUT_CSV)
        return true;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < f->n; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "key", f->items[i].key);
        sm_node_text(out, row, "value", sm_run_field_text(&out->arena, f->items[i].json));
    }
    sm_result_listing(out, list, columns, sizeof columns / sizeof *columns);
    out->root = map;
    if (!f->n)
        sm_result_dim(out, "%s", none);
    return true;
}

static bool run_config(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    return show_fields(c, &sm_trial_info(sm_session_trial(c->session))->config,
                       "No configuration was logged.", out);
}

const struct sm_cmd sm_cmd_info_config = {
    .parent = "info",
    .name = "config",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Show the configuration that the logger wrote",
    .help = "Nested names are joined by \".\".",
    .example = "info config",
    .see_also = "runs, info summary",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{*:num|bool|text|values?}",
    .run = run_config,
};

static bool run_summary(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    return show_fields(c, &sm_trial_info(sm_session_trial(c->session))->summary,
                       "No summary was logged.", out);
}

const struct sm_cmd sm_cmd_info_summary = {
    .parent = "info",
    .name = "summary",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Show the summary that the logger wrote",
    .example = "info summary",
    .see_also = "runs, info config",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{*:num|bool|text|values?}",
    .run = run_summary,
};
