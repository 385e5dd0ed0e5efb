/* Rules that compare training and validation losses. */
#include "reader/analysis/trend.h"
#include "rules/builtin/past.h"
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

/* The losses of one tensor at a step, or of one pair of XGBoost's metrics. */
struct losses {
    const struct sm_rule_item *it;
    double train, eval;
    bool has_train, has_eval;
};

static bool read_losses(struct sm_rule_at *x, const struct sm_rule_item *it, struct losses *out)
{
    const char *metric = metric_of(it->name, "train");
    const struct sm_rule_item *other = metric ? validation_of(x, metric) : NULL;
    *out = (struct losses){.it = it};
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

/* All losses of the step; the caller frees them. NULL while waiting. */
static struct losses *all_losses(struct sm_rule_at *x, size_t *n)
{
    struct losses *all = sm_xalloc_zero(x->picks[0].n + 1, sizeof *all);
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

enum { OVERFIT_REGEX, OVERFIT_START, OVERFIT_PATIENCE, OVERFIT_RATIO };

struct window {
    double train, eval; /* sums since the last evaluation */
    uint64_t n_train, n_eval, exceeded;
    bool validated; /* there was an EVAL step after the last TRAIN step */
};

static void note_ratio(struct sm_rule_at *x, const struct sm_rule_item *it, struct window *w,
                       double train, double eval)
{
    double limit = x->p[OVERFIT_RATIO].number, ratio = (eval - train) / fabs(train);
    if (train == 0 && !(eval > 0))
        return;
    ratio = train == 0 ? (double)INFINITY : ratio;
    w->exceeded = ratio > limit ? w->exceeded + 1 : 0;
    sm_rule_note(
        x, it, ratio, limit, (double)w->exceeded >= x->p[OVERFIT_PATIENCE].number,
        "mean val %.6g, mean train %.6g, ratio %.6g, limit %g (%llu in a row, patience %g)", eval,
        train, ratio, limit, (unsigned long long)w->exceeded, x->p[OVERFIT_PATIENCE].number);
}

static void add_losses(struct sm_rule_at *x, const struct losses *l)
{
    struct fit_state *s = x->state;
    struct window *w = sm_rule_record_of(&s->tensors, l->it, sizeof *w);
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
        *w = (struct window){.exceeded = w->exceeded};
    }
    w->validated = false;
    w->train += l->train;
    w->n_train++;
}

/* Says why there is nothing to judge. */
static void note_missing(struct sm_rule_at *x, const struct losses *all, size_t n)
{
    bool pairs = n && all && all[0].has_train && all[0].has_eval;
    if (all && !pairs && !sm_trial_has_mode(x->trial, SM_MODE_EVAL))
        sm_rule_skip(x, "no EVAL step was saved, so there is nothing to compare with");
}

static void judge_overfit(struct sm_rule_at *x)
{
    size_t n;
    if ((double)x->step.step.n < x->p[OVERFIT_START].number)
        return;
    struct losses *all = all_losses(x, &n);
    for (size_t i = 0; all && i < n; i++)
        add_losses(x, &all[i]);
    note_missing(x, all, n);
    sm_free(all);
}

/* ---- Overfit under `rule auto` ---- */

/* One number for each evaluation: the mean EVAL loss, and the mean TRAIN loss before it. */
struct fit_past {
    struct sm_past eval, train;
    struct window window;
};

static void clear_fit_past(void *state)
{
    struct fit_state *s = state;
    for (size_t i = 0; i < s->tensors.n; i++) {
        sm_past_clear(&((struct fit_past *)s->tensors.items[i])->eval);
        sm_past_clear(&((struct fit_past *)s->tensors.items[i])->train);
    }
    sm_memory_clear(&s->tensors);
}

/* Adds the losses of a step; true if that ends an evaluation. */
static bool add_to_past(struct sm_rule_at *x, struct fit_past *f, const struct losses *l)
{
    struct window *w = &f->window;
    bool both = l->has_train && l->has_eval, closes = w->validated && l->has_train && w->n_train;
    if (both || closes) {
        double train = both ? l->train : w->train / (double)w->n_train,
               eval = both ? l->eval : w->eval / (double)w->n_eval;
        *w = (struct window){0};
        if (isfinite(train) && isfinite(eval)) {
            sm_past_add(&f->train, x->step.step.n, train);
            sm_past_add(&f->eval, x->step.step.n, eval);
        }
        both = both || (isfinite(train) && isfinite(eval));
    }
    if (!l->has_train || !l->has_eval) {
        w->train += l->has_train ? l->train : 0;
        w->eval += l->has_eval ? l->eval : 0;
        w->n_train += l->has_train;
        w->n_eval += l->has_eval;
        w->validated = w->n_eval && l->has_eval;
    }
    return both;
}

/* How much one evaluation differs from the next by chance. */
static double noise_of(const struct sm_past *p)
{
    double *steps = sm_xalloc((p->n + 1) * sizeof *steps);
    for (size_t i = 1; i < p->n; i++)
        steps[i - 1] = fabs(p->values[i] - p->values[i - 1]);
    double noise = p->n > 1 ? sm_median(steps, p->n - 1) : 0;
    sm_free(steps);
    return noise;
}

/* EVAL was best SINCE or more evaluations ago, rises since then by the test, and is above by the
 * limit and by more than its noise at each of the last three, while TRAIN has fallen. */
static void judge_rise(struct sm_rule_at *x, const struct sm_rule_item *it,
                       const struct fit_past *f)
{
    enum { SINCE = 4, LAST = 3 };
    const double *v = f->eval.values, z_limit = 1.64, limit = x->p[OVERFIT_RATIO].number;
    size_t n = f->eval.n, best = 0;
    for (size_t i = 0; i < n; i++)
        best = v[i] <= v[best] ? i : best;
    double least = n > best + LAST ? (double)INFINITY : v[best],
           falls = sm_trend_z(f->train.values + best, n - best), z = sm_trend_z(v + best, n - best);
    for (size_t i = n; n > best + LAST && i-- > n - LAST;)
        least = v[i] < least ? v[i] : least;
    double last = sm_median(v + (n > LAST ? n - LAST : 0), n > LAST ? LAST : n),
           rise = (last - v[best]) / fabs(v[best]);
    bool bad = n - best > SINCE && z > z_limit && rise > limit &&
               least - v[best] > 2 * noise_of(&f->eval) && falls < -z_limit;
    sm_rule_note(
        x, it, rise, limit, bad,
        "EVAL was best, %.5g, %zu evaluations ago (before step %lld), the last ones are %.3g "
        "times as much above it, limit %g; z %.1f, limit %g; TRAIN was %.5g then, %.5g now",
        v[best], n - 1 - best, (long long)f->eval.steps[best], rise, limit, z, z_limit,
        f->train.values[best], f->train.values[n - 1]);
}

/* What is learned does not help: EVAL has never fallen while TRAIN fell. */
static void judge_useless(struct sm_rule_at *x, const struct sm_rule_item *it,
                          const struct fit_past *f)
{
    enum { EVALUATIONS = 10, PART = 3 };
    const double *v = f->eval.values, *t = f->train.values, z_limit = -1.64, flat = 0.03,
                 limit = x->p[OVERFIT_RATIO].number;
    size_t n = f->eval.n;
    if (n < EVALUATIONS)
        return;
    double first = sm_median(v, PART), last = sm_median(v + n - PART, PART),
           fell = 1 - sm_median(t + n - PART, PART) / sm_median(t, PART);
    bool bad = sm_trend_z(v, n) > z_limit && sm_trend_z(t, n) < z_limit && fell > limit / 2 &&
               last > first - flat * fabs(first);
    if (bad)
        sm_rule_note(
            x, it, last, first, true,
            "EVAL has never fallen in %zu evaluations (%.5g, %.5g now), while TRAIN fell by "
            "%.3g%%, limit %g%%",
            n, first, last, 100 * fell, 50 * limit);
}

static void judge_overfit_trend(struct sm_rule_at *x)
{
    struct fit_state *s = x->state;
    size_t n;
    struct losses *all = all_losses(x, &n);
    for (size_t i = 0; all && i < n; i++) {
        struct fit_past *f = sm_rule_record_of(&s->tensors, all[i].it, sizeof *f);
        if (!add_to_past(x, f, &all[i]))
            continue;
        judge_rise(x, all[i].it, f);
        judge_useless(x, all[i].it, f);
    }
    note_missing(x, all, n);
    sm_free(all);
}

static const struct sm_rule_auto auto_overfit = {
    .differs =
        "the gap alone is no finding: it fires if EVAL was best 4 or more evaluations ago and "
        "rises since then (Mann-Kendall, z > 1.64), the last three are above that best one by "
        "twice the noise and their median by ratio_threshold of it, and TRAIN falls since then; or "
        "if after 10 "
        "evaluations EVAL has never fallen (z > -1.64, 3%) while TRAIN fell by half of "
        "ratio_threshold",
    .state_size = sizeof(struct fit_state),
    .judge = judge_overfit_trend,
    .clear = clear_fit_past,
};

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
    .how_auto = &auto_overfit,
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
    struct losses *all = all_losses(x, &n);
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
