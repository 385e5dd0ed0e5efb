/* What a report on boosted trees is made of: labels and predictions at each step, looked at by the
 * workers. */
#ifndef SM_XGBOOST_H
#define SM_XGBOOST_H

#include "commands/language/cmd.h"
#include "reader/tensor/histogram.h"
#include "rules/quality.h"

enum sm_xgb_task { SM_XGB_BINARY, SM_XGB_CLASSES, SM_XGB_NUMBERS, SM_XGB_RANKS };
struct sm_xgb_step {
    struct sm_step step;
    bool scored;                   /* predictions that fit the labels */
    struct sm_confusion confusion; /* BINARY, CLASSES; n == 0: more classes than can be counted */
    struct sm_bin_errors errors;   /* NUMBERS */
    struct sm_histogram labels;    /* the newest step's; bins == 0 at the others */
    /* the newest step's labels alone, when they are classes: the diagonal */
    struct sm_confusion classes;
    struct sm_roc roc;             /* the newest step's, BINARY; n == 0: one class only */
    struct sm_histogram residuals; /* the newest step's, NUMBERS: label - prediction */
    struct sm_stats residual;
};
struct sm_xgb {
    enum sm_xgb_task task;
    bool guessed;                     /* the objective was not saved: by the labels */
    const char *objective;            /* NULL: not saved */
    double lo, hi;                    /* of all labels; lo > hi: there are none */
    const struct sm_xgb_step **steps; /* ascending; those with labels */
    size_t n;
};
/* False: SM_ERR_WAIT, or why not. Without labels n is 0. All of it lives as long as the call. */
bool sm_xgb_read(struct sm_call *c, const struct sm_xgb **out, struct sm_err *err);
const char *sm_xgb_task_name(enum sm_xgb_task t); /* "binary classification" ... */

#endif
