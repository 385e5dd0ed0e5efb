/* SPDX-License-Identifier: Apache-2.0 */
/* How `rule auto` judges Overfit: by evaluations that become worse, and not by the gap between
 * TRAIN and EVAL, which is there in healthy runs, too. */
#include "reader/analysis/trend.h"
#include "rules/builtin/chance.h"
#include "rules/builtin/fit.h"
#include "rules/builtin/past.h"
#include "rules/builtin/rule_list.h"

#include <math.h>

/* At least so many evaluations to compare with each other, and with chance; those of a median. */
enum { EVALUATIONS = 10, EVALUATIONS_CHANCE = 8, PART = 3, MOST_BY_NAME = 64 };

struct fit_pasts {
    struct sm_rule_records tensors; /* of struct fit_past */
    struct sm_fit_names names;
    struct sm_chance labels;
};
/* One number for each evaluation: the mean EVAL loss, and the mean TRAIN loss before it. */
struct fit_past {
    struct sm_past eval, train;
    struct sm_fit_window window;
};

static void clear_fit_past(void *state)
{
    struct fit_pasts *s = state;
    for (size_t i = 0; i < s->tensors.n; i++) {
        sm_past_clear(&((struct fit_past *)s->tensors.items[i])->eval);
        sm_past_clear(&((struct fit_past *)s->tensors.items[i])->train);
    }
    sm_memory_clear(&s->tensors);
    sm_fit_names_clear(&s->names);
}

/* Adds the losses of a step; true if that ends an evaluation. Loggers may evaluate at every step:
 * of many evaluations neighbours become one, so that noise is no finding. */
static bool add_to_past(struct sm_rule_at *x, struct fit_past *f, const struct sm_fit_losses *l)
{
    double train, eval;
    if (!sm_fit_window_add(&f->window, l, &train, &eval) || !isfinite(train) || !isfinite(eval))
        return false;
    f->train.most = f->eval.most = l->by_name ? MOST_BY_NAME : 0;
    sm_past_add(&f->train, x->step.step.n, train);
    sm_past_add(&f->eval, x->step.step.n, eval);
    return !f->eval.pending;
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
    const double *v = f->eval.values, z_limit = 1.64, limit = x->p[SM_OVERFIT_RATIO].number;
    size_t n = f->eval.n, best = 0;
    for (size_t i = 0; i < n; i++)
        best = v[i] <= v[best] ? i : best;
    double least = n > best + LAST ? (double)INFINITY : v[best];
    for (size_t i = n; n > best + LAST && i-- > n - LAST;)
        least = v[i] < least ? v[i] : least;
    double last = sm_median(v + (n > LAST ? n - LAST : 0), n > LAST ? LAST : n),
           rise = (last - v[best]) / fabs(v[best]);
    bool above = n - best > SINCE && rise > limit && least - v[best] > 2 * noise_of(&f->eval);
    double z = above || sm_rule_wants_text(x, false) ? sm_trend_z(v + best, n - best) : (double)NAN;
    bool bad = above && z > z_limit && sm_trend_z(f->train.values + best, n - best) < -z_limit;
    sm_rule_note(
        x, it, rise, limit, bad,
        "EVAL was best, %.5g, %zu evaluations ago (before step %lld), the last ones are %.3g "
        "times as much above it, limit %g; z %.1f, limit %g; TRAIN was %.5g then, %.5g now",
        v[best], (n - 1 - best) * f->eval.each, (long long)f->eval.steps[best], rise, limit, z,
        z_limit, f->train.values[best], f->train.values[n - 1]);
}

/* What is learned does not help: EVAL has never fallen while TRAIN fell, twice as far if they are
 * told by names: those may be at every step, and only at the beginning. */
