/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about activations: inactive and saturated units, and outputs that change too fast. */
#include "rules/builtin/close.h"
#include "rules/builtin/inactive.h"
#include "rules/builtin/rule_list.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Only tensors of real numbers have units. In advance the type is unknown, so every value counts.
 */
static bool has_units(struct sm_rule_at *x, const struct sm_rule_item *it)
{
    const struct sm_facts *f;
    if (x->ahead && sm_entry_exists(&it->value))
        return true;
    if (!sm_rule_facts(x, it, &f))
        return false;
    return f->has_stats && f->n && sm_dtype_info(f->dtype)->kind != SM_KIND_COMPLEX;
}

/* ---- DeadRelu ---- */

enum { RELU_REGEX, RELU_INACTIVITY, RELU_LAYER, RELU_UNIT };

static void judge_relu(struct sm_rule_at *x)
{
    double args[] = {0, 0, true, x->p[RELU_INACTIVITY].number,
                     strcmp(x->p[RELU_UNIT].text, "channel") == 0};
    double limit = x->p[RELU_LAYER].number;
    for (size_t i = 0; i < x->picks[0].n; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        const struct sm_numbers *r;
        if (!has_units(x, it) ||
            !sm_rule_measure(x, sm_measure_inactive, args, 5, &it->value, 1, &r))
            continue;
        double share = 100 * r->v[0] / r->v[1];
        sm_rule_note(x, it, share, limit, share > limit,
                     "%.2f%% of %.0f ReLUs inactive (<%g%% of samples), limit %g%%", share, r->v[1],
                     args[SM_INACTIVE_LEAST_PERCENT], limit);
    }
}

static bool check_relu(const struct sm_rule_value *p, struct sm_err *err)
{
    const char *unit = p[RELU_UNIT].text;
    return (unit && (strcmp(unit, "position") == 0 || strcmp(unit, "channel") == 0)) ||
           sm_err_set(err, SM_ERR_USAGE, "unit must be position or channel");
}

static const struct sm_rule_param relu_params[] = {
    {.name = "tensor_regex",
     .type = SM_RULE_PATTERN,
     .initial = ".*relu_output",
     .help = "patterns of the outputs of ReLU layers"},
    {.name = "threshold_inactivity",
     .type = SM_RULE_NUMBER,
     .initial = "1.0",
     .max = 100,
     .unit = "%",
     .help = "a ReLU active in fewer samples is dead"},
    {.name = "threshold_layer",
     .type = SM_RULE_NUMBER,
     .initial = "50.0",
     .max = 100,
     .unit = "%",
     .help = "largest share of dead ReLUs in a layer"},
    {.name = "unit",
     .type = SM_RULE_TEXT,
     .initial = "position",
     .help = "one ReLU per position (all axes but the first) or per channel (axis 1)"},
    {0},
};
const struct sm_rule sm_rule_dead_relu = {
    .name = "dead_relu",
    .class_name = "DeadRelu",
    .summary = "Most ReLUs of a layer are never active",
    .fires = "more than threshold_layer percent of a layer's units have an output above 0 in less "
             "than threshold_inactivity percent of the step's samples (axis 0)",
    .advice = "Lower the learning rate, use leaky ReLU or ELU or He initialisation; check biases "
              "and the scale of inputs.",
    .saves = "relu_output: .*relu_output (500)",
    .automatic = "",
    .params = relu_params,
    .picks = {{.regex = "tensor_regex", .fallback = "(?i)relu[^/]*_output"}},
    .check = check_relu,
    .judge = judge_relu,
    .how_auto = &sm_auto_dead_relu,
};

/* ---- SaturatedActivation ---- */

enum {
    SAT_COLLECTIONS,
    SAT_REGEX,
    SAT_TANH_MIN,
    SAT_TANH_MAX,
    SAT_SIGMOID_MIN,
    SAT_SIGMOID_MAX,
    SAT_INACTIVITY,
    SAT_LAYER
};

/* The last occurrence of the lower-case word in name, ignoring case. */
static const char *last_word(const char *name, const char *word)
{
    const char *found = NULL;
    size_t n = strlen(word);
    for (; *name; name++) {
        size_t k = 0;
        while (k < n && tolower((unsigned char)name[k]) == word[k])
            k++;
        found = k == n ? name : found;
    }
    return found;
}

