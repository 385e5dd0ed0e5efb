/* The parts of `report xgb`: report_xgb.c (losses, importances), report_quality.c (labels and
 * predictions). */
#ifndef SM_REPORT_XGB_H
#define SM_REPORT_XGB_H

#include "commands/judge/xgboost.h"
#include "plot/chart.h"

void sm_report_title(struct sm_result *out, const char *title);
/* Lines over the steps, as wide as the screen. */
void sm_report_chart(struct sm_call *c, struct sm_result *out, const struct sm_line_chart *chart,
                     int rows);
void sm_report_bars(struct sm_call *c, struct sm_result *out, const struct sm_bar *bars, size_t n);
void sm_report_labels(struct sm_call *c, struct sm_result *out, struct sm_node *root,
                      const struct sm_xgb *x);
/* Confusion, scores, curves and errors, as far as the task has them. */
void sm_report_quality(struct sm_call *c, struct sm_result *out, struct sm_node *root,
                       const struct sm_xgb *x);

#endif
