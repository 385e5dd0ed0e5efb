/* Rules that compare training and validation losses. */
#include "rules/builtin/fit.h"
#include "rules/builtin/rule_list.h"

#include <math.h>
#include <string.h>

/* ---- XGBoost has no modes: train-METRIC is TRAIN, validation-METRIC is EVAL ---- */

static const char *metric_of(const char *name, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(name, prefix, n) == 0 && name[n] == '-' ? name + n + 1 : NULL;
}

/* The validation tensor of the metric, or NULL. */
static const struct sm_rule_item *validation_of(const struct sm_rule_at *x, const char *metric)
{
    static const char *const prefixes[] = {"validation", "eval", "test", "valid"};
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
        for (size_t i = 0; i < x->picks[0].n; i++) {
            const char *m = metric_of(x->picks[0].items[i].name, prefixes[k]);
            if (m && strcmp(m, metric) == 0)
                return &x->picks[0].items[i];
        }
    return NULL;
}

static bool read_losses(struct sm_rule_at *x, const struct sm_rule_item *it,
                        struct sm_fit_losses *out)
{
    const char *metric = metric_of(it->name, "train");
    const struct sm_rule_item *other = metric ? validation_of(x, metric) : NULL;
    *out = (struct sm_fit_losses){.it = it};
    if (other) {
        out->has_train = sm_rule_scalar(x, it, &out->train);
        out->has_eval = sm_rule_scalar(x, other, &out->eval);
        return out->has_train && out->has_eval;
    }
    if (x->step.mode == SM_MODE_TRAIN)
        out->has_train = sm_rule_scalar(x, it, &out->train);
    else if (x->step.mode == SM_MODE_EVAL)
        out->has_eval = sm_rule_scalar(x, it, &out->eval);
    return out->has_train || out->has_eval;
}

struct sm_fit_losses *sm_fit_losses_read(struct sm_rule_at *x, size_t *n)
{
    struct sm_fit_losses *all = sm_xalloc_zero(x->picks[0].n + 1, sizeof *all);
    *n = 0;
    for (size_t i = 0; i < x->picks[0].n; i++)
        *n += read_losses(x, &x->picks[0].items[i], &all[*n]);
    if (!x->waiting)
        return all;
    sm_free(all);
    return NULL;
}

struct fit_state {
    struct sm_rule_records tensors;
};

static void clear_fit(void *state)
{
    sm_memory_clear(&((struct fit_state *)state)->tensors);
}

/* ---- Overfit ---- */

static void note_ratio(struct sm_rule_at *x, const struct sm_rule_item *it, struct sm_fit_window *w,
                       double train, double eval)
{
    double limit = x->p[SM_OVERFIT_RATIO].number, ratio = (eval - train) / fabs(train);
    if (train == 0 && !(eval > 0))
        return;
    ratio = train == 0 ? (double)INFINITY : ratio;
    w->exceeded = ratio > limit ? w->exceeded + 1 : 0;
    sm_rule_note(
        x, it, ratio, limit, (double)w->exceeded >= x->p[SM_OVERFIT_PATIENCE].number,
        "mean val %.6g, mean train %.6g, ratio %.6g, limit %g (%llu in a row, patience %g)", eval,
        train, ratio, limit, (unsigned long long)w->exceeded, x->p[SM_OVERFIT_PATIENCE].number);
}

static void add_losses(struct sm_rule_at *x, const struct sm_fit_losses *l)
{
    struct fit_state *s = x->state;
    struct sm_fit_window *w = sm_rule_record_of(&s->tensors, l->it, sizeof *w);
    if (l->has_train && l->has_eval) {
        note_ratio(x, l->it, w, l->train, l->eval);
        return;
    }
    if (l->has_eval) {
        w->eval += l->eval;
        w->n_eval++;
        w->validated = true;
        return;
    }
    if (w->validated && w->n_train && w->n_eval) {
        note_ratio(x, l->it, w, w->train / (double)w->n_train, w->eval / (double)w->n_eval);
        *w = (struct sm_fit_window){.exceeded = w->exceeded};
    }
    w->validated = false;
    w->train += l->train;
    w->n_train++;
}

void sm_fit_note_missing(struct sm_rule_at *x, const struct sm_fit_losses *all, size_t n)
{
    bool pairs = n && all && all[0].has_train && all[0].has_eval;
    if (all && !pairs && !sm_trial_has_mode(x->trial, SM_MODE_EVAL))
        sm_rule_skip(x, "no EVAL step was saved, so there is nothing to compare with");
}

static void judge_overfit(struct sm_rule_at *x)
{
    size_t n;
    if ((double)x->step.step.n < x->p[SM_OVERFIT_START].number)
        return;
    struct sm_fit_losses *all = sm_fit_losses_read(x, &n);
    for (size_t i = 0; all && i < n; i++)
        add_losses(x, &all[i]);
    sm_fit_note_missing(x, all, n);
    sm_free(all);
}

