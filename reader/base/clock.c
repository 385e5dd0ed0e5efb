/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/base/clock.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

static atomic_bool frozen;
static atomic_llong frozen_mono, frozen_wall;

static int64_t system_us(clockid_t id)
{
    struct timespec ts;
    clock_gettime(id, &ts);
    return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

int64_t sm_clock_mono_us(void)
{
    return atomic_load(&frozen) ? atomic_load(&frozen_mono) : system_us(CLOCK_MONOTONIC);
}

int64_t sm_clock_wall_us(void)
{
    return atomic_load(&frozen) ? atomic_load(&frozen_wall) : system_us(CLOCK_REALTIME);
}

double sm_clock_wall_s(void)
{
    return (double)sm_clock_wall_us() / 1e6;
}

int64_t sm_clock_us_of(double seconds)
{
    return seconds > 0 && seconds <= 1e12 ? (int64_t)(seconds * 1e6) : 0;
}

void sm_clock_freeze(int64_t mono_us, int64_t wall_us)
{
    atomic_store(&frozen_mono, mono_us);
    atomic_store(&frozen_wall, wall_us);
    atomic_store(&frozen, true);
}

void sm_clock_advance(int64_t us)
{
    atomic_fetch_add(&frozen_mono, us);
    atomic_fetch_add(&frozen_wall, us);
}

void sm_clock_thaw(void)
{
    atomic_store(&frozen, false);
}
