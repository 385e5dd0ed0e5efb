/* SPDX-License-Identifier: Apache-2.0 */
/* profile blame: which rank the others wait for. */
#include "commands/trace/trace_ask.h"
#include "commands/trace/trace_commands.h"
#include "rules/trace/blame.h"

#include <string.h>

enum view { LIST, RANKS, MATRIX, STEPS };
static const char *const views[] = {"list", "ranks", "matrix", "steps", NULL};

/* ---- each operation ---- */

static const struct sm_column row_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "process_group", .header = "GROUP"},
    {.key = "process_group_ranks", .header = "RANKS"},
    {.key = "seq", .header = "SEQ", .format = SM_COL_NUMBER},
    {.key = "collective", .header = "COLLECTIVE"},
    {.key = "last", .header = "LAST", .format = SM_COL_NUMBER},
    {.key = "root", .header = "ROOT", .format = SM_COL_NUMBER},
    {.key = "waited", .header = "WAITED", .format = SM_COL_DURATION},
};

static void add_row(struct sm_result *out, struct sm_node *list, const struct sm_blame *b,
                    const struct sm_blame_row *r)
{
    struct sm_node *row = sm_node_map(out, list, NULL), *ranks, *waits;
    sm_node_int_or_null(out, row, "step", r->step >= 0, r->step);
    sm_node_text(out, row, "process_group", r->group);
    sm_node_text(out, row, "process_group_ranks", r->ranks);
    sm_node_int(out, row, "seq", r->seq);
    sm_node_text(out, row, "collective", r->collective);
    ranks = sm_node_list(out, row, "ranks");
    for (size_t i = r->first; i < r->first + r->n; i++)
        sm_node_int(out, ranks, NULL, b->ranks[b->waits[i].rank]);
    sm_node_int(out, row, "last", b->ranks[r->last]);
    sm_node_int(out, row, "waited", r->waited_ns);
    waits = sm_node_map(out, row, "wait");
    for (size_t i = r->first; i < r->first + r->n; i++)
        sm_node_int(out, waits,
                    sm_arena_xprintf(&out->arena, "%lld", (long long)b->ranks[b->waits[i].rank]),
                    b->waits[i].ns);
    sm_node_int(out, row, "shortest_kernel", b->ranks[r->shortest]);
    sm_node_int(out, row, "root", b->ranks[r->root]);
}

/* ---- ranks ---- */

static const struct sm_column rank_columns[] = {
    {.key = "rank", .header = "RANK", .format = SM_COL_NUMBER},
    {.key = "blame", .header = "OTHERS WAIT FOR IT", .format = SM_COL_DURATION},
    {.key = "suffered", .header = "IT WAITS", .format = SM_COL_DURATION},
    {.key = "root_blame", .header = "AS THE FIRST CAUSE", .format = SM_COL_DURATION},
};

static void add_ranks(struct sm_result *out, struct sm_node *list, const struct sm_blame *b)
{
    for (size_t i = 0; i < b->n_ranks; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_int(out, row, "rank", b->ranks[i]);
        sm_node_int(out, row, "blame", b->blame[i]);
        sm_node_int(out, row, "suffered", b->suffered[i]);
        sm_node_int(out, row, "root_blame", b->root_blame[i]);
    }
}

/* ---- matrix ---- */

enum { TEXT_RANKS = 16 }; /* a wider matrix is no help in a terminal */

/* One row for each rank that waits: rank_N is the time that it waits for rank N. */
static void add_matrix(struct sm_result *out, struct sm_node *list, const struct sm_blame *b)
{
    size_t n = b->n_ranks < TEXT_RANKS || out->root ? b->n_ranks : TEXT_RANKS;
    struct sm_column *columns = sm_arena_xalloc(&out->arena, (n + 1) * sizeof *columns);
    columns[0] = (struct sm_column){.key = "rank", .header = "WAITS", .format = SM_COL_NUMBER};
    for (size_t i = 0; i < n; i++)
        columns[i + 1] = (struct sm_column){
            .key = sm_arena_xstrndup(&out->arena, b->workers[i], strlen(b->workers[i])),
            .header = sm_arena_xprintf(&out->arena, "FOR %lld", (long long)b->ranks[i]),
            .format = SM_COL_DURATION};
    for (size_t i = 0; i < b->n_ranks; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_int(out, row, "rank", b->ranks[i]);
        for (size_t k = 0; k < n; k++)
            sm_node_int(out, row, columns[k + 1].key, b->matrix[i * b->n_ranks + k]);
    }
    sm_result_listing(out, list, columns, n + 1);
}

