/* Settings: one table from which set, show, help set, info settings, completion and the manual are
 * made. */
#ifndef SM_SETTING_H
#define SM_SETTING_H

#include "reader/base/err.h"
#include "reader/base/str.h"

enum sm_setting_type {
    SM_SETTING_BOOL,
    SM_SETTING_INT, /* "unlimited" or 0 where max is INT64_MAX */
    SM_SETTING_REAL,
    SM_SETTING_ENUM,
    SM_SETTING_SIZE /* 256Mi */,
    SM_SETTING_DURATION /* us */,
    SM_SETTING_TEXT
};
/* Every setting has a number: its value is settings.values[number]. Adding one: an id here, a row
 * in setting.c. */
enum sm_setting_id {
    SM_SET_PRINT_ELEMENTS,
    SM_SET_PRINT_REPEATS,
    SM_SET_PRINT_EDGEITEMS,
    SM_SET_PRINT_PRECISION,
    SM_SET_PRINT_PRECISION_STYLE,
    SM_SET_PRINT_THRESHOLD,
    SM_SET_PRINT_LINEWIDTH,
    SM_SET_PAGINATION,
    SM_SET_HEIGHT,
    SM_SET_WIDTH,
    SM_SET_CONFIRM,
    SM_SET_VERBOSE,
    SM_SET_COLOR,
    SM_SET_BACKGROUND,
    SM_SET_SYMBOLS,
    SM_SET_IMAGES,
    SM_SET_SMOOTHING,
    SM_SET_X_AXIS,
    SM_SET_Y_AXIS,
    SM_SET_REFRESH,
    SM_SET_CHECKSUM,
    SM_SET_STRICT,
    SM_SET_MEMORY_LIMIT,
    SM_SET_SESSIONS,
    SM_SET_TIME_ZONE,
    SM_SET_HISTORY_SAVE,
    SM_SET_HISTORY_SIZE,
    SM_SET_TRACE_COMMANDS,
    SM_SET_STOP_ON_ERROR,
    SM_SET_CASE,
    SM_SET_PROMPT_CONTEXT,
    SM_SET_STALL,
    SM_SET_THREADS,
    SM_SET_NICENESS,
    SM_SET_MOUSE,
    SM_SET_TUI_ALTSCREEN,
    SM_SET_TUI_START_MODE,
    SM_SET_SCREEN_READER,
    SM_SET_SAFE_PATH,
    SM_SET_RULE_FALLBACK,
    SM_SET_RULE_PAUSE,
    SM_SET_RULE_ACTIONS,
    SM_SET_STOP_ACTION,
    SM_SET_NOTIFY_ACTION,
    SM_SET_BATCH_EXIT,
    SM_SET_BT_ORDER,
    SM_SET_LOGGING_FILE,
    SM_SET_LOGGING_ENABLED,
    SM_SET_LOGGING_OVERWRITE,
    SM_SET_LOGGING_REDIRECT,
    SM_SET_TITLE,
    /* by enum sm_role */
    SM_SET_STYLE_TEXT,
    SM_SET_STYLE_DIM,
    SM_SET_STYLE_TITLE,
    SM_SET_STYLE_ACCENT,
    SM_SET_STYLE_PROBLEM,
    SM_SET_STYLE_WARN,
    SM_SET_STYLE_OK,
    SM_SET_STYLE_BORDER,
    SM_SET_STYLE_SERIES_1,
    SM_SET_STYLE_SERIES_8 = SM_SET_STYLE_SERIES_1 + 7,
    SM_SETTING_COUNT
};
union sm_setting_value {
    bool b;
    /* INT, SIZE (bytes), DURATION (us), ENUM (index of the word); INT64_MAX: unlimited */
    int64_t i;
    double d;
    char *text;
};
#define SM_SETTING_UNLIMITED ((double)INT64_MAX) /* as max: there is none */
struct sm_setting {
    enum sm_setting_id id;
    const char *name; /* words with blanks: "print precision-style" */
    enum sm_setting_type type;
    /* ENUM, NULL-terminated; elsewhere words that may stand for a number: the k-th is -1 - k */
    const char *const *words;
    double min, max;                                     /* INT, REAL, SIZE, DURATION */
    const char *initial;                                 /* as a person would type it */
    const char *unit;                                    /* "columns", "bytes", or NULL */
    const char *help;                                    /* one line, <= 70 columns */
    bool (*check)(const char *text, struct sm_err *err); /* TEXT: what it may be; NULL: anything */
};
struct sm_settings {
    union sm_setting_value values[SM_SETTING_COUNT];
    uint64_t version; /* grows with each change */
};
void sm_settings_init(struct sm_settings *s);
void sm_settings_clear(struct sm_settings *s);
const struct sm_setting *sm_setting_row(size_t id); /* id < SM_SETTING_COUNT */
/* By name with unambiguous abbreviation of each word; *used gets the words taken. Messages in gdb's
 * words, of `verb` ("set" or "show"). */
const struct sm_setting *sm_setting_find(const char *verb, const char *const *words, size_t n,
                                         size_t *used, struct sm_err *err);
/* NULL text: on */
bool sm_setting_set(struct sm_settings *s, const struct sm_setting *row, const char *text,
                    struct sm_err *err);
/* as `set` takes it */
void sm_setting_text(const struct sm_settings *s, const struct sm_setting *row, struct sm_str *out);

#endif
