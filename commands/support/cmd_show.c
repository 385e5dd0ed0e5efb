/* SPDX-License-Identifier: Apache-2.0 */
/* show, history: settings, values, variables, command lines, user-defined commands. */
#include "commands/answer/shape.h"
#include "commands/answer/value_line.h"
#include "commands/run/run_state.h"
#include "commands/session/version.h"
#include "commands/support/support.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- settings ---- */

static const struct sm_column setting_columns[] = {
    {.key = "name", .header = "SETTING"},
    {.key = "value", .header = "VALUE"},
    {.key = "default", .header = "DEFAULT"},
    {.key = "help", .header = "MEANING", .wraps = true},
};

struct sm_node *sm_setting_node(struct sm_call *c, struct sm_result *out, struct sm_node *list,
                                const struct sm_setting *row)
{
    struct sm_str value = {0};
    struct sm_node *map = sm_node_map(out, list, NULL);
    sm_setting_text(&c->session->settings, row, &value);
    sm_node_text(out, map, "name", row->name);
    sm_node_text(out, map, "value", sm_str_text(&value));
    sm_node_text(out, map, "default", row->initial);
    sm_node_text(out, map, "help", row->help);
    sm_str_clear(&value);
    return map;
}

/* Settings whose names start with `group` and a blank; all settings if it is empty. */
static bool show_group(struct sm_call *c, struct sm_result *out, const char *group)
{
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    size_t n = strlen(group);
    for (size_t i = 0; i < c->session->settings.n; i++) {
        const struct sm_setting *row = sm_setting_row(&c->session->settings, i);
        if (!n || (strncmp(row->name, group, n) == 0 && row->name[n] == ' '))
            sm_setting_node(c, out, list, row);
    }
    if (!list->first)
        return false;
    sm_result_listing(out, list, setting_columns, COUNT(setting_columns));
    return true;
}

static bool show_setting(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    size_t used;
    const char **names = sm_arena_xalloc(&c->arena, (c->n_words + 1) * sizeof *names);
    for (size_t i = 0; i < c->n_words; i++)
        names[i] = c->words[i].text.p;
    if (c->n_words <= 1 && show_group(c, out, c->n_words ? names[0] : ""))
        return true;
    out->root = NULL;
    const struct sm_setting *row =
        sm_setting_find(&c->session->settings, "show", names, c->n_words, &used, err);
    if (!row)
        return false;
    if (used < c->n_words)
        return sm_err_set(err, SM_ERR_USAGE, "Too many arguments: \"%s\".", names[used]);
    out->root = sm_setting_node(c, out, NULL, row);
    out->columns = setting_columns;
    out->n_columns = COUNT(setting_columns);
    const struct sm_node *value = sm_node_get(out->root, "value");
    sm_result_text(out, "The current value of '%s' is \"%s\".", row->name,
                   sm_result_escape(out, value->text.p, value->text.n));
    return true;
}

/* ---- values ---- */

/* Returns a text in the result's arena. */
static const char *value_text(struct sm_result *out, const struct sm_value *v)
{
    struct sm_str s = {0};
    sm_value_line(&s, v, NULL);
    const char *text = sm_arena_xstrndup(&out->arena, sm_str_text(&s), s.len);
    sm_str_clear(&s);
    return text;
}

static const struct sm_column variable_columns[] = {
    {.key = "name", .header = "NAME"},
    {.key = "type", .header = "TYPE"},
    {.key = "value", .header = "VALUE"},
};

static void add_variable(struct sm_result *out, struct sm_node *list, const struct sm_variable *v)
{
    const char *text = value_text(out, &v->value);
    struct sm_node *map = sm_node_map(out, list, NULL);
    sm_node_text(out, map, "name", sm_arena_xprintf(&out->arena, "$%s", v->name));
    sm_node_text(out, map, "type", sm_value_type_name(v->value.type));
    sm_node_text(out, map, "value", text);
    sm_result_text(out, "$%s = %s", v->name, text);
}

static struct sm_node *variable_list(struct sm_result *out)
{
    out->root = sm_node_list(out, NULL, NULL);
    out->columns = variable_columns;
    out->n_columns = COUNT(variable_columns);
    return out->root;
}

static void show_convenience(struct sm_call *c, struct sm_result *out)
{
    struct sm_node *list = variable_list(out);
    for (size_t i = 0; i < c->session->variables.n; i++)
        if (!isdigit((unsigned char)c->session->variables.items[i].name[0]))
            add_variable(out, list, &c->session->variables.items[i]);
}

