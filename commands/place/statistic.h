/* Statistics of saved values, as commands and panes ask for them (reader/tensor/statistic_list.h).
 */
#ifndef SM_STATISTIC_H
#define SM_STATISTIC_H

#include "reader/fetch.h"
#include "reader/tensor/statistic_list.h"

/* The entry that the statistic can be read from: the value, or the reduction that was saved in its
 * place. NULL: neither was saved. */
const struct sm_entry *sm_statistic_entry(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                          struct sm_step step, uint16_t worker,
                                          const struct sm_statistic *s);
/* Computed from a VALUE entry, or what a REDUCTION entry holds. *out is NaN where there is none.
 * False with SM_ERR_WAIT, SM_ERR_MISSING where an archive does not have the statistic, or the
 * reason why it cannot be read. */
bool sm_statistic_read(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                       const struct sm_statistic *s, double *out, struct sm_err *err);

#endif
