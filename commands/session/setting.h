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
#define SM_SETTING_UNLIMITED ((double)INT64_MAX) /* as max: there is none */
/* A row of a feature's settings. Its value lies in the feature's struct of settings: BOOL is a
 * bool; INT, SIZE (bytes), DURATION (us) and ENUM (index of the word) an int64_t, INT64_MAX for
 * unlimited; REAL a double; TEXT a char * that the settings own. */
struct sm_setting {
    const char *name; /* words with blanks: "print precision-style" */
    enum sm_setting_type type;
    size_t offset; /* of the value in the feature's struct of settings */
    /* ENUM, NULL-terminated; elsewhere words that may replace a number: the k-th is -1 - k */
    const char *const *words;
    double min, max;     /* INT, REAL, SIZE, DURATION */
    const char *initial; /* as a user would type it */
    const char *unit;    /* "columns", "bytes", or NULL */
    const char *help;    /* one line, <= 70 columns */
    /* TEXT: whether the text is valid; NULL: any text is */
    bool (*check)(const char *text, struct sm_err *err);
};
struct sm_feature;
struct sm_settings_row {
    const struct sm_setting *row;
    size_t feature;
};
/* The settings of all features and their values. */
struct sm_settings {
    const struct sm_feature *const *features;
    void **blocks;                /* the struct of settings of each feature */
    struct sm_settings_row *rows; /* by name */
    size_t n;
    uint64_t version; /* grows with each change */
};
/* Initial values. features: NULL-terminated; they stay where they are. */
void sm_settings_init(struct sm_settings *s, const struct sm_feature *const *features);
void sm_settings_clear(struct sm_settings *s);
/* The struct of settings of the feature that has these rows; it must be of the list. */
const void *sm_settings_of(const struct sm_settings *s, const struct sm_setting *rows);
const struct sm_setting *sm_setting_row(const struct sm_settings *s, size_t i); /* i < s->n, by name
                                                                                 */
/* By its whole name; NULL: there is none. */
const struct sm_setting *sm_setting_named(const struct sm_settings *s, const char *name);
/* By name with unambiguous abbreviation of each word; *used gets the words taken. Messages in gdb's
 * words, of `verb` ("set" or "show"). */
const struct sm_setting *sm_setting_find(const struct sm_settings *s, const char *verb,
                                         const char *const *words, size_t n, size_t *used,
                                         struct sm_err *err);
/* NULL text: on */
bool sm_setting_set(struct sm_settings *s, const struct sm_setting *row, const char *text,
                    struct sm_err *err);
/* as `set` takes it */
void sm_setting_text(const struct sm_settings *s, const struct sm_setting *row, struct sm_str *out);
/* BOOL and ENUM: sets the next value, or the one before; the last is followed by the first. */
void sm_setting_turn(struct sm_settings *s, const struct sm_setting *row, bool forward);
bool sm_setting_is_initial(const struct sm_settings *s, const struct sm_setting *row);

#endif
