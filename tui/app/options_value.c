/* SPDX-License-Identifier: Apache-2.0 */
/* Sets the options, with their values. */
#include "tui/app/option_list.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

static bool parse_number(const char *text, double min, double max, double *out)
{
    char *end;
    *out = sm_parse_double(text, &end);
    return end != text && !*end && *out >= min && *out <= max;
}

bool sm_option_bad_value(struct sm_err *err, enum option option, const char *value)
{
    const struct sm_option_row *row = &sm_option_table[option];
    return sm_err_set(err, SM_ERR_USAGE, "%.*s requires %s, not \"%s\"",
                      (int)strcspn(row->names, " "), row->names, row->value, value);
}

static bool set_int(struct sm_option_parse *p, enum option option, const char *value, int min,
                    int max, int *out)
{
    double v;
    if (!parse_number(value, min, max, &v) || v != floor(v))
        return sm_option_bad_value(p->err, option, value);
    *out = (int)v;
    return true;
}

static bool set_delay(struct sm_option_parse *p, const char *value)
{
    double v;
    if (!parse_number(value, -1e9, 1e9, &v))
        return sm_option_bad_value(p->err, OPTION_DELAY, value);
    p->out->delay_tenths = v < 1 ? 1 : v > 100 ? 100 : (int)v;
    return true;
}

/* The index of a word in the row's value, "auto|always|never"; -1 if unknown. */
static int word_index(enum option option, const char *value)
{
    int i = 0;
    for (const char *w = sm_option_table[option].value;; w++, i++) {
        size_t n = strcspn(w, "|");
        if (strlen(value) == n && strncmp(w, value, n) == 0)
            return i;
        w += n;
        if (!*w)
            return -1;
    }
}

static bool set_interpreter(struct sm_option_parse *p, const char *value)
{
    int i = word_index(OPTION_INTERPRETER, value);
    if (i < 0)
        return sm_option_bad_value(p->err, OPTION_INTERPRETER, value);
    p->out->interpreter = value;
    p->out->tui = i == 1 ? SM_YES : SM_NO;
    return true;
}

static bool set_color(struct sm_option_parse *p, const char *value)
{
    static const enum sm_ternary meaning[] = {SM_AUTO, SM_YES, SM_NO};
    int i = word_index(OPTION_COLOR, value);
    if (i < 0)
        return sm_option_bad_value(p->err, OPTION_COLOR, value);
    p->out->color = meaning[i];
    return true;
}

static bool set_symbols(struct sm_option_parse *p, const char *value)
{
    if (word_index(OPTION_SYMBOLS, value) < 0)
        return sm_option_bad_value(p->err, OPTION_SYMBOLS, value);
    p->out->symbols = value;
    return true;
}

static bool set_size(struct sm_option_parse *p, const char *value)
{
    char *end;
    long w = strtol(value, &end, 10), h = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (*end || w < 1 || h < 1 || w > 10000 || h > 10000)
        return sm_option_bad_value(p->err, OPTION_SIZE, value);
    p->out->columns = (int)w;
    p->out->lines = (int)h;
    return true;
}

static bool set_speed(struct sm_option_parse *p, const char *value)
{
    if (!parse_number(value, 1e-6, 1e9, &p->out->speed))
        return sm_option_bad_value(p->err, OPTION_SPEED, value);
    return true;
}

static bool add_item(struct sm_option_parse *p, enum sm_start kind, const char *text, bool early)
{
    p->out->items[p->out->n_items++] = (struct sm_start_item){kind, text, early};
    return true;
}

/* SRC may follow '='; DST is the next argument. */
static bool set_replay(struct sm_option_parse *p, const char *value)
{
    if (p->at >= p->argc)
        return sm_err_set(p->err, SM_ERR_USAGE, "--replay requires two directories: SRC DST");
    p->out->replay_src = value;
    p->out->replay_dst = p->argv[p->at++];
    return true;
}

/* I/N, from 1. */
static bool set_shard(struct sm_option_parse *p, const char *value)
{
    enum { SHARDS_MAX = 100000 };
    char *end;
    unsigned long i = strtoul(value, &end, 10), n = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
    if (*end || !isdigit((unsigned char)value[0]) || i < 1 || i > n || n > SHARDS_MAX)
        return sm_err_set(p->err, SM_ERR_USAGE,
                          "--shard requires I/N with I from 1 to N, not \"%s\"", value);
    p->out->shard = (unsigned)i - 1;
    p->out->shards = (unsigned)n;
    return true;
}

