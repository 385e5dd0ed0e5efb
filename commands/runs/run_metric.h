/* SPDX-License-Identifier: Apache-2.0 */
/* The metric of a run, and what any values over time do. */
#ifndef SM_RUN_METRIC_H
#define SM_RUN_METRIC_H

#include "commands/runs/run_table.h"
#include "reader/fetch/series.h"

/* The series with this name; "": the best by its name, losses of validation before others. NULL:
 * the trial has none. Valid as long as the trial. */
const char *sm_run_metric_of(const struct sm_trial *t, const char *wanted);
/* The run's own text of the name if it has such a series, also while it sleeps; else NULL. */
const char *sm_run_series_name(const struct sm_trial *t, const char *name);
/* As sm_run_metric_numbers and sm_run_metric_points, of a run that sleeps. */
size_t sm_run_metric_glance(const struct sm_session *s, const struct sm_glance *g, const char *name,
                            struct sm_run_row *row, double *out);
/* newest, best, best_step and trend of the row. */
void sm_run_metric_numbers(const struct sm_series *s, const char *name, struct sm_run_row *row);
/* What n values do now. */
enum sm_run_trend sm_run_trend_of(const double *v, size_t n);
/* Thins n values to at most SM_RUN_POINTS: those that are not finite stay. Returns how many. */
size_t sm_run_thin(const double *v, size_t n, double *out);
/* Thins the series to at most SM_RUN_POINTS values; returns how many. */
size_t sm_run_metric_points(const struct sm_series *s, double *out);

#endif
