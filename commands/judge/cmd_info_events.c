#include "commands/judge/judge.h"
#include "commands/session/incident.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column events_columns[] = {
    {.key = "time", .header = "TIME", .format = SM_COL_TIME},
    {.key = "rule", .header = "RULE"},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "text", .header = "WHAT"},
};

static bool run_events(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    const struct sm_incidents *l = c->session->incidents;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < l->n; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_double(out, row, "time", (double)l->items[i].time_us / 1e6, false);
        sm_node_text(out, row, "rule", l->items[i].rule);
        sm_node_int(out, row, "step", l->items[i].step);
        sm_node_text(out, row, "text", l->items[i].text);
    }
    sm_result_listing(out, list, events_columns, COUNT(events_columns));
    return true;
}

const struct sm_cmd sm_cmd_info_events = {
    .parent = "info",
    .name = "events",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "What rules and their actions did in this session",
    .example = "info events",
    .see_also = "rule",
    .flags = SM_CMD_LISTING,
    .run = run_events,
};
