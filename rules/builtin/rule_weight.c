/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about weights: their initial values and their updates. */
#include "rules/builtin/close.h"
#include "rules/builtin/identical.h"
#include "rules/builtin/rule_list.h"

#include <math.h>
#include <string.h>

/* ---- PoorWeightInitialization ---- */

enum { INIT_REGEX, INIT_THRESHOLD, INIT_RANGE, INIT_PATIENCE, INIT_STEPS };
enum { INPUTS, GRADIENTS, LOSSES };

struct best_loss {
    double best;
    uint64_t seen, without;
};
struct init_state {
    struct sm_rule_records losses;
};

static void judge_input_variance(struct sm_rule_at *x)
{
    const struct sm_rule_item *low = NULL, *high = NULL;
    double least = 0, most = 0, v, limit = x->p[INIT_THRESHOLD].number;
    for (size_t i = 0; i < x->picks[INPUTS].n; i++) {
        const struct sm_rule_item *it = &x->picks[INPUTS].items[i];
        if (!sm_rule_reduction(x, it, SM_REDUCE_VARIANCE, &v) || isnan(v))
            continue;
        if (!low || v < least)
            low = it, least = v;
        if (!high || v > most)
            high = it, most = v;
    }
    if (x->picks[INPUTS].n < 2 || !low)
        return;
    double ratio = least > 0 ? most / least : (double)INFINITY;
    sm_rule_note(x, low, ratio, limit, ratio > limit,
                 "[variance] %.4g .. %s %.4g, ratio %.4g, limit %g", least, high->name, most, ratio,
                 limit);
}

/* Number: p95 - p5, NaN if an element is not finite. */
static void measure_range(const struct sm_tensor *const *t, const double *args,
                          struct sm_numbers *out)
{
    static const double q[] = {0.05, 0.95};
    double at[2];
    struct sm_stats s;
    (void)args;
    if (!sm_numbers_alloc(out, 1))
        return;
    bool ok = sm_stats_of(t[0], &s, NULL) && s.finite == s.n && s.n &&
              sm_quantiles(t[0], false, q, 2, at, NULL);
    out->v[0] = ok ? at[1] - at[0] : (double)NAN;
}

static void judge_gradient_range(struct sm_rule_at *x)
{
    const struct sm_rule_item *low = NULL;
    double least = 0, limit = x->p[INIT_RANGE].number;
    for (size_t i = 0; i < x->picks[GRADIENTS].n; i++) {
        const struct sm_rule_item *it = &x->picks[GRADIENTS].items[i];
        const struct sm_numbers *r;
        if (!sm_entry_exists(&it->value) ||
            !sm_rule_measure(x, measure_range, NULL, 0, &it->value, 1, &r) || isnan(r->v[0]))
            continue;
        if (!low || r->v[0] < least)
            low = it, least = r->v[0];
    }
    if (low)
        sm_rule_note(x, low, least, limit, least < limit, "[gradients] p95-p5 = %.4g %s %g", least,
                     least < limit ? "<" : ">=", limit);
}

static void judge_first_losses(struct sm_rule_at *x)
{
    struct init_state *s = x->state;
    double v, patience = x->p[INIT_PATIENCE].number;
    for (size_t i = 0; i < x->picks[LOSSES].n; i++)
        sm_rule_scalar(x, &x->picks[LOSSES].items[i], &v);
    for (size_t i = 0; !x->waiting && i < x->picks[LOSSES].n; i++) {
        const struct sm_rule_item *it = &x->picks[LOSSES].items[i];
        if (!sm_rule_scalar(x, it, &v))
            continue;
        struct best_loss *m = sm_rule_record_of(&s->losses, it, sizeof *m);
        bool better = !isnan(v) && (!m->seen || v < m->best);
        m->best = better ? v : m->best;
        m->seen += better;
        m->without = better ? 0 : m->without + 1;
        sm_rule_note(x, it, (double)m->without, patience, (double)m->without >= patience,
                     "[loss] no improvement in %llu saved steps, patience %g",
                     (unsigned long long)m->without, patience);
    }
}

