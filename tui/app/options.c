/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/app/option_list.h"

#include "reader/base/mem.h"
#include "reader/demo/faults.h"

#include <stddef.h>
#include <string.h>

const struct sm_option_row sm_option_table[] = {
#define OPTION_ROW(id, names, value, help) {names, value, help},
    OPTIONS(OPTION_ROW)
#undef OPTION_ROW
        {0},
};

/* ---- finding ---- */

/* 2 for one of the row's names, 1 for a prefix of a name, else 0. `name` is without dashes. */
static int match_row(const struct sm_option_row *row, const char *name, size_t n)
{
    int best = 0;
    for (const char *p = row->names; *p; p += strspn(p, " ")) {
        size_t whole = strcspn(p, " "), dashes = strspn(p, "-");
        if (whole - dashes >= n && strncmp(p + dashes, name, n) == 0)
            best = whole - dashes == n ? 2 : best ? best : 1;
        p += whole;
    }
    return best;
}

static const char *longest_name(const struct sm_option_row *row)
{
    const char *blank = strrchr(row->names, ' ');
    return blank ? blank + 1 : row->names;
}

/* `arg` is "--name=value", as typed. */
static bool find_option(const char *arg, const char *name, size_t n, enum option *out,
                        struct sm_err *err)
{
    struct sm_str several = {0};
    int shown = (int)(name - arg + (ptrdiff_t)(n < 100 ? n : 100));
    size_t matches = 0;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        int how = match_row(&sm_option_table[i], name, n);
        if (how)
            *out = (enum option)i;
        if (how == 2) {
            matches = 1;
            break;
        }
        if (how)
            sm_str_printf(&several, "%s%s", matches++ ? ", " : "",
                          longest_name(&sm_option_table[i]));
    }
    if (!matches)
        sm_err_set(err, SM_ERR_USAGE, "unknown option %.*s", shown, arg);
    else if (matches > 1)
        sm_err_set(err, SM_ERR_USAGE, "ambiguous option %.*s: %s", shown, arg,
                   sm_str_text(&several));
    sm_str_clear(&several);
    return matches == 1;
}

/* A value in brackets may be missing: if the next argument is an option, or there is none. */
static const char *optional_value(struct sm_option_parse *p)
{
    bool there = p->at < p->argc && p->argv[p->at][0] != '-';
    return there ? p->argv[p->at++] : "";
}

/* "-name", "--name", "-name=value", "-name value". */
static bool parse_option(struct sm_option_parse *p, const char *arg)
{
    const char *name = arg + (arg[1] == '-' ? 2 : 1), *equals = strchr(name, '='),
               *value = equals ? equals + 1 : NULL;
    enum option option = OPTION_COUNT;
    if (!find_option(arg, name, equals ? (size_t)(equals - name) : strlen(name), &option, p->err))
        return false;
    if (!sm_option_table[option].value) {
        if (value)
            return sm_err_set(p->err, SM_ERR_USAGE, "%.*s takes no value", (int)(equals - arg),
                              arg);
        sm_option_set_flag(p->out, option);
        return true;
    }
    if (!value && sm_option_table[option].value[0] == '[')
        value = optional_value(p);
    if (!value && p->at >= p->argc)
        return sm_err_set(p->err, SM_ERR_USAGE, "%s requires a value: %s", arg,
                          sm_option_table[option].value);
    return sm_option_set_value(p, option, value ? value : p->argv[p->at++]);
}

/* ---- all options ---- */

static bool check_demo(const struct sm_options *o, struct sm_err *err)
{
    if (!o->demo && (o->seed >= 0 || o->out))
        return sm_err_set(err, SM_ERR_USAGE, "--seed and --out are for --demo");
    if (!o->demo)
        return true;
    if (strcmp(o->demo, "list") != 0 && *o->demo && !sm_demo_find(o->demo))
        return sm_err_set(err, SM_ERR_USAGE, "unknown demo \"%s\"; \"--demo list\" lists the names",
                          o->demo);
    if (o->n_trials || o->replay_src)
        return sm_err_set(err, SM_ERR_USAGE, "--demo cannot be used with a trial or with --replay");
    return true;
}

