/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms of one tensor at several steps. */
#ifndef SM_HIST_STEPS_H
#define SM_HIST_STEPS_H

#include "commands/place/place.h"

/* Draws the bins of spec at each step, as heat, ridge or bands (option -as). */
bool sm_hist_steps(struct sm_call *c, struct sm_result *out, const struct sm_places *places,
                   const struct sm_summary_spec *spec, struct sm_err *err);
extern const char *const sm_hist_kinds[]; /* heat, ridge, bands */

/* JSON: edges, counts and the numbers of NaN and Inf. */
void sm_hist_tree(struct sm_result *out, struct sm_node *map, const struct sm_histogram *h);
void sm_hist_bins(struct sm_result *out, struct sm_node *list, const struct sm_histogram *h,
                  const struct sm_step *step);

#endif
