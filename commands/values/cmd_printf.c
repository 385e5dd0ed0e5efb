/* printf: print values with a format. */
#include "commands/place/evaluate.h"
#include "commands/place/printf_format.h"
#include "commands/run/exec.h"
#include "commands/values/values.h"

static bool value(void *ctx, struct sm_text expr, struct sm_value *out, struct sm_err *err)
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
    return c->state && make(c->state, value, c, text, err);
}

static bool run_printf(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_str text = {0};
    bool ok = make_text(c, sm_printf_format_make, &text, err);
    if (ok)
        sm_result_piece(out, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return ok;
}

static const struct sm_arg printf_args[] = {
    {.name = "FORMAT", .kind = SM_ARG_TEXT, .required = true},
    {.name = ", EXPR", .kind = SM_ARG_EXPR, .repeats = true},
    {0},
};
const struct sm_cmd sm_cmd_printf = {
    .name = "printf",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Print values with a format, as printf in C",
    .help = "The format is in double quotes, with the escapes of C; %d %u %x %o %c need integers, "
            "%f %e %g any number, %s any value.\n"
            "No newline is added: write \\n.",
    .example = "printf \"mean %.4f at step %d\\n\", mean(CNN_fc1.weight), $_step",
    .see_also = "echo output print",
    .args = printf_args,
    .flags = SM_CMD_RAW | SM_CMD_NO_REPEAT,
    .run = run_printf,
};

/* ---- eval ---- */

static bool run_eval(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_str text = {0};
    (void)out;
    bool ok = make_text(c, sm_printf_format_line, &text, err);
    if (ok)
        sm_exec_next(c->exec, sm_str_text(&text));
    sm_str_clear(&text);
    return ok;
}

const struct sm_cmd sm_cmd_eval = {
    .name = "eval",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Format a command line as printf does, and run it",
    .help = "For names and steps that are not known before the script runs.",
    .example = "eval \"tensor CNN_fc1.weight step %d -s\", $_step",
    .see_also = "printf define",
    .args = printf_args,
    .flags = SM_CMD_RAW | SM_CMD_NO_REPEAT,
    .run = run_eval,
};
