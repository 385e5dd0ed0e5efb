/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the options of a command line. */
#include "commands/language/tokens.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define OPTION_ROW(id, option, text, function) {.name = option, .kind = SM_ARG_FLAG, .help = text},
const struct sm_option sm_line_options[] = {
    {.name = "help", .kind = SM_ARG_FLAG, .help = "show this help"},
    SM_PRINTERS(OPTION_ROW){.name = "field",
                            .kind = SM_ARG_TEXT,
                            .value = "A,B,C",
                            .help = "only these fields, in this order"},
    {0},
};

/* Counts the options that start with p[0..n), appends their names to `all`, and sets *found to the
 * last one. */
static unsigned match_options(const struct sm_option *list, const char *p, size_t n,
                              struct sm_str *all, const struct sm_option **found)
{
    unsigned matches = 0;
    for (const struct sm_option *o = list; o && o->name; o++) {
        if (strncmp(o->name, p, n) != 0)
            continue;
        sm_str_printf(all, "%s-%s", matches++ ? ", " : "", o->name);
        *found = o;
    }
    return matches;
}

/* Finds an option: by exact name, by prefix in the command, then by prefix in the options of all
 * listings. */
static const struct sm_option *find_option(const struct sm_cmd *cmd, const char *p, size_t n,
                                           struct sm_err *err)
{
    const struct sm_option *found = sm_reader_option(cmd, p, n);
    struct sm_str all = {0};
    unsigned matches = 0;
    if (found)
        return found;
    matches = match_options(cmd->options, p, n, &all, &found);
    if (!matches && (cmd->flags & SM_CMD_LISTING))
        matches = match_options(sm_line_options, p, n, &all, &found);
    if (matches > 1) {
        sm_err_set(err, SM_ERR_USAGE, "Ambiguous option \"-%.*s\": %s.", (int)n, p,
                   sm_str_text(&all));
        sm_err_kind(err, SM_ERR_IS_AMBIGUOUS);
    } else if (!matches) {
        sm_err_set(err, SM_ERR_USAGE, "Undefined option \"-%.*s\".  Try \"help %s\".", (int)n, p,
                   cmd->name);
    }
    sm_str_clear(&all);
    return matches == 1 ? found : NULL;
}

static void set_listing_option(const struct sm_option *o, const struct sm_word *value,
                               struct sm_line *out)
{
    size_t i = (size_t)(o - sm_line_options);
    if (i == 0)
        out->help = true;
    else if (i < SM_OUTPUT_SVG)
        out->output = (enum sm_output)i;
    else
        out->fields = value->text.p;
}

static bool read_option_value(struct sm_reader *r, const struct sm_option *o, struct sm_word *w,
                              struct sm_err *err)
{
    sm_reader_skip(r);
    if (r->at == r->n)
        return sm_err_set(err, SM_ERR_USAGE, "Option \"-%s\" requires a value (%s).", o->name,
                          o->value ? o->value : "VALUE");
    return sm_reader_value(r, o->kind, false, w, err) &&
           (o->kind != SM_ARG_WORD || sm_reader_one_of(o->words, o->name, w, err));
}

bool sm_reader_read_option(struct sm_reader *r, struct sm_line *out, struct sm_err *err)
{
    size_t start = r->at, name = start + 1 + (r->p[start + 1] == '-'), end = name;
    while (end < r->n && !sm_reader_blank(r->p[end]) && r->p[end] != '=')
        end++;
    const struct sm_option *o = find_option(r->cmd, r->p + name, end - name, err);
    if (!o)
        return false;
    struct sm_word value = {.text = sm_reader_keep(r->arena, r->p + name, end - name),
                            .column = start + 1};
    bool attached = end < r->n && r->p[end] == '=';
    if (attached && o->kind == SM_ARG_FLAG)
        return sm_err_set(err, SM_ERR_USAGE, "Option \"-%s\" does not accept a value.", o->name);
    r->at = end + attached;
    if (o->kind != SM_ARG_FLAG && !read_option_value(r, o, &value, err))
        return false;
    bool listing = o >= sm_line_options &&
                   o < sm_line_options + sizeof sm_line_options / sizeof *sm_line_options;
    if (listing)
        set_listing_option(o, &value, out);
    else
        out->option_values[o - r->cmd->options] = sm_reader_new_word(r, value);
    return true;
}

bool sm_reader_at_option(const struct sm_reader *r)
{
    static const char *const numbers[] = {"-inf", "-infinity", "-nan"};
    size_t end = r->at, name = r->at + 1;
    if (r->literal || r->p[r->at] != '-')
        return false;
    while (end < r->n && !sm_reader_blank(r->p[end]))
        end++;
    if (name < end && r->p[name] == '-')
        name++;
    if (name == end)
        return false;
    if (sm_reader_option(r->cmd, r->p + name, end - name))
        return true;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strlen(numbers[i]) == end - r->at &&
            strncasecmp(numbers[i], r->p + r->at, end - r->at) == 0)
            return false;
    return isalpha((unsigned char)r->p[name]);
}
