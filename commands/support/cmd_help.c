/* SPDX-License-Identifier: Apache-2.0 */
/* help, apropos. */
#include "commands/answer/shape.h"
#include "commands/judge/describe_rule.h"
#include "commands/judge/judge.h"
#include "commands/judge/session_rules.h"
#include "commands/language/command_line.h"
#include "commands/language/help.h"
#include "commands/language/language.h"
#include "commands/language/user.h"
#include "commands/support/support.h"
#include "commands/support/topic.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static int by_name(const void *a, const void *b)
{
    const struct sm_cmd *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

/* All commands, or those of a class, in alphabetical order. NULL-terminated, in the call's arena.
 */
static const struct sm_cmd **sorted_commands(struct sm_call *c, enum sm_class cmd_class)
{
    const struct sm_users *users = sm_users(c->session);
    const struct sm_cmd *const *all = sm_commands(c->session)->top;
    size_t n = 0, kept = 0;
    while (all[n])
        n++;
    const struct sm_cmd **list = sm_arena_xalloc(&c->arena, (n + users->n + 1) * sizeof *list);
    for (size_t i = 0; i < n + users->n; i++) {
        const struct sm_cmd *cmd = i < n ? all[i] : &users->items[i - n]->cmd;
        if (cmd_class == SM_CLASS_COUNT || cmd->cmd_class == cmd_class)
            list[kept++] = cmd;
    }
    qsort(list, kept, sizeof *list, by_name);
    return list;
}

static void add_summary_line(struct sm_result *out, const struct sm_cmd *parent,
                             const struct sm_cmd *cmd)
{
    struct sm_str line = {0};
    sm_help_line(&line, parent, cmd);
    sm_result_text(out, "%s", sm_str_text(&line));
    sm_str_clear(&line);
}

static const struct sm_column help_columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "aliases", .header = "ALIASES", .format = SM_COL_LIST},
    {.key = "class", .header = "CLASS"},
    {.key = "summary", .header = "SUMMARY"},
    {.key = "usage", .header = "USAGE", .hidden = true},
};

static void add_nodes(struct sm_call *c, struct sm_result *out, const struct sm_cmd *const *list)
{
    struct sm_node *root = sm_node_list(out, NULL, NULL);
    for (; *list; list++) {
        sm_help_node(sm_commands(c->session), out, root, NULL, *list);
        for (const struct sm_cmd *const *s = sm_cmd_subs(sm_commands(c->session), *list); s && *s;
             s++)
            sm_help_node(sm_commands(c->session), out, root, *list, *s);
    }
    out->root = root;
    out->columns = help_columns;
    out->n_columns = COUNT(help_columns);
}

/* ---- help without a topic ---- */

static void list_classes(struct sm_call *c, struct sm_result *out)
{
    sm_result_text(out, "List of classes of commands:\n");
    for (int i = 0; i < SM_CLASS_COUNT; i++) {
        if (*sorted_commands(c, (enum sm_class)i))
            sm_result_text(out, "%s -- %s", sm_class_name((enum sm_class)i),
                           sm_class_help((enum sm_class)i));
    }
    sm_result_text(
        out, "\nType \"help\" followed by a class name for a list of commands in that class.\n"
             "Type \"help all\" for the list of all commands.\n"
             "Type \"help\" followed by command name for full documentation.\n"
             "Type \"help steps\", \"help patterns\", \"help slices\", \"help expressions\"\n"
             "or \"help scripts\" for their syntax.\n"
             "Type \"apropos word\" to search for commands related to \"word\".\n"
             "Type \"apropos -v word\" for full documentation of commands related to \"word\".\n"
             "Command name abbreviations are allowed if unambiguous.");
}

static void list_class(struct sm_call *c, struct sm_result *out, enum sm_class cmd_class)
{
    const struct sm_cmd **list = sorted_commands(c, cmd_class);
    sm_result_text(out, "%s.\n\nList of commands:\n", sm_class_help(cmd_class));
    for (const struct sm_cmd *const *x = list; *x; x++)
        add_summary_line(out, NULL, *x);
    sm_result_text(out, "\nType \"help\" followed by command name for full documentation.\n"
                        "Command name abbreviations are allowed if unambiguous.");
    add_nodes(c, out, list);
}

