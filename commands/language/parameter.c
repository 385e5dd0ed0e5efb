/* SPDX-License-Identifier: Apache-2.0 */
#include "commands/language/parameter.h"

#include "commands/language/command_line.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

const char *sm_parameter_form_name(enum sm_parameter_form f)
{
    static const char *const names[] = {
        [SM_FORM_POSITIONAL] = "positional", [SM_FORM_KEYWORD] = "keyword",
        [SM_FORM_OPTION] = "option",         [SM_FORM_SLICE] = "slice",
        [SM_FORM_FORMAT] = "format",
    };
    return names[f];
}

static const struct {
    const char *name, *help;
} kinds[] = {
    [SM_ARG_TEXT] = {"text", "text"},
    [SM_ARG_TENSOR] = {"tensor", "name of a tensor"},
    [SM_ARG_PATTERN] = {"pattern", "names of tensors: a glob, /REGEX/, +COLLECTION, ! before it "
                                   "inverts"},
    [SM_ARG_COLLECTION] = {"collection", "name of a collection"},
    [SM_ARG_STEP] = {"step", "a step: a number, first, last, +N or -N from the current step, ~N "
                             "for the nearest; where several are allowed A:B, A..B or all"},
    [SM_ARG_MODE] = {"mode", "train, eval, predict or global"},
    [SM_ARG_WORKER] = {"worker", "name of a worker"},
    [SM_ARG_NUMBER] = {"number", "a number; 0x and the suffixes k, m, g, Ki, Mi, Gi are allowed"},
    [SM_ARG_DURATION] = {"duration", "a time such as 500ms, 10s, 5m, 2h"},
    [SM_ARG_FILE] = {"file", "path of a file or directory"},
    [SM_ARG_COMMAND] = {"command", "name of a command"},
    [SM_ARG_SETTING] = {"setting", "name of a setting"},
    [SM_ARG_EXPR] = {"expression", "an expression (help expressions)"},
    [SM_ARG_RULE] = {"rule", "name of a rule"},
    [SM_ARG_RULE_PARAM] = {"rule-parameter", "parameter of the rule, NAME=VALUE"},
    [SM_ARG_INSTANCE] = {"instance", "name of an attached rule"},
    [SM_ARG_ANY_RULE] = {"any-rule", "name of an attached rule or of a rule"},
    [SM_ARG_WORD] = {"enum", "one of the values"},
    [SM_ARG_FLAG] = {"flag", "true or false"},
};

const char *sm_arg_kind_name(enum sm_arg_kind k)
{
    return kinds[k].name;
}

const char *sm_arg_kind_help(enum sm_arg_kind k)
{
    return kinds[k].help;
}

/* ---- names ---- */

/* Lower case, from the first letter or digit on, with '_' for what is between words:
 * "NAME = COMMAND" is name_command, ", MESSAGE" is message. A name without them stays ("-"). */
static void set_name(struct sm_parameter *p, const char *name)
{
    const char *from = name;
    size_t n = 0;
    while (*from && !isalnum((unsigned char)*from))
        from++;
    for (const char *c = *from ? from : name; *c && n + 1 < sizeof p->name; c++) {
        bool word = isalnum((unsigned char)*c) || !*from;
        if (word)
            p->name[n++] = (char)tolower((unsigned char)*c);
        else if (n && p->name[n - 1] != '_')
            p->name[n++] = '_';
    }
    while (*from && n && p->name[n - 1] == '_')
        n--;
    p->name[n] = 0;
}

static bool same_name(const char *a, const char *b)
{
    while (*a && (*a == *b || (*a == '_' && *b == '-')))
        a++, b++;
    return !*a && !*b;
}

const struct sm_parameter *sm_parameter_find(const struct sm_parameters *all, const char *name)
{
    for (size_t i = 0; i < all->n; i++)
        if (same_name(all->items[i].name, name))
            return &all->items[i];
    return NULL;
}

