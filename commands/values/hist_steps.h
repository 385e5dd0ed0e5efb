/* Histograms of one tensor at several steps: over time. */
#ifndef SM_HIST_STEPS_H
#define SM_HIST_STEPS_H

#include "commands/place/place.h"

/* spec's bins at each of the steps, drawn as the option -as says: heat, ridge or bands. */
bool sm_hist_steps(struct sm_call *c, struct sm_result *out, const struct sm_places *places,
                   const struct sm_summary_spec *spec, struct sm_err *err);
extern const char *const sm_hist_kinds[]; /* heat, ridge, bands */

/* What one histogram and one of several tell machines. */
void sm_hist_tree(struct sm_result *out, struct sm_node *map, const struct sm_histogram *h);
void sm_hist_bins(struct sm_result *out, struct sm_node *list, const struct sm_histogram *h,
                  const struct sm_step *step);

#endif
