/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms of one tensor at one step of several trials, in one chart. */
#ifndef SM_HIST_TRIALS_H
#define SM_HIST_TRIALS_H

#include "commands/place/trial_set.h"

/* Reads the bins of spec in each trial that has the tensor at the step. Draws one line per trial:
 * the share of the elements in bins that are common to all. */
bool sm_hist_trials(struct sm_call *c, struct sm_result *out, const struct sm_trial_set *trials,
                    const struct sm_summary_spec *spec, struct sm_err *err);

#endif
