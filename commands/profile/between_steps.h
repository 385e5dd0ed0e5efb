/* SPDX-License-Identifier: Apache-2.0 */
/* The time between steps: what a loop does besides them, such as waiting for data, checkpoints and
 * logging. */
#ifndef SM_BETWEEN_STEPS_H
#define SM_BETWEEN_STEPS_H

#include "reader/profile/profile.h"

enum { SM_BETWEEN_P50, SM_BETWEEN_P95, SM_BETWEEN_QUANTILES };
struct sm_between_steps {
    struct sm_event_sum sum; /* count 0: there are no gaps */
    double at[SM_BETWEEN_QUANTILES];
};
/* The gaps between the steps of each node, of any mode, from its first one to its last one. Steps
 * that overlap have none. False: no memory. */
bool sm_between_steps_of(const struct sm_event_store *x, struct sm_between_steps *out);

#endif
