/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about boosted trees. */
#include "rules/builtin/rule_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- FeatureImportanceOverweight ---- */

enum { IMPORTANCE_THRESHOLD, IMPORTANCE_FEATURES, IMPORTANCE_REGEX };

struct importance {
    const struct sm_rule_item *it;
    double v;
};

static int by_importance(const void *a, const void *b)
{
    double x = ((const struct importance *)a)->v, y = ((const struct importance *)b)->v;
    return x < y ? 1 : x > y ? -1 : 0;
}

static const char *feature_name(const char *tensor)
{
    const char *slash = strrchr(tensor, '/');
    return slash ? slash + 1 : tensor;
}

static void note_importance(struct sm_rule_at *x, const struct importance *all, size_t n)
{
    size_t top = (size_t)x->p[IMPORTANCE_FEATURES].number;
    double limit = x->p[IMPORTANCE_THRESHOLD].number, sum = 0, first = 0;
    struct sm_str text = {0};
    for (size_t i = 0; i < n; i++) {
        sum += all[i].v;
        first += i < top ? all[i].v : 0;
    }
    for (size_t i = 0; i < top && i < n && sum > 0; i++)
        sm_str_printf(&text, "%s%s %.1f%%", i ? ", " : "", feature_name(all[i].it->name),
                      100 * all[i].v / sum);
    if (n <= top)
        sm_rule_skip(x, "no more features than nfeatures");
    else if (sum > 0)
        sm_rule_note(x, all[0].it, first / sum, limit, first / sum > limit,
                     "top %zu features hold %.1f%%, limit %g%%: %s", top, 100 * first / sum,
                     100 * limit, sm_str_text(&text));
    sm_str_clear(&text);
}

static void judge_importance(struct sm_rule_at *x)
{
    struct importance *all = sm_xalloc_zero(x->picks[0].n + 1, sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < x->picks[0].n; i++) {
        all[n].it = &x->picks[0].items[i];
        n += sm_rule_scalar(x, all[n].it, &all[n].v);
    }
    if (n)
        qsort(all, n, sizeof *all, by_importance);
    if (!x->waiting && n)
        note_importance(x, all, n);
    sm_free(all);
}

static const struct sm_rule_param importance_params[] = {
    {.name = "threshold",
     .type = SM_RULE_NUMBER,
     .initial = "0.8",
     .max = 1,
     .help = "largest share of the sum"},
    {.name = "nfeatures",
     .type = SM_RULE_INT,
     .initial = "3",
     .min = 1,
     .max = 1e6,
     .unit = "features",
     .help = "number of most important features"},
    {.name = "tensor_regex",
     .type = SM_RULE_PATTERN,
     .initial = ".*feature_importance/weight",
     .help = "pattern of the importances"},
    {0},
};
const struct sm_rule sm_rule_feature_importance_overweight = {
    .name = "feature_importance_overweight",
    .class_name = "FeatureImportanceOverweight",
    .summary = "A few features hold most of the importance",
    .fires =
        "the nfeatures largest importances of a step are more than threshold of the sum of all; "
        "not judged if there are no more than nfeatures. Early rounds use few features and "
        "fire easily",
    .advice = "Check for leakage; drop or regularise these features, or sample columns.",
    .saves = "feature_importance (500)",
    .automatic = "",
    .params = importance_params,
    .picks = {{.regex = "tensor_regex"}},
    .judge = judge_importance,
};

/* ---- TreeDepth ---- */

/* The depth of a full tree with this largest node id. */
static double depth_by_largest(double id)
{
    return id > 0 ? floor(log2(id)) : 0;
}

/* The number after the last '-' of "3-7"; -1 for "nan". */
static int64_t node_number(struct sm_text id)
{
    enum { NODE_MAX = 1 << 22 };
    int64_t v = 0;
    size_t at = id.n;
    while (at && id.p[at - 1] >= '0' && id.p[at - 1] <= '9')
        at--;
    if (at == id.n)
        return -1;
    for (; at < id.n && v < NODE_MAX; at++)
        v = v * 10 + (id.p[at] - '0');
    return v < NODE_MAX ? v : -1;
}

/* Longest path from the root, -1 if the columns are unusable. A child's id is larger than its
 * parent's, so one pass over ascending ids is enough. */