/* Ten of $1 $2 ...: the last, or those around N. They are stored in this order. */
static bool show_values(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_session *s = c->session;
    int64_t n = (int64_t)s->variables.n_history, first = n - 9;
    if (c->n_words > 1) {
        if (!sm_call_int(&c->words[1], 1, INT64_MAX, &n, err))
            return false;
        first = n - 5;
    }
    struct sm_node *list = variable_list(out);
    for (size_t i = 0; i < s->variables.n; i++) {
        const char *name = s->variables.items[i].name;
        long number = isdigit((unsigned char)*name) ? strtol(name, NULL, 10) : 0;
        if (number && number >= first && number < first + 10)
            add_variable(out, list, &s->variables.items[i]);
    }
    return true;
}

/* ---- lines ---- */

static const struct sm_column line_columns[] = {
    {.key = "number", .header = "NUM", .format = SM_COL_NUMBER},
    {.key = "line", .header = "LINE"},
};

static void add_lines(struct sm_call *c, struct sm_result *out, size_t most)
{
    const struct sm_session *s = c->session;
    struct sm_node *list = sm_node_list(out, NULL, NULL);
    for (size_t i = sm_run(s)->n_lines > most ? sm_run(s)->n_lines - most : 0;
         i < sm_run(s)->n_lines; i++) {
        struct sm_node *row = sm_node_map(out, list, NULL);
        sm_node_uint(out, row, "number", i + 1);
        sm_node_text(out, row, "line", sm_run(s)->lines[i]);
        sm_result_text(out, "%5zu  %s", i + 1,
                       sm_result_escape(out, sm_run(s)->lines[i], strlen(sm_run(s)->lines[i])));
    }
    out->root = list;
    out->columns = line_columns;
    out->n_columns = COUNT(line_columns);
}

/* ---- show ---- */

static bool run_show(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    if (c->n_words && c->n_words <= 2 && sm_text_is(c->words[0].text, "user"))
        return sm_show_user(c, c->n_words == 2 ? c->words[1].text : (struct sm_text){0}, out, err);
    static const char *const topics[] = {"version", "values", "convenience", "history"};
    size_t topic = COUNT(topics);
    for (size_t i = 0; c->n_words && i < COUNT(topics); i++)
        if (c->n_words <= 1 + (size_t)(i == 1) && c->words[0].text.n > 2 &&
            strncmp(topics[i], c->words[0].text.p, c->words[0].text.n) == 0)
            topic = i;
    switch (topic) {
    case 0:
        sm_node_text(out, sm_node_map(out, NULL, NULL), "version", SMDBG_VERSION);
        sm_result_text(out, "smdbg-tui " SMDBG_VERSION);
        return true;
    case 1:
        return show_values(c, out, err);
    case 2:
        show_convenience(c, out);
        return true;
    case 3:
        add_lines(c, out, 20);
        return true;
    default:
        return show_setting(c, out, err);
    }
}

static const struct sm_arg show_args[] = {{.name = "NAME", .kind = SM_ARG_SETTING, .repeats = true},
                                          {0}};
const struct sm_cmd sm_cmd_show = {
    .name = "show",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "Show settings, values, variables, history and user-defined commands",
    .help = "\"show\" lists all settings, \"show print\" those that start with \"print\", \"show "
            "version\" the version,\n"
            "\"show values\" the last ten printed values, \"show values N\" ten around $N, \"show "
            "convenience\" the variables, \"show history\" the last lines,\n"
            "\"show user\" the user-defined commands, \"show user NAME\" one of them.",
    .example = "show print precision",
    .see_also = "set, info",
    .args = show_args,
    .flags = SM_CMD_LISTING,
    .answer = "[{name:text,value:text,default:text?,help:text}]|{name:text,value:text,default:text?"
              ",help:text}|[{name:text,type:text,value:text}]|[{name:text,summary:text,lines:text}]"
              "|[{number:int,line:text}]|{version:text}",
    .run = run_show,
};

/* ---- history ---- */

static bool run_history(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    int64_t most = 10;
    if (c->n_words && !sm_call_int(&c->words[0], 1, INT64_MAX, &most, err))
        return false;
    add_lines(c, out, (size_t)most);
    return true;
}

static const struct sm_arg history_args[] = {{.name = "N", .kind = SM_ARG_NUMBER}, {0}};
const struct sm_cmd sm_cmd_history = {
    .name = "history",
    .cmd_class = SM_CLASS_SUPPORT,
    .summary = "List the last command lines (10, N or \"unlimited\")",
    .example = "history 20",
    .see_also = "show",
    .args = history_args,
    .flags = SM_CMD_LISTING,
    .answer = "[{number:int,line:text}]",
    .run = run_history,
};
