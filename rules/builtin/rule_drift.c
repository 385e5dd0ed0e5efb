/* SPDX-License-Identifier: Apache-2.0 */
/* The rule DataDrift: inputs of EVAL or PREDICT steps, or of another run, against those of TRAIN.
 *
 * Whenever a group of steps has grown by a tenth (drift_inputs.h), its features are tested, some at
 * each call. */
#include "rules/builtin/drift_inputs.h"
#include "rules/builtin/rule_list.h"
#include "rules/builtin/two_sample.h"

#include <math.h>
#include <stdlib.h>

enum {
    NAMED = 6,            /* features that a message names */
    SLICE_VALUES = 200000 /* sorted in one call */
};

struct feature {
    struct sm_two_sample r;
    size_t index;
    bool drifts;
};
/* A comparison of a group with TRAIN that is under way. */
struct test {
    struct sm_drift_input *input;
    size_t group, against, next; /* next: feature */
    struct feature *features;
};
struct drift_state {
    struct sm_drift_inputs all;
    int64_t added, begun; /* 1 + the step of which the inputs were added, the tests were begun */
    struct test *tests;
    size_t n_tests;
};

static void clear_tests(struct drift_state *s)
{
    for (size_t i = 0; i < s->n_tests; i++)
        sm_free(s->tests[i].features);
    sm_free(s->tests);
    s->tests = NULL;
    s->n_tests = 0;
}

static void clear_drift(void *state)
{
    struct drift_state *s = state;
    clear_tests(s);
    sm_drift_inputs_clear(&s->all);
}

/* ---- tests ---- */

/* The group of the samples to compare with: TRAIN of the run; of a run without TRAIN, that of the
 * first other one that has it. n_groups: there is none yet. */
static size_t reference_of(const struct sm_rule_at *x, const struct sm_drift_input *in)
{
    size_t g = SM_DRIFT_TRAIN;
    while (g < in->n_groups && !in->groups[g].samples.n &&
           !sm_trial_has_mode(x->trial, SM_MODE_TRAIN))
        g += SM_DRIFT_GROUPS;
    return g < in->n_groups && in->groups[g].samples.n ? g : in->n_groups;
}

static bool has_grown(double before, double now)
{
    return now >= 1.1 * before;
}

static bool is_due(struct sm_rule_at *x, const struct sm_drift_input *in, size_t group,
                   size_t against)
{
    const struct sm_drift_group *g = &in->groups[group], *a = &in->groups[against];
    double total = sm_distinct_total(&g->samples), other = sm_distinct_total(&a->samples),
           least = x->p[SM_DRIFT_SAMPLES].number;
    if (!g->samples.n)
        return false;
    if ((double)g->samples.n < least || (double)a->samples.n < least) {
        sm_rule_skip(x, "too few different samples yet");
        return false;
    }
    return has_grown(g->tested, total) || has_grown(g->tested_against, other);
}

static void begin_tests(struct sm_rule_at *x, struct drift_state *s, struct sm_drift_input *in)
{
    size_t against = reference_of(x, in);
    bool others = false;
    for (size_t g = 0; g < in->n_groups; g++)
        others = others || (g != against && in->groups[g].samples.n);
    if (against == in->n_groups || !others)
        sm_rule_skip(x, against == in->n_groups ? "no inputs of TRAIN yet"
                                                : "no inputs of EVAL, PREDICT or another run yet");
    for (size_t g = 0; g < in->n_groups && against < in->n_groups; g++) {
        if (g == against || (against >= SM_DRIFT_GROUPS && g >= SM_DRIFT_GROUPS) ||
            !is_due(x, in, g, against))
            continue;
        s->tests = sm_xrealloc(s->tests, s->n_tests + 1, sizeof *s->tests);
        s->tests[s->n_tests++] =
            (struct test){.input = in,
                          .group = g,
                          .against = against,
                          .features = sm_xalloc_zero(in->shape.features, sizeof(struct feature))};
        in->groups[g].tested = sm_distinct_total(&in->groups[g].samples);
        in->groups[g].tested_against = sm_distinct_total(&in->groups[against].samples);
    }
}

static struct sm_weighted *column(const struct sm_distinct *d, size_t feature)
{
    struct sm_weighted *x = sm_xalloc((d->n + 1) * sizeof *x);
    for (size_t i = 0; i < d->n; i++)
        x[i] = (struct sm_weighted){d->values[i * d->features + feature], d->counts[i]};
    return x;
}

static double limit_of_p(const struct sm_rule_at *x, const struct test *t)
{
    return x->p[SM_DRIFT_P].number / (double)t->input->shape.features;
}