/* Checks for contradictions, and for values that would only fail later. */
static bool check_whole(const struct sm_options *o, struct sm_err *err)
{
    struct sm_trial_options ignored = {0};
    if (o->interval_ms >= 0 && !o->replay_src)
        return sm_err_set(err, SM_ERR_USAGE, "--interval is for --replay");
    if (o->speed != 1 && !o->replay_src && !o->demo)
        return sm_err_set(err, SM_ERR_USAGE, "--speed is for --replay and --demo");
    if (!check_demo(o, err))
        return false;
    if (o->json && !(o->rules && o->batch))
        return sm_err_set(err, SM_ERR_USAGE, "--json is for -batch --rules");
    if (o->shards && (!(o->rules && o->batch) || o->follow == SM_YES))
        return sm_err_set(err, SM_ERR_USAGE, "--shard is for -batch --rules on a finished trial");
    if (o->rules && o->no_rules)
        return sm_err_set(err, SM_ERR_USAGE, "--rules and --no-rules contradict each other");
    if (o->keep_going && o->stop_on_error)
        return sm_err_set(err, SM_ERR_USAGE,
                          "--keep-going and --stop-on-error contradict each other");
    return sm_options_restrict(o, &ignored, err);
}

bool sm_options_parse(int argc, char **argv, struct sm_options *out, struct sm_err *err)
{
    struct sm_option_parse p = {.argc = argc, .at = 1, .argv = argv, .out = out, .err = err};
    bool options_over = false;
    *out = (struct sm_options){.threads = -1, .speed = 1, .interval_ms = -1, .seed = -1};
    out->items = sm_xalloc_zero((size_t)argc + 1, sizeof *out->items);
    out->trials = sm_xalloc_zero((size_t)argc + 1, sizeof *out->trials);
    while (p.at < argc) {
        const char *arg = argv[p.at++];
        if (options_over || arg[0] != '-' || !arg[1])
            out->trials[out->n_trials++] = arg;
        else if (strcmp(arg, "--") == 0)
            options_over = true;
        else if (!parse_option(&p, arg))
            return false;
    }
    return check_whole(out, err);
}

void sm_options_clear(struct sm_options *o)
{
    sm_free(o->items);
    sm_free(o->trials);
    *o = (struct sm_options){0};
}

bool sm_options_have_commands(const struct sm_options *o, bool files_only)
{
    for (size_t i = 0; i < o->n_items; i++)
        if (!o->items[i].early && (!files_only || o->items[i].kind == SM_START_FILE))
            return true;
    return false;
}

/* ---- help ---- */

static void add_names(struct sm_str *out, const struct sm_option_row *row)
{
    size_t start = out->len;
    sm_str_add(out, "  ");
    for (const char *p = row->names; *p; p++)
        sm_str_add(out, *p == ' ' ? ", " : (char[]){*p, 0});
    if (row->value)
        sm_str_printf(out, " %s", row->value);
    size_t width = out->len - start;
    if (width > 28)
        sm_str_printf(out, "\n%30s", "");
    else
        sm_str_fill(out, ' ', 30 - width);
}

void sm_option_row_help(struct sm_str *out, const struct sm_option_row *row)
{
    add_names(out, row);
    sm_str_printf(out, "%s\n", row->help);
}

void sm_options_help(struct sm_str *out)
{
    sm_str_add(out, "smdbg-tui: a debugger for machine-learning training, in a terminal\n\n"
                    "Usage: smdbg-tui [OPTION]... [TRIAL]...\n"
                    "       smdbg-tui sample [OPTION]... [-- PROGRAM [ARG]...]   "
                    "(\"sample --help\")\n\n"
                    "A TRIAL is a directory written by a training job, a file written by "
                    "\"snapshot save\", or an\n"
                    "address of a bucket: s3://bucket/prefix. The default is ./debug-output, then "
                    "$SMDEBUG_OUT.\n"
                    "- reads a log from a pipe: torchrun ... 2>&1 | smdbg-tui -. A named pipe is "
                    "read, too.\n\nOptions:\n");
    for (const struct sm_option_row *row = sm_option_table; row->names; row++)
        sm_option_row_help(out, row);
    sm_str_add(
        out,
        "\nLong options may be written with one dash and shortened. At the prompt, type \"help\".\n"
        "Exit status: 0 success, 1 a command failed, 2 bad command line, 3 a rule of --rules "
        "fired,\n"
        "4 a tensor or step was not found, 5 the trial cannot be read, 6 timeout, 7 damaged data\n"
        "was skipped (set strict on).\n");
}
