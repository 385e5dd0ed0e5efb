#include "tui/options.h"

#include "commands/demo/faults.h"
#include "reader/base/mem.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* X(ID, names, value, help) in the order of --help. */
#define OPTIONS(X)                                                                                                     \
    X(COMMAND_FILE, "-x --command", "FILE", "run the commands in FILE (- is stdin)")                                   \
    X(COMMAND, "-ex --eval-command", "COMMAND", "run one command; in order with -x")                                   \
    X(EARLY_FILE, "-ix --init-command", "FILE", "like -x, before the trial is opened")                                 \
    X(EARLY, "-iex --init-eval-command", "COMMAND", "like -ex, before the trial is opened")                            \
    X(ARGS, "--args", "ARG...", "all that follows: $arg0, $arg1 ... of -x and -ix files")                              \
    X(NO_INIT, "-n --nx", NULL, "read no init file")                                                                   \
    X(NO_HOME_INIT, "--nh", NULL, "read no init file of the home directory")                                           \
    X(BATCH, "-batch", NULL, "run the commands and exit: no prompt, pager, colour, questions")                         \
    X(BATCH_SILENT, "-batch-silent", NULL, "the same without output, except to files")                                 \
    X(KEEP_GOING, "--keep-going", NULL, "go on after a failed command; the first failure stays the status")            \
    X(STOP_ON_ERROR, "--stop-on-error", NULL, "stop after a failed command (default in a batch)")                      \
    X(QUIET, "-q --quiet", NULL, "no lines about the trial at the start")                                              \
    X(TUI, "--tui", NULL, "the dashboard, also after -x or -ex")                                                       \
    X(NO_TUI, "-nw --no-tui", NULL, "the prompt only")                                                                 \
    X(INTERPRETER, "-i --interpreter", "console|tui|json", "the same by name; json: requests and answers for a program")          \
    X(STEPS, "--steps", "A:B[:S]", "only steps A to B (without B), every S-th")                                        \
    X(MODE, "--mode", "MODE", "only steps of train, eval, predict or global")                                          \
    X(WORKER, "--worker", "WORKER", "only what this worker wrote")                                                     \
    X(FOLLOW, "--follow", NULL, "watch for new data (default)")                                                        \
    X(NO_FOLLOW, "--no-follow", NULL, "read what is there once")                                                       \
    X(WAIT, "--wait", NULL, "wait for a trial that does not exist yet")                                                \
    X(RULES, "--rules", "auto|FILE", "judge by rules; a batch prints what they found, status 3: one fired")            \
    X(NO_RULES, "--no-rules", NULL, "the dashboard attaches no rules by itself")                                       \
    X(JSON, "--json", NULL, "the verdict of --rules in a batch as JSON")                                               \
    X(SHARD, "--shard", "I/N", "judge part I of N of a finished trial; \"report --merge\" joins the parts")              \
    X(DELAY, "-d --delay", "TENTHS", "refresh period in tenths of a second, 1 to 100")                                 \
    X(NO_COLOR, "-C --no-color", NULL, "no colours")                                                                   \
    X(COLOR, "--color", "auto|always|never", "when to use colours")                                                    \
    X(ASCII, "-U --ascii", NULL, "draw with ASCII characters only")                                                    \
    X(SYMBOLS, "--symbols", "auto|braille|block|ascii", "what plots are drawn with")                                   \
    X(NO_MOUSE, "-M --no-mouse", NULL, "leave the mouse to the terminal (default)")                                    \
    X(MOUSE, "--mouse", NULL, "the dashboard takes the mouse")                                                         \
    X(READONLY, "--readonly", NULL, "refuse whatever runs commands or signals processes")                              \
    X(ALLOW_SHELL, "--allow-shell", NULL, "let a batch run shell commands")                                            \
    X(CHECK, "--check", NULL, "read everything in the trial, report what is damaged, exit")                            \
    X(INSPECT, "--inspect", NULL, "print a summary of the trial and exit")                                             \
    X(REPLAY, "--replay", "SRC DST", "write the trial SRC again into DST, step by step as it came")                    \
    X(DEMO, "--demo", "[NAME]", "watch a training with the fault NAME, or a healthy one; \"list\" names them")           \
    X(SEED, "--seed", "N", "for --demo: begin with other random numbers (default 1)")                                  \
    X(OUT, "--out", "DIR", "for --demo: write the trial into DIR and keep it")                                         \
    X(SPEED, "--speed", "X", "for --replay and --demo: X times as fast")                                               \
    X(INTERVAL, "--interval", "MS", "for --replay: a step every MS milliseconds")                                      \
    X(THREADS, "--threads", "N", "worker threads, 0 to 64 (default 2, at low priority)")                               \
    X(KEYS, "--keys", "FILE", "type the keys in FILE into the dashboard (for tests)")                                  \
    X(SIZE, "--size", "WxH", "the dashboard's size for --keys")                                                        \
    X(VERSION, "--version", NULL, "print the version and exit")                                                        \
    X(HELP, "-h --help", NULL, "print this text and exit")

