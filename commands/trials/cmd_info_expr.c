/* SPDX-License-Identifier: Apache-2.0 */
/* info expr: the source of each number in an expression. */
#include "commands/answer/shape.h"
#include "commands/place/evaluate.h"
#include "commands/trials/trials.h"
#include "rules/expr/sources.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column columns[] = {
    {.key = "tensor", .header = "TENSOR"},
    {.key = "asked", .header = "ASKED"},
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "worker", .header = "WORKER"},
    {.key = "from", .header = "FROM"},
    {.key = "why", .header = "WHY", .wraps = true},
};

struct source_rows {
    const struct sm_trial *trial;
    struct sm_result *out;
    struct sm_node *list;
    size_t n_columns;
};

static void add_source(void *ctx, const struct sm_expr_source *s)
{
    struct source_rows *x = ctx;
    struct sm_node *row = sm_node_map(x->out, x->list, NULL);
    sm_node_textn(x->out, row, "tensor", sm_trial_tensor_name(x->trial, s->tensor),
                  sm_names_length(sm_trial_names(x->trial), s->tensor->name));
    sm_node_text(x->out, row, "asked", s->func);
    sm_node_int_or_null(x->out, row, "step", s->step.n >= 0, s->step.n);
    sm_node_text(x->out, row, "worker",
                 s->worker != SM_WORKER_ANY ? sm_trial_worker(x->trial, s->worker) : NULL);
    sm_node_text(x->out, row, "from", sm_source_kind_name(s->kind));
    if (s->why.n)
        sm_node_textn(x->out, row, "why", s->why.p, s->why.n);
    else
        sm_node_null(x->out, row, "why");
    x->n_columns = s->why.n ? COUNT(columns) : x->n_columns;
}

static bool run_info_expr(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_expr_env env;
    struct sm_expr *e;
    sm_evaluate_env(c, &env);
    struct source_rows x = {.trial = env.trial,
                            .out = out,
                            .list = sm_node_list(out, NULL, NULL),
                            .n_columns = COUNT(columns) - 1};
    if (!sm_expr_parse(c->raw.p, c->raw.n, &c->arena, &e, err) ||
        !sm_expr_sources(e, &env, add_source, &x, err))
        return false;
    sm_result_listing(out, x.list, columns,
                      c->output == SM_OUTPUT_TEXT ? x.n_columns : COUNT(columns));
    return true;
}

static const struct sm_arg args[] = {{.name = "EXPR", .kind = SM_ARG_EXPR, .required = true}, {0}};
const struct sm_cmd sm_cmd_info_expr = {
    .parent = "info",
    .name = "expr",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Show where the numbers of an expression are read from",
    .help =
        "For each tensor one of: the payload; its statistics, computed once when the payload is "
        "read; a reduction saved by the hook, if\n"
        "there is no payload and the definition is the same; the head of the record; the index "
        "alone; or a series over all steps.\n"
        "The command itself reads no values.",
    .example = "info expr mean(CNN_fc1.weight) / l2(CNN_fc1.bias)",
    .see_also = "print, why",
    .args = args,
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL | SM_CMD_RAW,
    .answer = "[{tensor:name,asked:text?,step:int?,worker:name?,from:text,why:text?}]",
    .run = run_info_expr,
};
