/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/values/printf_text.h"

#include "commands/place/evaluate.h"
#include "commands/place/printf_format.h"

const struct sm_arg sm_printf_args[] = {
    {.name = "FORMAT", .kind = SM_ARG_TEXT, .required = true},
    {.name = ", EXPR", .kind = SM_ARG_EXPR, .repeats = true},
    {0},
};

static bool evaluate_value(void *ctx, struct sm_text expr, struct sm_value *out, struct sm_err *err)
{
    return sm_evaluate(ctx, expr, out, err);
}

typedef bool make_fn(struct sm_printf_format *p, sm_printf_format_value *value, void *ctx,
                     struct sm_str *out, struct sm_err *err);

static bool make_text(struct sm_call *c, make_fn *make, struct sm_str *text, struct sm_err *err)
{
    const struct sm_trial *t = sm_session_trial(c->session);
    if (t && !sm_trial_scanned(t))
        return sm_err_set(err, SM_ERR_WAIT, "reading the index");
    c->state = c->state ? c->state : sm_printf_format_new(&c->arena, c->raw, c->cmd->name, err);
    return c->state && make(c->state, evaluate_value, c, text, err);
}

bool sm_printf_text(struct sm_call *c, struct sm_str *out, struct sm_err *err)
{
    return make_text(c, sm_printf_format_make, out, err);
}

bool sm_printf_text_line(struct sm_call *c, struct sm_str *out, struct sm_err *err)
{
    return make_text(c, sm_printf_format_line, out, err);
}