enum option {
#define OPTION_ENUM(id, names, value, help) OPTION_##id,
    OPTIONS(OPTION_ENUM)
#undef OPTION_ENUM
    OPTION_COUNT
};

const struct sm_option_row sm_option_table[] = {
#define OPTION_ROW(id, names, value, help) {names, value, help},
    OPTIONS(OPTION_ROW)
#undef OPTION_ROW
    {0},
};

/* The arguments, and the options they become. */
struct parse {
    int argc, at;
    char **argv;
    struct sm_options *out;
    struct sm_err *err;
};

/* ---- finding ---- */

/* 2: one of the row's names, 1: the beginning of one, 0: neither. `name` is without its dashes. */
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
static bool find_option(const char *arg, const char *name, size_t n, enum option *out, struct sm_err *err)
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
            sm_str_printf(&several, "%s%s", matches++ ? ", " : "", longest_name(&sm_option_table[i]));
    }
    if (!matches)
        sm_err_set(err, SM_ERR_USAGE, "unknown option %.*s", shown, arg);
    else if (matches > 1)
        sm_err_set(err, SM_ERR_USAGE, "ambiguous option %.*s: %s", shown, arg, sm_str_text(&several));
    sm_str_clear(&several);
    return matches == 1;
}

/* ---- values ---- */

static bool parse_number(const char *text, double min, double max, double *out)
{
    char *end;
    *out = sm_parse_double(text, &end);
    return end != text && !*end && *out >= min && *out <= max;
}

static bool bad_value(struct sm_err *err, enum option option, const char *value)
{
    const struct sm_option_row *row = &sm_option_table[option];
    return sm_err_set(err, SM_ERR_USAGE, "%.*s wants %s, not \"%s\"", (int)strcspn(row->names, " "), row->names, row->value,
                      value);
}

static bool take_int(struct parse *p, enum option option, const char *value, int min, int max, int *out)
{
    double v;
    if (!parse_number(value, min, max, &v) || v != floor(v))
        return bad_value(p->err, option, value);
    *out = (int)v;
    return true;
}

static bool take_delay(struct parse *p, const char *value)
{
    double v;
    if (!parse_number(value, -1e9, 1e9, &v))
        return bad_value(p->err, OPTION_DELAY, value);
    p->out->delay_tenths = v < 1 ? 1 : v > 100 ? 100 : (int)v;
    return true;
}

/* One of the words in the row's value, "auto|always|never". -1: none. */
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

static bool take_interpreter(struct parse *p, const char *value)
{
    int i = word_index(OPTION_INTERPRETER, value);
    if (i < 0)
        return bad_value(p->err, OPTION_INTERPRETER, value);
    p->out->interpreter = value;
    p->out->tui = i == 1 ? SM_YES : SM_NO;
    return true;
}