static void judge_saturated(struct sm_rule_at *x)
{
    double limit = x->p[SAT_LAYER].number;
    for (size_t i = 0; i < x->picks[0].n; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        const char *tanh_at = last_word(it->name, "tanh"),
                   *sigmoid_at = last_word(it->name, "sigmoid");
        const struct sm_numbers *r;
        if (!tanh_at && !sigmoid_at) {
            sm_rule_skip(x, "neither tanh nor sigmoid in the name");
            continue;
        }
        bool is_tanh = tanh_at > sigmoid_at;
        double args[] = {x->p[is_tanh ? SAT_TANH_MIN : SAT_SIGMOID_MIN].number,
                         x->p[is_tanh ? SAT_TANH_MAX : SAT_SIGMOID_MAX].number, false,
                         x->p[SAT_INACTIVITY].number, false};
        if (!has_units(x, it) ||
            !sm_rule_measure(x, sm_measure_inactive, args, 5, &it->value, 1, &r))
            continue;
        double share = 100 * r->v[0] / r->v[1];
        sm_rule_note(x, it, share, limit, share > limit,
                     "%s: %.2f%% of %.0f nodes saturated (input outside [%g,%g]), limit %g%%",
                     is_tanh ? "tanh" : "sigmoid", share, r->v[1], args[SM_INACTIVE_LOW],
                     args[SM_INACTIVE_HIGH], limit);
    }
}

static const struct sm_rule_param saturated_params[] = {
    {.name = "collection_names", .type = SM_RULE_NAMES, .help = "collections to inspect"},
    {.name = "tensor_regex",
     .type = SM_RULE_PATTERN,
     .initial = ".*tanh_input|.*sigmoid_input",
     .help = "patterns of the inputs of tanh and sigmoid layers"},
    {.name = "threshold_tanh_min",
     .type = SM_RULE_NUMBER,
     .initial = "-9.4999",
     .help = "tanh is saturated below it"},
    {.name = "threshold_tanh_max",
     .type = SM_RULE_NUMBER,
     .initial = "9.4999",
     .help = "tanh is saturated above it"},
    {.name = "threshold_sigmoid_min",
     .type = SM_RULE_NUMBER,
     .initial = "-23",
     .help = "sigmoid is saturated below it"},
    {.name = "threshold_sigmoid_max",
     .type = SM_RULE_NUMBER,
     .initial = "16.99999",
     .help = "sigmoid is saturated above it"},
    {.name = "threshold_inactivity",
     .type = SM_RULE_NUMBER,
     .initial = "1.0",
     .max = 100,
     .unit = "%",
     .help = "a node within the limits in fewer samples is saturated"},
    {.name = "threshold_layer",
     .type = SM_RULE_NUMBER,
     .initial = "50.0",
     .max = 100,
     .unit = "%",
     .help = "largest share of saturated nodes in a layer"},
    {0},
};
const struct sm_rule sm_rule_saturated_activation = {
    .name = "saturated_activation",
    .class_name = "SaturatedActivation",
    .summary = "Most tanh or sigmoid nodes of a layer are saturated",
    .fires = "more than threshold_layer percent of a layer's nodes have an input within the limits "
             "in less than threshold_inactivity percent of the samples; whichever of tanh and "
             "sigmoid comes last in the name selects the limits",
    .advice = "Normalise inputs, use smaller initial weights, ReLUs or batch normalisation.",
    .saves = "the inputs of tanh and sigmoid layers",
    .automatic = "threshold_tanh_min=-4 threshold_tanh_max=4 threshold_sigmoid_min=-8 "
                 "threshold_sigmoid_max=8",
    .params = saturated_params,
    .picks = {{.collections = "collection_names",
               .regex = "tensor_regex",
               .fallback = "(?i)(tanh|sigmoid)[^/]*_input"}},
    .judge = judge_saturated,
};

/* ---- ZeroNeurons ---- */

enum { ZERO_REGEX, ZERO_STEPS, ZERO_PERCENT };

/* Counts the units that are zero in each of the last steps. False: too few steps, or waiting. */
static bool count_zero(struct sm_rule_at *x, const struct sm_rule_item *it, uint64_t *zero,
                       uint64_t *units)
{
    enum { STEPS_MAX = 64 };
    const struct sm_numbers *r[STEPS_MAX];
    struct sm_entry e = it->value;
    size_t n = (size_t)x->p[ZERO_STEPS].number, got = 0;
    const double by_position = false;
    int64_t below = sm_rule_current_step(x, x->step.mode);
    for (size_t k = 0; k < n && sm_entry_exists(&e); k++) {
        got += sm_rule_measure(x, sm_measure_zero_units, &by_position, 1, &e, 1, &r[got]);
        e = sm_rule_previous_entry(x, it, x->step.mode, below);
        below = sm_entry_exists(&e) ? sm_rule_entry_step(x->trial, &e, x->step.mode) : below;
    }
    if (got < n)
        return false;
    *zero = 0;
    *units = r[0]->n;
    for (size_t u = 0; u < r[0]->n; u++) {
        bool all = true;
        for (size_t k = 0; k < n; k++)
            all = all && u < r[k]->n && r[k]->v[u] != 0;
        *zero += all;
    }
    return *units > 0;
}

