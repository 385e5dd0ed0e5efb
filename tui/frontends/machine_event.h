/* Events of --interpreter=json: what happened to the trials of a session since it was last looked
 * at. */
#ifndef SM_MACHINE_EVENT_H
#define SM_MACHINE_EVENT_H

#include "commands/run/exec.h"

struct sm_watched {
    const struct sm_trial *trial;
    bool scanned; /* the steps that were there at first are no news */
    int64_t last; /* the newest step that was told; -1: none */
    enum sm_trial_state state;
    uint64_t rules; /* version of its rules that was looked at */
    struct sm_watched_rule {
        char *name;
        enum sm_rule_status status;
        uint64_t violations;
    } * items;
    size_t n, cap;
};
struct sm_events {
    struct sm_watched *trials;
    size_t n, cap;
};
/* Appends a line for each thing that is new. */
void sm_events_look(struct sm_events *e, const struct sm_session *s, struct sm_str *out);
/* The line of a stop: the answer's tree with what it was. */
void sm_event_stopped(const struct sm_session *s, const struct sm_cmd *cmd,
                      const struct sm_result *r, struct sm_str *out);
void sm_events_clear(struct sm_events *e);

#endif
