/* SPDX-License-Identifier: Apache-2.0 */
/* printf: print values with a format. */
#include "commands/values/printf_text.h"
#include "commands/values/values.h"

static bool run_printf(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_str text = {0};
    bool ok = sm_printf_text(c, &text, err);
    if (ok)
        sm_result_piece(out, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return ok;
}

const struct sm_cmd sm_cmd_printf = {
    .name = "printf",
    .cmd_class = SM_CLASS_DATA,
    .summary = "Print values with a format, as printf in C",
    .help = "The format is in double quotes, with the escapes of C; %d %u %x %o %c need integers, "
            "%f %e %g any number, %s any value.\n"
            "No newline is added: write \\n.",
    .example = "printf \"mean %.4f at step %d\\n\", mean(CNN_fc1.weight), $_step",
    .see_also = "echo, output, print",
    .args = sm_printf_args,
    .flags = SM_CMD_RAW | SM_CMD_NO_REPEAT,
    .run = run_printf,
};
