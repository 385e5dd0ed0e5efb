/* SPDX-License-Identifier: Apache-2.0 */
/* alias: a short name for the start of a line. */
#include "commands/language/language.h"
#include "commands/language/tokens.h"
#include "commands/language/user.h"
#include "commands/support/support.h"

#include <string.h>

/* Expands an alias at the start of the line now, so that aliases cannot be circular. */
static bool expand_line(struct sm_call *c, struct sm_str *line, struct sm_err *err)
{
    struct sm_text expansion;
    size_t taken, end;
    if (sm_users_expand(sm_users(c->session), sm_str_text(line), &expansion, &taken)) {
        struct sm_str expanded = {0};
        sm_str_printf(&expanded, "%s%s", expansion.p, sm_str_text(line) + taken);
        sm_str_clear(line);
        *line = expanded;
    }
    end = strcspn(sm_str_text(line), " \t/");
    const struct sm_cmd *cmd =
        sm_cmd_find(sm_commands(c->session), NULL, sm_str_text(line), end, err);
    if (!cmd)
        return false;
    if (cmd->flags & (SM_CMD_BODY | SM_CMD_TEXT))
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" has a body: it cannot have an alias.",
                          cmd->name);
    return true;
}

static bool run_alias(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const char *equals = strchr(c->raw.p, '=');
    (void)out;
    if (!equals)
        return sm_err_set(err, SM_ERR_USAGE, "Usage: alias [-a] NAME = COMMAND");
    struct sm_text name = sm_reader_trim(c->raw.p, (size_t)(equals - c->raw.p)),
                   rest = sm_reader_trim(equals + 1, strlen(equals + 1));
    struct sm_str line = {0};
    const struct sm_user *old = sm_users_find(sm_users(c->session), name.p, name.n);
    if (old && old->body)
        return sm_err_set(err, SM_ERR_USAGE, "\"%s\" is a user-defined command.", old->name);
    sm_str_addn(&line, rest.p, rest.n);
    bool ok = sm_users_check_name(sm_users(c->session), name.p, name.n, err) &&
              expand_line(c, &line, err);
    if (ok)
        sm_users_alias(sm_users(c->session), name.p, name.n, sm_str_text(&line),
                       sm_call_flag(c, "a"));
    sm_str_clear(&line);
    return ok;
}

static const struct sm_arg alias_args[] = {
    {.name = "NAME = COMMAND", .kind = SM_ARG_TEXT, .required = true}, {0}};
static const struct sm_option alias_options[] = {
    {.name = "a", .kind = SM_ARG_FLAG, .help = "an abbreviation: not offered by completion"},
    {0},
};
const struct sm_cmd sm_cmd_alias = {
    .name = "alias",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Define a short name for the start of a command line",
    .help = "Extra words are appended to the alias. \"help aliases\" lists the aliases.",
    .example = "alias means = stat -field name,mean",
    .see_also = "define, with",
    .args = alias_args,
    .options = alias_options,
    .flags = SM_CMD_RAW | SM_CMD_LINE | SM_CMD_NO_REPEAT,
    .run = run_alias,
};
