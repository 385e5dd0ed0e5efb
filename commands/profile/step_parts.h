/* SPDX-License-Identifier: Apache-2.0 */
/* What a step takes, as a sum: waiting for data, forward, backward, optimizer, waiting for other
 * workers and the rest. Means of all steps of the profile. */
#ifndef SM_STEP_PARTS_H
#define SM_STEP_PARTS_H

#include "plot/grid/glyphs.h"
#include "reader/base/str.h"
#include "reader/profile/event_store.h"

enum sm_step_part {
    SM_STEP_DATA,
    SM_STEP_FORWARD,
    SM_STEP_BACKWARD, /* without the waits at its end */
    SM_STEP_OPTIMIZER,
    SM_STEP_OTHERS, /* other workers are waited for */
    SM_STEP_REST,
    SM_STEP_PARTS
};
struct sm_step_parts {
    uint64_t steps;
    double whole_ns, ns[SM_STEP_PARTS];
};
/* Whether a phase is the time in which the training waits for a batch. */
bool sm_phase_is_wait(const char *phase);
/* False: the profile has no steps, or none of the parts. */
bool sm_step_parts_of(const struct sm_event_store *x, struct sm_step_parts *out);
/* Adds "step 412 ms = data 292 ms + forward 41.0 ms + ..."; parts below 1 % are left out. bars: a
 * bar after each part as long as its share, up to ten cells; NULL: none. */
void sm_step_parts_text(const struct sm_step_parts *s, const struct sm_glyphs *bars,
                        struct sm_str *out);

#endif