static void judge_init(struct sm_rule_at *x)
{
    enum sm_mode mode = sm_rule_training_mode(x);
    if ((mode != SM_MODE_ANY && x->step.mode != mode) ||
        (double)sm_rule_current_step(x, mode) >= x->p[INIT_STEPS].number)
        return;
    judge_input_variance(x);
    judge_gradient_range(x);
    judge_first_losses(x);
}

static void clear_init(void *state)
{
    sm_memory_clear(&((struct init_state *)state)->losses);
}

static const struct sm_rule_param init_params[] = {
    {.name = "activation_inputs_regex",
     .type = SM_RULE_PATTERN,
     .initial = ".*relu_input",
     .help = "patterns of the inputs of activations"},
    {.name = "threshold",
     .type = SM_RULE_NUMBER,
     .initial = "10.0",
     .max = INFINITY,
     .help = "largest variance over smallest variance, across layers"},
    {.name = "distribution_range",
     .type = SM_RULE_NUMBER,
     .initial = "0.001",
     .max = INFINITY,
     .help = "smallest p95 - p5 of a gradient"},
    {.name = "patience",
     .type = SM_RULE_INT,
     .initial = "5",
     .min = 1,
     .max = 1e9,
     .unit = "saved losses",
     .help = "consecutive losses without a new lowest"},
    {.name = "steps",
     .type = SM_RULE_INT,
     .initial = "10",
     .min = 1,
     .max = 1e15,
     .unit = "steps",
     .help = "number of steps from the start to check"},
    {0},
};
const struct sm_rule sm_rule_poor_weight_initialization = {
    .name = "poor_weight_initialization",
    .class_name = "PoorWeightInitialization",
    .summary = "The first steps show badly initialised weights",
    .fires = "before step number `steps`, any of: [variance] the largest variance of activation "
             "inputs is more than threshold times the smallest, or all are 0; [gradients] a "
             "gradient has p95 - p5 < distribution_range; [loss] `patience` consecutive saved "
             "losses have no new lowest",
    .advice = "Use Xavier or He initialisation; never one constant for all weights.",
    .saves = "relu_input: .*relu_input (500); gradients, losses",
    .automatic = "",
    .params = init_params,
    .picks = {{.regex = "activation_inputs_regex",
               .fallback = "(?i)(relu|tanh|sigmoid)[^/]*_input",
               .optional = true},
              {.collection = "gradients", .optional = true},
              {.collection = "losses", .optional = true}},
    .state_size = sizeof(struct init_state),
    .by_check = true,
    .judge = judge_init,
    .clear = clear_init,
    .how_auto = &sm_auto_poor_weight_initialization,
};

/* ---- WeightUpdateRatio ---- */

enum { UPDATE_STEPS, UPDATE_LARGE, UPDATE_SMALL, UPDATE_EPSILON, UPDATE_SKIP_ZERO };

/* The value to compare with: the previous one, or the oldest within num_steps. */
static struct sm_entry earlier_value(const struct sm_rule_at *x, const struct sm_rule_item *it,
                                     enum sm_mode mode)
{
    const struct sm_rule_value *steps = &x->p[UPDATE_STEPS];
    int64_t here = sm_rule_current_step(x, mode);
    struct sm_entry found = sm_entry_none(), e = sm_rule_previous_entry(x, it, mode, here);
    if (!steps->set)
        return e;
    while (sm_entry_exists(&e) &&
           sm_rule_entry_step(x->trial, &e, mode) >= here - (int64_t)steps->number) {
        found = e;
        e = sm_rule_previous_entry(x, it, mode, sm_rule_entry_step(x->trial, &e, mode));
    }
    return found;
}

