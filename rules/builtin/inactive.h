/* SPDX-License-Identifier: Apache-2.0 */
/* A measure: the number of inactive units in the output of an activation. */
#ifndef SM_INACTIVE_H
#define SM_INACTIVE_H

#include "rules/rule.h"

struct sm_unit_axes {
    uint64_t outer, units, inner;
};
/* The shape as [outer, units, inner]. By position: a unit is an index over all axes but the first.
 * By channel: an index of axis 1, with batch as outer and space as inner. */
struct sm_unit_axes sm_axes_of(const struct sm_tensor *t, bool channel);

enum sm_inactive_arg {
    SM_INACTIVE_LOW,
    SM_INACTIVE_HIGH,
    SM_INACTIVE_OPEN,
    SM_INACTIVE_LEAST_PERCENT,
    SM_INACTIVE_CHANNEL
};
/* args: a sample is active if LOW <= x <= HIGH, or LOW < x with OPEN; a unit with less than
 * LEAST_PERCENT active samples is inactive; CHANNEL: as in sm_axes_of. Numbers: inactive units,
 * units. */
void sm_measure_inactive(const struct sm_tensor *const *t, const double *args,
                         struct sm_numbers *out);
/* args: 1 for channels, as in sm_axes_of. A number for each unit: 1 if it is 0 in all samples. */
void sm_measure_zero_units(const struct sm_tensor *const *t, const double *args,
                           struct sm_numbers *out);

#endif
