#include "commands/setting.h"

#include "commands/number.h"
#include "reader/base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define UNLIMITED ((double)INT64_MAX)

static const char *const precision_styles[] = {"numpy", "full", NULL};
static const char *const auto_word[] = {"auto", NULL};
static const char *const colors[] = {"auto", "always", "never", NULL};
static const char *const backgrounds[] = {"auto", "light", "dark", NULL};
static const char *const symbols[] = {"auto", "braille", "block", "ascii", NULL};
static const char *const x_axes[] = {"step", "relative", "wall", NULL};
static const char *const y_axes[] = {"linear", "log", "symlog", NULL};
static const char *const on_off[] = {"on", "off", NULL};
static const char *const checksums[] = {"auto", "full", "off", NULL};
static const char *const sessions[] = {"latest", "all", NULL};
static const char *const zones[] = {"local", "utc", NULL};
static const char *const start_modes[] = {"normal", "command", NULL};

static const struct sm_setting rows[SM_SETTING_COUNT] = {
    [SM_SET_PRINT_ELEMENTS] = {.id = SM_SET_PRINT_ELEMENTS,
                               .name = "print elements",
                               .type = SM_SETTING_INT,
                               .max = UNLIMITED,
                               .initial = "200",
                               .unit = "elements",
                               .help = "Most elements that x and find print"},
    [SM_SET_PRINT_REPEATS] = {.id = SM_SET_PRINT_REPEATS,
                              .name = "print repeats",
                              .type = SM_SETTING_INT,
                              .max = UNLIMITED,
                              .initial = "10",
                              .unit = "elements",
                              .help = "From how many equal elements on x says <repeats N times>"},
    [SM_SET_PRINT_EDGEITEMS] = {.id = SM_SET_PRINT_EDGEITEMS,
                                .name = "print edgeitems",
                                .type = SM_SETTING_INT,
                                .min = 1,
                                .max = 1000000,
                                .initial = "3",
                                .unit = "elements",
                                .help = "Elements shown at each end of an elided axis, as in numpy"},
    [SM_SET_PRINT_PRECISION] = {.id = SM_SET_PRINT_PRECISION,
                                .name = "print precision",
                                .type = SM_SETTING_INT,
                                .max = 16,
                                .initial = "8",
                                .unit = "digits",
                                .help = "Most digits behind the point in arrays, as in numpy"},
    [SM_SET_PRINT_PRECISION_STYLE] = {.id = SM_SET_PRINT_PRECISION_STYLE,
                                      .name = "print precision-style",
                                      .type = SM_SETTING_ENUM,
                                      .words = precision_styles,
                                      .initial = "numpy",
                                      .help = "Digits of arrays: at most the precision, or all"},
    [SM_SET_PRINT_THRESHOLD] = {.id = SM_SET_PRINT_THRESHOLD,
                                .name = "print threshold",
                                .type = SM_SETTING_INT,
                                .max = UNLIMITED,
                                .initial = "1000",
                                .unit = "elements",
                                .help = "Larger arrays are elided, as in numpy"},
    [SM_SET_PRINT_LINEWIDTH] = {.id = SM_SET_PRINT_LINEWIDTH,
                                .name = "print linewidth",
                                .type = SM_SETTING_INT,
                                .min = 1,
                                .max = 100000,
                                .initial = "75",
                                .unit = "columns",
                                .help = "Where lines of arrays are wrapped, as in numpy"},
    [SM_SET_PAGINATION] = {.id = SM_SET_PAGINATION,
                           .name = "pagination",
                           .type = SM_SETTING_BOOL,
                           .initial = "on",
                           .help = "Stop after each screen of a long answer"},
    [SM_SET_HEIGHT] = {.id = SM_SET_HEIGHT,
                       .name = "height",
                       .type = SM_SETTING_INT,
                       .words = auto_word,
                       .max = UNLIMITED,
                       .initial = "auto",
                       .unit = "lines",
                       .help = "Lines of a page; auto is the terminal's height"},
    [SM_SET_WIDTH] = {.id = SM_SET_WIDTH,
                      .name = "width",
                      .type = SM_SETTING_INT,
                      .words = auto_word,
                      .max = UNLIMITED,
                      .initial = "auto",
                      .unit = "columns",
                      .help = "Columns of a line; auto is the terminal's width"},
    [SM_SET_CONFIRM] = {.id = SM_SET_CONFIRM,
                        .name = "confirm",
                        .type = SM_SETTING_BOOL,
                        .initial = "on",
                        .help = "Ask before something that cannot be undone"},
    [SM_SET_VERBOSE] = {.id = SM_SET_VERBOSE,
                        .name = "verbose",
                        .type = SM_SETTING_BOOL,
                        .initial = "off",
                        .help = "Tell more about what is being done"},
    [SM_SET_COLOR] = {.id = SM_SET_COLOR,
                      .name = "color",
                      .type = SM_SETTING_ENUM,
                      .words = colors,
                      .initial = "auto",
                      .help = "Colours in answers: auto is on a terminal that has them"},
    [SM_SET_BACKGROUND] = {.id = SM_SET_BACKGROUND,
                           .name = "background",
                           .type = SM_SETTING_ENUM,
                           .words = backgrounds,
                           .initial = "auto",
                           .help = "The terminal's background, for the choice of colours"},
    [SM_SET_SYMBOLS] = {.id = SM_SET_SYMBOLS,
                        .name = "symbols",
                        .type = SM_SETTING_ENUM,
                        .words = symbols,
                        .initial = "auto",
                        .help = "What plots are drawn with"},
    [SM_SET_SMOOTHING] = {.id = SM_SET_SMOOTHING,
                          .name = "smoothing",
                          .type = SM_SETTING_REAL,
                          .max = 0.999,
                          .initial = "0.6",
                          .help = "Weight of TensorBoard's moving average in charts; 0 is off"},
    [SM_SET_X_AXIS] = {.id = SM_SET_X_AXIS,
                       .name = "x-axis",
                       .type = SM_SETTING_ENUM,
                       .words = x_axes,
                       .initial = "step",
                       .help = "What charts run along: step, seconds since the begin, wall time"},
    [SM_SET_Y_AXIS] = {.id = SM_SET_Y_AXIS,
                       .name = "y-axis",
                       .type = SM_SETTING_ENUM,
                       .words = y_axes,
                       .initial = "linear",
                       .help = "How charts are scaled"},
    [SM_SET_REFRESH] = {.id = SM_SET_REFRESH,
                        .name = "refresh",
                        .type = SM_SETTING_DURATION,
                        .words = on_off,
                        .min = 1e5,
                        .max = 10e6,
                        .initial = "on",
                        .help = "How the screen follows new data: on, off, or every 0.1s to 10s"},
    [SM_SET_CHECKSUM] = {.id = SM_SET_CHECKSUM,
                         .name = "checksum",
                         .type = SM_SETTING_ENUM,
                         .words = checksums,
                         .initial = "auto",
                         .help = "Check records: those with a checksum when read, all, or none"},
    [SM_SET_STRICT] = {.id = SM_SET_STRICT,
                       .name = "strict",
                       .type = SM_SETTING_BOOL,
                       .initial = "off",
                       .help = "Exit with status 7 when damaged pieces were skipped"},
    [SM_SET_MEMORY_LIMIT] = {.id = SM_SET_MEMORY_LIMIT,
                             .name = "memory-limit",
                             .type = SM_SETTING_SIZE,
                             .min = 1 << 20,
                             .max = UNLIMITED,
                             .initial = "256Mi",
                             .unit = "bytes",
                             .help = "Memory for values that were read"},
    [SM_SET_SESSIONS] = {.id = SM_SET_SESSIONS,
                         .name = "sessions",
                         .type = SM_SETTING_INT,
                         .words = sessions,
                         .max = 65535,
                         .initial = "latest",
                         .help = "Which runs of the job within a trial are shown"},
    [SM_SET_TIME_ZONE] = {.id = SM_SET_TIME_ZONE,
                          .name = "time-zone",
                          .type = SM_SETTING_ENUM,
                          .words = zones,
                          .initial = "local",
                          .help = "Zone of the times in answers"},
    [SM_SET_HISTORY_SAVE] = {.id = SM_SET_HISTORY_SAVE,
                             .name = "history save",
                             .type = SM_SETTING_BOOL,
                             .initial = "on",
                             .help = "Keep command lines for the next session"},
    [SM_SET_HISTORY_SIZE] = {.id = SM_SET_HISTORY_SIZE,
                             .name = "history size",
                             .type = SM_SETTING_INT,
                             .max = UNLIMITED,
                             .initial = "10000",
                             .unit = "lines",
                             .help = "Most command lines that are kept"},
    [SM_SET_TRACE_COMMANDS] = {.id = SM_SET_TRACE_COMMANDS,
                               .name = "trace-commands",
                               .type = SM_SETTING_BOOL,
                               .initial = "off",
                               .help = "Print each command before it runs, with a + in front"},
    [SM_SET_STOP_ON_ERROR] = {.id = SM_SET_STOP_ON_ERROR,
                              .name = "stop-on-error",
                              .type = SM_SETTING_BOOL,
                              .initial = "on",
                              .help = "A failing command ends the script, and the batch"},
    [SM_SET_CASE] = {.id = SM_SET_CASE,
                     .name = "case",
                     .type = SM_SETTING_BOOL,
                     .initial = "on",
                     .help = "Upper and lower case differ in patterns"},
    [SM_SET_PROMPT_CONTEXT] = {.id = SM_SET_PROMPT_CONTEXT,
                               .name = "prompt context",
                               .type = SM_SETTING_BOOL,
                               .initial = "off",
                               .help = "Show trial, tensor and step in the prompt"},
    [SM_SET_STALL] = {.id = SM_SET_STALL,
                      .name = "stall",
                      .type = SM_SETTING_DURATION,
                      .min = 1e6,
                      .max = 1e15,
                      .initial = "10m",
                      .help = "Silence after which a live trial counts as stalled"},
    [SM_SET_THREADS] = {.id = SM_SET_THREADS,
                        .name = "threads",
                        .type = SM_SETTING_INT,
                        .max = 64,
                        .initial = "2",
                        .unit = "threads",
                        .help = "Workers that read and compute; takes effect at the start"},
    [SM_SET_MOUSE] = {.id = SM_SET_MOUSE,
                      .name = "mouse",
                      .type = SM_SETTING_BOOL,
                      .initial = "off",
                      .help = "The dashboard takes the mouse"},
    [SM_SET_TUI_ALTSCREEN] = {.id = SM_SET_TUI_ALTSCREEN,
                              .name = "tui altscreen",
                              .type = SM_SETTING_BOOL,
                              .initial = "on",
                              .help = "The dashboard uses the terminal's alternate screen"},
    [SM_SET_TUI_START_MODE] = {.id = SM_SET_TUI_START_MODE,
                               .name = "tui start-mode",
                               .type = SM_SETTING_ENUM,
                               .words = start_modes,
                               .initial = "normal",
                               .help = "What keys do at first: act, or type a command"},
    [SM_SET_SCREEN_READER] = {.id = SM_SET_SCREEN_READER,
                              .name = "screen-reader",
                              .type = SM_SETTING_BOOL,
                              .initial = "off",
                              .help = "Plain lines: no box drawing and no spinner"},
    [SM_SET_SAFE_PATH] = {.id = SM_SET_SAFE_PATH,
                          .name = "auto-load safe-path",
                          .type = SM_SETTING_TEXT,
                          .initial = "",
                          .help = "Directories, separated by colons, whose ./.smdbginit is run"},
    [SM_SET_RULE_FALLBACK] = {.id = SM_SET_RULE_FALLBACK,
                              .name = "rule-fallback",
                              .type = SM_SETTING_BOOL,
                              .initial = "on",
                              .help = "Other patterns for rules whose default pattern matches nothing"},
    [SM_SET_RULE_PAUSE] = {.id = SM_SET_RULE_PAUSE,
                           .name = "rule-pause",
                           .type = SM_SETTING_DURATION,
                           .max = 3.6e9,
                           .initial = "0",
                           .help = "Rest of the attached rules after each step that they have judged"},
    [SM_SET_RULE_ACTIONS] = {.id = SM_SET_RULE_ACTIONS,
                             .name = "rule-actions",
                             .type = SM_SETTING_BOOL,
                             .initial = "off",
                             .help = "Rules may run commands, send signals and write log files"},
    [SM_SET_STOP_ACTION] = {.id = SM_SET_STOP_ACTION,
                            .name = "stop-action",
                            .type = SM_SETTING_TEXT,
                            .initial = "",
                            .help = "What the stop action does: pid N, file PATH or shell CMD"},
    [SM_SET_NOTIFY_ACTION] = {.id = SM_SET_NOTIFY_ACTION,
                              .name = "notify-action",
                              .type = SM_SETTING_TEXT,
                              .initial = "",
                              .help = "The command that the notify action runs"},
    [SM_SET_BATCH_EXIT] = {.id = SM_SET_BATCH_EXIT,
                           .name = "batch-exit",
                           .type = SM_SETTING_BOOL,
                           .initial = "off",
                           .help = "A stop at a breakpoint makes the exit status 3"},
    [SM_SET_BT_ORDER] = {.id = SM_SET_BT_ORDER,
                         .name = "bt-order",
                         .type = SM_SETTING_TEXT,
                         .initial = "time",
                         .help = "Order in a step: time of writing, name, or a FILE of names"},
};