static void judge_item_update(struct sm_rule_at *x, const struct sm_rule_item *it,
                              enum sm_mode mode)
{
    struct sm_entry e = sm_entry_exists(&it->value) ? earlier_value(x, it, mode) : sm_entry_none();
    const struct sm_numbers *r;
    if (!sm_entry_exists(&e) ||
        !sm_rule_measure(x, sm_measure_change, NULL, 0, (struct sm_entry[]){e, it->value}, 2, &r))
        return;
    if (r->v[SM_CHANGE_COMPARABLE] == 0) {
        sm_rule_skip(x, "the shape has changed");
        return;
    }
    bool zero = r->v[SM_CHANGE_SIZE] == 0;
    double ratio = r->v[SM_CHANGE_MOVED] / (r->v[SM_CHANGE_SIZE] + x->p[UPDATE_EPSILON].number),
           large = x->p[UPDATE_LARGE].number, small = x->p[UPDATE_SMALL].number;
    bool violated =
        (ratio > large || ratio < small) && !(zero && x->p[UPDATE_SKIP_ZERO].number != 0);
    sm_rule_note(x, it, ratio, ratio > large ? large : small, violated,
                 "update/weight = %.6g %s, limits %g and %g (steps %lld to %lld)%s", ratio,
                 ratio > large   ? "is too large"
                 : ratio < small ? "is too small"
                                 : "is fine",
                 small, large, (long long)sm_rule_entry_step(x->trial, &e, SM_MODE_GLOBAL),
                 (long long)x->step.step.n, zero ? ", previous weights were all zero" : "");
}

static void judge_update(struct sm_rule_at *x)
{
    enum sm_mode mode = sm_rule_training_mode(x);
    if (mode != SM_MODE_ANY && x->step.mode != mode)
        return;
    for (size_t i = 0; i < x->picks[0].n; i++)
        judge_item_update(x, &x->picks[0].items[i], mode);
}

static const struct sm_rule_param update_params[] = {
    {.name = "num_steps",
     .type = SM_RULE_INT,
     .min = 1,
     .max = 1e15,
     .unit = "steps",
     .help = "compare with the oldest value within N steps; default: with the previous saved one"},
    {.name = "large_threshold",
     .type = SM_RULE_NUMBER,
     .initial = "10.0",
     .max = INFINITY,
     .help = "fires above it"},
    {.name = "small_threshold",
     .type = SM_RULE_NUMBER,
     .initial = "1e-8",
     .max = INFINITY,
     .help = "fires below it"},
    {.name = "epsilon",
     .type = SM_RULE_NUMBER,
     .initial = "1e-9",
     .max = INFINITY,
     .help = "added to the divisor, to avoid division by zero"},
    {.name = "skip_zero_previous",
     .type = SM_RULE_BOOL,
     .initial = "False",
     .help = "ignore tensors that were all zero"},
    {0},
};
const struct sm_rule sm_rule_weight_update_ratio = {
    .name = "weight_update_ratio",
    .class_name = "WeightUpdateRatio",
    .summary = "Weight updates are too large or too small",
    .fires = "mean|w_new - w_old| / (mean|w_old| + epsilon) of a tensor of collection weights is "
             "above large_threshold or below small_threshold; only TRAIN steps, if there are any",
    .advice = "Too large: lower the learning rate. Too small: raise it, and check that the "
              "optimizer has this parameter.",
    .saves = "weights (500)",
    .automatic = "",
    .params = update_params,
    .picks = {{.collection = "weights"}},
    .judge = judge_update,
    .how_auto = &sm_auto_weight_update_ratio,
};

/* ---- IdenticalWeights ---- */

enum { SAME_COLLECTIONS, SAME_RTOL, SAME_ATOL };

struct first_only {
    bool done;
};

