/* SPDX-License-Identifier: Apache-2.0 */
/* What of the two logs of a training was handed on: the history of its states, and the events of
 * its sessions. A scalar of a step comes once: from the log that had it first. A point of the
 * history, which has no time, gets that of its event. */
#ifndef SM_TRAINER_TOLD_H
#define SM_TRAINER_TOLD_H

#include "reader/tables/point_list.h"
#include "reader/tables/trainer_events.h"

/* Begin with {0}. */
struct sm_trainer_told {
    struct sm_points_told history;
    struct sm_map times;  /* of the events, by name and step: the bits of a double */
    struct sm_map points; /* by name and step: in which log it was first */
    uint8_t *logs;        /* by name: those that have points of it, as bits */
    size_t cap_logs;
    int64_t most; /* 1 + the highest step */
    bool news;    /* logs has changed */
    bool failed;  /* no memory */
};
/* Whether a session begins with a step that was handed on already: all must be handed on again. */
bool sm_trainer_is_overtaken(const struct sm_trainer_told *t, const struct sm_trainer_events *e);
/* Forgets all, for that. */
void sm_trainer_told_restart(struct sm_trainer_told *t, struct sm_trainer_events *e);
/* Notes the times of events; before the history is handed on. */
void sm_trainer_note_times(struct sm_trainer_told *t, struct sm_trainer_events *e);
/* Hands on what was not yet. */
void sm_trainer_tell_history(struct sm_trainer_told *t, const struct sm_point_list *l,
                             struct sm_json_row *row, struct sm_log_sink *sink);
void sm_trainer_tell_events(struct sm_trainer_told *t, struct sm_trainer_events *e,
                            struct sm_json_row *row, struct sm_log_sink *sink);
void sm_trainer_told_clear(struct sm_trainer_told *t);

#endif