const struct sm_setting *sm_setting_row(size_t id)
{
    return &rows[id];
}

/* ---- values ---- */

static bool has_text(const struct sm_setting *row)
{
    return row->type == SM_SETTING_TEXT;
}

void sm_settings_init(struct sm_settings *s)
{
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < SM_SETTING_COUNT; i++)
        sm_setting_set(s, &rows[i], rows[i].initial, NULL);
    s->version = 0;
}

void sm_settings_clear(struct sm_settings *s)
{
    for (size_t i = 0; i < SM_SETTING_COUNT; i++)
        if (has_text(&rows[i]))
            sm_free(s->values[i].text);
    memset(s, 0, sizeof *s);
}

/* The place of a word that begins so, exact first; -1: none, -2: several. */
static int find_word(const char *const *words, struct sm_text t)
{
    int found = -1;
    for (int i = 0; words && words[i]; i++) {
        if (sm_text_is(t, words[i]))
            return i;
        if (t.n && strncmp(words[i], t.p, t.n) == 0)
            found = found == -1 ? i : -2;
    }
    return found;
}

static bool set_bool(union sm_setting_value *v, struct sm_text t, struct sm_err *err)
{
    static const char *const words[] = {"on", "1", "yes", "enable", "off", "0", "no", "disable", NULL};
    int i = t.n ? find_word(words, t) : 0;
    if (i == -2 || i < 0)
        return sm_err_set(err, SM_ERR_USAGE, "\"on\" or \"off\" expected.");
    v->b = i < 4;
    return true;
}

