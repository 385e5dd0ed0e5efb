/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about the input of the model. */
#include "rules/builtin/rule_list.h"

#include <math.h>
#include <string.h>

/* ---- sums by channel ---- */

enum { IMAGES, CHANNELS, ONE_CHANNEL, AXES, SUMS };

/* args: axis of the channels, negative from the end. Numbers as above (ONE_CHANNEL: 1 if the tensor
 * has no such axis), then for each channel count, sum and sum of squares. */
static void measure_channels(const struct sm_tensor *const *t, const double *args,
                             struct sm_numbers *out)
{
    struct sm_elements e = sm_elements(t[0]);
    double block[SM_BLOCK_ELEMENTS], axis = args[0] < 0 ? t[0]->n_dims + args[0] : args[0];
    bool found = axis >= 0 && axis < t[0]->n_dims;
    uint64_t channels = found ? t[0]->dims[(unsigned)axis] : 1, inner = 1;
    for (unsigned d = found ? (unsigned)axis + 1 : t[0]->n_dims; d < t[0]->n_dims; d++)
        inner *= t[0]->dims[d];
    inner = found ? inner : e.n;
    if (!e.n || !sm_numbers_alloc(out, SUMS + (size_t)channels * 3))
        return;
    out->v[IMAGES] = t[0]->n_dims ? (double)t[0]->dims[0] : 1;
    out->v[CHANNELS] = (double)channels;
    out->v[ONE_CHANNEL] = !found;
    out->v[AXES] = t[0]->n_dims;
    uint64_t at = 0, within = 0;
    double *sums = out->v + SUMS, *sum = sums;
    for (size_t n; (n = sm_elements_read(&e, at, block)) > 0; at += n)
        for (size_t i = 0; i < n; i++) {
            sum[0]++;
            sum[1] += block[i];
            sum[2] += block[i] * block[i];
            if (++within == inner) {
                within = 0;
                sum = sum + 3 == sums + channels * 3 ? sums : sum + 3;
            }
        }
}

struct channels {
    double *sums; /* count, sum and sum of squares of each channel */
    size_t n;
    double images;
};

static void clear_channels(void *state)
{
    sm_free(((struct channels *)state)->sums);
}

/* Adds the images of the step to the sums. Returns their tensor; NULL if there are none, or they
 * are not available yet. */
static const struct sm_rule_item *add_images(struct sm_rule_at *x, double axis, bool only_images)
{
    struct channels *c = x->state;
    for (size_t i = 0; i < x->picks[0].n; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        const struct sm_numbers *r;
        if (!sm_entry_exists(&it->value) ||
            !sm_rule_measure(x, measure_channels, &axis, 1, &it->value, 1, &r))
            continue;
        if (only_images && r->v[AXES] != 4)
            continue;
        if (r->v[ONE_CHANNEL] != 0)
            sm_rule_skip(x, "no such axis: the whole tensor is one channel");
        if (c->n && (double)c->n != r->v[CHANNELS]) {
            sm_rule_skip(x, "the number of channels has changed");
            continue;
        }
        if (!c->n) {
            c->n = (size_t)r->v[CHANNELS];
            c->sums = sm_xalloc_zero(c->n * 3 + 1, sizeof *c->sums);
        }
        for (size_t k = 0; k < c->n * 3; k++)
            c->sums[k] += r->v[SUMS + k];
        c->images += r->v[IMAGES];
        return it;
    }
    return NULL;
}

/* ---- CheckInputImages ---- */

enum { IMAGES_MEAN, IMAGES_SAMPLES, IMAGES_REGEX, IMAGES_CHANNEL };

static void judge_images(struct sm_rule_at *x)
{
    const struct channels *c = x->state;
    double limit = x->p[IMAGES_MEAN].number;
    const struct sm_rule_item *it = add_images(x, x->p[IMAGES_CHANNEL].number, x->fell_back);
    if (!it || c->images < x->p[IMAGES_SAMPLES].number)
        return;
    for (size_t k = 0; k < c->n; k++) {
        double mean = c->sums[3 * k + 1] / c->sums[3 * k];
        sm_rule_note(x, it, mean, limit, fabs(mean) > limit,
                     "mean of channel %zu = %.6g over %.0f images, limit %g", k, mean, c->images,
                     limit);
    }
}

static const struct sm_rule_param images_params[] = {
    {.name = "threshold_mean",
     .type = SM_RULE_NUMBER,
     .initial = "0.2",
     .max = INFINITY,
     .help = "largest distance of a channel's mean from 0"},
    {.name = "threshold_samples",
     .type = SM_RULE_INT,
     .initial = "500",
     .min = 1,
     .max = 1e15,
     .unit = "images",
     .help = "images needed before judging"},
    {.name = "regex",
     .type = SM_RULE_PATTERN,
     .initial = ".*hybridsequential0_input_0",
     .help = "pattern of the model's input"},
    {.name = "channel",
     .type = SM_RULE_INT,
     .initial = "1",
     .min = -8,
     .max = 8,
     .help = "axis of the channels: 1, or 3 for NHWC; negative from the end"},
    {0},
};
const struct sm_rule sm_rule_check_input_images = {
    .name = "check_input_images",
    .class_name = "CheckInputImages",
    .summary = "Input images are not normalised to mean zero",
    .fires =
        "after threshold_samples images, the mean of a channel over all steps so far is further "
        "than threshold_mean from 0",
    .advice = "Subtract the data set's mean and divide by its standard deviation.",
    .saves = "input_image: .*hybridsequential0_input_0 (500)",
    .automatic = "",
    .params = images_params,
    .picks = {{.regex = "regex", .fallback = "^[A-Z]\\w*_input_0$"}},
    .state_size = sizeof(struct channels),
    .judge = judge_images,
    .clear = clear_channels,
    .how_auto = &sm_auto_check_input_images,
};

