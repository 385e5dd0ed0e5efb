/* SPDX-License-Identifier: Apache-2.0 */
/* How `rule auto` judges UnchangedTensor: a layer that is not trained while others are. */
#include "reader/analysis/trend.h"
#include "reader/checkpoints/ckpt_path.h"
#include "reader/tensor/statistic_list.h"
#include "rules/builtin/close.h"
#include "rules/builtin/net_layers.h"
#include "rules/builtin/past.h"
#include "rules/builtin/rule_list.h"

#include <math.h>
#include <string.h>

/* A weight that stayed the same from value to value PAIRS times since the start; FEW_PAIRS times in
 * checkpoints, which are far apart; once if it is zero as an adapter starts, from step ZERO on. A
 * frozen part of a network is a fault if after CHANCE steps the loss has fallen by less than
 * fall_limit. */
enum { PAIRS = 5, FEW_PAIRS = 2, ZERO = 5, CHANCE = 100 };
enum { WEIGHTS = 0, GRADIENTS = 1, LOSSES = 2 };
static const double fall_limit = 0.1;
/* A loss that had fallen by half at once, in its first values, has fallen. */
#define START_SHARE 0.4

struct weight {
    uint64_t pairs;  /* compared */
    bool checkpoint; /* of a file of tensors */
    bool moved;
    bool nonzero; /* at some step */
};
struct gradient {
    bool seen, nonzero;
};
struct unchanged_state {
    struct sm_rule_records weights, gradients;
    struct sm_past loss; /* of the first loss */
};

/* ---- what the step adds ---- */

static void add_gradients(struct sm_rule_at *x, const struct sm_net_layer *gradients, size_t n)
{
    struct unchanged_state *s = x->state;
    for (size_t i = 0; i < n; i++) {
        struct gradient *g = sm_rule_record_of(&s->gradients, gradients[i].it, sizeof *g);
        g->seen = true;
        g->nonzero = g->nonzero || gradients[i].facts->stats.zero < gradients[i].facts->n;
    }
}

/* What is known of the gradient of a weight; NULL if it never had one. */
static const struct gradient *gradient_of(const struct sm_rule_at *x,
                                          const struct sm_net_layer *weight)
{
    static const char *const prefixes[] = {"gradient/", "gradients/", "grad/"};
    struct unchanged_state *s = x->state;
    struct sm_rule_item it = {.worker = weight->it->worker};
    struct sm_str name = {0};
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes && !it.tensor; k++) {
        sm_str_truncate(&name, 0);
        sm_str_printf(&name, "%s%s", prefixes[k], weight->it->name);
        it.tensor = sm_trial_find(x->trial, sm_str_text(&name), name.len);
    }
    sm_str_clear(&name);
    return it.tensor ? sm_rule_record_of(&s->gradients, &it, sizeof(struct gradient)) : NULL;
}

/* By how much the loss has fallen, as a share of its first values; NaN if there are too few. */
static double loss_fell(const struct sm_past *loss)
{
    enum { LEAST = 20, PART = 5 };
    size_t last = loss->n / PART;
    if (loss->n < LEAST || loss->steps[loss->n - 1] - loss->steps[0] < CHANCE)
        return (double)NAN;
    double start = sm_median(loss->values, PART), first = sm_median(loss->values, last),
           now = sm_median(loss->values + loss->n - last, last);
    return fmax((start - now) / fabs(start) - START_SHARE, (first - now) / fabs(first));
}

static void add_loss(struct sm_rule_at *x)
{
    struct unchanged_state *s = x->state;
    double v;
    if (x->picks[LOSSES].n && sm_rule_scalar(x, &x->picks[LOSSES].items[0], &v) && isfinite(v))
        sm_past_add(&s->loss, x->step.step.n, v);
}

/* ---- judging ---- */

/* The trained weights of a worker: how many, and where the first one is. */
struct trained {
    size_t n, first, known;
    bool fresh; /* the weights before the first one look as before any training */
};