static bool set_enum(const struct sm_setting *row, union sm_setting_value *v, struct sm_text t, struct sm_err *err)
{
    int i = find_word(row->words, t);
    if (i >= 0) {
        v->i = i;
        return true;
    }
    struct sm_str all = {0};
    for (size_t k = 0; row->words[k]; k++)
        sm_str_printf(&all, "%s%s", k ? ", " : "", row->words[k]);
    if (!t.n)
        sm_err_set(err, SM_ERR_USAGE, "Requires an argument. Valid arguments are %s.", sm_str_text(&all));
    else
        sm_err_set(err, SM_ERR_USAGE, "%s item \"%.*s\". Valid arguments are %s.", i == -2 ? "Ambiguous" : "Undefined",
                   (int)t.n, t.p, sm_str_text(&all));
    sm_str_clear(&all);
    return false;
}

static bool in_range(const struct sm_setting *row, double v, struct sm_text t, struct sm_err *err)
{
    if (v >= row->min && v <= row->max)
        return true;
    double scale = row->type == SM_SETTING_DURATION ? 1e6 : 1;
    return sm_err_set(err, SM_ERR_USAGE, "%.*s is out of range: %g to %g%s", (int)t.n, t.p, row->min / scale,
                      row->max / scale, row->type == SM_SETTING_DURATION ? " seconds" : "");
}