/* ---- CheckInputImages under `rule auto` ---- */

static const double size_limit = 20;

struct inputs {
    struct sm_rule_records tensors; /* of struct channels */
};

static void clear_inputs(void *state)
{
    struct inputs *s = state;
    for (size_t i = 0; i < s->tensors.n; i++)
        clear_channels(s->tensors.items[i]);
    sm_memory_clear(&s->tensors);
}

static void judge_sizes(struct sm_rule_at *x, const struct sm_rule_item *it,
                        const struct sm_numbers *r)
{
    struct inputs *s = x->state;
    struct channels *c = sm_rule_record_of(&s->tensors, it, sizeof *c);
    double most = 0;
    size_t large = 0, worst = 0;
    if (c->n && (double)c->n != r->v[CHANNELS])
        return;
    c->n = (size_t)r->v[CHANNELS];
    c->sums = c->sums ? c->sums : sm_xalloc_zero(c->n * 3 + 1, sizeof *c->sums);
    for (size_t k = 0; k < c->n * 3; k++)
        c->sums[k] += r->v[SUMS + k];
    c->images += r->v[IMAGES];
    for (size_t k = 0; k < c->n; k++) {
        double size = sqrt(c->sums[3 * k + 2] / c->sums[3 * k]);
        large += size > size_limit;
        if (size > most)
            worst = k, most = size;
    }
    sm_rule_note(
        x, it, most, size_limit, large && c->images >= x->p[IMAGES_SAMPLES].number,
        "channel %zu has size %.4g (root of the mean square), limit %g (%zu of %zu channels, "
        "%.0f samples, %g needed)",
        worst, most, size_limit, large, c->n, c->images, x->p[IMAGES_SAMPLES].number);
}

static void judge_inputs(struct sm_rule_at *x)
{
    const double axis = 1;
    const struct sm_numbers **sums = sm_xalloc_zero(x->picks[0].n + 1, sizeof *sums);
    for (size_t i = 0; i < x->picks[0].n; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        const struct sm_facts *f;
        if (sm_entry_exists(&it->value) && sm_rule_facts(x, it, &f) && f->n && f->n_dims > 1 &&
            sm_dtype_info(f->dtype)->kind == SM_KIND_FLOAT &&
            !sm_rule_measure(x, measure_channels, &axis, 1, &it->value, 1, &sums[i]))
            sums[i] = NULL;
    }
    for (size_t i = 0; i < x->picks[0].n && !x->waiting; i++)
        if (sums[i])
            judge_sizes(x, &x->picks[0].items[i], sums[i]);
    sm_free(sums);
}

const struct sm_rule_auto sm_auto_check_input_images = {
    .differs =
        "inputs of any shape are judged, if they are real numbers, by channel or feature (axis "
        "1): it fires if after threshold_samples samples the root of the mean square of one is "
        "above 20. A mean that is not 0 is no finding",
    .picks = {{.collection = "model_input",
               .names = "^[A-Z][A-Za-z0-9]*_input_0$|hybridsequential0_input_0"}},
    .state_size = sizeof(struct inputs),
    .judge = judge_inputs,
    .clear = clear_inputs,
};

/* ---- InputNormalization ---- */

enum { NORMAL_REGEX, NORMAL_MEAN, NORMAL_STD, NORMAL_SAMPLES, NORMAL_CHANNEL };

static void judge_normalization(struct sm_rule_at *x)
{
    const struct channels *c = x->state;
    double mean_limit = x->p[NORMAL_MEAN].number, std_limit = x->p[NORMAL_STD].number;
    const struct sm_rule_item *it = add_images(x, x->p[NORMAL_CHANNEL].number, false);
    if (!it || c->images < x->p[NORMAL_SAMPLES].number)
        return;
    for (size_t k = 0; k < c->n; k++) {
        double n = c->sums[3 * k], mean = c->sums[3 * k + 1] / n,
               spread = sqrt(fmax(0, c->sums[3 * k + 2] / n - mean * mean));
        bool off = fabs(mean) > mean_limit, wide = fabs(spread - 1) > std_limit;
        sm_rule_note(
            x, it, off ? mean : spread, off ? mean_limit : std_limit, off || wide,
            "channel %zu has mean %.6g (limit %g) and std %.6g (1 within %g) over %.0f samples", k,
            mean, mean_limit, spread, std_limit, c->images);
    }
}

