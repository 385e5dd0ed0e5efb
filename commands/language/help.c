/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/language/help.h"

#include "commands/language/command_line.h"
#include "commands/language/parameter.h"

#include <string.h>

static void add_path(struct sm_str *out, const struct sm_cmd *parent, const struct sm_cmd *cmd)
{
    sm_str_printf(out, "%s%s%s", parent ? parent->name : "", parent ? " " : "", cmd->name);
}

static void add_names(struct sm_str *out, const struct sm_cmd *parent, const struct sm_cmd *cmd)
{
    add_path(out, parent, cmd);
    for (const char *a = cmd->aliases; a && *a;) {
        size_t n = strcspn(a, " ");
        sm_str_printf(out, ", %.*s", (int)n, a);
        a += n + (a[n] == ' ');
    }
}

void sm_help_line(struct sm_str *out, const struct sm_cmd *parent, const struct sm_cmd *cmd)
{
    add_names(out, parent, cmd);
    sm_str_printf(out, " -- %s", cmd->summary);
}

/* ---- usage ---- */

static void add_arg(struct sm_str *out, const struct sm_arg *a)
{
    sm_str_addc(out, ' ');
    if (!a->required)
        sm_str_addc(out, '[');
    if (a->keyword)
        sm_str_printf(out, "%s ", a->keyword);
    sm_str_add(out, a->name);
    if (a->kind == SM_ARG_TENSOR && !a->keyword && !a->whole)
        sm_str_add(out, "[SLICE]");
    if (a->repeats)
        sm_str_add(out, "...");
    if (!a->required)
        sm_str_addc(out, ']');
}

static void add_option(struct sm_str *out, const struct sm_option *o)
{
    sm_str_printf(out, " [-%s%s%s]", o->name, o->value ? " " : "", o->value ? o->value : "");
}

void sm_help_usage(const struct sm_cmd_set *set, struct sm_str *out, const struct sm_cmd *parent,
                   const struct sm_cmd *cmd)
{
    add_path(out, parent, cmd);
    if (cmd->flags & SM_CMD_FORMAT)
        sm_str_add(out, "[/FMT]");
    if (!cmd->run && sm_cmd_subs(set, cmd))
        sm_str_add(out, " SUBCOMMAND");
    for (const struct sm_arg *a = cmd->args; a && a->name; a++)
        add_arg(out, a);
    for (const struct sm_option *o = cmd->options; o && o->name; o++)
        add_option(out, o);
}

/* ---- complete help ---- */

/* "  -bins N   number of bins", with the texts aligned. */
static void add_options(struct sm_result *r, const struct sm_cmd *cmd)
{
    size_t widest = 0;
    for (const struct sm_option *o = cmd->options; o && o->name; o++) {
        size_t n = strlen(o->name) + (o->value ? 1 + strlen(o->value) : 0);
        widest = n > widest ? n : widest;
    }
    if (widest)
        sm_result_text(r, "\nOptions:");
    for (const struct sm_option *o = cmd->options; o && o->name; o++) {
        int n = (int)(widest - strlen(o->name) - (o->value ? 1 + strlen(o->value) : 0));
        sm_result_prose(r, 0, "  -%s%s%s%*s  %s", o->name, o->value ? " " : "",
                        o->value ? o->value : "", n, "", o->help);
        for (size_t i = 0; o->words && o->words[i]; i++)
            sm_result_text(r, "   %*s  %s", (int)widest, "", o->words[i]);
    }
    if (cmd->flags & SM_CMD_LISTING)
        sm_result_text(r, "%s " SM_PRINTER_OPTIONS " -field A,B,C: formats for other programs.",
                       widest ? "" : "\nOptions:\n");
}

static void add_subcommands(const struct sm_cmd_set *set, struct sm_result *r,
                            const struct sm_cmd *cmd)
{
    const struct sm_cmd *const *subs = sm_cmd_subs(set, cmd);
    if (!subs)
        return;
    sm_result_text(r, "\nList of %s subcommands:\n", cmd->name);
    for (const struct sm_cmd *const *s = subs; *s; s++) {
        struct sm_str line = {0};
        sm_help_line(&line, cmd, *s);
        sm_result_text(r, "%s", sm_str_text(&line));
        sm_str_clear(&line);
    }
    sm_result_text(r,
                   "\nType \"help %s\" followed by %s subcommand name for full documentation.\n"
                   "Command name abbreviations are allowed if unambiguous.",
                   cmd->name, cmd->name);
}

static void add_see_also(struct sm_result *r, const char *names)
{
    if (names)
        sm_result_prose(r, strlen("See also: "), "See also: %s.", names);
}

void sm_help_command(const struct sm_cmd_set *set, struct sm_result *r, const struct sm_cmd *parent,
                     const struct sm_cmd *cmd)
{
    struct sm_str names = {0}, usage = {0};
    add_names(&names, parent, cmd);
    sm_help_usage(set, &usage, parent, cmd);
    if (cmd->aliases)
        sm_result_text(r, "%s", sm_str_text(&names));
    sm_result_text(r, "%s.", cmd->summary);
    if (cmd->run)
        sm_result_prose(r, strlen("Usage: "), "Usage: %s", sm_str_text(&usage));
    if (cmd->help)
        sm_result_prose(r, 0, "\n%s", cmd->help);
    if (cmd->run)
        add_options(r, cmd);
    if (cmd->example)
        sm_result_text(r, "\nExample: %s", cmd->example);
    add_see_also(r, cmd->see_also);
    add_subcommands(set, r, cmd);
    sm_str_clear(&names);
    sm_str_clear(&usage);
}

/* ---- as a tree ---- */

