/* SPDX-License-Identifier: Apache-2.0 */
/* The answers of lines that the dashboard shows as tables. They are made in the background: a pane
 * asks for a line with each frame, and gets the answer that was made last. When the trial grows,
 * the line runs again, at most a tenth of the time. What is not asked for any more does not run.
 *
 * Lines must only read: commands of the classes data and status that change no current place. */
#ifndef SM_ANSWER_LIVE_H
#define SM_ANSWER_LIVE_H

#include "commands/session/session.h"

struct sm_call;
struct sm_answer_live {
    char *line;
    struct sm_trial *trial;  /* the current one when the line was asked for */
    struct sm_result result; /* as made last */
    uint64_t made;           /* a number that no other answer of the session has; 0: none yet */
    struct sm_err err;       /* of the last run; SM_OK: none */
    /* Private from here on. */
    struct sm_result next;
    struct sm_call *call;            /* of the line that runs; NULL: none does */
    uint64_t asked, seen;            /* news of the session */
    uint64_t extent;                 /* of the trial when the line was begun */
    int64_t started_us, finished_us; /* monotonic */
    struct sm_answer_live *other;    /* of the session */
};

/* The answer of a line for the current trial; begun if it is new. NULL: no trial is open. The
 * pointer is valid until the next pump or another sm_answer_live_get. */
const struct sm_answer_live *sm_answer_live_get(struct sm_session *s, const char *line);
/* The same if it was made; it counts as asked for. NULL: it was not. */
const struct sm_answer_live *sm_answer_live_find(struct sm_session *s, const char *line);
/* How many values it still reads; 0 if it does not run. */
size_t sm_answer_live_left(const struct sm_answer_live *x);

/* For the main loop. */
bool sm_answer_live_pump(struct sm_session *s); /* true if an answer was made */
int64_t sm_answer_live_deadline_us(const struct sm_session *s);
bool sm_answer_live_settled(const struct sm_session *s); /* nothing that is asked for is missing */
void sm_answer_live_drop(struct sm_session *s);          /* all of them */

#endif
