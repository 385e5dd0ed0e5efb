/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a trial, newest first: sessions of the job, errors in files, alerts, stalls, lost
 * workers, the end. */
#ifndef SM_TRIAL_EVENTS_H
#define SM_TRIAL_EVENTS_H

#include "reader/analysis/workers.h"

enum sm_trial_event_kind {
    SM_TRIAL_EVENT_RULE, /* this and the next are added by commands/judge/session_events.h */
    SM_TRIAL_EVENT_ACTION,
    SM_TRIAL_EVENT_ERROR,
    SM_TRIAL_EVENT_ALERT, /* of the logger: what the program told */
    SM_TRIAL_EVENT_SESSION,
    SM_TRIAL_EVENT_STALL,
    SM_TRIAL_EVENT_LOSS, /* of a worker */
    SM_TRIAL_EVENT_END
};
struct sm_trial_event {
    enum sm_trial_event_kind kind;
    int64_t time_us;  /* wall clock; 0 if not known */
    int64_t step;     /* -1 if none */
    const char *rule; /* the instance, or NULL */
    const char *text; /* not escaped */
    size_t sequence;  /* orders events of the same time, higher is newer; 0 if not known */
};
struct sm_trial_events {
    struct sm_trial_event *items;
    size_t n, cap;
    struct sm_arena arena;     /* of the texts */
    struct sm_workers workers; /* read once for each version of the trial */
};
/* "rule" "action" "error" "alert" "session" "stall" "lost" "end" */
const char *sm_trial_event_name(enum sm_trial_event_kind kind);
/* Fills *out, zero-initialised or used before, with the events of t; t may be NULL. */
void sm_trial_events_read(const struct sm_trial *t, int64_t now_us, struct sm_trial_events *out);
/* Adds an event; e.text is copied, e.rule is not. Sort after adding the last one. */
void sm_trial_events_add(struct sm_trial_events *out, struct sm_trial_event e);
void sm_trial_events_sort(struct sm_trial_events *e);
void sm_trial_events_clear(struct sm_trial_events *e);

#endif
