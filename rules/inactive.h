/* A measure: how many units of an activation's output hardly ever answer. */
#ifndef SM_INACTIVE_H
#define SM_INACTIVE_H

#include "rules/rule.h"

struct sm_unit_axes {
    uint64_t outer, units, inner;
};
/* Units by position: all axes but the first. By channel: axis 1, over batch and space. */
struct sm_unit_axes sm_axes_of(const struct sm_tensor *t, bool channel);

enum sm_inactive_arg {
    SM_INACTIVE_LOW,
    SM_INACTIVE_HIGH,
    SM_INACTIVE_OPEN,
    SM_INACTIVE_LEAST_PERCENT,
    SM_INACTIVE_CHANNEL
};
/* args: active is low <= x <= high, or low < x with OPEN; a unit active in less than LEAST_PERCENT
 * of its samples is inactive; units are positions, or with CHANNEL those of axis 1. Numbers:
 * inactive units, units. */
void sm_measure_inactive(const struct sm_tensor *const *t, const double *args,
                         struct sm_numbers *out);

#endif