static bool looks_untrained(const struct sm_net_layer *l)
{
    const struct sm_stats *s = &l->facts->stats;
    return s->finite == l->facts->n &&
           sm_is_spread_evenly(l->facts->n, sm_stats_get(s, SM_REDUCE_MAX | SM_REDUCE_ABS),
                               sm_stats_get(s, SM_REDUCE_STD));
}

static unsigned pairs_needed(const struct weight *w)
{
    return w->checkpoint ? FEW_PAIRS : PAIRS;
}

static struct trained find_trained(struct sm_rule_at *x, const struct sm_net_layer *weights,
                                   size_t n)
{
    struct unchanged_state *s = x->state;
    struct trained t = {.first = n};
    for (size_t i = 0; i < n; i++) {
        const struct weight *w = sm_rule_record_of(&s->weights, weights[i].it, sizeof *w);
        t.known += w->moved || w->pairs >= pairs_needed(w);
        if (!w->moved)
            continue;
        t.n++;
        t.first = i < t.first ? i : t.first;
    }
    t.fresh = true;
    for (size_t i = 0; i < t.first; i++)
        t.fresh = t.fresh && looks_untrained(&weights[i]);
    return t;
}

/* Why it is a fault that weight `at` never changed; NULL if it is none. */
static const char *why_unchanged(struct sm_rule_at *x, const struct trained *t, size_t at,
                                 const struct gradient *g, double fell)
{
    const struct unchanged_state *s = x->state;
    if (!t->n)
        return "as all others";
    if (g && g->nonzero)
        return "although it has a gradient";
    if (g)
        return g->seen ? "and its gradient is zero" : NULL;
    if (at > t->first)
        return "without a gradient, and those of layers before it did";
    if (t->fresh)
        return "without a gradient, and its values are spread evenly, as before any training";
    if (fell < fall_limit && s->loss.n)
        return "without a gradient, and the loss has not fallen by 10%";
    return NULL;
}

/* The second matrix of a low-rank adapter, which starts at zero and moves with the first step that
 * trains it, and is still zero. */
static bool is_left_at_zero(const struct weight *w, const struct sm_net_layer *l, int64_t here)
{
    return w->pairs && !w->nonzero && here >= ZERO && sm_starts_at_zero(l->it->name);
}

/* Why a weight that never moved should have; NULL: it may be frozen. */
static const char *why_of(struct sm_rule_at *x, const struct trained *t, size_t at,
                          const struct sm_net_layer *l, size_t n, double fell)
{
    const struct gradient *g = gradient_of(x, l);
    const char *why = why_unchanged(x, t, at, g, fell);
    if (!why && !g)
        sm_rule_remark(x, l->it, n, "a frozen part: no gradient, and the weights never change");
    return why;
}

static void judge_worker(struct sm_rule_at *x, const struct sm_net_layer *weights, size_t n,
                         int64_t here)
{
    struct unchanged_state *s = x->state;
    struct trained t = find_trained(x, weights, n);
    double fell = loss_fell(&s->loss);
    for (size_t i = 0; i < n; i++) {
        const struct weight *w = sm_rule_record_of(&s->weights, weights[i].it, sizeof *w);
        bool zero = is_left_at_zero(w, &weights[i], here);
        unsigned needed = zero ? 1 : pairs_needed(w);
        const char *why = zero ? "and is all zero, as an adapter starts" : NULL;
        if (!zero && t.known == n && !w->moved)
            why = why_of(x, &t, i, &weights[i], n, fell);
        if (w->pairs)
            sm_rule_note(x, weights[i].it, (double)w->pairs, needed, why != NULL,
                         "%s in %llu saved step%s%s%s, limit %u",
                         w->moved ? "changed" : "never changed", (unsigned long long)w->pairs,
                         w->pairs == 1 ? "" : "s", why ? " " : "", why ? why : "", needed);
    }
}