static void list_all(struct sm_call *c, struct sm_result *out)
{
    for (int i = 0; i < SM_CLASS_COUNT; i++) {
        const struct sm_cmd **list = sorted_commands(c, (enum sm_class)i);
        if (*list)
            sm_result_text(out, "%sCommand class: %s\n", i ? "\n" : "",
                           sm_class_name((enum sm_class)i));
        for (const struct sm_cmd *const *x = list; *x; x++) {
            add_summary_line(out, NULL, *x);
            for (const struct sm_cmd *const *s = sm_cmd_subs(sm_commands(c->session), *x); s && *s;
                 s++)
                add_summary_line(out, *x, *s);
        }
    }
    add_nodes(c, out, sorted_commands(c, SM_CLASS_COUNT));
}

/* ---- help with a topic ---- */

static const struct sm_column function_columns[] = {
    {.key = "name", .header = "FUNCTION"},
    {.key = "args", .header = "ARGUMENTS"},
    {.key = "help", .header = "RESULT", .wraps = true},
};

static void list_functions(struct sm_result *out)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = 0; i < sm_expr_func_count(); i++) {
        const struct sm_expr_func *f = sm_expr_func(i);
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_text(out, row, "name", f->name);
        sm_node_text(out, row, "args", f->args);
        sm_node_text(out, row, "help", f->help);
    }
    sm_result_listing(out, list, function_columns, COUNT(function_columns));
}

static void help_topic(struct sm_result *out, const struct sm_topic *t)
{
    sm_result_prose(out, 0, "%s.\n\n%s%s", t->summary, t->text, t->functions ? "\n" : "");
    if (t->functions) {
        list_functions(out);
        return;
    }
    struct sm_node *map = sm_node_map(out, NULL, NULL);
    sm_node_text(out, map, "name", t->name);
    sm_node_text(out, map, "summary", t->summary);
    sm_node_text(out, map, "help", t->text);
}

/* "help set print elements", "help show width". */
static bool help_setting(struct sm_call *c, struct sm_result *out, const char *verb,
                         struct sm_err *err)
{
    size_t used, n = c->n_words - 1;
    const char **words = sm_arena_xalloc(&c->arena, (n + 1) * sizeof *words);
    for (size_t i = 0; i < n; i++)
        words[i] = c->words[i + 1].text.p;
    const struct sm_setting *row =
        sm_setting_find(&c->session->settings, verb, words, n, &used, err);
    if (!row)
        return false;
    sm_help_setting(out, &c->session->settings, row);
    sm_setting_node(c, out, NULL, row);
    return true;
}

static int find_class(struct sm_text word)
{
    for (int i = 0; i < SM_CLASS_COUNT; i++)
        if (sm_text_is(word, sm_class_name((enum sm_class)i)))
            return i;
    return -1;
}

static bool help_command(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_cmd *parent = NULL, *cmd = NULL;
    for (size_t i = 0; i < c->n_words; i++) {
        if (i && !sm_cmd_subs(sm_commands(c->session), cmd))
            return sm_err_set(err, SM_ERR_USAGE, "\"%s\" has no subcommands.", cmd->name);
        parent = cmd;
        cmd = sm_cmd_find(sm_commands(c->session), parent, c->words[i].text.p, c->words[i].text.n,
                          err);
        if (!cmd)
            return false;
        if (c->n_words == 2 && cmd == &sm_cmd_rule &&
            sm_session_rules_find(c->session, c->words[1].text.p)) {
            const struct sm_rule *rule = sm_session_rules_find(c->session, c->words[1].text.p);
            sm_describe_rule(out, rule);
            sm_describe_rule_row(out, NULL, rule);
            return true;
        }
        if (c->n_words > 1 && i == 0 && (cmd == &sm_cmd_set || cmd == &sm_cmd_show))
            return help_setting(c, out, cmd->name, err);
    }
    sm_help_command(sm_commands(c->session), out, parent, cmd);
    out->root = sm_help_node(sm_commands(c->session), out, NULL, parent, cmd);
    return true;
}

static bool run_help(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct sm_text first = c->n_words ? c->words[0].text : (struct sm_text){0};
    int cmd_class = c->n_words == 1 ? find_class(first) : -1;
    if (!c->n_words) {
        list_classes(c, out);
        add_nodes(c, out, sorted_commands(c, SM_CLASS_COUNT));
    } else if (cmd_class >= 0) {
        list_class(c, out, (enum sm_class)cmd_class);
    } else if (c->n_words == 1 && sm_text_is(first, "all")) {
        list_all(c, out);
    } else if (c->n_words == 1 && sm_topic_find(first)) {
        help_topic(out, sm_topic_find(first));
    } else {
        return help_command(c, out, err);
    }
    return true;
}