static const struct sm_rule_param overfit_params[] = {
    {.name = "tensor_regex",
     .type = SM_RULE_PATTERN,
     .help = "patterns of losses; default: collection losses"},
    {.name = "start_step",
     .type = SM_RULE_INT,
     .initial = "0",
     .max = 1e15,
     .unit = "steps",
     .help = "ignore everything before this step"},
    {.name = "patience",
     .type = SM_RULE_INT,
     .initial = "1",
     .min = 1,
     .max = 1e9,
     .unit = "evaluations",
     .help = "consecutive evaluations above the limit"},
    {.name = "ratio_threshold",
     .type = SM_RULE_NUMBER,
     .initial = "0.1",
     .help = "limit of (mean validation - mean train) / |mean train|"},
    {0},
};
const struct sm_rule sm_rule_overfit = {
    .name = "overfit",
    .class_name = "Overfit",
    .summary = "The validation loss is far above the training loss",
    .fires = "(E - T)/|T| > ratio_threshold at `patience` consecutive evaluations; T and E are the "
             "means of a loss in TRAIN and EVAL since the last evaluation, and an evaluation takes "
             "place at the first saved TRAIN step after EVAL steps. XGBoost: train-X and "
             "validation-X are compared at each step",
    .advice = "Regularise, use more data, augmentation or early stopping.",
    .saves = "losses, TRAIN and EVAL (100/10)",
    .automatic = "",
    .params = overfit_params,
    .picks = {{.regex = "tensor_regex", .collection = "losses"}},
    .state_size = sizeof(struct fit_state),
    .judge = judge_overfit,
    .clear = clear_fit,
    .how_auto = &sm_auto_overfit,
};

/* ---- Overtraining ---- */

enum { OVERTRAIN_TRAIN, OVERTRAIN_VALIDATION, OVERTRAIN_DELTA };

struct best {
    bool any;
    double value;
    int64_t step;
    uint64_t without; /* values since the best one */
};
struct bests {
    struct best train, eval;
};

/* NaN and infinities are no improvement, and never the best. */
static void update_best(struct best *b, double v, double delta, int64_t step)
{
    bool better = isfinite(v) && (!b->any || v < b->value - delta);
    b->without = better ? 0 : b->without + 1;
    b->value = better ? v : b->value;
    b->step = better ? step : b->step;
    b->any = b->any || better;
}

static void add_best(struct sm_str *out, const char *what, const struct best *b)
{
    if (b->any)
        sm_str_printf(out, "best %s %.6g @ %lld", what, b->value, (long long)b->step);
    else
        sm_str_printf(out, "no finite %s", what);
}

static void note_bests(struct sm_rule_at *x, const struct sm_rule_item *it, const struct bests *b,
                       bool over)
{
    struct sm_str text = {0};
    add_best(&text, "train", &b->train);
    sm_str_add(&text, ", ");
    add_best(&text, "val", &b->eval);
    sm_rule_note(
        x, it, (double)b->eval.without, x->p[OVERTRAIN_VALIDATION].number, over,
        "no improvement > %g for %llu saved TRAIN and %llu saved EVAL steps, limits %g and "
        "%g (%s)",
        x->p[OVERTRAIN_DELTA].number, (unsigned long long)b->train.without,
        (unsigned long long)b->eval.without, x->p[OVERTRAIN_TRAIN].number,
        x->p[OVERTRAIN_VALIDATION].number, sm_str_text(&text));
    sm_str_clear(&text);
}

static void judge_losses(struct sm_rule_at *x, bool remarks)
{
    struct fit_state *s = x->state;
    double delta = x->p[OVERTRAIN_DELTA].number;
    size_t n;
    struct sm_fit_losses *all = sm_fit_losses_read(x, &n);
    for (size_t i = 0; all && i < n; i++) {
        struct bests *b = sm_rule_record_of(&s->tensors, all[i].it, sizeof *b);
        if (all[i].has_train)
            update_best(&b->train, all[i].train, delta, x->step.step.n);
        if (all[i].has_eval)
            update_best(&b->eval, all[i].eval, delta, x->step.step.n);
        bool over = (double)b->train.without >= x->p[OVERTRAIN_TRAIN].number &&
                    (double)b->eval.without >= x->p[OVERTRAIN_VALIDATION].number;
        if (remarks && over)
            sm_rule_remark(x, all[i].it, 0, "improves neither in TRAIN nor in EVAL any more");
        note_bests(x, all[i].it, b, over && !remarks);
    }
    sm_free(all);
}

static void judge_overtraining(struct sm_rule_at *x)
{
    judge_losses(x, false);
}

static void judge_leniently(struct sm_rule_at *x)
{
    judge_losses(x, true);
}

static const struct sm_rule_auto auto_overtraining = {
    .differs = "it never fires: that a loss improves no more is a remark",
    .state_size = sizeof(struct fit_state),
    .judge = judge_leniently,
    .clear = clear_fit,
};

static const struct sm_rule_param overtraining_params[] = {
    {.name = "patience_train",
     .type = SM_RULE_INT,
     .initial = "5",
     .min = 1,
     .max = 1e9,
     .unit = "saved values",
     .help = "TRAIN losses without improvement"},
    {.name = "patience_validation",
     .type = SM_RULE_INT,
     .initial = "10",
     .min = 1,
     .max = 1e9,
     .unit = "saved values",
     .help = "EVAL losses without improvement"},
    {.name = "delta",
     .type = SM_RULE_NUMBER,
     .initial = "0.01",
     .max = INFINITY,
     .help = "smallest improvement that counts"},
    {0},
};
const struct sm_rule sm_rule_overtraining = {
    .name = "overtraining",
    .class_name = "Overtraining",
    .summary = "Neither the training nor the validation loss improves any more",
    .fires = "a loss has not improved by more than delta for patience_train saved TRAIN values and "
             "patience_validation saved EVAL values",
    .advice = "Stop early; use the checkpoint closest to the best validation step.",
    .saves = "losses, TRAIN and EVAL",
    .automatic = "",
    .params = overtraining_params,
    .picks = {{.collection = "losses"}},
    .state_size = sizeof(struct fit_state),
    .judge = judge_overtraining,
    .clear = clear_fit,
    .how_auto = &auto_overtraining,
};
