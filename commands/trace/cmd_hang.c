/* SPDX-License-Identifier: Apache-2.0 */
/* hang: which rank and which collective operation a job hangs in. */
#include "commands/trace/trace_ask.h"
#include "commands/trace/trace_commands.h"
#include "rules/trace/hang.h"

#include <string.h>

static const struct sm_column columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "role", .header = ""},
    {.key = "process_group", .header = "GROUP"},
    {.key = "collective_seq_id", .header = "SEQ", .format = SM_COL_NUMBER},
    {.key = "profiling_name", .header = "LAST OPERATION"},
    {.key = "state", .header = "STATE"},
    {.key = "stack", .header = "CALLED AT"},
};

static void add_name(struct sm_result *out, struct sm_node *row, const char *key,
                     const struct sm_trace_item *x, uint32_t id)
{
    if (id == SM_NAME_NONE)
        sm_node_null(out, row, key);
    else
        sm_node_textn(out, row, key, sm_names_text(x->flight.names, id),
                      sm_names_length(x->flight.names, id));
}

static void add_rank(struct sm_result *out, struct sm_node *list, const struct sm_hang *h,
                     const struct sm_hang_rank *r)
{
    static const char *const states[] = {"scheduled", "started", "completed"};
    static const char *const roles[] = {"", "waits", "at fault", "no dump"};
    struct sm_node *row = sm_node_map(out, list, NULL);
    bool idle = !h->fault && r->role == SM_HANG_WAITS;
    sm_node_int(out, row, "rank", r->rank);
    sm_node_text(out, row, "role", idle ? "" : roles[r->role]);
    if (!r->last)
        return;
    add_name(out, row, "process_group", r->item, r->last->group);
    add_name(out, row, "profiling_name", r->item, r->last->op);
    sm_node_int(out, row, "collective_seq_id", r->last->seq);
    sm_node_text(out, row, "state", states[r->last->state]);
    sm_node_bool(out, row, "retired", r->last->retired);
    sm_node_int(out, row, "time_created_ns", r->last->created_ns);
    add_name(out, row, "stack", r->item, r->last->stack);
}

static void add_role(struct sm_result *out, struct sm_node *map, const char *key,
                     const struct sm_hang *h, enum sm_hang_role role)
{
    struct sm_node *list = sm_node_list(out, map, key);
    for (size_t i = 0; h->fault && i < h->n; i++)
        if (h->ranks[i].role == role)
            sm_node_int(out, list, NULL, h->ranks[i].rank);
}

static void fill(struct sm_result *out, const struct sm_hang *h)
{
    struct sm_node *map = sm_node_map(out, NULL, NULL), *list;
    struct sm_str text = {0};
    bool missing = h->fault == SM_HANG_NEVER_ENTERED;
    sm_hang_describe(h, &text);
    sm_node_text(out, map, "fault", sm_hang_fault_name(h->fault));
    sm_node_text(out, map, "text", sm_str_text(&text));
    sm_node_text(out, map, "group", h->group);
    sm_node_int_or_null(out, map, "seq", h->fault, h->seq);
    sm_node_text(out, map, "op", h->op);
    add_role(out, map, "missing_ranks", h, missing ? SM_HANG_AT_FAULT : SM_HANG_NO_DUMP + 1);
    add_role(out, map, "culprits", h, SM_HANG_AT_FAULT);
    sm_node_text(out, map, "culprit_op", h->other);
    add_role(out, map, "waiting_ranks", h, SM_HANG_WAITS);
    add_role(out, map, "no_dump", h, SM_HANG_NO_DUMP);
    sm_node_text(out, map, "stack", h->stack && *h->stack ? h->stack : NULL);
    list = sm_node_list(out, map, "last_op");
    for (size_t i = 0; i < h->n; i++)
        add_rank(out, list, h, &h->ranks[i]);
    sm_result_prose(out, 4, "%s%s", h->fault ? "HANG " : "",
                    sm_result_escape(out, sm_str_text(&text), text.len));
    if (h->stack && *h->stack)
        sm_result_text(out, "They wait at %s.", sm_result_escape(out, h->stack, strlen(h->stack)));
    sm_result_table(out, list, columns, sizeof columns / sizeof *columns);
    out->root = map;
    out->rows = list;
    out->columns = columns;
    out->n_columns = sizeof columns / sizeof *columns;
    sm_str_clear(&text);
}

static bool run_hang(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    int64_t rank;
    if (!sm_trace_has_format(c, SM_TRACE_FLIGHT))
        return sm_err_set(err, SM_ERR_MISSING,
                          "The run has no dumps of the flight recorder (rank_0, rank_1 ...).");
    const struct sm_trace_set *set = sm_trace_set_ask(c, SM_TRACE_FLIGHT, &rank, err);
    struct sm_hang h;
    if (!set)
        return false;
    if (!sm_trace_set_count(set))
        return sm_trace_none(set, -1, err);
    sm_hang_find(set, &h);
    fill(out, &h);
    sm_hang_clear(&h);
    return true;
}

const struct sm_cmd sm_cmd_hang = {
    .name = "hang",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Say which rank and which collective operation a job hangs in",
    .help = "Of the dumps of torch.distributed's flight recorder (TORCH_NCCL_DUMP_ON_TIMEOUT; "
            "pickles or JSON), a file for each rank.\nThe operations of each process group are "
            "joined by their sequence number; the first one in which ranks differ is\nnamed: some "
            "never entered it, are in another one, or have other sizes. Where ranks differ, the "
            "majority is right.",
    .example = "hang",
    .see_also = "verdict, profile blame",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "{fault:text?,text:text,group:name?,seq:int?,op:name?,missing_ranks:[int],culprits:["
              "int],culprit_op:name?,waiting_ranks:[int],no_dump:[int],stack:name?,last_op:[{rank:"
              "int,role:text,process_group?:name?,profiling_name?:name?,collective_seq_id?:int,"
              "state?:text,retired?:bool,time_created_ns?:int,stack?:name?}]}",
    .run = run_hang,
};
