/* SPDX-License-Identifier: Apache-2.0 */
/* Settings. A feature may have a table of settings; set, show, help set, info settings,
 * completion and the manual use these tables. */
#ifndef SM_SETTING_H
#define SM_SETTING_H

#include "reader/base/err.h"
#include "reader/base/str.h"

enum sm_setting_type {
    SM_SETTING_BOOL,
    SM_SETTING_INT, /* if max is SM_SETTING_UNLIMITED, also "unlimited" or 0 */
    SM_SETTING_REAL,
    SM_SETTING_ENUM,
    SM_SETTING_SIZE /* bytes, typed as 256Mi */,
    SM_SETTING_DURATION /* us */,
    SM_SETTING_TEXT
};
#define SM_SETTING_UNLIMITED ((double)INT64_MAX) /* as max: no maximum */
struct sm_session;
struct sm_result;
/* A row of the table of a feature. The value is a field of the feature's struct of settings: a bool
 * for BOOL; an int64_t for INT, SIZE (bytes), DURATION (us) and ENUM (index of the word), INT64_MAX
 * if unlimited; a double for REAL; a char * owned by struct sm_settings for TEXT. */
struct sm_setting {
    const char *name; /* one or more words: "print precision-style" */
    enum sm_setting_type type;
    size_t offset; /* of the value in the feature's struct of settings */
    /* ENUM: the values. INT, SIZE, DURATION: words allowed instead of a number; word k has the
     * value -1 - k. NULL-terminated. */
    const char *const *words;
    double min, max;     /* INT, REAL, SIZE, DURATION */
    const char *initial; /* as the user types it */
    const char *unit;    /* "columns", "bytes", or NULL */
    const char *help;    /* one line, at most 70 columns, no full stop */
    /* TEXT: returns whether the text is valid; NULL if any text is */
    bool (*check)(const char *text, struct sm_err *err);
    /* Optional, for `set`: adds what there is to say of the new value, as that no run has the name.
     * False with SM_ERR_WAIT: asked again later. */
    bool (*note)(struct sm_session *s, struct sm_result *out, struct sm_err *err);
    bool retired; /* accepted by set and show for old scripts, without effect; not listed */
};
struct sm_feature;
struct sm_settings_row {
    const struct sm_setting *row;
    size_t feature; /* index */
};
/* The settings of all features and their values. */
struct sm_settings {
    const struct sm_feature *const *features;
    void **blocks;                /* the struct of settings of each feature */
    struct sm_settings_row *rows; /* sorted by name, then the retired ones */
    size_t n, n_all;              /* n: without the retired ones */
    uint64_t version;             /* increases with each change */
};
/* Sets all settings to their initial values. features: NULL-terminated, borrowed. */
void sm_settings_init(struct sm_settings *s, const struct sm_feature *const *features);
void sm_settings_clear(struct sm_settings *s);
/* The struct of settings of the feature with these rows, which must be in the list. */
const void *sm_settings_of(const struct sm_settings *s, const struct sm_setting *rows);
/* Row i < s->n, in the order of the names. */
const struct sm_setting *sm_setting_row(const struct sm_settings *s, size_t i);
/* The setting with exactly this name, or NULL. */
const struct sm_setting *sm_setting_named(const struct sm_settings *s, const char *name);
/* Finds a setting by the words of its name; each word may be an unambiguous prefix. Sets *used to
 * the number of words of the name. Returns NULL with a message as in gdb; verb is "set" or "show".
 */
const struct sm_setting *sm_setting_find(const struct sm_settings *s, const char *verb,
                                         const char *const *words, size_t n, size_t *used,
                                         struct sm_err *err);
/* Parses and sets a value. text NULL or "" sets a BOOL to on. On error the value is unchanged. */
bool sm_setting_set(struct sm_settings *s, const struct sm_setting *row, const char *text,
                    struct sm_err *err);
/* Appends the value as `set` reads it. */
void sm_setting_text(const struct sm_settings *s, const struct sm_setting *row, struct sm_str *out);
/* BOOL and ENUM only: sets the next or the previous value; wraps around at the ends. */
void sm_setting_cycle(struct sm_settings *s, const struct sm_setting *row, bool forward);
bool sm_setting_is_initial(const struct sm_settings *s, const struct sm_setting *row);

#endif
