/* SPDX-License-Identifier: Apache-2.0 */
/* info memory: the memory that the open trials use. */
#include "commands/answer/shape.h"
#include "commands/session/session_settings.h"
#include "commands/trials/trials.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column memory_columns[] = {
    {.key = "index_bytes", .header = "index", .format = SM_COL_BYTES},
    {.key = "values_bytes", .header = "values and statistics", .format = SM_COL_BYTES},
    {.key = "limit_bytes", .header = "limit for values", .format = SM_COL_BYTES},
};

static bool run_info_memory(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    struct sm_session *s = c->session;
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    size_t index = 0;
    for (size_t i = 0; i < s->n_trials; i++)
        index += sm_trial_memory(s->trials[i].trial);
    sm_node_uint(out, map, "index_bytes", index);
    sm_node_uint(out, map, "values_bytes", sm_fetch_memory(s->fetch));
    sm_node_int(out, map, "limit_bytes", sm_session_settings(s)->memory_limit);
    out->root = map;
    out->columns = memory_columns;
    out->n_columns = COUNT(memory_columns);
    sm_result_fields(out, map, memory_columns, COUNT(memory_columns));
    return true;
}

const struct sm_cmd sm_cmd_info_memory = {
    .parent = "info",
    .name = "memory",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Show the memory used by index, values and statistics",
    .example = "info memory",
    .flags = SM_CMD_LISTING,
    .answer = "{index_bytes:int,values_bytes:int,limit_bytes:int}",
    .run = run_info_memory,
};