/* ---- steps ---- */

static const struct sm_column step_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "last", .header = "LAST RANK", .format = SM_COL_NUMBER},
    {.key = "waited", .header = "WAITED", .format = SM_COL_DURATION},
    {.key = "collectives", .header = "COLLECTIVES", .format = SM_COL_NUMBER},
};

static void add_steps(struct sm_result *out, struct sm_node *list, const struct sm_blame *b)
{
    for (size_t i = 0; i < b->n_steps; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_int_or_null(out, row, "step", b->steps[i].step >= 0, b->steps[i].step);
        sm_node_int(out, row, "last", b->ranks[b->steps[i].last]);
        sm_node_int(out, row, "waited", b->steps[i].waited_ns);
        sm_node_uint(out, row, "collectives", b->steps[i].collectives);
    }
}

/* ---- the command ---- */

static enum view view_of(const struct sm_call *c)
{
    for (int i = 0; c->n_words && views[i]; i++)
        if (sm_text_is(c->words[0].text, views[i]))
            return (enum view)i;
    return c->output == SM_OUTPUT_TEXT && !c->fields ? RANKS : LIST;
}

static void show(struct sm_result *out, const struct sm_blame *b, enum view view)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    if (view == LIST) {
        for (size_t i = 0; i < b->n_rows; i++)
            add_row(out, list, b, &b->rows[i]);
        sm_result_listing(out, list, row_columns, sizeof row_columns / sizeof *row_columns);
    } else if (view == RANKS) {
        add_ranks(out, list, b);
        sm_result_listing(out, list, rank_columns, sizeof rank_columns / sizeof *rank_columns);
    } else if (view == MATRIX) {
        add_matrix(out, list, b);
    } else {
        add_steps(out, list, b);
        sm_result_listing(out, list, step_columns, sizeof step_columns / sizeof *step_columns);
    }
}

static bool run_blame(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_traces *t = sm_traces_ask(c, err);
    struct sm_blame b;
    if (!t)
        return false;
    sm_blame_find(t->views, t->items, t->n, &b);
    show(out, &b, view_of(c));
    if (!b.n_rows)
        sm_result_dim(out, b.n_ranks < 2 ? "There is one rank only, so no rank waits for another."
                                         : "The traces have no collective operations in common.");
    sm_trace_remarks(out, t);
    sm_blame_clear(&b);
    return true;
}

static const struct sm_arg args[] = {
    {.name = "list|ranks|matrix|steps",
     .kind = SM_ARG_WORD,
     .words = views,
     .help = "each operation (JSON has it without a word), sums of ranks (text has), who waits for "
             "whom, or steps"},
    {0},
};
static const struct sm_option options[] = {
    {.name = "hta",
     .kind = SM_ARG_FLAG,
     .help = "count as HolisticTraceAnalysis: without the last step"},
    {0},
};
const struct sm_cmd sm_cmd_profile_blame = {
    .parent = "profile",
    .name = "blame",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Show which rank the others wait for",
    .help = "In each collective operation the rank that begins last is charged with the waits of "
            "the others. Clocks of ranks are\naligned by the ends of the operations, which are "
            "the same on all ranks. The first cause is the rank that is late by\nits own work: one "
            "that was late because it had itself waited in another group passes the waits on. "
            "" SM_TRACE_HELP,
    .example = "profile blame matrix",
    .see_also = "profile comms, verdict",
    .args = args,
    .options = options,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer =
        "[{step:int?,process_group:name,process_group_ranks:name,seq:int,collective:name,"
        "ranks:[int],last:int,waited:int,wait:{*:int},shortest_kernel:int,root:int}|{rank:int,"
        "blame:int,suffered:int,root_blame:int}|{*:int}|{step:int?,last:int,waited:int,"
        "collectives:int}]",
    .run = run_blame,
};
