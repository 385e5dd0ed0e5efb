/* SPDX-License-Identifier: Apache-2.0 */
/* echo: prints a text. */
#include "commands/language/command_line.h"
#include "commands/language/tokens.h"
#include "commands/support/support.h"

#include <ctype.h>

/* Adds a quoted word without its quotes. Returns false if more than escapes follow it. */
static bool add_quoted(struct sm_text raw, struct sm_arena *arena, struct sm_str *out)
{
    struct sm_reader r = {.p = raw.p, .n = raw.n, .arena = arena};
    if (!raw.n || (raw.p[0] != '"' && raw.p[0] != '\''))
        return false;
    bool ok = sm_reader_quoted(&r, out, NULL);
    for (size_t i = r.at; ok && i < raw.n; i++)
        ok = !isspace((unsigned char)raw.p[i]) && raw.p[i] != '"' && raw.p[i] != '\'';
    if (ok)
        sm_line_unescape(out, raw.p + r.at, raw.n - r.at);
    return ok;
}

static bool run_echo(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    (void)err;
    struct sm_str text = {0};
    if (!add_quoted(c->raw, &c->arena, &text)) {
        sm_str_truncate(&text, 0);
        sm_line_unescape(&text, c->raw.p, c->raw.n);
    }
    sm_result_piece(out, sm_str_text(&text), text.len);
    sm_str_clear(&text);
    return true;
}

static const struct sm_arg echo_args[] = {{.name = "TEXT", .kind = SM_ARG_TEXT}, {0}};
const struct sm_cmd sm_cmd_echo = {
    .name = "echo",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Print a text with C escapes, as in gdb",
    .help = "\\n ends the line; without it the next output continues the line.",
    .example = "echo step\\tloss\\n",
    .see_also = "print",
    .args = echo_args,
    .flags = SM_CMD_RAW | SM_CMD_NO_REPEAT,
    .run = run_echo,
};