static bool set_whole(const struct sm_setting *row, union sm_setting_value *v, struct sm_text t, struct sm_err *err)
{
    int64_t i;
    int word = find_word(row->words, t);
    if (word >= 0) {
        v->i = -1 - word;
        return true;
    }
    bool open = row->max >= UNLIMITED;
    if (open && (find_word((const char *const[]){"unlimited", NULL}, t) == 0 || sm_text_is(t, "0"))) {
        v->i = INT64_MAX;
        return true;
    }
    if (!t.n)
        return sm_err_set(err, SM_ERR_USAGE, "Argument required (%s).",
                          open ? "a number, or \"unlimited\"" : "a number");
    bool ok = row->type == SM_SETTING_DURATION ? sm_number_duration(t, &i) : sm_number_int(t, &i);
    if (!ok)
        return sm_err_set(err, SM_ERR_USAGE, "Invalid %s \"%.*s\".",
                          row->type == SM_SETTING_DURATION ? "duration" : "number", (int)t.n, t.p);
    if (!in_range(row, (double)i, t, err))
        return false;
    v->i = i;
    return true;
}

static bool set_real(const struct sm_setting *row, union sm_setting_value *v, struct sm_text t, struct sm_err *err)
{
    double d;
    if (!sm_number_double(t, &d) || isnan(d))
        return sm_err_set(err, SM_ERR_USAGE, "Invalid number \"%.*s\".", (int)t.n, t.p);
    if (!in_range(row, d, t, err))
        return false;
    v->d = d;
    return true;
}

