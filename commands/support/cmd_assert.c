/* SPDX-License-Identifier: Apache-2.0 */
/* assert: fails unless a condition is true. */
#include "commands/language/tokens.h"
#include "commands/place/evaluate.h"
#include "commands/support/support.h"

/* The message after the comma, without quotes; empty if there is none. */
static bool read_message(struct sm_call *c, size_t from, struct sm_str *out, struct sm_err *err)
{
    struct sm_text rest =
        from < c->raw.n ? sm_reader_trim(c->raw.p + from + 1, c->raw.n - from - 1) : SM_TEXT("");
    struct sm_reader r = {.p = rest.p, .n = rest.n, .arena = &c->arena};
    if (rest.n && (rest.p[0] == '"' || rest.p[0] == '\''))
        return sm_reader_quoted(&r, out, err);
    sm_str_addn(out, rest.p, rest.n);
    return true;
}

/* A false condition or NaN is SM_ERR_VERDICT; a value that is not saved is SM_ERR_MISSING. */
static bool check_condition(struct sm_call *c, struct sm_text expr, const char *message,
                            struct sm_err *err)
{
    struct sm_value v;
    if (!sm_evaluate(c, expr, &v, err))
        return false;
    bool is_true = sm_expr_is_true(&v), missing = v.type == SM_UNAVAILABLE;
    if (missing)
        sm_err_set(err, SM_ERR_MISSING, "%.*s", (int)v.text.n, v.text.p);
    sm_value_clear(&v);
    if (missing || is_true)
        return is_true;
    if (*message)
        return sm_err_set(err, SM_ERR_VERDICT, "Assertion failed: %s", message);
    return sm_err_set(err, SM_ERR_VERDICT, "Assertion failed: %.*s", (int)expr.n, expr.p);
}

static bool run_assert(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    struct sm_text expr = sm_evaluate_first(c->raw);
    struct sm_str message = {0};
    (void)out;
    if (t && !sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    bool ok = read_message(c, expr.n, &message, err) &&
              check_condition(c, expr, sm_str_text(&message), err);
    sm_str_clear(&message);
    return ok;
}

static const struct sm_arg assert_args[] = {
    {.name = "EXPR", .kind = SM_ARG_EXPR, .required = true},
    {.name = ", MESSAGE", .kind = SM_ARG_TEXT},
    {0},
};
const struct sm_cmd sm_cmd_assert = {
    .name = "assert",
    .cmd_class = SM_CLASS_RULES,
    .summary = "Fail with status 3 unless a condition is true",
    .help = "NaN is false. If a value is not saved, the status is 4. A tensor is true if any "
            "element is:\n"
            "use all(x > 0) to test every element.",
    .example = "assert mean(CNN_fc1.weight) < 1, the weights are too large",
    .see_also = "print, wait, rule",
    .args = assert_args,
    .flags = SM_CMD_RAW | SM_CMD_NO_REPEAT,
    .run = run_assert,
};
