/* SPDX-License-Identifier: Apache-2.0 */
/* info problems: the problems of the trial, by step. */
#include "commands/answer/shape.h"
#include "commands/judge/session_problems.h"
#include "commands/trials/trials.h"
#include "reader/analysis/all_values.h"
#include "reader/base/clock.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct sm_column problems_columns[] = {
    {.key = "step", .header = "STEP", .format = SM_COL_NUMBER},
    {.key = "kind", .header = "KIND"},
    {.key = "tensor", .header = "TENSOR"},
    {.key = "text", .header = "PROBLEM", .wraps = true},
};

static void add_problem(struct sm_result *out, struct sm_node *list, const struct sm_trial *t,
                        const struct sm_trial_problem *p)
{
    const struct sm_trial_tensor *x = sm_trial_problem_tensor(t, p);
    int64_t step = p->kind == SM_TRIAL_PROBLEM_VALUE ? p->saved : p->step;
    struct sm_node *row = sm_node_map(out, list, NULL);
    struct sm_str text = {0};
    sm_trial_problem_describe(t, p, x, sm_clock_wall_us(), &text);
    sm_node_int_or_null(out, row, "step", step >= 0, step);
    sm_node_text(out, row, "kind", sm_trial_problem_name(p->kind));
    sm_node_text(out, row, "rule", p->rule);
    sm_node_text(out, row, "worker", p->gap ? sm_trial_worker(t, p->gap->worker) : NULL);
    sm_node_text(out, row, "tensor", x ? sm_trial_tensor_name(t, x) : NULL);
    sm_node_text(out, row, "text", sm_arena_xstrndup(&out->arena, sm_str_text(&text), text.len));
    sm_str_clear(&text);
}

/* What the list does not have: values with NaN or infinities at other steps than the current one.
 */
static void say_other_steps(struct sm_call *c, bool none, struct sm_result *out)
{
    struct sm_all_values all;
    sm_all_values_count(sm_session_trial(c->session), &all);
    if (none)
        sm_result_dim(out,
                      "No problems in rules, files, steps, workers, or in the values of step %lld.",
                      (long long)sm_session_step(c->session).n);
    if (all.bad)
        sm_result_dim(out,
                      "Of all steps, %llu value%s of %zu tensor%s NaN or infinite, first at step "
                      "%lld; \"bt -worst\" starts at the worst.",
                      (unsigned long long)all.bad, all.bad == 1 ? "" : "s", all.bad_tensors,
                      all.bad == 1           ? " is"
                      : all.bad_tensors == 1 ? " are"
                                             : "s are",
                      (long long)all.first_bad.n);
    else if (none)
        sm_result_dim(out, "Of all steps, no value is NaN or infinite. Looked at: %llu of %llu.",
                      (unsigned long long)all.read, (unsigned long long)all.values);
}

static bool run_info_problems(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_trial_problems problems = {0};
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    bool all = sm_fetch_all(c->session->fetch, sm_session_trial(c->session), NULL, err);
    size_t waiting = sm_session_problems_read(c->session, &problems);
    sm_trial_problems_sort(&problems);
    for (size_t i = 0; !waiting && i < problems.n; i++)
        add_problem(out, list, t, &problems.items[i]);
    sm_trial_problems_clear(&problems);
    if (!all && err->code != SM_ERR_WAIT)
        return false;
    if (waiting || !all)
        return sm_err_set(err, SM_ERR_WAIT, "reading %zu values", waiting);
    sm_result_listing(out, list, problems_columns, COUNT(problems_columns));
    say_other_steps(c, !list->first, out);
    return true;
}

const struct sm_cmd sm_cmd_info_problems = {
    .parent = "info",
    .name = "problems",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "List the problems of the trial, by step",
    .help = "Findings of attached rules so far; damaged files, skipped steps, long pauses, missing "
            "workers, a stalled job; NaN and Inf in the values of the current step.\n"
            "The values of all steps are counted below the list.",
    .example = "info problems",
    .see_also = "info events, doctor",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer = "[{step:int?,kind:text,rule:text?,worker:name?,tensor:name?,text:text}]",
    .run = run_info_problems,
};
