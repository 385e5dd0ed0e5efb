/* SPDX-License-Identifier: Apache-2.0 */
/* How `rule auto` judges LossNotDecreasing: by windows that hold a fifth of the run, so that the
 * noise of batches, a warm-up and a plateau at the end are no findings. */
#include "reader/analysis/trend.h"
#include "rules/builtin/chance.h"
#include "rules/builtin/past.h"
#include "rules/builtin/rule_list.h"

#include <math.h>

/* A window has at least LEAST values. A loss that never fell is judged after FLAT_STEPS steps, in
 * which the network could have learned. */
enum { LEAST = 12, FLAT_STEPS = 150, START = 5 };
static const double z_limit = 3.5, lost_limit = 0.5, rise_limit = 0.2, fall_limit = 0.03;

struct loss {
    struct sm_past h;
    uint64_t next; /* how many values there are at the next look */
};

static enum sm_mode mode_of(const struct sm_trial_tensor *t)
{
    return t->modes & 1 << SM_MODE_TRAIN  ? SM_MODE_TRAIN
           : t->modes & 1 << SM_MODE_EVAL ? SM_MODE_EVAL
                                          : SM_MODE_GLOBAL;
}

static bool is_due(const struct sm_rule_at *x, const struct sm_rule_item *it)
{
    enum sm_mode mode = mode_of(it->tensor);
    return mode == SM_MODE_GLOBAL || x->step.mode == mode;
}

/* The start of the window, of those that end before the last one, with the lowest median. */
static size_t best_window(const struct sm_past *h, size_t width, double *median)
{
    size_t best = 0;
    *median = sm_median(h->values, width);
    for (size_t from = width / 2; from + 2 * width <= h->n; from += width / 2) {
        double m = sm_median(h->values + from, width);
        if (m < *median)
            *median = m, best = from;
    }
    return best;
}

/* It has risen for good: the last window is above the best one, by the test, by a fifth, and by
 * half of what the loss had fallen. */
static bool judge_rise(struct sm_rule_at *x, const struct sm_rule_item *it, const struct sm_past *h,
                       size_t width)
{
    const double *last = h->values + h->n - width;
    double low, now = sm_median(last, width), start = sm_median(h->values, START);
    size_t best = best_window(h, width, &low);
    double gained = start - low, lost = gained > 0 ? (now - low) / gained : (double)INFINITY;
    bool above = now - low > rise_limit * fabs(low) && lost > lost_limit;
    double z = above || sm_rule_wants_text(x, false)
                   ? sm_rank_z(last, width, h->values + best, width)
                   : (double)NAN;
    bool bad = above && z > z_limit;
    sm_rule_note(x, it, now, low, bad,
                 "%s: median %.5g of the last %zu values, %.5g of those of steps %lld to %lld, "
                 "z %.1f, limit %g",
                 bad ? "rose" : "did not rise for good", now, width, low, (long long)h->steps[best],
                 (long long)h->steps[best + width - 1], z, z_limit);
    return bad;
}

/* It has never fallen: the last window is at the level of the first one and of the first values, so
 * closely that a fall by more than twice fall_limit would show; and it does not begin to fall. */
static bool judge_flat(struct sm_rule_at *x, const struct sm_rule_item *it, const struct sm_past *h,
                       size_t width)
{
    const double *last = h->values + h->n - width;
    double now = sm_median(last, width), first = sm_median(h->values, width),
           start = sm_median(h->values, START), size = fabs(first),
           error = 1.25 * hypot(sm_spread(last, width), sm_spread(h->values, width)) /
                   sqrt((double)width);
    double fell = size > 0 ? (first - now) / size : 0,
           most = size > 0 ? fell + 2 * error / size : 0;
    size_t half = h->n / 2;
    bool early = h->steps[h->n - 1] - h->steps[0] < FLAT_STEPS;
    bool level = fell > -2 * fall_limit && fell < fall_limit && most < 2 * fall_limit,
         above = fell <= -2 * fall_limit;
    bool bad = !early && (level || above) &&
               !(start - now > fall_limit * size &&
                 sm_rank_z(h->values, START, last, width) > 2) && /* it
                                                                     began
                                                                     to
                                                                   */
               (above ? sm_rank_z(last, width, h->values, width) > z_limit
                      : !(fell > fall_limit / 3 && sm_trend_z(h->values + half, h->n - half) < -2));
    sm_rule_note(x, it, 100 * fell, 100 * fall_limit, bad,
                 "%s: median %.5g of the last %zu values, %.5g of the first ones: fell by %.2g%%, "
                 "limit %g%% after %d steps",
                 bad ? "never fell" : "fell or is not judged yet", now, width, first, 100 * fell,
                 100 * fall_limit, FLAT_STEPS);
    return bad;
}

