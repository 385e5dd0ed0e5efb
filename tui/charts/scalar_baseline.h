/* SPDX-License-Identifier: Apache-2.0 */
/* How far a line of a chart is from that of the baseline. */
#ifndef SM_SCALAR_BASELINE_H
#define SM_SCALAR_BASELINE_H

#include "tui/charts/scalar_lines.h"

/* The values of line i and of the baseline's of the same mode, else of its first mode: at the
 * cursor, else at the newest x of the line; on the axis of wall time the newest of both. False:
 * there is no baseline, the line is its own, or it has no value there. */
bool sm_scalar_difference(const struct sm_view *v, const struct sm_scalar_lines *l, size_t i,
                          enum sm_x_unit unit, double *mine, double *other);

#endif