static int longest_path(const struct sm_tensor *id, const struct sm_tensor *yes,
                        const struct sm_tensor *no)
{
    int64_t largest = 0;
    int longest = 0;
    if (id->dtype != SM_DTYPE_STRING || yes->dtype != SM_DTYPE_STRING ||
        no->dtype != SM_DTYPE_STRING || yes->n != id->n || no->n != id->n)
        return -1;
    const struct sm_tensor *const columns[] = {id, yes, no};
    for (size_t k = 0; k < 3; k++)
        for (uint64_t i = 0; i < id->n; i++) {
            int64_t node = node_number(columns[k]->strings[i]);
            largest = node > largest ? node : largest;
        }
    int *depth = sm_xalloc_zero((size_t)largest + 1, sizeof *depth);
    int64_t *row = sm_xalloc_zero((size_t)largest + 1, sizeof *row);
    for (uint64_t i = 0; i < id->n; i++)
        if (node_number(id->strings[i]) >= 0)
            row[node_number(id->strings[i])] = (int64_t)i + 1;
    for (int64_t node = 0; node <= largest; node++) {
        longest = depth[node] > longest ? depth[node] : longest;
        for (size_t k = 1; row[node] && k < 3; k++) {
            int64_t child = node_number(columns[k]->strings[row[node] - 1]);
            if (child > node)
                depth[child] = depth[node] + 1;
        }
    }
    sm_free(depth);
    sm_free(row);
    return longest;
}

/* -1 if the columns were not saved, or are not available yet. */
static int true_depth(struct sm_rule_at *x, uint16_t worker)
{
    static const char *const names[] = {"trees/ID", "trees/Yes", "trees/No"};
    struct sm_tensor *t[3] = {NULL};
    bool all = true;
    for (size_t k = 0; k < 3; k++) {
        struct sm_err err = {0};
        const struct sm_trial_tensor *tensor = sm_trial_find(x->trial, names[k], strlen(names[k]));
        struct sm_entry e =
            tensor ? sm_trial_entry(x->trial, tensor, x->step.step, worker, SM_ENTRY_VALUE, 0)
                   : sm_entry_none();
        all = sm_entry_exists(&e) && sm_fetch_tensor(x->fetch, x->trial, &e, &t[k], &err) && all;
        x->waiting = x->waiting || err.code == SM_ERR_WAIT;
    }
    int depth = all ? longest_path(t[0], t[1], t[2]) : -1;
    for (size_t k = 0; k < 3; k++)
        sm_tensor_unref(t[k]);
    return depth;
}

static void judge_depth(struct sm_rule_at *x)
{
    double limit = x->p[0].number, largest;
    for (size_t i = 0; i < x->picks[0].n; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        if (strcmp(it->name, "trees/Node") != 0 ||
            !sm_rule_reduction(x, it, SM_REDUCE_MAX, &largest))
            continue;
        double depth = depth_by_largest(largest);
        int path = depth > limit || x->picks[0].n > 1 ? true_depth(x, it->worker) : -1;
        struct sm_str text = {0};
        if (path >= 0)
            sm_str_printf(&text, " (true depth %d)", path);
        sm_rule_note(x, it, depth, limit, depth > limit,
                     "tree %lld: largest node id %.0f, depth %.0f, limit %g%s",
                     (long long)x->step.step.n, largest, depth, limit, sm_str_text(&text));
        sm_str_clear(&text);
    }
}

static const struct sm_rule_param depth_params[] = {
    {.name = "depth",
     .type = SM_RULE_NUMBER,
     .initial = "4",
     .max = INFINITY,
     .help = "largest depth allowed"},
    {0},
};
const struct sm_rule sm_rule_tree_depth = {
    .name = "tree_depth",
    .class_name = "TreeDepth",
    .summary = "A tree is too deep",
    .fires = "floor(log2(largest node id)) of a step's tree is more than depth; the message also "
             "gives the true depth",
    .advice = "Lower max_depth, raise gamma or min_child_weight.",
    .saves = "trees",
    .automatic = "",
    .params = depth_params,
    .picks = {{.collection = "trees"}},
    .judge = judge_depth,
};

/* ---- CreateXgboostReport ---- */

static void judge_report(struct sm_rule_at *x)
{
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < x->picks[k].n; i++)
            sm_rule_note(x, &x->picks[k].items[i], 0, 0, false, "is part of the report");
}

static const struct sm_rule_param report_params[] = {{0}};
const struct sm_rule sm_rule_create_xgboost_report = {
    .name = "create_xgboost_report",
    .class_name = "CreateXgboostReport",
    .summary = "Collects the tensors of a report on boosted trees; never fires",
    .fires = "never",
    .advice = "\"report xgb\" shows the report: labels, losses, importances, predictions.",
    .saves = "metrics, feature_importance, predictions, labels (5), hyperparameters (save_steps 0)",
    .params = report_params,
    .picks = {{.collection = "metrics", .optional = true},
              {.collection = "feature_importance", .optional = true},
              {.collection = "predictions", .optional = true}},
    .judge = judge_report,
};