static void judge_useless(struct sm_rule_at *x, const struct sm_rule_item *it,
                          const struct fit_past *f)
{
    const double *v = f->eval.values, *t = f->train.values, z_limit = -1.64, flat = 0.03,
                 limit = x->p[SM_OVERFIT_RATIO].number * (f->eval.most ? 1 : 0.5);
    size_t n = f->eval.n;
    if (n < EVALUATIONS)
        return;
    double first = sm_median(v, PART), last = sm_median(v + n - PART, PART),
           fell = 1 - sm_median(t + n - PART, PART) / sm_median(t, PART);
    bool bad = fell > limit && last > first - flat * fabs(first) && sm_trend_z(v, n) > z_limit &&
               sm_trend_z(t, n) < z_limit;
    if (bad)
        sm_rule_note(
            x, it, last, first, true,
            "EVAL has never fallen in %zu evaluations (%.5g, %.5g now), while TRAIN fell by "
            "%.3g%%, limit %g%%",
            n * f->eval.each, first, last, 100 * fell, 100 * limit);
}

/* EVAL has never been below chance, while TRAIN is. */
static void judge_chance(struct sm_rule_at *x, const struct sm_rule_item *it,
                         const struct fit_past *f, const struct sm_chance *labels)
{
    static const double near = 0.03;
    size_t n = f->eval.n;
    double chance = sm_chance_loss(labels, it->name), least = (double)INFINITY;
    if (isnan(chance) || n < EVALUATIONS_CHANCE)
        return;
    for (size_t i = 0; i < n; i++)
        least = fmin(least, f->eval.values[i]);
    double train = sm_median(f->train.values + n - PART, PART),
           most = (1 - x->p[SM_OVERFIT_RATIO].number / 2) * chance;
    if (least > (1 - near) * chance && train < most)
        sm_rule_note(x, it, least, (1 - near) * chance, true,
                     "EVAL was never below %.5g in %zu evaluations; knowing only how often each of "
                     "%zu labels occurs gives %.5g; TRAIN is %.5g, limit %.5g",
                     least, n, labels->n, chance, train, most);
}

static void judge_overfit_trend(struct sm_rule_at *x)
{
    struct fit_pasts *s = x->state;
    struct sm_step_classes k;
    size_t n;
    struct sm_fit_losses *all = sm_fit_losses_read(x, &s->names, &n);
    if (sm_chance_read(x, &s->labels, 1, &k) && !x->waiting)
        sm_chance_add(&s->labels, &k);
    for (size_t i = 0; !x->waiting && i < n; i++) {
        struct fit_past *f = sm_rule_record_of(&s->tensors, &all[i].it, sizeof *f);
        if (!add_to_past(x, f, &all[i]))
            continue;
        judge_rise(x, &all[i].it, f);
        judge_useless(x, &all[i].it, f);
        judge_chance(x, &all[i].it, f, &s->labels);
    }
    if (!x->waiting)
        sm_fit_note_missing(x, &s->names);
    sm_free(all);
}

const struct sm_rule_auto sm_auto_overfit = {
    .differs =
        "the gap alone is no finding: it fires if EVAL was best 4 or more evaluations ago and "
        "rises since then (Mann-Kendall, z > 1.64), the last three are above that best one by "
        "twice the noise and their median by ratio_threshold of it, and TRAIN falls since then; or "
        "if after 10 "
        "evaluations EVAL has never fallen (z > -1.64, 3%) while TRAIN fell by half of "
        "ratio_threshold (by all of it where names tell EVAL from TRAIN; there at most 64 means of "
        "evaluations are compared); or if after 8 evaluations no EVAL cross entropy was 3% below "
        "that of "
        "guessing by how often each label occurs, while TRAIN is below it by half of "
        "ratio_threshold",
    .picks = {{.regex = "tensor_regex", .collection = "losses"},
              {.names = SM_CHANCE_LABELS, .optional = true}},
    .state_size = sizeof(struct fit_pasts),
    .judge = judge_overfit_trend,
    .clear = clear_fit_past,
};
