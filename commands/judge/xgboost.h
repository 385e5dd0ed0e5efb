/* SPDX-License-Identifier: Apache-2.0 */
/* Data for a report on boosted trees: labels and predictions at each step, evaluated by the
 * workers. */
#ifndef SM_XGBOOST_H
#define SM_XGBOOST_H

#include "commands/language/cmd.h"
#include "reader/tensor/histogram.h"
#include "rules/builtin/quality.h"

enum sm_xgb_task { SM_XGB_BINARY, SM_XGB_CLASSES, SM_XGB_NUMBERS, SM_XGB_RANKS };
struct sm_xgb_step {
    struct sm_step step;
    bool scored;                   /* has predictions that match the labels */
    struct sm_confusion confusion; /* BINARY, CLASSES; n == 0 if there are too many classes */
    struct sm_bin_errors errors;   /* NUMBERS */
    struct sm_histogram labels;    /* of the newest step; bins == 0 at others */
    /* the labels of the newest step, if they are classes: only the diagonal is used */
    struct sm_confusion classes;
    struct sm_roc roc; /* of the newest step, BINARY; n == 0 if there is only one class */
    struct sm_histogram residuals; /* of the newest step, NUMBERS: label - prediction */
    struct sm_stats residual;
};
struct sm_xgb {
    enum sm_xgb_task task;
    bool guessed;                     /* from the labels, because the objective was not saved */
    const char *objective;            /* NULL if not saved */
    double lo, hi;                    /* of all labels; lo > hi if there are none */
    const struct sm_xgb_step **steps; /* ascending; only steps with labels */
    size_t n;
};
/* Returns false with SM_ERR_WAIT or an error. Without labels n is 0. *out is valid until the
 * call ends. */
bool sm_xgb_read(struct sm_call *c, const struct sm_xgb **out, struct sm_err *err);
const char *sm_xgb_task_name(enum sm_xgb_task t); /* "binary classification" ... */

#endif
