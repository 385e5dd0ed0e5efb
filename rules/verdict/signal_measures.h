/* SPDX-License-Identifier: Apache-2.0 */
/* What the signals need of whole payloads; measures of rules/rule.h. */
#ifndef SM_SIGNAL_MEASURES_H
#define SM_SIGNAL_MEASURES_H

#include "rules/rule.h"

/* t: now, before. Numbers: |now - before| / |before| (Euclidean norms; 0 if both are 0); NaN if the
 * shapes differ or an element is not finite. */
void sm_measure_distance(const struct sm_tensor *const *t, const double *args,
                         struct sm_numbers *out);
/* Number: 1 if the tensor has several rows and several columns, and all rows or all columns are
 * equal; else 0. Rows: the first axis. */
void sm_measure_alike(const struct sm_tensor *const *t, const double *args, struct sm_numbers *out);
/* args: the least and the largest element that is not saturated. Numbers: share of the units that
 * are zero in every sample, and that are saturated in every sample. A unit: an element of axis 1 if
 * there are three or more axes with the last two equal (NCHW images), else of the last axis. */
void sm_measure_units(const struct sm_tensor *const *t, const double *args, struct sm_numbers *out);
/* Numbers: over the features the largest |mean| / std, the least and the largest std. Features as
 * the units above. Constant features count only if all are. */
void sm_measure_features(const struct sm_tensor *const *t, const double *args,
                         struct sm_numbers *out);

#endif