bool sm_setting_set(struct sm_settings *s, const struct sm_setting *row, const char *text, struct sm_err *err)
{
    union sm_setting_value *v = &s->values[row->id];
    struct sm_text t = sm_text(text ? text : "");
    bool ok = true;
    switch (row->type) {
    case SM_SETTING_BOOL:
        ok = set_bool(v, t, err);
        break;
    case SM_SETTING_ENUM:
        ok = set_enum(row, v, t, err);
        break;
    case SM_SETTING_INT:
    case SM_SETTING_SIZE:
    case SM_SETTING_DURATION:
        ok = set_whole(row, v, t, err);
        break;
    case SM_SETTING_REAL:
        ok = set_real(row, v, t, err);
        break;
    case SM_SETTING_TEXT:
        sm_free(v->text);
        v->text = sm_xstrndup(t.p, t.n);
    }
    if (ok)
        s->version++;
    return ok;
}

static void add_size(struct sm_str *out, int64_t n)
{
    static const char *const units[] = {"", "Ki", "Mi", "Gi", "Ti"};
    size_t u = 0;
    for (; u < 4 && n && n % 1024 == 0; u++)
        n /= 1024;
    sm_str_printf(out, "%" PRId64 "%s", n, units[u]);
}

/* The largest unit that divides it. */
static void add_duration(struct sm_str *out, int64_t us)
{
    static const struct {
        int64_t us;
        const char *unit;
    } units[] = {{3600000000, "h"}, {60000000, "m"}, {1000000, "s"}, {1000, "ms"}, {1, "us"}};
    size_t u = 0;
    while (us % units[u].us)
        u++;
    sm_str_printf(out, "%" PRId64 "%s", us / units[u].us, us ? units[u].unit : "");
}

static void add_whole(struct sm_str *out, const struct sm_setting *row, int64_t i)
{
    if (i < 0 && row->words)
        sm_str_add(out, row->words[-1 - i]);
    else if (i == INT64_MAX)
        sm_str_add(out, "unlimited");
    else if (row->type == SM_SETTING_SIZE)
        add_size(out, i);
    else if (row->type == SM_SETTING_DURATION)
        add_duration(out, i);
    else
        sm_str_printf(out, "%" PRId64, i);
}