static void judge_identical(struct sm_rule_at *x)
{
    struct first_only *s = x->state;
    size_t judged = 0;
    for (size_t i = 0; !s->done && i < x->picks[0].n; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        bool tensorflow = strstr(it->name, "kernel") != NULL;
        double args[] = {x->p[SAME_RTOL].number, x->p[SAME_ATOL].number, 0, tensorflow};
        const struct sm_numbers *r;
        if (!sm_entry_exists(&it->value) ||
            !sm_rule_measure(x, sm_measure_identical, args, 4, &it->value, 1, &r))
            continue;
        judged++;
        if (r->v[2] == 0)
            continue;
        bool bad = r->v[0] > 0 || r->v[1] != 0;
        sm_rule_note(x, it, r->v[0], 0, bad,
                     "%.0f of %.0f units have the same weight for all inputs%s", r->v[0], r->v[2],
                     r->v[1] != 0 ? ", all units are equal" : "");
    }
    s->done = s->done || (judged && !x->waiting);
}

static const struct sm_rule_param identical_params[] = {
    {.name = "collection_names",
     .type = SM_RULE_NAMES,
     .initial = "weights",
     .help = "collections to inspect"},
    {.name = "rtol",
     .type = SM_RULE_NUMBER,
     .initial = "1e-5",
     .max = INFINITY,
     .help = "relative tolerance, as numpy.allclose"},
    {.name = "atol",
     .type = SM_RULE_NUMBER,
     .initial = "1e-8",
     .max = INFINITY,
     .help = "absolute tolerance"},
    {0},
};
const struct sm_rule sm_rule_identical_weights = {
    .name = "identical_weights",
    .class_name = "IdenticalWeights",
    .group = SM_RULE_EXTRA,
    .summary = "The initial weights of a neuron, or of all neurons, are equal",
    .fires =
        "at the first saved step with weights, in a tensor of two or more axes, an output unit has "
        "the same weight for all inputs, or all units are equal; units are axis 0, or the last "
        "axis of TensorFlow's kernels",
    .advice = "Use random initialisation (Xavier, He).",
    .saves = "weights",
    .params = identical_params,
    .picks = {{.collections = "collection_names"}},
    .state_size = sizeof(struct first_only),
    .judge = judge_identical,
};

/* ---- InitialWeightVariance ---- */

static void judge_initial_variance(struct sm_rule_at *x)
{
    struct first_only *s = x->state;
    double most = x->p[1].number, least = x->p[2].number, v;
    size_t judged = 0;
    for (size_t i = 0; !s->done && i < x->picks[0].n; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        const struct sm_facts *f;
        if ((sm_entry_exists(&it->value) && (!sm_rule_facts(x, it, &f) || f->n == 1)) ||
            !sm_rule_reduction(x, it, SM_REDUCE_VARIANCE, &v))
            continue;
        judged++;
        sm_rule_note(x, it, v, v > most ? most : least, v > most || v < least,
                     "variance %.6g, allowed %g to %g", v, least, most);
    }
    s->done = s->done || (judged && !x->waiting);
}

static const struct sm_rule_param initial_variance_params[] = {
    {.name = "collection_names",
     .type = SM_RULE_NAMES,
     .initial = "weights",
     .help = "collections to inspect"},
    {.name = "max_threshold",
     .type = SM_RULE_NUMBER,
     .initial = "1.0",
     .help = "largest variance allowed"},
    {.name = "min_threshold",
     .type = SM_RULE_NUMBER,
     .initial = "1e-6",
     .help = "smallest variance allowed"},
    {0},
};
const struct sm_rule sm_rule_initial_weight_variance = {
    .name = "initial_weight_variance",
    .class_name = "InitialWeightVariance",
    .group = SM_RULE_EXTRA,
    .summary = "The variance of a layer's initial weights is too high or too low",
    .fires = "at the first saved step with weights, a tensor's variance is not between "
             "min_threshold and max_threshold",
    .advice = "Scale the initial weights by the layer's width (Xavier, He).",
    .saves = "weights",
    .params = initial_variance_params,
    .picks = {{.collections = "collection_names"}},
    .state_size = sizeof(struct first_only),
    .judge = judge_initial_variance,
};
