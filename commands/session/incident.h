/* SPDX-License-Identifier: Apache-2.0 */
/* The event log: what rules and their actions did, and changes of trials in the background. Shown
 * by `info events`, the front ends and the events pane. */
#ifndef SM_INCIDENT_H
#define SM_INCIDENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sm_incident {
    int64_t time_us; /* wall clock */
    char *rule;      /* the instance of a rule, or NULL */
    int64_t step;    /* -1 if none */
    bool bell;       /* ring the bell of the terminal */
    char *text;      /* escaped for a terminal */
};
struct sm_incidents {
    struct sm_incident *items; /* oldest first, at most SM_INCIDENTS_MAX */
    size_t n, cap;
    uint64_t total, noticed; /* ever added; value of total at the last check */
    void (*on_added)(void *ctx, const struct sm_incident *e); /* called for each new event, or NULL
                                                               */
    void *ctx;
};
enum { SM_INCIDENTS_MAX = 1000 };
struct sm_incidents *sm_incidents_new(void);
void sm_incidents_free(struct sm_incidents *l);
void sm_incidents_add(struct sm_incidents *l, const char *rule, int64_t step, bool bell,
                      const char *text);

#endif