static const struct sm_arg help_args[] = {
    {.name = "COMMAND", .kind = SM_ARG_COMMAND, .repeats = true}, {0}};
const struct sm_cmd sm_cmd_help = {
    .name = "help",
    .aliases = "h",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "List the commands, or print the documentation of a command",
    .help =
        "\"help\" lists the classes, \"help CLASS\" the commands of one, \"help all\" everything,\n"
        "\"help set NAME\" describes a setting; \"help steps\", \"help patterns\", \"help "
        "slices\", \"help expressions\" and\n"
        "\"help scripts\" describe the syntax.",
    .example = "help tensor",
    .see_also = "apropos",
    .args = help_args,
    .flags = SM_CMD_LISTING | SM_CMD_READ_ONLY,
    .answer =
        "[" SM_SHAPE_HELP "]|" SM_SHAPE_HELP
        "|[{name:text,args:text,help:text}]|{name:text,summary:text,help:text}|" SM_SHAPE_SETTING
        "|" SM_SHAPE_RULE,
    .run = run_help,
};

/* ---- apropos ---- */

struct search {
    pcre2_code *code;
    pcre2_match_data *match;
};

static bool is_match(const struct search *s, const char *text)
{
    return text && pcre2_match(s->code, (PCRE2_SPTR)text, strlen(text), 0, 0, s->match, NULL) >= 0;
}

static void search_command(struct sm_call *c, const struct search *s, struct sm_result *out,
                           struct sm_node *list, const struct sm_cmd *parent,
                           const struct sm_cmd *cmd)
{
    struct sm_str names = {0};
    sm_help_line(&names, parent, cmd);
    if (is_match(s, sm_str_text(&names)) || is_match(s, cmd->help)) {
        sm_help_node(sm_commands(c->session), out, list, parent, cmd);
        sm_result_text(out, "%s%s", sm_call_flag(c, "v") && list->first != list->last ? "\n" : "",
                       sm_str_text(&names));
        if (sm_call_flag(c, "v"))
            sm_help_command(sm_commands(c->session), out, parent, cmd);
    }
    sm_str_clear(&names);
    for (const struct sm_cmd *const *sub = sm_cmd_subs(sm_commands(c->session), cmd); sub && *sub;
         sub++)
        search_command(c, s, out, list, cmd, *sub);
}

static void search_settings(const struct sm_settings *all, const struct search *s,
                            struct sm_result *out, struct sm_node *list)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct sm_setting *row = sm_setting_row(all, i);
        if (!is_match(s, row->name) && !is_match(s, row->help))
            continue;
        struct sm_node *map = sm_node_map(out, list, NULL);
        sm_node_text(out, map, "name", sm_arena_xprintf(&out->arena, "set %s", row->name));
        sm_node_text(out, map, "summary", row->help);
        sm_result_text(out, "set %s -- %s", row->name, row->help);
    }
}

static bool run_apropos(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    struct search s;
    int code;
    PCRE2_SIZE at;
    struct sm_text re = c->raw;
    s.code = pcre2_compile((PCRE2_SPTR)re.p, re.n, PCRE2_CASELESS, &code, &at, NULL);
    if (!s.code)
        return sm_err_set(err, SM_ERR_USAGE, "Invalid regular expression \"%s\" at character %zu.",
                          re.p, (size_t)at + 1);
    s.match = pcre2_match_data_create_from_pattern(s.code, NULL);
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (const struct sm_cmd *const *x = sorted_commands(c, SM_CLASS_COUNT); *x; x++)
        search_command(c, &s, out, list, NULL, *x);
    search_settings(&c->session->settings, &s, out, list);
    out->columns = help_columns;
    out->n_columns = COUNT(help_columns);
    pcre2_match_data_free(s.match);
    pcre2_code_free(s.code);
    return true;
}

static const struct sm_arg apropos_args[] = {
    {.name = "REGEX", .kind = SM_ARG_TEXT, .required = true}, {0}};
static const struct sm_option apropos_options[] = {
    {.name = "v", .kind = SM_ARG_FLAG, .help = "the full documentation of each"},
    {0},
};
const struct sm_cmd sm_cmd_apropos = {
    .name = "apropos",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Search commands and settings for a regular expression",
    .example = "apropos histogram",
    .see_also = "help",
    .args = apropos_args,
    .options = apropos_options,
    .flags = SM_CMD_LISTING | SM_CMD_RAW | SM_CMD_READ_ONLY,
    .answer = "[" SM_SHAPE_HELP "|{name:text,summary:text}]",
    .run = run_apropos,
};