bool sm_see_also_next(const char **names, struct sm_text *name)
{
    const char *p = *names ? *names + strspn(*names, ", ") : "";
    *name = (struct sm_text){p, strcspn(p, ",")};
    *names = p + name->n;
    return name->n > 0;
}

static void add_see_also_list(struct sm_result *r, struct sm_node *map, const char *names)
{
    struct sm_node *list = sm_node_list(r, map, "see_also");
    struct sm_text name;
    while (sm_see_also_next(&names, &name))
        sm_node_textn(r, list, NULL, name.p, name.n);
}

static void add_words(struct sm_result *r, struct sm_node *map, const char *key, const char *words)
{
    struct sm_node *list = sm_node_list(r, map, key);
    for (const char *p = words; p && *p;) {
        size_t n = strcspn(p, " ");
        sm_node_textn(r, list, NULL, p, n);
        p += n + (p[n] == ' ');
    }
}

/* A list of words, or null. */
static void add_values_list(struct sm_result *r, struct sm_node *map, const char *const *words)
{
    if (!words) {
        sm_node_null(r, map, "values");
        return;
    }
    struct sm_node *list = sm_node_list(r, map, "values");
    for (size_t i = 0; words[i]; i++)
        sm_node_text(r, list, NULL, words[i]);
}

static void add_arguments(struct sm_result *r, struct sm_node *map, const struct sm_cmd *cmd)
{
    struct sm_parameters all;
    struct sm_node *list = sm_node_list(r, map, "arguments");
    sm_cmd_parameters(cmd, &all);
    for (size_t i = 0; i < all.n; i++) {
        const struct sm_parameter *p = &all.items[i];
        struct sm_node *row = sm_node_map(r, list, NULL);
        sm_node_text(r, row, "name", sm_arena_xprintf(&r->arena, "%s", p->name));
        sm_node_text(r, row, "kind", sm_arg_kind_name(p->kind));
        sm_node_text(r, row, "form", sm_parameter_form_name(p->form));
        sm_node_bool(r, row, "required", p->required);
        sm_node_bool(r, row, "repeats", p->repeats);
        add_values_list(r, row, p->words);
        sm_node_text(r, row, "default", p->initial);
        sm_node_text(r, row, "unit", p->unit);
        sm_node_text(r, row, "help", p->help);
    }
}

struct sm_node *sm_help_node(const struct sm_cmd_set *set, struct sm_result *r,
                             struct sm_node *list, const struct sm_cmd *parent,
                             const struct sm_cmd *cmd)
{
    struct sm_node *map = sm_node_map(r, list, NULL);
    struct sm_str name = {0}, usage = {0};
    add_path(&name, parent, cmd);
    sm_help_usage(set, &usage, parent, cmd);
    sm_node_text(r, map, "name", sm_str_text(&name));
    add_words(r, map, "aliases", cmd->aliases);
    sm_node_text(r, map, "class", sm_class_name(cmd->cmd_class));
    sm_node_text(r, map, "summary", cmd->summary);
    sm_node_text(r, map, "usage", sm_str_text(&usage));
    sm_node_text(r, map, "help", cmd->help);
    struct sm_node *options = sm_node_list(r, map, "options");
    for (const struct sm_option *o = cmd->options; o && o->name; o++) {
        struct sm_node *option = sm_node_map(r, options, NULL);
        sm_node_text(r, option, "name", o->name);
        sm_node_text(r, option, "value", o->value);
        sm_node_text(r, option, "help", o->help);
    }
    sm_node_text(r, map, "example", cmd->example);
    add_see_also_list(r, map, cmd->see_also);
    struct sm_node *subs = sm_node_list(r, map, "subcommands");
    for (const struct sm_cmd *const *s = sm_cmd_subs(set, cmd); s && *s; s++)
        sm_node_text(r, subs, NULL, (*s)->name);
    add_arguments(r, map, cmd);
    sm_str_clear(&name);
    sm_str_clear(&usage);
    return map;
}

/* ---- settings ---- */

static void add_values(struct sm_str *out, const struct sm_setting *row)
{
    static const char *const kinds[] = {
        [SM_SETTING_BOOL] = "on or off",
        [SM_SETTING_INT] = "an integer",
        [SM_SETTING_REAL] = "a number",
        [SM_SETTING_ENUM] = "one of",
        [SM_SETTING_SIZE] = "a size such as 256Mi",
        [SM_SETTING_DURATION] = "a time such as 500ms, 10s, 5m",
        [SM_SETTING_TEXT] = "text",
    };
    sm_str_add(out, kinds[row->type]);
    for (size_t i = 0; row->words && row->words[i]; i++)
        sm_str_printf(out, "%s%s", row->type == SM_SETTING_ENUM && !i ? " " : ", ", row->words[i]);
    if ((row->type == SM_SETTING_INT || row->type == SM_SETTING_SIZE) &&
        row->max >= SM_SETTING_UNLIMITED)
        sm_str_add(out, ", unlimited");
    if (row->unit)
        sm_str_printf(out, " (%s)", row->unit);
}

void sm_help_setting(struct sm_result *r, const struct sm_settings *s, const struct sm_setting *row)
{
    struct sm_str values = {0}, now = {0};
    add_values(&values, row);
    sm_setting_text(s, row, &now);
    sm_result_text(r, "%s.", row->help);
    sm_result_text(r, "Usage: set %s VALUE\n       show %s", row->name, row->name);
    sm_result_text(r, "\nVALUE is %s.", sm_str_text(&values));
    sm_result_text(r, "Default: %s.  Now: %s.", *row->initial ? row->initial : "empty",
                   now.len ? sm_str_text(&now) : "empty");
    sm_str_clear(&values);
    sm_str_clear(&now);
}