/* The change of each weight since its value before; NULL where there is none. */
static const struct sm_numbers **measure_changes(struct sm_rule_at *x, enum sm_mode mode,
                                                 const struct sm_net_layer *weights, size_t n)
{
    const struct sm_numbers **out = sm_xalloc_zero(n + 1, sizeof *out);
    int64_t here = sm_rule_current_step(x, mode);
    for (size_t i = 0; i < n; i++) {
        struct sm_entry e = sm_rule_previous_entry(x, weights[i].it, mode, here);
        const struct sm_entry pair[] = {e, weights[i].it->value};
        if (sm_entry_exists(&e) &&
            !sm_rule_measure(x, sm_measure_change, NULL, 0, pair, 2, &out[i]))
            out[i] = NULL;
    }
    return out;
}

static bool is_of_checkpoint(const struct sm_rule_at *x, const struct sm_rule_item *it)
{
    const char *path = sm_trial_event_path(x->trial, sm_trial_part(x->trial, it->value.part));
    return path && sm_ckpt_path_has_tensors(path);
}

static void add_changes(struct sm_rule_at *x, const struct sm_net_layer *weights, size_t n,
                        const struct sm_numbers **changes)
{
    struct unchanged_state *s = x->state;
    for (size_t i = 0; i < n; i++) {
        struct weight *w = sm_rule_record_of(&s->weights, weights[i].it, sizeof *w);
        w->checkpoint = is_of_checkpoint(x, weights[i].it);
        w->nonzero = w->nonzero || weights[i].facts->stats.zero < weights[i].facts->n;
        if (!changes[i] || changes[i]->v[SM_CHANGE_COMPARABLE] == 0)
            continue;
        w->pairs++;
        w->moved = w->moved || changes[i]->v[SM_CHANGE_MOVED] != 0;
    }
}

static void judge_unchanged(struct sm_rule_at *x)
{
    enum sm_mode mode = sm_rule_training_mode(x);
    struct sm_net_layer *weights, *gradients;
    double loss;
    if (mode != SM_MODE_ANY && x->step.mode != mode)
        return;
    size_t n = sm_net_layers(x, WEIGHTS, true, &weights),
           n_gradients = sm_net_layers(x, GRADIENTS, true, &gradients);
    const struct sm_numbers **changes = measure_changes(x, mode, weights, n);
    if (x->picks[LOSSES].n)
        sm_rule_scalar(x, &x->picks[LOSSES].items[0], &loss);
    if (!x->waiting) {
        add_loss(x);
        add_gradients(x, gradients, n_gradients);
        int64_t here = sm_rule_current_step(x, mode);
        add_changes(x, weights, n, changes);
        for (size_t at = 0, of; at < n; at += of) {
            of = sm_net_layers_of_worker(weights, n, at);
            judge_worker(x, weights + at, of, here);
        }
    }
    sm_free(changes);
    sm_free(weights);
    sm_free(gradients);
}

static void clear_unchanged(void *state)
{
    struct unchanged_state *s = state;
    sm_memory_clear(&s->weights);
    sm_memory_clear(&s->gradients);
    sm_past_clear(&s->loss);
}

const struct sm_rule_auto sm_auto_unchanged_tensor = {
    .differs =
        "weights of two or more axes are judged, in the order of the layers, once each was "
        "compared 5 times with its value before, or twice in checkpoints. It fires if one "
        "never changed (not a bit) "
        "although it has a gradient, or its gradient is zero, or it has none and lies behind "
        "a layer that is trained; or if none changed at all; or, at its second value, if it is "
        "lora_B of an "
        "adapter and is still zero at step 5 or later. A part at the beginning without "
        "gradients is frozen: a remark, unless the values of all its weights are spread evenly "
        "(largest below 1.9 "
        "times the standard deviation), as before any training, or the loss has fallen by less "
        "than 10% in 100 steps",
    .picks = {{.collection = "weights"},
              {.collection = "gradients", .optional = true},
              {.collection = "losses", .optional = true}},
    .state_size = sizeof(struct unchanged_state),
    .judge = judge_unchanged,
    .clear = clear_unchanged,
};
