/* SPDX-License-Identifier: Apache-2.0 */
/* The points of a series that a chart shows. Where many share a column, these are the first, the
 * lowest, the highest, the last and the first that is not finite, so that the picture is the same
 * as with all of them (U. Jugel et al., "M4: A Visualization-Oriented Time Series Data
 * Aggregation", VLDB 2014).
 *
 * A curve is kept between pictures and extended by the points that are new: each point is read once
 * as long as the picture keeps its columns. A picture costs its columns. */
#ifndef SM_CURVE_H
#define SM_CURVE_H

#include "reader/analysis/curve_line.h"
#include "reader/fetch/series.h"

struct sm_curve_spec {
    struct sm_series_spec series; /* mode ANY */
    bool by_time;                 /* columns are of time, not of steps */
    bool by_log;      /* they are of the logarithm of the distance from the first point */
    bool means;       /* a column is one point: its mean, with its lowest and its highest value */
    size_t columns;   /* at least half as many and at most so many, of all steps or all of the
                         time; 0: all points are wanted */
    double smoothing; /* weight (reader/base/smoother.h); 0: none */
    double keep;      /* the newest point of each mode at or before this step, or time, is kept;
                         NaN: none */
    bool keep_from_begin; /* `keep` is a time since the first point */
};
struct sm_curve_points {
    const struct sm_curve_point *points;
    size_t n;
};
struct sm_kept_curve {
    double begin_time; /* of the first point of all modes */
    struct {
        struct sm_curve_points raw, smooth; /* smooth: n is 0 without smoothing */
        const double *sample;               /* values of points taken evenly; not ordered */
        size_t n_sample;
    } modes[SM_MODES];
};

struct sm_kept_curves;
struct sm_kept_curves *sm_kept_curves_new(void);
void sm_kept_curves_free(struct sm_kept_curves *c); /* may be NULL */
/* A picture begins: what was not asked for since the last call is dropped. */
void sm_kept_curves_begin(struct sm_kept_curves *c);
uint64_t sm_kept_curves_read_count(const struct sm_kept_curves *c); /* points read so far */

/* Points are by ascending step, of each mode on its own. Valid until the next call for the same
 * curve, or until it is dropped. False with SM_ERR_WAIT while values are being read: *out has what
 * is known. Nothing else fails: a tensor without numbers has no points. */
bool sm_kept_curve_read(struct sm_kept_curves *c, struct sm_fetch *f, struct sm_trial *t,
                        const struct sm_curve_spec *spec, struct sm_kept_curve *out,
                        struct sm_err *err);

#endif
