/* SPDX-License-Identifier: Apache-2.0 */
/* How `rule auto` judges WeightUpdateRatio, TensorVariance and PoorWeightInitialization: weights of
 * two or more axes, by their scale, by how far they have moved and by the place of the layer. */
#include "reader/tensor/statistic_list.h"
#include "rules/builtin/close.h"
#include "rules/builtin/identical.h"
#include "rules/builtin/net_layers.h"
#include "rules/builtin/rule_list.h"

#include <math.h>
#include <string.h>

/* ---- WeightUpdateRatio ---- */

/* In one step a weight moves by less than `large` of its size; over CHANCE steps or more, on
 * average, by more than `small`. */
enum { CHANCE = 30, PAIRS = 5 };
static const double large_limit = 0.5, small_limit = 1e-5;

struct way {
    double moved; /* sum of the relative changes */
    uint64_t pairs;
    uint64_t grows; /* pairs for which it still grows from zero */
    int64_t first;
};
struct ways {
    struct sm_rule_records weights;
};

struct update {
    double ratio;
    int64_t steps; /* 0: nothing to compare with */
    bool ready;
};

static struct update read_update(struct sm_rule_at *x, const struct sm_rule_item *it,
                                 enum sm_mode mode)
{
    int64_t here = sm_rule_current_step(x, mode);
    struct sm_entry e = sm_rule_previous_entry(x, it, mode, here);
    const struct sm_entry pair[] = {e, it->value};
    const struct sm_numbers *r;
    struct update u = {0};
    if (!sm_entry_exists(&e) || !sm_rule_measure(x, sm_measure_change, NULL, 0, pair, 2, &r))
        return u;
    u.ready = r->v[SM_CHANGE_COMPARABLE] != 0 && r->v[SM_CHANGE_SIZE] > 0;
    u.ratio = u.ready ? r->v[SM_CHANGE_MOVED] / r->v[SM_CHANGE_SIZE] : 0;
    u.steps = here - sm_rule_entry_step(x->trial, &e, mode);
    return u;
}

/* How many weights of the worker have hardly moved in all these steps. */
static size_t count_still(struct sm_rule_at *x, const struct sm_net_layer *l, size_t n,
                          int64_t here)
{
    struct ways *s = x->state;
    size_t still = 0;
    for (size_t i = 0; i < n; i++) {
        const struct way *w = sm_rule_record_of(&s->weights, l[i].it, sizeof *w);
        still += w->pairs >= PAIRS && here - w->first >= CHANCE &&
                 w->moved < small_limit * (double)(here - w->first);
    }
    return still;
}

static void note_update(struct sm_rule_at *x, const struct sm_net_layer *l, const struct way *w,
                        const struct update *u, bool large, size_t still, size_t n)
{
    int64_t steps = sm_rule_current_step(x, sm_rule_training_mode(x)) - w->first;
    double each = u->ratio / (double)u->steps, all = w->moved / (double)steps;
    if (large || still < n)
        sm_rule_note(x, l->it, each, large_limit, large,
                     "moved by %.4g of its size in each of %lld steps, limit %g", each,
                     (long long)u->steps, large_limit);
    else
        sm_rule_note(x, l->it, all, small_limit, true,
                     "moved by %.4g of its size in a step, on average over %lld steps, at least %g",
                     all, (long long)steps, small_limit);
}

static void judge_updates(struct sm_rule_at *x, const struct sm_net_layer *l,
                          const struct update *u, size_t n, int64_t here)
{
    struct ways *s = x->state;
    for (size_t i = 0; i < n; i++) {
        struct way *w = sm_rule_record_of(&s->weights, l[i].it, sizeof *w);
        w->first = w->pairs || u[i].steps ? w->first : here;
        w->pairs += u[i].steps > 0;
        w->grows = u[i].steps && !u[i].ready ? PAIRS : w->grows ? w->grows - 1 : 0;
        w->moved += u[i].ready && isfinite(u[i].ratio) ? u[i].ratio : 0;
    }
    size_t still = count_still(x, l, n, here);
    for (size_t i = 0; i < n; i++) {
        const struct way *w = sm_rule_record_of(&s->weights, l[i].it, sizeof *w);
        double each = u[i].steps > 0 ? u[i].ratio / (double)u[i].steps : 0;
        bool large = each > large_limit && !w->grows && !sm_is_embedding(l[i].it->name);
        if (!u[i].ready)
            continue;
        note_update(x, &l[i], w, &u[i], large, still, n);
    }
}

