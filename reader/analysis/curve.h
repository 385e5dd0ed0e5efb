/* SPDX-License-Identifier: Apache-2.0 */
/* The points of a series that a chart shows. Where many share a column, these are the first, the
 * lowest, the highest, the last and the first that is not finite, so that the picture is the same
 * as with all of them (U. Jugel et al., "M4: A Visualization-Oriented Time Series Data
 * Aggregation", VLDB 2014). In the packed points of a scalar (reader/points) they are found at a
 * cost of the columns and not of the points. */
#ifndef SM_CURVE_H
#define SM_CURVE_H

#include "reader/series.h"

struct sm_curve_spec {
    struct sm_series_spec series;
    bool by_time;        /* columns are of time, not of steps */
    bool by_log;         /* they are of the logarithm of the distance from the first point */
    size_t columns;      /* of all steps or all of the time; 0: all points are wanted */
    struct sm_step keep; /* the newest point at or before this step is kept */
};
/* As sm_series_read. What has several values at a step, or values in several modes or of several
 * elements, or is still being read, or of times that do not ascend, comes with all its points. */
bool sm_curve_read(struct sm_fetch *f, struct sm_trial *t, const struct sm_curve_spec *spec,
                   struct sm_series *out, struct sm_err *err);

#endif