void sm_setting_text(const struct sm_settings *s, const struct sm_setting *row, struct sm_str *out)
{
    const union sm_setting_value *v = &s->values[row->id];
    char number[32];
    switch (row->type) {
    case SM_SETTING_BOOL:
        sm_str_add(out, v->b ? "on" : "off");
        break;
    case SM_SETTING_ENUM:
        sm_str_add(out, row->words[v->i]);
        break;
    case SM_SETTING_REAL:
        sm_format_shortest(v->d, false, number);
        sm_str_add(out, number);
        break;
    case SM_SETTING_TEXT:
        sm_str_add(out, v->text ? v->text : "");
        break;
    default:
        add_whole(out, row, v->i);
    }
}

/* ---- by name ---- */

/* The k-th word of a name; n == 0: it has no such word. */
static struct sm_text name_word(const char *name, size_t k)
{
    while (k--) {
        name += strcspn(name, " ");
        if (*name)
            name++;
    }
    return (struct sm_text){name, strcspn(name, " ")};
}

/* Do the first k words of the names agree? */
static bool same_group(const char *a, const char *b, size_t k)
{
    for (size_t i = 0; i < k; i++) {
        struct sm_text x = name_word(a, i), y = name_word(b, i);
        if (x.n != y.n || memcmp(x.p, y.p, x.n) != 0)
            return false;
    }
    return true;
}

/* What the k-th word of the names in `group` (agreeing in k words) can be; one row for each different word. */
struct choice {
    const struct sm_setting *row; /* of the word that is meant; NULL: none, or several */
    struct sm_str all;            /* the words that begin so */
    unsigned n;
};

static void choose(const char *group, size_t k, const char *word, struct choice *c)
{
    struct sm_text last = {0};
    for (size_t i = 0; i < SM_SETTING_COUNT; i++) {
        struct sm_text w = name_word(rows[i].name, k);
        if ((k && !same_group(rows[i].name, group, k)) || !w.n || strncmp(w.p, word, strlen(word)) != 0)
            continue;
        if (sm_text_is(w, word)) {
            c->row = &rows[i];
            c->n = 1;
            return;
        }
        if (last.n == w.n && memcmp(last.p, w.p, w.n) == 0)
            continue;
        last = w;
        sm_str_printf(&c->all, "%s%.*s", c->n++ ? ", " : "", (int)w.n, w.p);
        c->row = &rows[i];
    }
}

static bool say_setting(const char *group, size_t k, const char *word, struct choice *c, const char *verb,
                        struct sm_err *err)
{
    size_t n = 0;
    for (size_t i = 0; i < k; i++)
        n = (size_t)(name_word(group, i).p - group) + name_word(group, i).n;
    const char *space = n ? " " : "";
    if (c->n > 1)
        return sm_err_set(err, SM_ERR_USAGE, "Ambiguous %s%s%.*s command \"%s\": %s.", verb, space, (int)n, group, word,
                          sm_str_text(&c->all));
    if (!*word)
        return sm_err_set(err, SM_ERR_USAGE, "\"%s%s%.*s\" must be followed by the name of a setting.", verb, space,
                          (int)n, group);
    return sm_err_set(err, SM_ERR_USAGE, "Undefined %s%s%.*s command: \"%s\".  Try \"help %s%s%.*s\".", verb, space,
                      (int)n, group, word, verb, space, (int)n, group);
}

const struct sm_setting *sm_setting_find(const char *verb, const char *const *words, size_t n, size_t *used,
                                         struct sm_err *err)
{
    const struct sm_setting *row = NULL;
    for (size_t k = 0;; k++) {
        if (row && !name_word(row->name, k).n) {
            *used = k;
            return row;
        }
        struct choice c = {0};
        const char *word = k < n ? words[k] : "";
        if (*word)
            choose(row ? row->name : "", k, word, &c);
        bool found = c.n == 1;
        if (!found)
            say_setting(row ? row->name : "", k, word, &c, verb, err);
        sm_str_clear(&c.all);
        if (!found)
            return NULL;
        row = c.row;
    }
}