/* Whether the name is that of the value in the usage, or one of the two starts like the other. */
static bool means(const struct sm_parameter *p, const char *name)
{
    struct sm_parameter of_value = {0};
    size_t a = strlen(p->name), b = strlen(name);
    if (p->value)
        set_name(&of_value, p->value);
    return (p->value && strcasecmp(of_value.name, name) == 0) ||
           (a > 1 && b > 1 && strncasecmp(p->name, name, a < b ? a : b) == 0) ||
           (p->value && b > 2 && strncasecmp(of_value.name, name, b) == 0) ||
           (strlen(of_value.name) > 3 &&
            strncasecmp(of_value.name, name, strlen(of_value.name)) == 0);
}

const struct sm_parameter *sm_parameter_near(const struct sm_parameters *all, const char *name)
{
    const struct sm_parameter *best = NULL;
    unsigned least = strlen(name) > 3 ? 3 : 2; /* less than these */
    for (size_t i = 0; i < all->n; i++)
        if (means(&all->items[i], name))
            return &all->items[i];
    for (size_t i = 0; i < all->n; i++) {
        unsigned d = sm_edit_distance(all->items[i].name, name, least);
        if (d < least && strlen(all->items[i].name) > d) {
            least = d;
            best = &all->items[i];
        }
    }
    return best;
}

/* ---- the list ---- */

static struct sm_parameter *add(struct sm_parameters *all, const char *name)
{
    if (all->n == SM_PARAMETERS_MAX)
        return NULL;
    struct sm_parameter *p = &all->items[all->n++];
    *p = (struct sm_parameter){0};
    set_name(p, name);
    return p;
}

static void add_arg(struct sm_parameters *all, const struct sm_arg *a)
{
    struct sm_parameter *p = add(all, a->keyword ? a->keyword : a->name);
    if (!p)
        return;
    p->form = a->keyword ? SM_FORM_KEYWORD : SM_FORM_POSITIONAL;
    p->kind = a->kind;
    p->required = a->required;
    p->repeats = a->repeats;
    p->value = a->name;
    p->words = a->words;
    p->initial = a->initial;
    p->unit = a->unit;
    p->help = a->help ? a->help : sm_arg_kind_help(a->kind);
    p->arg = a;
}

static void add_options(struct sm_parameters *all, const struct sm_option *o)
{
    for (; o && o->name; o++) {
        struct sm_parameter *p = sm_parameter_find(all, o->name) ? NULL : add(all, o->name);
        if (!p)
            continue;
        p->form = SM_FORM_OPTION;
        p->kind = o->kind;
        p->value = o->value;
        p->words = o->words;
        p->initial = o->kind == SM_ARG_FLAG ? "false" : o->initial;
        p->unit = o->unit;
        p->help = o->help;
        p->option = o;
    }
}

static bool has_keyword(const struct sm_cmd *cmd, const struct sm_arg *positional)
{
    struct sm_parameter own = {0}, other = {0};
    set_name(&own, positional->name);
    for (const struct sm_arg *a = cmd->args; a && a->name; a++) {
        if (a->keyword)
            set_name(&other, a->keyword);
        if (a->keyword && strcmp(own.name, other.name) == 0)
            return true;
    }
    return false;
}

static void add_attached(struct sm_parameters *all, const char *name, enum sm_parameter_form form,
                         const char *value, const char *help)
{
    struct sm_parameter *p = add(all, name);
    if (!p)
        return;
    p->form = form;
    p->value = value;
    p->help = help;
}

void sm_cmd_parameters(const struct sm_cmd *cmd, struct sm_parameters *out)
{
    bool tensor = false;
    out->n = 0;
    for (const struct sm_arg *a = cmd->args; a && a->name; a++) {
        tensor = tensor || (a->kind == SM_ARG_TENSOR && !a->keyword);
        if (a->keyword || !has_keyword(cmd, a))
            add_arg(out, a);
    }
    if (tensor && !(cmd->flags & SM_CMD_RAW))
        add_attached(out, "slice", SM_FORM_SLICE, "[SLICE]",
                     "part of the tensor, as numpy: [0,:2]");
    if (cmd->flags & SM_CMD_FORMAT)
        add_attached(out, "format", SM_FORM_FORMAT, "FMT", "count and letters, as 20g or .6f");
    add_options(out, cmd->options);
    if (cmd->flags & SM_CMD_LISTING)
        add_options(out, sm_line_options);
}