static void judge_ways(struct sm_rule_at *x)
{
    enum sm_mode mode = sm_rule_training_mode(x);
    struct sm_net_layer *l;
    if (mode != SM_MODE_ANY && x->step.mode != mode)
        return;
    size_t n = sm_net_layers(x, 0, true, &l);
    struct update *u = sm_xalloc_zero(n + 1, sizeof *u);
    for (size_t i = 0; i < n; i++)
        u[i] = read_update(x, l[i].it, mode);
    for (size_t at = 0, of; at < n && !x->waiting; at += of) {
        of = sm_net_layers_of_worker(l, n, at);
        judge_updates(x, l + at, u + at, of, sm_rule_current_step(x, mode));
    }
    sm_free(u);
    sm_free(l);
}

static void clear_ways(void *state)
{
    sm_memory_clear(&((struct ways *)state)->weights);
}

const struct sm_rule_auto sm_auto_weight_update_ratio = {
    .differs = "weights of two or more axes are judged, and the change is divided by the steps "
               "between two values. It fires if a weight that did not just start at zero and is no "
               "embedding "
               "changes by more than half of its size in one step, or if all weights together have "
               "moved by less than 1e-5 in a step, on average over 30 steps or more. A single "
               "weight that does not change is "
               "left to UnchangedTensor",
    .picks = {{.collection = "weights"}},
    .state_size = sizeof(struct ways),
    .judge = judge_ways,
    .clear = clear_ways,
};

/* ---- TensorVariance ---- */

/* Of the standard deviation times sqrt(fan_in / 2), which is 1 for He's initialisation and 0.4 for
 * that of PyTorch; and of the growth since the first value. */
static const double scale_least = 0.01, scale_most = 4, growth_limit = 100;

struct scale {
    bool begun, zero;
    double first;
    uint64_t zeros; /* values in a row that are all zero */
};
struct scales {
    struct sm_rule_records weights;
};

/* The inputs of a unit: all axes but the first, or, for kernels of TensorFlow, but the last. */
static double fan_in_of(const struct sm_net_layer *l)
{
    const struct sm_facts *f = l->facts;
    const char *name = l->it->name;
    bool kernel = strstr(name, "kernel") != NULL;
    return (double)f->n / (double)f->dims[kernel ? f->n_dims - 1 : 0];
}

static bool begins_here(const struct sm_rule_at *x, const struct sm_rule_item *it)
{
    return sm_is_first_value(x, it, sm_rule_current_step(x, sm_rule_training_mode(x)));
}

static void judge_scale(struct sm_rule_at *x, const struct sm_net_layer *l, bool is_last)
{
    enum { ZEROS = 3 };
    struct scales *s = x->state;
    struct scale *m = sm_rule_record_of(&s->weights, l->it, sizeof *m);
    const struct sm_stats *stats = &l->facts->stats;
    double variance = sm_stats_get(stats, SM_REDUCE_VARIANCE),
           scale = sqrt(variance * fan_in_of(l) / 2);
    bool first = !m->begun,
         begins = first && begins_here(x, l->it) && !sm_starts_at_zero(l->it->name),
         zero = stats->zero == l->facts->n, constant = !zero && variance == 0 && l->facts->n > 1,
         free = sm_is_embedding(l->it->name);
    m->zeros = zero ? m->zeros + 1 : 0;
    m->first = first || m->first == 0 ? variance : m->first;
    m->begun = true;
    bool off = begins && !free && !zero && (scale < scale_least || scale > scale_most),
         grown = variance > 10 && variance > growth_limit * m->first;
    if (zero && m->zeros < ZEROS)
        sm_rule_remark(x, l->it, 0,
                       is_last ? "the last layer starts at zero" : "a weight starts at zero");
    if (constant || m->zeros >= ZEROS)
        sm_rule_note(x, l->it, variance, 0, true, "all elements %s",
                     constant ? "are equal" : "are zero in 3 saved steps in a row, limit 3");
    else if (grown)
        sm_rule_note(x, l->it, variance, growth_limit * m->first, true,
                     "variance %.4g is %.3g times the first one, limit %g", variance,
                     variance / m->first, growth_limit);
    else
        sm_rule_note(
            x, l->it, scale, scale < scale_least ? scale_least : scale_most, off,
            "variance %.4g; std * sqrt(inputs / 2) is %.3g, %g to %g expected at the start",
            variance, scale, scale_least, scale_most);
}

