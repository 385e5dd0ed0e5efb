/* SPDX-License-Identifier: Apache-2.0 */
/* Replays a finished trial: writes it again into a new directory, step by step, with its original
 * timing or a fixed interval, so that it looks like a live run. */
#ifndef SM_REPLAY_H
#define SM_REPLAY_H

#include "reader/base/err.h"

#include <stdint.h>

struct sm_replay_options {
    double speed;    /* 2: twice as fast; ignored with interval */
    int interval_ms; /* > 0: time between steps; 0: the trial's own times, divided by speed */
    /* Waits; false stops the replay. NULL: nanosleep. */
    bool (*pause)(void *ctx, int64_t us);
    void *ctx;
};
/* Returns when all is written: run it in a process or thread of its own. dst must not exist or must
 * be empty. Writes the files of all workers. An unfinished step (killed run) is not copied; the end
 * marker is written only if src has one. */
bool sm_replay(const char *src, const char *dst, const struct sm_replay_options *o,
               struct sm_err *err);

#endif
