/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of `report xgb`: report_xgb.c (metrics, importances), report_quality.c (labels and
 * predictions). */
#ifndef SM_REPORT_XGB_H
#define SM_REPORT_XGB_H

#include "commands/judge/xgboost.h"
#include "plot/chart.h"

void sm_report_title(struct sm_result *out, const char *title);
/* A line chart over the steps, as wide as the screen, up to 80 columns. */
void sm_report_chart(struct sm_call *c, struct sm_result *out, const struct sm_line_chart *chart,
                     int rows);
void sm_report_bars(struct sm_call *c, struct sm_result *out, const struct sm_bar *bars, size_t n);
/* The metrics of the booster, training and validation, with a comment on over- and underfitting.
 * Returns false with SM_ERR_WAIT. */
bool sm_report_metrics(struct sm_call *c, struct sm_result *out, struct sm_node *root,
                       struct sm_err *err);
/* The importance of the features by weight, gain and cover. Returns false with SM_ERR_WAIT. */
bool sm_report_importances(struct sm_call *c, struct sm_result *out, struct sm_node *root,
                           struct sm_err *err);
void sm_report_labels(struct sm_call *c, struct sm_result *out, struct sm_node *root,
                      const struct sm_xgb *x);
/* The confusion matrix, scores, curves and errors that the task has. */
void sm_report_quality(struct sm_call *c, struct sm_result *out, struct sm_node *root,
                       const struct sm_xgb *x);

#endif