static bool take_color(struct parse *p, const char *value)
{
    static const enum sm_ternary meaning[] = {SM_AUTO, SM_YES, SM_NO};
    int i = word_index(OPTION_COLOR, value);
    if (i < 0)
        return bad_value(p->err, OPTION_COLOR, value);
    p->out->color = meaning[i];
    return true;
}

static bool take_symbols(struct parse *p, const char *value)
{
    if (word_index(OPTION_SYMBOLS, value) < 0)
        return bad_value(p->err, OPTION_SYMBOLS, value);
    p->out->symbols = value;
    return true;
}

static bool take_size(struct parse *p, const char *value)
{
    char *end;
    long w = strtol(value, &end, 10), h = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (*end || w < 1 || h < 1 || w > 10000 || h > 10000)
        return bad_value(p->err, OPTION_SIZE, value);
    p->out->columns = (int)w;
    p->out->lines = (int)h;
    return true;
}

static bool take_speed(struct parse *p, const char *value)
{
    if (!parse_number(value, 1e-6, 1e9, &p->out->speed))
        return bad_value(p->err, OPTION_SPEED, value);
    return true;
}

static bool take_item(struct parse *p, enum sm_start kind, const char *text, bool early)
{
    p->out->items[p->out->n_items++] = (struct sm_start_item){kind, text, early};
    return true;
}

/* SRC may stand behind '='; DST is the next argument. */
static bool take_replay(struct parse *p, const char *value)
{
    if (p->at >= p->argc)
        return sm_err_set(p->err, SM_ERR_USAGE, "--replay wants two directories: SRC DST");
    p->out->replay_src = value;
    p->out->replay_dst = p->argv[p->at++];
    return true;
}

/* I/N, from 1. */
static bool take_shard(struct parse *p, const char *value)
{
    enum { SHARDS_MAX = 100000 };
    char *end;
    unsigned long i = strtoul(value, &end, 10), n = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
    if (*end || !isdigit((unsigned char)value[0]) || i < 1 || i > n || n > SHARDS_MAX)
        return sm_err_set(p->err, SM_ERR_USAGE, "--shard wants I/N with I from 1 to N, not \"%s\"", value);
    p->out->shard = (unsigned)i - 1;
    p->out->shards = (unsigned)n;
    return true;
}

/* ---- one option ---- */

static bool take_valued(struct parse *p, enum option option, const char *value)
{
    struct sm_options *o = p->out;
    switch (option) {
    case OPTION_COMMAND_FILE:
        return take_item(p, SM_START_FILE, value, false);
    case OPTION_COMMAND:
        return take_item(p, SM_START_COMMAND, value, false);
    case OPTION_EARLY_FILE:
        return take_item(p, SM_START_FILE, value, true);
    case OPTION_EARLY:
        return take_item(p, SM_START_COMMAND, value, true);
    case OPTION_ARGS:
        if (value != p->argv[p->at - 1])
            return sm_err_set(p->err, SM_ERR_USAGE, "--args takes all that follows, not what stands behind \"=\"");
        o->args = (const char *const *)p->argv + p->at - 1;
        o->n_args = (size_t)(p->argc - p->at + 1);
        p->at = p->argc;
        return true;
    case OPTION_INTERPRETER:
        return take_interpreter(p, value);
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
        return take_shard(p, value);
    case OPTION_DELAY:
        return take_delay(p, value);
    case OPTION_COLOR:
        return take_color(p, value);
    case OPTION_SYMBOLS:
        return take_symbols(p, value);
    case OPTION_REPLAY:
        return take_replay(p, value);
    case OPTION_DEMO:
        o->demo = value;
        return true;
    case OPTION_SEED:
        return take_int(p, option, value, 0, INT_MAX, &o->seed);
    case OPTION_OUT:
        o->out = value;
        return true;
    case OPTION_SPEED:
        return take_speed(p, value);
    case OPTION_INTERVAL:
        return take_int(p, option, value, 0, INT_MAX, &o->interval_ms);
    case OPTION_THREADS:
        return take_int(p, option, value, 0, 64, &o->threads);
    case OPTION_KEYS:
        o->keys = value;
        return true;
    default:
        return take_size(p, value);
    }
}

