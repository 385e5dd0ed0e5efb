/* SPDX-License-Identifier: Apache-2.0 */
/* A feature: the record with which a room adds state, callbacks, commands and settings to a
 * session. The session is created with a list of features (commands/features.h) and knows none of
 * them by name. A room that has any of these defines one feature. */
#ifndef SM_FEATURE_H
#define SM_FEATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sm_cmd;
struct sm_session;
struct sm_setting;
struct sm_value;
/* The state that a room has in each session and for each open trial. It is separate from the
 * feature so that code that uses the state does not have to link the commands of the room. */
struct sm_state_kind {
    size_t size, trial_size; /* bytes per session and per trial, initially zero; 0 if none */
};
struct sm_feature {
    const char *name;
    const struct sm_state_kind *state; /* NULL if it has no state */
    /* Callbacks; each may be NULL. init runs in the order of the list, clear in reverse order. */
    void (*init)(struct sm_session *s);
    void (*clear)(struct sm_session *s);
    /* Called after trial i was opened, and before it is closed. */
    void (*trial_opened)(struct sm_session *s, size_t i);
    void (*trial_closing)(struct sm_session *s, size_t i);
    /* Called by sm_session_pump after it has processed new data of trials and fetched values. news:
     * there was some. Returns whether anything changed. */
    bool (*pump)(struct sm_session *s, bool news);
    /* The time (monotonic) at which pump should run again even without new data; 0: immediately,
     * INT64_MAX: only for new data. */
    int64_t (*deadline_us)(const struct sm_session *s);
    /* Computes the variable `name` (without the $). Returns false if the feature has none of this
     * name. */
    bool (*variable)(const struct sm_session *s, const char *name, size_t n, struct sm_value *out);
    const struct sm_cmd *const *commands; /* NULL-terminated, or NULL */
    const struct sm_setting *settings;    /* ends with name NULL, or NULL */
    size_t settings_size;                 /* of the struct with their values */
};

/* The session state of the feature with this kind, which must be in the session's list. Valid until
 * the session is freed. */
void *sm_session_state(const struct sm_session *s, const struct sm_state_kind *kind);
/* The same for the state of open trial i. Valid until the trial is closed. */
void *sm_session_trial_state(const struct sm_session *s, size_t i,
                             const struct sm_state_kind *kind);

/* For the files of this room: how many features there are; calls each `init`, and each `clear` in
 * reverse order, with the state of the session. */
size_t sm_features_count(const struct sm_session *s);
void sm_features_init(struct sm_session *s);
void sm_features_clear(struct sm_session *s);
/* The states of a trial that is opened, all zero; and what frees them. */
void **sm_feature_trial_states(const struct sm_session *s);
void sm_feature_states_free(const struct sm_session *s, void **states);

#endif
