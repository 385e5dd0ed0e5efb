/* SPDX-License-Identifier: Apache-2.0 */
/* The times at which steps were saved, from the wall time of their events. Times of files are not
 * used if possible, because copying a file changes them. */
#ifndef SM_STEP_CLOCK_H
#define SM_STEP_CLOCK_H

#include "reader/fetch/fetch.h"

struct sm_step_clock {
    struct sm_fetch *fetch;
    struct sm_trial *trial;
    size_t near;  /* index of a tensor that was saved at the last step; tried first */
    bool waiting; /* a time is still being read: the result is not final */
};
/* Microseconds since 1970. If the events cannot be read, or have only shapes: file_time_us, the
 * time of the index file. */
int64_t sm_step_clock_read(struct sm_step_clock *c, struct sm_step step, int64_t file_time_us);
/* Like sm_step_clock_read, for the events of one session of the job. */
int64_t sm_step_clock_read_session(struct sm_step_clock *c, struct sm_step step, uint16_t session,
                                   int64_t file_time_us);

#endif
