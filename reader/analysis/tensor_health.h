/* The state of a tensor at a step: its value, its problems, its trend. */
#ifndef SM_TENSOR_HEALTH_H
#define SM_TENSOR_HEALTH_H

#include "reader/fetch.h"

/* The newest value at or before the step (n < 0: of all steps), from the worker or from any worker.
 * NULL if there is none. */
const struct sm_entry *sm_tensor_health_entry(const struct sm_trial *t,
                                              const struct sm_trial_tensor *x, struct sm_step step,
                                              uint16_t worker);
/* Adds the defect of a value ("12 NaN", "3 Inf", "all 0"), or nothing. Returns true if it is a
 * problem (NaN or Inf). */
bool sm_tensor_health_text(const struct sm_facts *f, struct sm_str *out);
/* The trend of a tensor: up to `most` means, evenly spread over its steps; only steps of TRAIN if
 * there are any, because other modes form a different curve. Means of the values, or the saved
 * means if no value was saved; NaN for a value with NaN. Values without a mean and values not known
 * yet are omitted. Returns how many, and in *waiting (may be NULL) whether some are being read. */
size_t sm_tensor_health_trend(struct sm_trial *t, struct sm_fetch *f,
                              const struct sm_trial_tensor *x, uint16_t worker, double *out,
                              size_t most, bool *waiting);

#endif
