/* The rule Confusion: the confusion matrix of the predictions of a step. */
#include "rules/builtin/classes.h"
#include "rules/builtin/rule_list.h"

enum {
    CONFUSION_CLASSES,
    CONFUSION_LABELS,
    CONFUSION_PREDICTIONS,
    CONFUSION_IN_LABELS,
    CONFUSION_IN_PREDICTIONS,
    CONFUSION_DIAG,
    CONFUSION_OFF
};
enum { CLASSES_MAX = 4096 };

/* Number of classes: the parameter, else one more than the largest class of the step. */
static size_t matrix_size(const struct sm_rule_at *x, const struct sm_step_classes *k)
{
    double most = -1;
    if (x->p[CONFUSION_CLASSES].set)
        return (size_t)x->p[CONFUSION_CLASSES].number;
    for (size_t i = 0; i < k->n; i++) {
        most = k->labels[i] > most ? k->labels[i] : most;
        most = k->predictions[i] > most ? k->predictions[i] : most;
    }
    return most >= CLASSES_MAX ? CLASSES_MAX : (size_t)(most + 1);
}

/* Counts of label l and prediction p: c[l * n + p]. The caller frees it. */
static uint64_t *count_matrix(struct sm_rule_at *x, const struct sm_step_classes *k, size_t n)
{
    uint64_t *c = sm_xalloc_zero(n * n + 1, sizeof *c);
    for (size_t i = 0; i < k->n; i++) {
        double l = k->labels[i], p = k->predictions[i];
        if (l >= 0 && l < (double)n && p >= 0 && p < (double)n)
            c[(size_t)l * n + (size_t)p]++;
        else
            sm_rule_skip(x, "classes out of range were ignored");
    }
    return c;
}

/* Judges the predictions of class p. */
static void judge_column(struct sm_rule_at *x, const struct sm_rule_item *it, const uint64_t *c,
                         size_t n, size_t p)
{
    double least = x->p[CONFUSION_DIAG].number, most = x->p[CONFUSION_OFF].number;
    uint64_t sum = 0;
    size_t worst = n;
    for (size_t l = 0; l < n; l++) {
        sum += c[l * n + p];
        if (l != p && c[l * n + p] && (worst == n || c[l * n + p] > c[worst * n + p]))
            worst = l;
    }
    if (!sum)
        return;
    double diagonal = (double)c[p * n + p] / (double)sum,
           off = worst < n ? (double)c[worst * n + p] / (double)sum : 0;
    bool low = diagonal < least;
    bool high = off > most;
    sm_rule_note(x, it, low ? diagonal : off, low ? least : most, low || high,
                 "predicted %zu: %.1f%% right, at least %g%%; %.1f%% are truly %zu, at most %g%% "
                 "(%llu predictions)",
                 p, 100 * diagonal, 100 * least, 100 * off, worst < n ? worst : p, 100 * most,
                 (unsigned long long)sum);
}

static void judge_confusion(struct sm_rule_at *x)
{
    const struct sm_rule_item *labels = x->picks[0].n ? &x->picks[0].items[0] : NULL;
    const struct sm_rule_item *predictions = x->picks[1].n ? &x->picks[1].items[0] : NULL;
    struct sm_step_classes k;
    if (!predictions || !sm_step_classes_read(x, labels, predictions, false, &k) || !k.predictions)
        return;
    size_t n = matrix_size(x, &k);
    uint64_t *c = count_matrix(x, &k, n);
    for (size_t p = 0; p < n; p++)
        judge_column(x, labels, c, n, p);
    sm_free(c);
}

static const struct sm_rule_param confusion_params[] = {
    {.name = "category_no",
     .type = SM_RULE_INT,
     .min = 2,
     .max = CLASSES_MAX,
     .unit = "classes",
     .help = "size of the matrix; default: one more than the largest class"},
    {.name = "labels",
     .type = SM_RULE_TEXT,
     .initial = "labels",
     .help = "name of the tensor with the labels"},
    {.name = "predictions",
     .type = SM_RULE_TEXT,
     .initial = "predictions",
     .help = "name of the tensor with the predictions"},
    {.name = "labels_collection",
     .type = SM_RULE_NAMES,
     .initial = "labels",
     .help = "collections to use if there is no such tensor"},
    {.name = "predictions_collection",
     .type = SM_RULE_NAMES,
     .initial = "predictions",
     .help = "collections to use if there is no such tensor"},
    {.name = "min_diag",
     .type = SM_RULE_NUMBER,
     .initial = "0.9",
     .max = 1,
     .help = "smallest share of right predictions of a class"},
    {.name = "max_off_diag",
     .type = SM_RULE_NUMBER,
     .initial = "0.1",
     .max = 1,
     .help = "largest share of one other class among the predictions"},
    {0},
};
const struct sm_rule sm_rule_confusion = {
    .name = "confusion",
    .class_name = "Confusion",
    .summary = "Classes are confused with each other",
    .fires = "among a step's predictions of a class, the share of right ones is below min_diag, or "
             "the share of one other class is above max_off_diag",
    .advice = "Check the classes that are confused: labels, features, balance.",
    .saves = "labels and predictions (500)",
    .automatic = "",
    .params = confusion_params,
    .picks = {{.collections = "labels_collection", .exact = "labels"},
              {.collections = "predictions_collection", .exact = "predictions"}},
    .judge = judge_confusion,
};
