/* SPDX-License-Identifier: Apache-2.0 */
/* How fast a run is and what holds it up: from its profile to one cause.
 *
 * The room rules/speed measures the loop of the training (speed_loop.h) and the machines
 * (speed_machine.h), puts both together (speed_case.h), lets each row of its table of causes look
 * (speed_causes.h), and takes the first one that holds: a cause stands before those that follow
 * from it. Limits and definitions: doc/verdict.md. */
#ifndef SM_SPEED_H
#define SM_SPEED_H

#include "reader/profile/profile.h"

enum { SM_SPEED_EVIDENCE = 4, SM_SPEED_TEXT = 160, SM_SPEED_MISSING = 6, SM_SPEED_ATTEMPTS = 2 };
struct sm_speed_cause {
    const char *id, *title;
    const char *attempt[SM_SPEED_ATTEMPTS]; /* what can be tried; NULL after the last */
};
struct sm_speed_evidence {
    char text[SM_SPEED_TEXT];   /* may have bytes of files: escape it */
    double value;               /* a share of 1, or what the text says; NaN: none */
    int64_t from_ns, to_ns;     /* that it is of */
    int32_t first, last;        /* steps of the main mode then; -1: not known */
    const char *node, *command; /* node: NULL for all; valid as long as the profile */
};
struct sm_speed {
    const struct sm_speed_cause *cause;     /* never NULL: also balanced and unknown */
    const char *attempt[SM_SPEED_ATTEMPTS]; /* those of the cause that fit; NULL after the last */
    bool slow;                              /* a cause of slowness was found */
    bool unknown;
    int64_t since_ns;   /* the onset; INT64_MIN: not known */
    int32_t since_step; /* of the main mode; -1: not known */
    struct sm_speed_evidence evidence[SM_SPEED_EVIDENCE];
    size_t n_evidence;
    const char *missing[SM_SPEED_MISSING]; /* what was not recorded */
    size_t n_missing;
    uint64_t steps;         /* that were looked at */
    int64_t from_ns, to_ns; /* the time that was looked at */
    enum sm_mode mode;
    /* of traces: */
    bool alone;          /* the run has nothing else that could be looked at */
    const char *worker;  /* that the cause is of; NULL: of all, or not known */
    const char *command; /* shows what was looked at; NULL: profile summary */
};

struct sm_speed_watch; /* what is kept of a profile from one look to the next */
struct sm_speed_watch *sm_speed_watch_new(void);    /* NULL: no memory */
void sm_speed_watch_free(struct sm_speed_watch *w); /* may be NULL */
/* Takes in the events that were read since, so that finding has less to do. False: no memory. */
bool sm_speed_take(struct sm_speed_watch *w, const struct sm_profile *p);
/* Of all that was read so far. The watch is of one profile. False: no memory. */
bool sm_speed_find(struct sm_speed_watch *w, const struct sm_profile *p, struct sm_speed *out);
/* "CAUSE input-bound, since step 3", "SPEED balanced" */
void sm_speed_headline(const struct sm_speed *s, struct sm_str *out);
/* What evidence is of: "algo-1-831, steps 3 to 239"; not escaped. */
void sm_speed_scope(const struct sm_speed_evidence *e, struct sm_str *out);
/* Every cause, with "balanced" and "unknown"; ends with id NULL. */
extern const struct sm_speed_cause sm_speed_causes[];

#endif