/* ---- the level of chance ---- */

struct loss_state {
    struct sm_pasts losses; /* of struct loss; the first member, for sm_pasts_clear */
    struct sm_chance labels;
};

/* After FLAT_STEPS steps the loss is not below chance, and does not begin to fall. */
static bool judge_chance(struct sm_rule_at *x, const struct sm_rule_item *it,
                         const struct sm_past *h, size_t width, const struct sm_chance *labels)
{
    double chance = sm_chance_loss(labels, it->name),
           now = sm_median(h->values + h->n - width, width);
    size_t half = h->n / 2;
    if (isnan(chance) || h->steps[h->n - 1] - h->steps[0] < FLAT_STEPS)
        return false;
    bool bad = now > (1 - fall_limit) * chance && now < (1 + fall_limit) * chance &&
               sm_trend_z(h->values + half, h->n - half) > -2;
    if (bad)
        sm_rule_note(
            x, it, now, (1 - fall_limit) * chance, true,
            "at chance: median %.5g of the last %zu values; knowing only how often each of "
            "%zu classes occurs gives %.5g, limit %g%% below after %d steps",
            now, width, labels->n, chance, 100 * fall_limit, FLAT_STEPS);
    return bad;
}

/* ---- a step ---- */

static void judge_loss(struct sm_rule_at *x, const struct sm_rule_item *it, struct loss *l,
                       double value)
{
    if (!isfinite(value)) {
        char now[32], before[32];
        sm_format_double(value, 6, now);
        sm_format_double(l->h.n ? l->h.values[l->h.n - 1] : (double)NAN, 6, before);
        if (l->h.n)
            sm_rule_note(x, it, value, 0, true, "%s is not finite; %s before, at step %lld", now,
                         before, (long long)l->h.steps[l->h.n - 1]);
        else
            sm_rule_note(x, it, value, 0, true, "%s is not finite; no finite one came before", now);
        return;
    }
    sm_past_add(&l->h, x->step.step.n, value);
    size_t width = l->h.n / 5 > LEAST ? l->h.n / 5 : LEAST;
    if (l->h.n < (size_t)3 * LEAST || l->h.seen < l->next) {
        sm_rule_note(x, it, value, 0, false, "%.6g; the trend is judged from %zu values on", value,
                     l->h.n < (size_t)3 * LEAST ? (size_t)3 * LEAST : l->next);
        return;
    }
    l->next = l->h.seen + 1 + l->h.seen / 20;
    const struct loss_state *s = x->state;
    if (!judge_rise(x, it, &l->h, width) && !judge_flat(x, it, &l->h, width))
        judge_chance(x, it, &l->h, width, &s->labels);
}

static void judge_trend(struct sm_rule_at *x)
{
    struct loss_state *s = x->state;
    struct sm_step_classes k;
    double v;
    for (size_t i = 0; i < x->picks[0].n; i++)
        if (is_due(x, &x->picks[0].items[i]))
            sm_rule_scalar(x, &x->picks[0].items[i], &v);
    if (sm_chance_read(x, &s->labels, 1, &k) && !x->waiting)
        sm_chance_add(&s->labels, &k);
    for (size_t i = 0; i < x->picks[0].n && !x->waiting; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        if (is_due(x, it) && sm_rule_scalar(x, it, &v))
            judge_loss(x, it, sm_rule_record_of(&s->losses.tensors, it, sizeof(struct loss)), v);
    }
}

const struct sm_rule_auto sm_auto_loss_not_decreasing = {
    .differs =
        "the losses of TRAIN steps are judged (EVAL or GLOBAL if there are none), and not value by "
        "value: it fires if a loss is not finite; if the median of the last fifth of its values "
        "(12 "
        "or more) is above that of the best earlier window by a rank test (Mann-Whitney, z > 3.5), "
        "by 20% of it, and by half of what had been gained; or if after 150 steps it is less than "
        "3% below that of the first values, known to 3%, and does not begin to fall; or if after "
        "150 steps a cross entropy (also a binary one) is within 3% of that of guessing by how "
        "often "
        "each label occurs. A plateau is "
        "no "
        "finding",
    .picks = {{.collection = "losses"}, {.names = SM_CHANCE_LABELS, .optional = true}},
    .state_size = sizeof(struct loss_state),
    .judge = judge_trend,
    .clear = sm_pasts_clear,
};
