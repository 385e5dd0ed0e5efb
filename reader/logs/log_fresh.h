/* SPDX-License-Identifier: Apache-2.0 */
/* Files that may be being written. */
#ifndef SM_LOG_FRESH_H
#define SM_LOG_FRESH_H

#include "reader/base/clock.h"

#include <stdbool.h>

/* Whether a file was written in the last two seconds: if it is torn, it may become whole. */
static inline bool sm_is_fresh(int64_t mtime_us)
{
    int64_t age_us = sm_clock_wall_us() - mtime_us;
    return age_us > -2000000 && age_us < 2000000;
}

#endif
