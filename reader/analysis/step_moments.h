/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of a trial and moments of its profile: which is which, so that scrubbing one moves the
 * other.
 *
 * A step is a range of time, from the events "Step:ModeKeys.MODE" of its mode and mode step; a
 * range of time is a range of saved steps. Steps of a run without modes are those of the profile's
 * main mode. Where the profile has no such events, a saved step is
 * the moment at which it was written, if that is in the time of the profile. */
#ifndef SM_STEP_MOMENTS_H
#define SM_STEP_MOMENTS_H

#include "reader/profile/profile.h"
#include "reader/trial.h"

/* When saved step i (sm_trial_step) ran, in ns since 1970. False: not known. */
bool sm_step_moment(const struct sm_trial *t, const struct sm_profile *p, size_t i,
                    int64_t *from_ns, int64_t *to_ns);
/* The saved steps that ran in [from, to): indices [*first, *last] of sm_trial_step. If none did,
 * the saved steps before and after it. False: no step's time is known. */
bool sm_steps_of_moments(const struct sm_trial *t, const struct sm_profile *p, int64_t from_ns,
                         int64_t to_ns, size_t *first, size_t *last);

#endif