static void take_flag(struct sm_options *o, enum option option)
{
    bool *const flags[OPTION_COUNT] = {
        [OPTION_NO_INIT] = &o->no_init,       [OPTION_NO_HOME_INIT] = &o->no_home_init, [OPTION_BATCH] = &o->batch,
        [OPTION_KEEP_GOING] = &o->keep_going, [OPTION_STOP_ON_ERROR] = &o->stop_on_error, [OPTION_QUIET] = &o->quiet,
        [OPTION_READONLY] = &o->readonly,     [OPTION_ALLOW_SHELL] = &o->allow_shell,   [OPTION_CHECK] = &o->check,
        [OPTION_INSPECT] = &o->inspect,       [OPTION_WAIT] = &o->wait,                 [OPTION_HELP] = &o->help,
        [OPTION_VERSION] = &o->version,       [OPTION_NO_RULES] = &o->no_rules,               [OPTION_JSON] = &o->json,
              [OPTION_BATCH_SILENT] = &o->batch_silent,
    };
    const struct {
        enum sm_ternary *where, what;
    } choices[OPTION_COUNT] = {
        [OPTION_TUI] = {&o->tui, SM_YES},       [OPTION_NO_TUI] = {&o->tui, SM_NO},     [OPTION_FOLLOW] = {&o->follow, SM_YES},
        [OPTION_NO_FOLLOW] = {&o->follow, SM_NO}, [OPTION_NO_COLOR] = {&o->color, SM_NO}, [OPTION_MOUSE] = {&o->mouse, SM_YES},
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

/* A value in brackets may be missing: then the next argument is another option, or there is none. */
static const char *optional_value(struct parse *p)
{
    bool there = p->at < p->argc && p->argv[p->at][0] != '-';
    return there ? p->argv[p->at++] : "";
}

/* "-name", "--name", "-name=value", "-name value". */
static bool take_option(struct parse *p, const char *arg)
{
    const char *name = arg + (arg[1] == '-' ? 2 : 1), *equals = strchr(name, '='), *value = equals ? equals + 1 : NULL;
    enum option option = OPTION_COUNT;
    if (!find_option(arg, name, equals ? (size_t)(equals - name) : strlen(name), &option, p->err))
        return false;
    if (!sm_option_table[option].value) {
        if (value)
            return sm_err_set(p->err, SM_ERR_USAGE, "%.*s takes no value", (int)(equals - arg), arg);
        take_flag(p->out, option);
        return true;
    }
    if (!value && sm_option_table[option].value[0] == '[')
        value = optional_value(p);
    if (!value && p->at >= p->argc)
        return sm_err_set(p->err, SM_ERR_USAGE, "%s wants a value: %s", arg, sm_option_table[option].value);
    return take_valued(p, option, value ? value : p->argv[p->at++]);
}

/* ---- the whole ---- */

static bool check_demo(const struct sm_options *o, struct sm_err *err)
{
    if (!o->demo && (o->seed >= 0 || o->out))
        return sm_err_set(err, SM_ERR_USAGE, "--seed and --out are for --demo");
    if (!o->demo)
        return true;
    if (strcmp(o->demo, "list") != 0 && *o->demo && !sm_demo_find(o->demo))
        return sm_err_set(err, SM_ERR_USAGE, "no demo is named \"%s\"; --demo list names them", o->demo);
    if (o->n_trials || o->replay_src)
        return sm_err_set(err, SM_ERR_USAGE, "--demo opens the trial that it writes, and no other");
    return true;
}

/* What contradicts itself, or would only be noticed later. */
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
        return sm_err_set(err, SM_ERR_USAGE, "--keep-going and --stop-on-error contradict each other");
    return sm_options_restrict(o, &ignored, err);
}

bool sm_options_parse(int argc, char **argv, struct sm_options *out, struct sm_err *err)
{
    struct parse p = {.argc = argc, .at = 1, .argv = argv, .out = out, .err = err};
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
        else if (!take_option(&p, arg))
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

/* ---- what the reader wants ---- */

/* A number or nothing; *text moves on. False: too large. */
static bool take_step(const char **text, int64_t missing, int64_t *out)
{
    char *end;
    errno = 0;
    long long v = strtoll(*text, &end, 10);
    *out = end == *text ? missing : v;
    *text = end;
    return errno == 0 && *out >= 0;
}

/* numpy's "A:B:S": B is not part of it. */
static bool parse_steps(const char *text, struct sm_trial_options *out)
{
    const char *p = text;
    out->stride = 1;
    bool ok = take_step(&p, 0, &out->first.n) && *p++ == ':' && take_step(&p, INT64_MAX, &out->last.n);
    if (ok && *p == ':')
        ok = p++ && take_step(&p, 1, &out->stride);
    if (!ok || *p || out->stride < 1 || out->last.n <= out->first.n)
        return false;
    out->last.n -= out->last.n != INT64_MAX;
    return true;
}

static bool parse_mode(const char *text, enum sm_mode *out)
{
    static const char *const names[SM_MODES] = {NULL, "train", "eval", "predict", "global"};
    for (int m = 1; m < SM_MODES; m++)
        if (strcasecmp(text, names[m]) == 0) {
            *out = (enum sm_mode)m;
            return true;
        }
    return false;
}

bool sm_options_restrict(const struct sm_options *o, struct sm_trial_options *out, struct sm_err *err)
{
    if (o->steps && !parse_steps(o->steps, out))
        return bad_value(err, OPTION_STEPS, o->steps);
    if (o->mode && !parse_mode(o->mode, &out->mode))
        return sm_err_set(err, SM_ERR_USAGE, "--mode wants train, eval, predict or global, not \"%s\"", o->mode);
    out->worker = o->worker;
    out->follow = o->follow == SM_YES || (o->follow == SM_AUTO && !(o->rules && o->batch));
    return true;
}

/* ---- help ---- */

static void add_names(struct sm_str *out, const struct sm_option_row *row)
{
    size_t begin = out->len;
    sm_str_add(out, "  ");
    for (const char *p = row->names; *p; p++)
        sm_str_add(out, *p == ' ' ? ", " : (char[]){*p, 0});
    if (row->value)
        sm_str_printf(out, " %s", row->value);
    size_t width = out->len - begin;
    if (width > 28)
        sm_str_printf(out, "\n%30s", "");
    else
        sm_str_fill(out, ' ', 30 - width);
}

void sm_options_help(struct sm_str *out)
{
    sm_str_add(out, "smdbg-tui: a debugger for machine-learning training, in a terminal\n\n"
                    "Usage: smdbg-tui [OPTION]... [TRIAL]...\n\n"
                    "A TRIAL is a directory written by a training job. Without one ./debug-output is opened, then\n"
                    "$SMDEBUG_OUT.\n\nOptions:\n");
    for (const struct sm_option_row *row = sm_option_table; row->names; row++) {
        add_names(out, row);
        sm_str_printf(out, "%s\n", row->help);
    }
    sm_str_add(out, "\nLong options may be written with one dash and shortened. At the prompt, type \"help\".\n"
                    "Exit status: 0 all went well, 1 a command failed, 2 bad command line, 3 a rule of --rules fired,\n"
                    "4 a tensor or step asked for is not there, 5 the trial cannot be read, 6 timed out, 7 damaged pieces\n"
                    "were skipped (set strict on).\n");
}