static void judge_zero_neurons(struct sm_rule_at *x)
{
    double limit = x->p[ZERO_PERCENT].number;
    for (size_t i = 0; i < x->picks[0].n; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        uint64_t zero, units;
        if (!has_units(x, it) || !count_zero(x, it, &zero, &units))
            continue;
        double share = 100.0 * (double)zero / (double)units;
        sm_rule_note(x, it, share, limit, share > limit,
                     "%.2f%% of %llu units are 0 for all samples of %.0f saved steps, limit %g%%",
                     share, (unsigned long long)units, x->p[ZERO_STEPS].number, limit);
    }
}

static const struct sm_rule_param zero_params[] = {
    {.name = "tensor_regex",
     .type = SM_RULE_PATTERN,
     .initial = "(?i)relu.*output",
     .help = "patterns of the outputs of activations"},
    {.name = "num_steps",
     .type = SM_RULE_INT,
     .initial = "3",
     .min = 1,
     .max = 64,
     .unit = "saved steps",
     .help = "consecutive steps of one mode"},
    {.name = "percent",
     .type = SM_RULE_NUMBER,
     .initial = "50",
     .max = 100,
     .unit = "%",
     .help = "largest share of zero units"},
    {0},
};
const struct sm_rule sm_rule_zero_neurons = {
    .name = "zero_neurons",
    .class_name = "ZeroNeurons",
    .group = SM_RULE_EXTRA,
    .summary = "Many units output zero over several saved steps",
    .fires = "more than percent of the units are 0 for every sample in each of the last num_steps "
             "saved steps of the mode",
    .advice = "Lower the learning rate, use leaky ReLU or ELU or He initialisation.",
    .saves = "the outputs of ReLU layers",
    .params = zero_params,
    .picks = {{.regex = "tensor_regex"}},
    .judge = judge_zero_neurons,
};

/* ---- OutputChangeRatio ---- */

enum { CHANGE_REGEX, CHANGE_THRESHOLD, CHANGE_EPSILON };

static void judge_change(struct sm_rule_at *x)
{
    double limit = x->p[CHANGE_THRESHOLD].number;
    for (size_t i = 0; i < x->picks[0].n; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        struct sm_entry e =
            sm_entry_exists(&it->value)
                ? sm_rule_previous_entry(x, it, x->step.mode, sm_rule_current_step(x, x->step.mode))
                : sm_entry_none();
        const struct sm_numbers *r;
        if (!sm_entry_exists(&e) || !sm_rule_measure(x, sm_measure_change, NULL, 0,
                                                     (struct sm_entry[]){e, it->value}, 2, &r))
            continue;
        if (r->v[SM_CHANGE_COMPARABLE] == 0) {
            sm_rule_skip(x, "the shape has changed");
            continue;
        }
        double ratio = r->v[SM_CHANGE_MOVED] / (r->v[SM_CHANGE_SIZE] + x->p[CHANGE_EPSILON].number);
        sm_rule_note(x, it, ratio, limit, ratio > limit, "mean change/mean output = %.6g, limit %g",
                     ratio, limit);
    }
}

static const struct sm_rule_param change_params[] = {
    {.name = "tensor_regex",
     .type = SM_RULE_PATTERN,
     .required = true,
     .help = "patterns of outputs for the same input at each step"},
    {.name = "threshold",
     .type = SM_RULE_NUMBER,
     .initial = "10",
     .max = INFINITY,
     .help = "limit of the relative change"},
    {.name = "epsilon",
     .type = SM_RULE_NUMBER,
     .initial = "1e-9",
     .max = INFINITY,
     .help = "added to the divisor, to avoid division by zero"},
    {0},
};
const struct sm_rule sm_rule_output_change_ratio = {
    .name = "output_change_ratio",
    .class_name = "OutputChangeRatio",
    .group = SM_RULE_EXTRA,
    .summary = "Outputs for the same input change too fast",
    .fires = "mean|o_new - o_old| / (mean|o_old| + epsilon) is above threshold, compared with the "
             "previous saved step of the mode; meaningful only if each step sees the same input",
    .advice = "Check the options of the optimizer: learning rate, momentum.",
    .saves = "outputs for a fixed validation batch",
    .params = change_params,
    .picks = {{.regex = "tensor_regex"}},
    .judge = judge_change,
};
