/* When steps were saved, by the clock of their events: files that were copied are younger than what
 * they hold. */
#ifndef SM_STEP_CLOCK_H
#define SM_STEP_CLOCK_H

#include "reader/fetch.h"

struct sm_step_clock {
    struct sm_fetch *fetch;
    struct sm_trial *trial;
    size_t near;  /* a tensor that was saved at the step before; the next may have it, too */
    bool waiting; /* a time is still being read: the answer does not count */
};
/* Microseconds since 1970. What cannot be read, or has shapes only, has its index file's time. */
int64_t sm_step_clock_read(struct sm_step_clock *c, struct sm_step step, int64_t file_time_us);
/* The same among what one session of the job wrote. */
int64_t sm_step_clock_read_session(struct sm_step_clock *c, struct sm_step step, uint16_t session,
                                   int64_t file_time_us);

#endif
