/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of saved values for commands and panes (reader/tensor/statistic_list.h). */
#ifndef SM_STATISTIC_H
#define SM_STATISTIC_H

#include "reader/fetch/fetch.h"
#include "reader/tensor/statistic_list.h"

/* The entry from which the statistic can be read: the value, or the reduction that was saved
 * instead. NULL if neither was saved. */
struct sm_entry sm_statistic_entry(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                   struct sm_step step, uint16_t worker,
                                   const struct sm_statistic *s);
/* Computes the statistic of a VALUE entry, or reads it from a REDUCTION entry. *out is NaN if it is
 * undefined. Returns false with SM_ERR_WAIT, SM_ERR_MISSING if an archive does not have the
 * statistic, or the error of reading. */
bool sm_statistic_read(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                       const struct sm_statistic *s, double *out, struct sm_err *err);

/* Which statistic of many tensors to show when nobody has chosen one: `usual`, or, if more of the
 * tensors have another one, because only some reductions were saved in place of their values, that.
 */
const struct sm_statistic *sm_statistic_most_have(const struct sm_statistic *usual,
                                                  const struct sm_trial_tensor *const *x, size_t n);

#endif