static const struct sm_rule_param normalization_params[] = {
    {.name = "regex",
     .type = SM_RULE_PATTERN,
     .required = true,
     .help = "pattern of the model's input"},
    {.name = "threshold_mean",
     .type = SM_RULE_NUMBER,
     .initial = "0.2",
     .max = INFINITY,
     .help = "largest distance of a channel's mean from 0"},
    {.name = "threshold_std",
     .type = SM_RULE_NUMBER,
     .initial = "0.5",
     .max = INFINITY,
     .help = "largest distance of a channel's standard deviation from 1"},
    {.name = "samples",
     .type = SM_RULE_INT,
     .initial = "500",
     .min = 1,
     .max = 1e15,
     .unit = "samples",
     .help = "samples needed before judging"},
    {.name = "channel",
     .type = SM_RULE_INT,
     .initial = "1",
     .min = -8,
     .max = 8,
     .help = "axis of the channels; negative from the end"},
    {0},
};
const struct sm_rule sm_rule_input_normalization = {
    .name = "input_normalization",
    .class_name = "InputNormalization",
    .group = SM_RULE_EXTRA,
    .summary = "Inputs are not normalised to mean zero and variance one",
    .fires =
        "after `samples` samples, a channel's mean over all steps so far is further than "
        "threshold_mean from 0, or its standard deviation is further than threshold_std from 1",
    .advice = "Subtract the data set's mean and divide by its standard deviation.",
    .saves = "the model's input",
    .params = normalization_params,
    .picks = {{.regex = "regex"}},
    .state_size = sizeof(struct channels),
    .judge = judge_normalization,
    .clear = clear_channels,
};

/* ---- NLPSequenceRatio ---- */

enum { TOKEN_REGEX, TOKEN_VALUES, TOKEN_PERCENTS };

/* args: the token. Numbers: elements equal to the token, all elements. */
static void count_token(const struct sm_tensor *const *t, const double *args,
                        struct sm_numbers *out)
{
    struct sm_elements e = sm_elements(t[0]);
    double block[SM_BLOCK_ELEMENTS];
    uint64_t at = 0, found = 0;
    for (size_t n; (n = sm_elements_read(&e, at, block)) > 0; at += n)
        for (size_t i = 0; i < n; i++)
            found += block[i] == args[0];
    if (sm_numbers_alloc(out, 2)) {
        out->v[0] = (double)found;
        out->v[1] = (double)e.n;
    }
}

static void judge_tokens(struct sm_rule_at *x)
{
    const struct sm_rule_value *values = &x->p[TOKEN_VALUES], *percents = &x->p[TOKEN_PERCENTS];
    for (size_t i = 0; i < x->picks[0].n; i++)
        for (size_t k = 0; k < values->n; k++) {
            const struct sm_rule_item *it = &x->picks[0].items[i];
            const struct sm_numbers *r;
            double limit = percents->numbers[percents->n == 1 ? 0 : k];
            if (!sm_entry_exists(&it->value) ||
                !sm_rule_measure(x, count_token, &values->numbers[k], 1, &it->value, 1, &r) ||
                r->v[1] == 0)
                continue;
            double share = 100 * r->v[0] / r->v[1];
            sm_rule_note(x, it, share, limit, share > limit,
                         "token %g is %.1f%% of %.0f, limit %g%%", values->numbers[k], share,
                         r->v[1], limit);
        }
}

static bool check_tokens(const struct sm_rule_value *p, struct sm_err *err)
{
    size_t tokens = p[TOKEN_VALUES].n, percents = p[TOKEN_PERCENTS].n;
    if (!tokens || !percents)
        return sm_err_set(err, SM_ERR_USAGE, "give token_values and token_thresholds_percent");
    return percents == 1 || percents == tokens ||
           sm_err_set(err, SM_ERR_USAGE,
                      "token_thresholds_percent must have one value, or as many as token_values");
}

static const struct sm_rule_param token_params[] = {
    {.name = "tensor_regex",
     .type = SM_RULE_PATTERN,
     .initial = ".*embedding0_input_0",
     .help = "pattern of the tensor with the tokens"},
    {.name = "token_values", .type = SM_RULE_NUMBERS, .initial = "0", .help = "tokens to count"},
    {.name = "token_thresholds_percent",
     .type = SM_RULE_NUMBERS,
     .initial = "50",
     .unit = "%",
     .help = "limit for the share of each token, or one limit for all"},
    {0},
};
const struct sm_rule sm_rule_nlp_sequence_ratio = {
    .name = "nlp_sequence_ratio",
    .class_name = "NLPSequenceRatio",
    .summary = "Too many padding or unknown tokens in the input",
    .fires = "a token's share of all elements of a tensor is above its limit",
    .advice =
        "Too much padding: change the bucketing. Too many unknown tokens: change the vocabulary.",
    .saves = "input_sequence: .*embedding0_input_0 (500)",
    .automatic = "",
    .params = token_params,
    .picks = {{.regex = "tensor_regex", .fallback = "(?i)embedding[^/]*_input_0"}},
    .check = check_tokens,
    .judge = judge_tokens,
};
