/* SPDX-License-Identifier: Apache-2.0 */
/* The progress line of a long command at the prompt: on stderr, erased when the command ends. */
#ifndef SM_PROGRESS_H
#define SM_PROGRESS_H

#include "commands/run/exec.h"

struct sm_progress {
    struct sm_str line; /* on the screen */
    int64_t next_us;    /* when it may change */
};
void sm_progress_begin(struct sm_progress *p); /* a command starts: shows nothing for 0.3 s */
void sm_progress_erase(struct sm_progress *p);
/* Returns the monotonic time of the next call. */
int64_t sm_progress_show(struct sm_progress *p, const struct sm_session *s,
                         const struct sm_exec *x);
void sm_progress_clear(struct sm_progress *p);

#endif
