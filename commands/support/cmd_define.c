/* SPDX-License-Identifier: Apache-2.0 */
/* define, document, show user: user-defined commands. */
#include "commands/language/command_line.h"
#include "commands/language/language.h"
#include "commands/language/user.h"
#include "commands/run/exec.h"
#include "commands/support/support.h"

#include <string.h>

/* ---- hooks ---- */

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* "hook-step" needs a command "step"; "hook-stop" runs at each stop. */
static bool check_hook(const struct sm_cmd_set *set, const char *name, struct sm_err *err)
{
    const char *of = begins_with(name, "hook-")       ? name + 5
                     : begins_with(name, "hookpost-") ? name + 9
                                                      : NULL;
    if (!of || strcmp(of, "stop") == 0)
        return true;
    const struct sm_cmd *cmd = sm_cmd_find(set, NULL, of, strlen(of), NULL);
    if (!cmd)
        return sm_err_set(err, SM_ERR_USAGE, "There is no command \"%s\" to hook.", of);
    if (strcmp(cmd->name, of) != 0)
        return sm_err_set(err, SM_ERR_USAGE, "A hook needs the full name: \"%.*s%s\".",
                          (int)(of - name), name, cmd->name);
    return true;
}

/* ---- define ---- */

static bool run_define(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_text name = c->words[0].text;
    if (!sm_users_check_name(sm_users(c->session), name.p, name.n, err) ||
        !check_hook(sm_commands(c->session), name.p, err))
        return false;
    if (c->body)
        sm_users_define(sm_users(c->session), name.p, name.n, c->body);
    else
        sm_result_text(
            out, "Type commands for definition of \"%s\".\nEnd with a line saying just \"end\".",
            name.p);
    return true;
}

static const struct sm_arg define_args[] = {{.name = "NAME", .kind = SM_ARG_TEXT, .required = true},
                                            {0}};
const struct sm_cmd sm_cmd_define = {
    .name = "define",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Define a command from the lines up to \"end\"",
    .help = "$argc is the number of arguments; $arg0, $arg1 ... are replaced by the arguments as "
            "they were typed. A built-in command\n"
            "cannot be redefined, but hook-NAME runs before it, hookpost-NAME after it, and "
            "hook-stop before each stop is shown.",
    .example = "define means",
    .see_also = "document, if, while, source, show",
    .args = define_args,
    .flags = SM_CMD_NO_REPEAT | SM_CMD_BODY | SM_CMD_CHECK_FIRST,
    .run = run_define,
};

/* ---- document ---- */

static bool run_document(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_text name = c->words[0].text;
    struct sm_user *x = sm_users_find(sm_users(c->session), name.p, name.n);
    struct sm_str text = {0};
    if (!x || !x->body)
        return sm_err_set(err, SM_ERR_USAGE, "There is no user-defined command \"%s\".", name.p);
    if (!c->body) {
        sm_result_text(out, "Type documentation for \"%s\".\nEnd with a line saying just \"end\".",
                       name.p);
        return true;
    }
    for (size_t i = 0; i < c->body->n; i++)
        sm_str_printf(&text, "%s%s", i ? "\n" : "", c->body->items[i].text);
    sm_user_document(x, sm_str_text(&text));
    sm_str_clear(&text);
    return true;
}

const struct sm_cmd sm_cmd_document = {
    .name = "document",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Set the help of a user-defined command to the lines up to \"end\"",
    .help = "Lists of commands show the first line.",
    .example = "document means",
    .see_also = "define, help",
    .args = define_args,
    .flags = SM_CMD_NO_REPEAT | SM_CMD_TEXT | SM_CMD_CHECK_FIRST,
    .run = run_document,
};

/* ---- running ---- */

/* The arguments as they were typed, with their quotes, because they are inserted into lines. */
static bool split_arguments(struct sm_call *c, struct sm_text **args, size_t *n, struct sm_err *err)
{
    size_t at = 0;
    struct sm_err e = {0};
    struct sm_word w;
    *args = sm_arena_xalloc(&c->arena, (c->raw.n / 2 + 2) * sizeof **args);
    for (*n = 0; sm_line_word(c->raw.p, c->raw.n, &at, &c->arena, &w, &e); ++*n)
        (*args)[*n] = (struct sm_text){c->raw.p + w.column - 1, at - (w.column - 1)};
    return e.code == SM_OK || sm_err_set(err, e.code, "%s", e.msg);
}

bool sm_user_run(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_user *x =
        sm_users_find(sm_users(c->session), c->cmd->name, strlen(c->cmd->name));
    struct sm_text *args;
    size_t n;
    (void)out;
    return split_arguments(c, &args, &n, err) && sm_exec_user(c->exec, x, args, n, err);
}

/* ---- show user ---- */

/* Control characters are escaped, line by line. */
static const char *escape_lines(struct sm_result *out, const struct sm_str *text)
{
    struct sm_str s = {0};
    for (const char *p = sm_str_text(text); *p;) {
        size_t n = strcspn(p, "\n");
        sm_str_add_escaped(&s, p, n);
        sm_str_addc(&s, '\n');
        p += n + (p[n] == '\n');
    }
    const char *copy = sm_arena_xstrndup(&out->arena, sm_str_text(&s), s.len);
    sm_str_clear(&s);
    return copy;
}

static void show_definition(const struct sm_user *x, struct sm_result *out, struct sm_node *list)
{
    struct sm_str text = {0};
    struct sm_node *map = sm_node_map(out, list, NULL);
    sm_body_text(x->body, 1, &text);
    sm_result_text(out, "User command \"%s\":\n%s", x->name, escape_lines(out, &text));
    sm_str_truncate(&text, 0);
    sm_body_text(x->body, 0, &text);
    sm_node_text(out, map, "name", x->name);
    sm_node_text(out, map, "summary", x->summary);
    sm_node_textn(out, map, "lines", sm_str_text(&text), text.len);
    sm_str_clear(&text);
}

static const struct sm_column user_columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "summary", .header = "SUMMARY"},
    {.key = "lines", .header = "LINES"},
};

bool sm_show_user(struct sm_call *c, struct sm_text name, struct sm_result *out, struct sm_err *err)
{
    const struct sm_users *u = sm_users(c->session);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < u->n; i++)
        if (u->items[i]->body && (!name.n || sm_text_is(name, u->items[i]->name)))
            show_definition(u->items[i], out, list);
    if (name.n && !list->first)
        return sm_err_set(err, SM_ERR_USAGE, "There is no user-defined command \"%s\".", name.p);
    out->root = list;
    out->columns = user_columns;
    out->n_columns = sizeof user_columns / sizeof *user_columns;
    return true;
}
