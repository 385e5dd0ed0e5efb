/* SPDX-License-Identifier: Apache-2.0 */
/* Events of --interpreter=json: changes of the trials of a session since the last call. */
#ifndef SM_MACHINE_EVENT_H
#define SM_MACHINE_EVENT_H

#include "commands/run/exec.h"

struct sm_watched {
    const struct sm_trial *trial;
    bool scanned; /* the existing steps were read; there are no events for them */
    int64_t last; /* the newest reported step, or -1 */
    enum sm_trial_state state;
    uint64_t rules; /* the last version of its rules that was read */
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
/* Appends a line for each change. */
void sm_events_read(struct sm_events *e, const struct sm_session *s, struct sm_str *out);
/* Appends the line of a stop: the tree of the answer with its reason. */
void sm_event_stopped(const struct sm_session *s, const struct sm_cmd *cmd,
                      const struct sm_result *r, struct sm_str *out);
void sm_events_clear(struct sm_events *e);

#endif
