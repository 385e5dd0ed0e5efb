/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/tables/step_count.h"

#include <math.h>

/* Counters are below 2^53: their sums do not overflow. */
#define STEP_MAX ((int64_t)1 << 60)

/* A counter from 0 has its next value one pause after the last one. */
static int64_t next_offset(const struct sm_step_count *c, int64_t counter)
{
    int64_t pause = c->twice && c->last > c->before ? c->last - c->before : 1;
    if (c->step > STEP_MAX)
        return 0;
    return c->step + (counter == 0 ? pause : 0);
}

int64_t sm_step_of(struct sm_step_count *c, int64_t counter, double epoch)
{
    bool later = c->aged && epoch > c->epoch;
    if (c->counted && later && counter < c->last)
        c->offset = next_offset(c, counter);
    if (c->counted && counter != c->last) {
        c->before = c->last;
        c->twice = true;
    }
    c->last = counter;
    c->counted = true;
    if (!isnan(epoch)) {
        c->epoch = epoch;
        c->aged = true;
    }
    c->rows++;
    return c->step = counter + c->offset;
}

int64_t sm_step_of_validation(struct sm_step_count *c, int64_t counter, double epoch)
{
    return c->counted && counter < c->last ? c->step : sm_step_of(c, counter, epoch);
}
