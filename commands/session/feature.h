/* What a room of the program hands to a session: its state, its part in the session's life, its
 * commands and its settings. The session knows the list of features it was made with, and none of
 * them by name. A room that needs state, a hook, a command or a setting has one such record. */
#ifndef SM_FEATURE_H
#define SM_FEATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sm_cmd;
struct sm_session;
struct sm_setting;
struct sm_value;
/* What a room keeps of a session, and of each of its trials: bytes, zeroed at first; 0: nothing. It
 * is apart from the feature so that what uses the state need not link the room's commands. */
struct sm_state_kind {
    size_t size, trial_size;
};
struct sm_feature {
    const char *name;
    const struct sm_state_kind *state; /* NULL: it keeps nothing */
    /* Each may be NULL. init runs in the order of the list, clear in the reverse order. */
    void (*init)(struct sm_session *s);
    void (*clear)(struct sm_session *s);
    /* Trial i was opened; is about to be closed. */
    void (*trial_opened)(struct sm_session *s, size_t i);
    void (*trial_closing)(struct sm_session *s, size_t i);
    /* After trials and values were pumped. news: something came. True: something changed. */
    bool (*pump)(struct sm_session *s, bool news);
    /* When pump should run again without news; 0: at once, INT64_MAX: on news only. */
    int64_t (*deadline_us)(const struct sm_session *s);
    /* A variable that is computed, name without its $. False: there is none of that name. */
    bool (*variable)(const struct sm_session *s, const char *name, size_t n, struct sm_value *out);
    const struct sm_cmd *const *commands; /* NULL-terminated; NULL: it has none */
    const struct sm_setting *settings;    /* ends with name NULL; NULL: it has none */
    size_t settings_size;                 /* of the struct that holds their values */
};

/* The state of a kind; of the i-th open trial. A feature of the session must have it. The pointer
 * stays valid until the session is freed, or the trial closed. */
void *sm_session_state(const struct sm_session *s, const struct sm_state_kind *kind);
void *sm_session_trial_state(const struct sm_session *s, size_t i,
                             const struct sm_state_kind *kind);

#endif
