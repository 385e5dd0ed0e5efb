/* Writes a finished trial again into a new directory, step by step, with its real timing scaled: a
 * live run to look at. */
#ifndef SM_REPLAY_H
#define SM_REPLAY_H

#include "reader/base/err.h"

#include <stdint.h>

struct sm_replay_options {
    double speed;    /* 2: twice as fast; ignored with interval */
    int interval_ms; /* > 0: this long between steps; 0: by the trial's own times and speed */
    /* waits; false stops early. NULL: nanosleep. Tests pass their own */
    bool (*pause)(void *ctx, int64_t us);
    void *ctx;
};
/* Blocks until done: run it in a process or thread of its own. dst must not exist or be empty.
 * Every worker's files are written; a step that lacks an end (killed run) is left out as the source
 * lacks it. The end marker only if src has one. */
bool sm_replay(const char *src, const char *dst, const struct sm_replay_options *o,
               struct sm_err *err);

#endif
