/* Histograms of one tensor at a step of several trials, over each other. */
#ifndef SM_HIST_TRIALS_H
#define SM_HIST_TRIALS_H

#include "commands/place/trial_set.h"

/* spec's bins in each trial that has the tensor there; drawn as lines, the share of the elements in
 * bins that are the same for all. */
bool sm_hist_trials(struct sm_call *c, struct sm_result *out, const struct sm_trial_set *trials,
                    const struct sm_summary_spec *spec, struct sm_err *err);

#endif