/* ---- one option ---- */

bool sm_option_set_value(struct sm_option_parse *p, enum option option, const char *value)
{
    struct sm_options *o = p->out;
    switch (option) {
    case OPTION_COMMAND_FILE:
        return add_item(p, SM_START_FILE, value, false);
    case OPTION_COMMAND:
        return add_item(p, SM_START_COMMAND, value, false);
    case OPTION_EARLY_FILE:
        return add_item(p, SM_START_FILE, value, true);
    case OPTION_EARLY:
        return add_item(p, SM_START_COMMAND, value, true);
    case OPTION_ARGS:
        if (value != p->argv[p->at - 1])
            return sm_err_set(p->err, SM_ERR_USAGE,
                              "--args takes the remaining arguments, not a value after \"=\"");
        o->args = (const char *const *)p->argv + p->at - 1;
        o->n_args = (size_t)p->argc - (size_t)p->at + 1;
        p->at = p->argc;
        return true;
    case OPTION_INTERPRETER:
        return set_interpreter(p, value);
    case OPTION_STEPS:
        o->steps = value;
        return true;
    case OPTION_MODE:
        o->mode = value;
        return true;
    case OPTION_WORKER:
        o->worker = value;
        return true;
    case OPTION_RULES:
        o->rules = value;
        return true;
    case OPTION_SHARD:
        return set_shard(p, value);
    case OPTION_DELAY:
        return set_delay(p, value);
    case OPTION_COLOR:
        return set_color(p, value);
    case OPTION_SYMBOLS:
        return set_symbols(p, value);
    case OPTION_REPLAY:
        return set_replay(p, value);
    case OPTION_DEMO:
        o->demo = value;
        return true;
    case OPTION_SEED:
        return set_int(p, option, value, 0, INT_MAX, &o->seed);
    case OPTION_OUT:
        o->out = value;
        return true;
    case OPTION_SPEED:
        return set_speed(p, value);
    case OPTION_INTERVAL:
        return set_int(p, option, value, 0, INT_MAX, &o->interval_ms);
    case OPTION_THREADS:
        return set_int(p, option, value, 0, 64, &o->threads);
    case OPTION_LAYOUT:
        o->layout = value;
        return true;
    case OPTION_KEYS:
        o->keys = value;
        return true;
    default:
        return set_size(p, value);
    }
}

void sm_option_set_flag(struct sm_options *o, enum option option)
{
    bool *const flags[OPTION_COUNT] = {
        [OPTION_NO_INIT] = &o->no_init,
        [OPTION_NO_HOME_INIT] = &o->no_home_init,
        [OPTION_BATCH] = &o->batch,
        [OPTION_KEEP_GOING] = &o->keep_going,
        [OPTION_STOP_ON_ERROR] = &o->stop_on_error,
        [OPTION_QUIET] = &o->quiet,
        [OPTION_READONLY] = &o->readonly,
        [OPTION_ALLOW_SHELL] = &o->allow_shell,
        [OPTION_CHECK] = &o->check,
        [OPTION_INSPECT] = &o->inspect,
        [OPTION_WAIT] = &o->wait,
        [OPTION_HELP] = &o->help,
        [OPTION_VERSION] = &o->version,
        [OPTION_NO_RULES] = &o->no_rules,
        [OPTION_JSON] = &o->json,
        [OPTION_BATCH_SILENT] = &o->batch_silent,
    };
    const struct {
        enum sm_ternary *where, what;
    } choices[OPTION_COUNT] = {
        [OPTION_TUI] = {&o->tui, SM_YES},       [OPTION_NO_TUI] = {&o->tui, SM_NO},
        [OPTION_FOLLOW] = {&o->follow, SM_YES}, [OPTION_NO_FOLLOW] = {&o->follow, SM_NO},
        [OPTION_NO_COLOR] = {&o->color, SM_NO}, [OPTION_MOUSE] = {&o->mouse, SM_YES},
        [OPTION_NO_MOUSE] = {&o->mouse, SM_NO},
    };
    if (flags[option])
        *flags[option] = true;
    if (choices[option].where)
        *choices[option].where = choices[option].what;
    if (option == OPTION_ASCII)
        o->symbols = "ascii";
    if (option == OPTION_BATCH_SILENT)
        o->batch = true;
}
