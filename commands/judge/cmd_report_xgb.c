/* SPDX-License-Identifier: Apache-2.0 */
/* report xgb: the contents of CreateXgboostReport, as text. */
#include "commands/answer/shape.h"
#include "commands/judge/report_xgb.h"

#include "commands/judge/judge.h"

#include <string.h>

static void add_head(struct sm_call *c, struct sm_result *out, struct sm_node *root,
                     const struct sm_xgb *x)
{
    const char *name = sm_trial_name(sm_session_trial(c->session));
    sm_node_text(out, root, "name", name);
    sm_node_text(out, root, "task", x->n ? sm_xgb_task_name(x->task) : NULL);
    sm_node_text(out, root, "objective", x->objective);
    name = sm_result_escape(out, name, strlen(name));
    if (!x->n)
        sm_result_text(out, "%s: no labels were saved, so predictions are not judged.", name);
    else if (x->guessed)
        sm_result_text(out,
                       "%s: %s, guessed from the labels: hyperparameters/objective was not saved.",
                       name, sm_xgb_task_name(x->task));
    else
        sm_result_text(out, "%s: %s (%s).", name, sm_xgb_task_name(x->task),
                       sm_result_escape(out, x->objective, strlen(x->objective)));
}

static bool run_xgb(struct sm_call *c, struct sm_result *out, struct sm_err *err)
{
    const struct sm_xgb *x;
    struct sm_node *root = sm_node_map(out, NULL, NULL);
    if (!sm_xgb_read(c, &x, err))
        return false;
    add_head(c, out, root, x);
    sm_report_labels(c, out, root, x);
    if (!sm_report_metrics(c, out, root, err) || !sm_report_importances(c, out, root, err))
        return false;
    sm_report_quality(c, out, root, x);
    if (!x->n && !sm_node_get(root, "metrics")->first &&
        !sm_node_get(root, "feature_importance")->first)
        return sm_err_set(err, SM_ERR_MISSING,
                          "No metrics, importances or labels of boosted trees were saved.  "
                          "\"rule needs create_xgboost_report\" shows what is needed.");
    out->root = root;
    return true;
}

const struct sm_cmd sm_cmd_report_xgb = {
    .parent = "report",
    .name = "xgb",
    .cmd_class = SM_CLASS_STATUS,
    .summary = "Report on boosted trees, like CreateXgboostReport",
    .help = "Labels, metrics with a comment on over- and underfitting, feature importance by "
            "weight, gain and cover. For classes:\n"
            "confusion matrix, precision, recall, F1, accuracy over the iterations, and ROC of two "
            "classes. For numbers: residuals,\n"
            "error by label. The task is read from hyperparameters/objective, else guessed from "
            "the labels.",
    .example = "report xgb",
    .see_also = "report, rule",
    .flags = SM_CMD_LISTING | SM_CMD_NEEDS_TRIAL,
    .answer =
        "{name:name,task:text?,objective:text?,labels?:{step:int,classes?:[{class:num,count:int}],"
        "edges?:[num],counts?:[int]},metrics:[{metric:text,comment:text,train?:" SM_SHAPE_XGB_SERIES
        ",validation?:" SM_SHAPE_XGB_SERIES
        "}],feature_importance:{*:[{feature:name,importance:num}]},scored_steps?:[int],confusion?:{"
        "classes:[num],counts:[[int]]},scores?:[{class:text,precision:num,recall:num,f1:num,"
        "support:int}],accuracy?:num,class_accuracy?:[{class:text,values:[num?],first:num,best:num,"
        "last:num}],roc?:{auc:num,false_positive_rate:[num],true_positive_rate:[num]},residuals?:{"
        "mean:num,std:num,mean_absolute:num,root_mean_square:num,edges:[num],counts:[int]},error_"
        "by_label?:[{from:num,to:num,count:int,mean_absolute?:num?}]}",
    .run = run_xgb,
};
