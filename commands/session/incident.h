/* What rules and their actions did: a log for `info events`, the front end and the events pane. */
#ifndef SM_INCIDENT_H
#define SM_INCIDENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sm_incident {
    int64_t time_us; /* wall clock */
    char *rule;      /* instance, or NULL */
    int64_t step;    /* -1: none */
    bool bell;
    char *text;
};
struct sm_incidents {
    struct sm_incident *items; /* oldest first, at most SM_INCIDENTS_MAX */
    size_t n, cap;
    uint64_t total, noticed;                              /* ever; when the session looked last */
    size_t running;                                       /* commands not finished */
    bool closed;                                          /* freed when the last of them is back */
    void (*told)(void *ctx, const struct sm_incident *e); /* the front end shows it; NULL: nobody */
    void *ctx;
};
enum { SM_INCIDENTS_MAX = 1000 };
struct sm_incidents *sm_incidents_new(void);
void sm_incidents_free(struct sm_incidents *l); /* commands that still run are let go */
void sm_incidents_add(struct sm_incidents *l, const char *rule, int64_t step, bool bell,
                      const char *text);

#endif
