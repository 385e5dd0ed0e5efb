/* How a tensor does at a step: its value there, what is wrong with it, its trend so far. */
#ifndef SM_TENSOR_HEALTH_H
#define SM_TENSOR_HEALTH_H

#include "reader/fetch.h"

/* The newest value at or before the step (n < 0: of all), by the worker, or by any. NULL if none.
 */
const struct sm_entry *sm_tensor_health_entry(const struct sm_trial *t,
                                              const struct sm_trial_tensor *x, struct sm_step step,
                                              uint16_t worker);
/* Adds what is wrong with a value in two words ("12 NaN", "3 Inf", "all 0"), or nothing. True if it
 * is a problem (NaN or Inf). */
bool sm_tensor_health_text(const struct sm_facts *f, struct sm_str *out);
/* The trend of a tensor: up to `most` means, evenly spread over its steps; those of TRAIN only if
 * there are any, as other modes would be another curve. Means of the values, or the saved means if
 * no value was saved; NaN for a value with NaN. Values that have no mean, and those not known yet,
 * are left out. Returns how many, and in *waiting (may be NULL) whether some are being read. */
size_t sm_tensor_health_trend(struct sm_trial *t, struct sm_fetch *f,
                              const struct sm_trial_tensor *x, uint16_t worker, double *out,
                              size_t most, bool *waiting);

#endif
