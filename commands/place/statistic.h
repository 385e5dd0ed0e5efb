/* The statistics that commands take by name: reductions, and counts of what is odd. */
#ifndef SM_STATISTIC_H
#define SM_STATISTIC_H

#include "reader/fetch.h"

struct sm_statistic {
    const char *name;
    int reduction; /* NONE: a count */
};
extern const char *const sm_statistic_names[]; /* NULL-terminated */
/* "absmax" too, as expressions have it */
bool sm_statistic_find(struct sm_text w, struct sm_statistic *out);
/* What the statistic can be told of: the value, or the reduction that was saved in its place. NULL:
 * neither. */
const struct sm_entry *sm_statistic_entry(const struct sm_trial *t, const struct sm_trial_tensor *x,
                                          struct sm_step step, uint16_t worker,
                                          const struct sm_statistic *s);
/* NaN: there is none */
double sm_statistic_of(const struct sm_stats *s, const struct sm_statistic *x);
/* Computed of a VALUE entry, or what a REDUCTION entry holds. *out is NaN where there is none.
 * False with SM_ERR_WAIT, or with the reason why it cannot be read. */
bool sm_statistic_read(struct sm_fetch *f, struct sm_trial *t, const struct sm_entry *e,
                       const struct sm_statistic *s, double *out, struct sm_err *err);

#endif