static double limit_of_psi(const struct sm_rule_at *x, const struct sm_two_sample *r)
{
    return x->p[SM_DRIFT_PSI].number + r->psi_chance;
}

static void test_feature(struct sm_rule_at *x, struct test *t)
{
    const struct sm_distinct *a = &t->input->groups[t->against].samples,
                             *b = &t->input->groups[t->group].samples;
    struct sm_weighted *in_a = column(a, t->next), *in_b = column(b, t->next);
    struct feature *f = &t->features[t->next];
    f->index = t->next++;
    sm_two_sample(in_a, a->n, in_b, b->n, &f->r);
    double least = x->p[SM_DRIFT_SAMPLES].number;
    f->drifts = f->r.n >= least && f->r.m >= least && f->r.p < limit_of_p(x, t) &&
                f->r.psi > limit_of_psi(x, &f->r);
    sm_free(in_a);
    sm_free(in_b);
}

/* False if something is left for the next call. */
static bool run_tests(struct sm_rule_at *x, struct drift_state *s)
{
    size_t sorted = 0;
    for (size_t i = 0; i < s->n_tests; i++) {
        struct test *t = &s->tests[i];
        size_t each = t->input->groups[t->against].samples.n + t->input->groups[t->group].samples.n;
        for (; t->next < t->input->shape.features; sorted += each) {
            if (sorted > SLICE_VALUES) {
                sm_rule_poll(x);
                return false;
            }
            test_feature(x, t);
        }
    }
    return true;
}

/* ---- findings ---- */

