/* SPDX-License-Identifier: Apache-2.0 */
/* if, while, loop_break, loop_continue: run lines depending on a condition. */
#include "commands/place/evaluate.h"
#include "commands/run/exec.h"
#include "commands/support/support.h"

/* A value that is not saved is an error: otherwise the script would continue as if the condition
 * were false. */
static bool evaluate_condition(struct sm_call *c, bool *is_true, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_value v;
    if (t && !sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    if (!sm_evaluate(c, c->raw, &v, err))
        return false;
    bool missing = v.type == SM_UNAVAILABLE;
    *is_true = sm_expr_is_true(&v);
    if (missing)
        sm_err_set(err, SM_ERR_MISSING, "%.*s", (int)v.text.n, v.text.p);
    sm_value_clear(&v);
    return !missing;
}

static const struct sm_arg condition_args[] = {
    {.name = "COND", .kind = SM_ARG_EXPR, .required = true}, {0}};

/* ---- if ---- */

static bool run_if(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    bool is_true;
    (void)out;
    if (!evaluate_condition(c, &is_true, err))
        return false;
    if (is_true)
        sm_exec_body(c->exec, c->body);
    else if (c->otherwise)
        sm_exec_body(c->exec, c->otherwise);
    return true;
}

const struct sm_cmd sm_cmd_if = {
    .name = "if",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Run the lines up to \"end\" if a condition is true",
    .help =
        "The lines after \"else\" run if it is false. NaN is false. A value that is not saved is "
        "an error:\n"
        "test exists(NAME) first.",
    .example = "if exists(CNN_fc1.weight)",
    .see_also = "while",
    .args = condition_args,
    .flags = SM_CMD_RAW | SM_CMD_NO_REPEAT | SM_CMD_BODY | SM_CMD_ELSE,
    .run = run_if,
};

/* ---- while ---- */

static bool run_while(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    bool is_true;
    (void)out;
    if (!evaluate_condition(c, &is_true, err))
        return false;
    if (is_true)
        sm_exec_loop(c->exec, c->body);
    return true;
}

const struct sm_cmd sm_cmd_while = {
    .name = "while",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Run the lines up to \"end\" while a condition is true",
    .help = "\"loop_break\" leaves the loop, \"loop_continue\" goes back to the condition.",
    .example = "while $i < 10",
    .see_also = "if, loop_break, loop_continue, until",
    .args = condition_args,
    .flags = SM_CMD_RAW | SM_CMD_NO_REPEAT | SM_CMD_BODY,
    .run = run_while,
};

/* ---- loop_break, loop_continue ---- */

static bool run_loop_break(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return sm_exec_leave(c->exec, false, err);
}

const struct sm_cmd sm_cmd_loop_break = {
    .name = "loop_break",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Leave the innermost \"while\"",
    .see_also = "while, loop_continue",
    .flags = SM_CMD_NO_REPEAT,
    .run = run_loop_break,
};

static bool run_loop_continue(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)out;
    return sm_exec_leave(c->exec, true, err);
}

const struct sm_cmd sm_cmd_loop_continue = {
    .name = "loop_continue",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Go back to the condition of the innermost \"while\"",
    .see_also = "while, loop_break",
    .flags = SM_CMD_NO_REPEAT,
    .run = run_loop_continue,
};