static void judge_scales(struct sm_rule_at *x)
{
    struct sm_net_layer *l;
    size_t n = sm_net_layers(x, 0, false, &l);
    for (size_t at = 0, of; at < n && !x->waiting; at += of) {
        of = sm_net_layers_of_worker(l, n, at);
        size_t last = at + of;
        while (last > at && l[last - 1].facts->n_dims < 2)
            last--;
        for (size_t i = at; i < at + of; i++) {
            const struct sm_stats *stats = &l[i].facts->stats;
            if (l[i].facts->n_dims > 1 && stats->finite == l[i].facts->n)
                judge_scale(x, &l[i], i + 1 == last);
            else if (l[i].facts->n_dims == 1 && l[i].facts->n > 1 && stats->min == stats->max)
                sm_rule_remark(x, l[i].it, of, "a scale of which all elements are equal");
        }
    }
    sm_free(l);
}

static void clear_scales(void *state)
{
    sm_memory_clear(&((struct scales *)state)->weights);
}

const struct sm_rule_auto sm_auto_tensor_variance = {
    .differs =
        "weights of two or more axes are judged by the scale that their inputs ask for. It "
        "fires if at the first value, of step 0 or 1 (of checkpoints: if their names have it), std "
        "* sqrt(inputs / 2) is below 0.01 or "
        "above 4 (not for embeddings, nor for lora_B, which starts at zero), if all elements are "
        "equal and not zero, if they are zero in 3 "
        "values in a row, or if the variance is above 10 and 100 times the first one. "
        "Constant scales of normalisation and layers that start at zero are remarks",
    .picks = {{.collection = "weights"}},
    .state_size = sizeof(struct scales),
    .judge = judge_scales,
    .clear = clear_scales,
};

/* ---- PoorWeightInitialization ---- */

static const double spread_limit = 100;

struct init_state {
    bool done;
};

/* The variance of the activation inputs over the layers. */
static void judge_spread(struct sm_rule_at *x)
{
    const struct sm_rule_item *low = NULL, *high = NULL;
    double least = 0, most = 0, v;
    for (size_t i = 0; i < x->picks[1].n; i++) {
        const struct sm_rule_item *it = &x->picks[1].items[i];
        if (!sm_rule_reduction(x, it, SM_REDUCE_VARIANCE, &v) || isnan(v))
            continue;
        if (!low || v < least)
            low = it, least = v;
        if (!high || v > most)
            high = it, most = v;
    }
    if (!low || low == high)
        return;
    double ratio = least > 0 ? most / least : (double)INFINITY;
    sm_rule_note(x, low, ratio, spread_limit, ratio > spread_limit,
                 "[variance] %.4g .. %s %.4g, ratio %.4g, limit %g", least, high->name, most, ratio,
                 spread_limit);
}

static void judge_alike(struct sm_rule_at *x, const struct sm_net_layer *l,
                        const struct sm_numbers *r)
{
    bool zero = l->facts->stats.zero == l->facts->n;
    if (r->v[SM_IDENTICAL_UNITS] < 2 || !begins_here(x, l->it))
        return;
    if (zero)
        sm_rule_remark(x, l->it, 0, "a weight starts at zero");
    else
        sm_rule_note(x, l->it, r->v[SM_IDENTICAL_ALL], 0, r->v[SM_IDENTICAL_ALL] != 0,
                     "[weights] %s of %.0f units have the same weights",
                     r->v[SM_IDENTICAL_ALL] != 0 ? "all" : "not all", r->v[SM_IDENTICAL_UNITS]);
}

static void judge_init(struct sm_rule_at *x)
{
    struct init_state *s = x->state;
    enum sm_mode mode = sm_rule_training_mode(x);
    struct sm_net_layer *l;
    if (s->done || (mode != SM_MODE_ANY && x->step.mode != mode))
        return;
    size_t n = sm_net_layers(x, 0, true, &l);
    const struct sm_numbers **alike = sm_xalloc_zero(n + 1, sizeof *alike);
    for (size_t i = 0; i < n; i++)
        if (!sm_measure_identical_of(x, l[i].it, &alike[i]))
            alike[i] = NULL;
    judge_spread(x);
    for (size_t i = 0; i < n && !x->waiting; i++)
        if (alike[i])
            judge_alike(x, &l[i], alike[i]);
    s->done = !x->waiting && (n || x->picks[1].n);
    sm_free(alike);
    sm_free(l);
}

const struct sm_rule_auto sm_auto_poor_weight_initialization = {
    .differs =
        "only the first saved step is judged. It fires if the variance of activation inputs "
        "differs between layers by more than 100 times, or if all units of a weight have the "
        "same weights at step 0 or 1 (of checkpoints: if their names have that step). Slow first "
        "losses are left to LossNotDecreasing, gradients to "
        "VanishingGradient; a weight that starts at zero is a remark",
    .picks = {{.collection = "weights", .optional = true},
              {.names = "(?i)(relu|tanh|sigmoid)[^/]*_input", .optional = true}},
    .state_size = sizeof(struct init_state),
    .judge = judge_init,
};