/* Those that drift first, the largest distance first. */
static int by_drift(const void *a, const void *b)
{
    const struct feature *x = a, *y = b;
    if (x->drifts != y->drifts)
        return x->drifts ? -1 : 1;
    if (x->r.d != y->r.d)
        return x->r.d > y->r.d ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void add_feature_name(struct sm_str *out, const struct sm_input_samples *s, size_t feature)
{
    sm_str_printf(out, "%zu", sm_input_channel(s, feature));
    if (s->spread)
        sm_str_add(out, feature % 2 ? " std" : " mean");
}

/* "TRAIN", "EVAL of run b" */
static void add_group_name(struct sm_str *out, const struct drift_state *s, size_t group)
{
    static const char *const names[SM_DRIFT_GROUPS] = {"TRAIN", "EVAL", "PREDICT"};
    sm_str_add(out, names[group % SM_DRIFT_GROUPS]);
    if (group >= SM_DRIFT_GROUPS)
        sm_str_printf(out, " of run %s",
                      sm_trial_name(s->all.others.trials[group / SM_DRIFT_GROUPS - 1]));
}

static void add_all_that_drift(struct sm_str *out, const struct test *t, size_t n)
{
    const struct sm_input_samples *s = &t->input->shape;
    sm_str_printf(out, ", %zu of %zu drift (", n, s->features);
    for (size_t i = 0; i < n && i < NAMED; i++) {
        sm_str_add(out, i ? ", " : "");
        add_feature_name(out, s, t->features[i].index);
    }
    if (n > NAMED)
        sm_str_printf(out, " and %zu more", n - NAMED);
    sm_str_add(out, ")");
}

static void add_against(struct sm_str *out, const char *what, double value, double limit)
{
    sm_str_printf(out, "%s %.3g %s %.3g", what, value, value > limit ? ">" : "<=", limit);
}

/* all: also name the features that drift, so many; 0: not. */
static void note_feature(struct sm_rule_at *x, const struct test *t, const struct feature *f,
                         size_t all)
{
    struct sm_str text = {0};
    const struct sm_two_sample *r = &f->r;
    double d = sm_kolmogorov_d(limit_of_p(x, t), r->n, r->m);
    sm_str_add(&text, t->input->shape.by_channel ? "channel " : "feature ");
    add_feature_name(&text, &t->input->shape, f->index);
    sm_str_add(&text, " of ");
    add_group_name(&text, x->state, t->group);
    sm_str_add(&text, " against ");
    add_group_name(&text, x->state, t->against);
    if (all)
        add_all_that_drift(&text, t, all);
    sm_str_printf(&text, ", %.0f and %.0f different samples: ", r->m, r->n);
    add_against(&text, "D", r->d, d);
    sm_str_printf(&text, " (p %.2g), ", fmax(r->p, 1e-300));
    add_against(&text, "PSI", r->psi, limit_of_psi(x, r));
    sm_rule_note(x, &t->input->item, r->d, d, f->drifts, "%s", sm_str_text(&text));
    sm_str_clear(&text);
}

static void note_test(struct sm_rule_at *x, struct test *t)
{
    size_t n = t->input->shape.features, drift = 0;
    qsort(t->features, n, sizeof *t->features, by_drift);
    while (drift < n && t->features[drift].drifts)
        drift++;
    for (size_t i = 0; i < n; i++)
        if (t->features[i].r.n > 0 && t->features[i].r.m > 0)
            note_feature(x, t, &t->features[i], i ? 0 : drift);
}

static void finish_tests(struct sm_rule_at *x, struct drift_state *s)
{
    for (size_t i = 0; i < s->n_tests; i++)
        note_test(x, &s->tests[i]);
    clear_tests(s);
}

static void judge_drift(struct sm_rule_at *x)
{
    struct drift_state *s = x->state;
    int64_t now = x->step.step.n + 1;
    if (x->ahead) {
        sm_drift_inputs_add_step(x, &s->all);
        return;
    }
    if (!sm_others_open(x, &s->all.others, &x->p[SM_DRIFT_OTHERS]))
        return;
    if (s->added != now && !sm_drift_inputs_add_step(x, &s->all))
        return;
    s->added = now;
    for (size_t i = 0; i < s->all.inputs.n; i++)
        if (!sm_drift_inputs_read_others(x, &s->all, s->all.inputs.items[i]))
            return;
    for (size_t i = 0; i < s->all.inputs.n && s->begun != now; i++)
        begin_tests(x, s, s->all.inputs.items[i]);
    s->begun = now;
    if (run_tests(x, s))
        finish_tests(x, s);
}

/* It has inputs of TRAIN and of other steps; how many samples is seen only when they are read. */
static bool suits_drift(const struct sm_trial_tensor *t)
{
    const uint8_t train = 1 << SM_MODE_TRAIN, others = 1 << SM_MODE_EVAL | 1 << SM_MODE_PREDICT;
    return t->has_value && t->modes & train && t->modes & others;
}

static const struct sm_rule_param drift_params[] = {
    {.name = "tensor_regex",
     .type = SM_RULE_PATTERN,
     .help = "patterns of the model's inputs; default: collection model_input"},
    {.name = "other_trials",
     .type = SM_RULE_NAMES,
     .help = "directories or s3:// addresses of finished runs whose inputs are compared, too",
     .alias = "other_trial"},
    {.name = "samples",
     .type = SM_RULE_INT,
     .initial = "100",
     .min = 10,
     .max = 500,
     .unit = "samples",
     .help = "different samples that both must have"},
    {.name = "threshold_p",
     .type = SM_RULE_NUMBER,
     .initial = "0.001",
     .max = 0.3,
     .help = "limit of the chance of the distance, divided by the number of features"},
    {.name = "threshold_psi",
     .type = SM_RULE_NUMBER,
     .initial = "0.1",
     .max = INFINITY,
     .help = "limit of the stability index, above what chance alone gives"},
    {.name = "channel",
     .type = SM_RULE_INT,
     .initial = "0",
     .min = -8,
     .max = 8,
     .help = "axis of the features or channels, negative from the end; 0: by the shape"},
    {0},
};
const struct sm_rule sm_rule_data_drift = {
    .name = "data_drift",
    .class_name = "DataDrift",
    .group = SM_RULE_EXTRA,
    .summary = "Inputs of EVAL, PREDICT or another run differ from TRAIN",
    .fires =
        "for a feature of the inputs the two-sample Kolmogorov-Smirnov test of EVAL, PREDICT or "
        "another run against TRAIN gives p below threshold_p / number of features, and the "
        "population stability index over the deciles of TRAIN is above threshold_psi + (bins - 1) "
        "(1/n + 1/m). A feature is an index of axis 1; of images and sequences it is the mean and "
        "the standard deviation of a sample's channel. Samples that are equal count as one for n "
        "and m; both must be at least `samples`. Of each group a random choice of 512 to 4096 "
        "different samples is kept, and up to 1024 features; it is tested when a group has grown "
        "by a tenth. A run without TRAIN is compared with TRAIN of the other",
    .advice = "Compare how both are loaded and normalised; if the data itself has changed, train "
              "with new data.",
    .saves = "the model's input, in TRAIN and in EVAL or PREDICT",
    .automatic = "",
    .params = drift_params,
    .picks = {{.regex = "tensor_regex",
               .collection = "model_input",
               .fallback = "^(?!.*(?i:loss|criterion))[A-Z][A-Za-z0-9]*_input_\\d+$|"
                           "^(input|image|feature)s?(_\\d+)?(:\\d+)?$|hybridsequential0_input_0"}},
    .state_size = sizeof(struct drift_state),
    .suits = suits_drift,
    .judge = judge_drift,
    .clear = clear_drift,
};
