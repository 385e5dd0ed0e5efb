/* The rule DataDrift: inputs of EVAL or PREDICT steps, or of another run, against those of TRAIN.
 *
 * Each group of steps has a random choice of its distinct samples (distinct.h). Whenever a group
 * has grown by a tenth, its features are tested, some at each call. */
#include "rules/builtin/input_samples.h"
#include "rules/builtin/others.h"
#include "rules/builtin/rule_list.h"
#include "rules/builtin/two_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DRIFT_REGEX,
    DRIFT_OTHERS,
    DRIFT_SAMPLES,
    DRIFT_P,
    DRIFT_PSI,
    DRIFT_CHANNEL,
    DRIFT_NAMED = 6,            /* features that a message names */
    DRIFT_AT_ONCE = 16,         /* values of another run that are asked for together */
    DRIFT_SLICE_VALUES = 200000 /* sorted in one call */
};

/* ---- groups ---- */

/* The first three of a trial: those of the judged run, then those of each other run. */
enum { GROUP_TRAIN, GROUP_EVAL, GROUP_PREDICT, GROUPS };
struct group {
    struct sm_distinct samples;
    double tested, tested_against; /* its total at the last test, and that of TRAIN */
};
/* What is known of the input of one name. */
struct input {
    struct sm_rule_item item;
    struct sm_input_samples shape; /* without rows; features 0: nothing was read yet */
    struct group *groups;
    size_t n_groups;
    size_t other, at; /* the next entry of other runs to read */
};
struct feature {
    struct sm_two_sample r;
    size_t index;
    bool drifts;
};
/* A comparison of a group with TRAIN that is under way. */
struct test {
    struct input *input;
    size_t group, against, next; /* next: feature */
    struct feature *features;
};
struct drift_state {
    struct sm_rule_records inputs;
    struct sm_others others;
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
    for (size_t i = 0; i < s->inputs.n; i++) {
        struct input *in = s->inputs.items[i];
        for (size_t g = 0; g < in->n_groups; g++)
            sm_distinct_clear(&in->groups[g].samples);
        sm_free(in->groups);
    }
    sm_memory_clear(&s->inputs);
    sm_others_clear(&s->others);
}

/* The group of a step; GROUPS: none. Steps without a mode are TRAIN if the trial has no TRAIN. */
static size_t group_of(const struct sm_trial *t, int mode)
{
    switch (mode) {
    case SM_MODE_TRAIN:
        return GROUP_TRAIN;
    case SM_MODE_EVAL:
        return GROUP_EVAL;
    case SM_MODE_PREDICT:
        return GROUP_PREDICT;
    default:
        return sm_trial_has_mode(t, SM_MODE_TRAIN) ? GROUPS : GROUP_TRAIN;
    }
}

/* One for all workers. */
static struct input *input_of(struct drift_state *s, const struct sm_rule_item *it)
{
    struct sm_rule_item any = *it;
    any.worker = 0;
    struct input *in = sm_rule_record_of(&s->inputs, &any, sizeof *in);
    if (!in->groups) {
        in->n_groups = GROUPS * (1 + s->others.n);
        in->groups = sm_xalloc_zero(in->n_groups, sizeof *in->groups);
    }
    in->item = *it;
    return in;
}

static void add_samples(struct sm_rule_at *x, struct input *in, size_t group,
                        const struct sm_numbers *r)
{
    struct sm_input_samples s = sm_input_samples_of(r);
    if (!s.features) {
        sm_rule_skip(x, "no samples of real numbers");
        return;
    }
    if (in->shape.features && (s.channels != in->shape.channels || s.spread != in->shape.spread)) {
        sm_rule_skip(x, "the number of features has changed");
        return;
    }
    in->shape = s;
    if (!in->groups[group].samples.cap)
        sm_distinct_init(&in->groups[group].samples, s.features);
    if (!sm_input_samples_add(&s, &in->groups[group].samples))
        sm_rule_skip(x, "out of memory");
}

/* ---- reading ---- */

static bool measure_samples(struct sm_rule_at *x, struct sm_trial *t, const struct sm_entry *e,
                            const struct sm_distinct *known, const struct sm_numbers **out)
{
    const double args[] = {x->p[DRIFT_CHANNEL].number, known ? known->level : 0};
    return sm_rule_measure_across(x, sm_measure_input_samples, args, 2, &t, &e, 1, out);
}

/* Adds the inputs of the step. False while waiting. */
static bool add_step(struct sm_rule_at *x, struct drift_state *s)
{
    size_t group = group_of(x->trial, x->step.mode), n = x->picks[0].n;
    const struct sm_numbers **all = sm_xalloc_zero(n + 1, sizeof *all);
    for (size_t i = 0; i < n && group < GROUPS; i++) {
        const struct sm_rule_item *it = &x->picks[0].items[i];
        if (it->value && !measure_samples(x, x->trial, it->value, NULL, &all[i]))
            all[i] = NULL;
    }
    for (size_t i = 0; i < n && !x->waiting; i++)
        if (all[i])
            add_samples(x, input_of(s, &x->picks[0].items[i]), group, all[i]);
    sm_free(all);
    return !x->waiting;
}

/* The next value of the tensor in the other run; NULL at its end. */
static const struct sm_entry *next_entry(const struct sm_trial *other, const char *name, size_t *at)
{
    const struct sm_trial_tensor *t = sm_trial_find(other, name, strlen(name));
    for (; t && *at < t->n_entries; ++*at) {
        const struct sm_entry *e = &t->entries[*at];
        if (e->kind == SM_ENTRY_VALUE && !sm_trial_part(other, e->part)->replaced) {
            ++*at;
            return e;
        }
    }
    return NULL;
}

/* Adds the next values of the input in the other run. True if there are none. */
static bool add_next_of_other(struct sm_rule_at *x, struct input *in, struct sm_trial *other)
{
    const struct sm_numbers *all[DRIFT_AT_ONCE] = {NULL};
    size_t groups[DRIFT_AT_ONCE], n = 0, at = in->at;
    for (const struct sm_entry *e;
         n < DRIFT_AT_ONCE && (e = next_entry(other, in->item.name, &at));) {
        groups[n] = group_of(other, sm_trial_part(other, e->part)->mode);
        if (groups[n] == GROUPS)
            continue;
        groups[n] += GROUPS * (1 + in->other);
        if (!measure_samples(x, other, e, &in->groups[groups[n]].samples, &all[n]))
            all[n] = NULL;
        n++;
    }
    for (size_t i = 0; i < n && !x->waiting; i++)
        if (all[i])
            add_samples(x, in, groups[i], all[i]);
    in->at = x->waiting ? in->at : at;
    return !n;
}

/* False while waiting. A few values at each call, since all that were asked for are in memory. */
static bool read_others(struct sm_rule_at *x, struct drift_state *s, struct input *in)
{
    while (in->other < s->others.n) {
        bool end = add_next_of_other(x, in, s->others.trials[in->other]);
        if (!end && !x->waiting)
            sm_rule_poll(x);
        if (!end)
            return false;
        in->other++;
        in->at = 0;
    }
    return true;
}

/* ---- tests ---- */

/* The group of the samples to compare with: TRAIN of the run; of a run without TRAIN, that of the
 * first other one that has it. n_groups: there is none yet. */
static size_t reference_of(const struct sm_rule_at *x, const struct input *in)
{
    size_t g = GROUP_TRAIN;
    while (g < in->n_groups && !in->groups[g].samples.n &&
           !sm_trial_has_mode(x->trial, SM_MODE_TRAIN))
        g += GROUPS;
    return g < in->n_groups && in->groups[g].samples.n ? g : in->n_groups;
}

static bool has_grown(double before, double now)
{
    return now >= 1.1 * before;
}

static bool is_due(struct sm_rule_at *x, const struct input *in, size_t group, size_t against)
{
    const struct group *g = &in->groups[group], *a = &in->groups[against];
    double total = sm_distinct_total(&g->samples), other = sm_distinct_total(&a->samples),
           least = x->p[DRIFT_SAMPLES].number;
    if (!g->samples.n)
        return false;
    if ((double)g->samples.n < least || (double)a->samples.n < least) {
        sm_rule_skip(x, "too few different samples yet");
        return false;
    }
    return has_grown(g->tested, total) || has_grown(g->tested_against, other);
}

static void begin_tests(struct sm_rule_at *x, struct drift_state *s, struct input *in)
{
    size_t against = reference_of(x, in);
    bool others = false;
    for (size_t g = 0; g < in->n_groups; g++)
        others = others || (g != against && in->groups[g].samples.n);
    if (against == in->n_groups || !others)
        sm_rule_skip(x, against == in->n_groups ? "no inputs of TRAIN yet"
                                                : "no inputs of EVAL, PREDICT or another run yet");
    for (size_t g = 0; g < in->n_groups && against < in->n_groups; g++) {
        if (g == against || (against >= GROUPS && g >= GROUPS) || !is_due(x, in, g, against))
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
    return x->p[DRIFT_P].number / (double)t->input->shape.features;
}

static double limit_of_psi(const struct sm_rule_at *x, const struct sm_two_sample *r)
{
    return x->p[DRIFT_PSI].number + r->psi_chance;
}

static void test_feature(struct sm_rule_at *x, struct test *t)
{
    const struct sm_distinct *a = &t->input->groups[t->against].samples,
                             *b = &t->input->groups[t->group].samples;
    struct sm_weighted *in_a = column(a, t->next), *in_b = column(b, t->next);
    struct feature *f = &t->features[t->next];
    f->index = t->next++;
    sm_two_sample(in_a, a->n, in_b, b->n, &f->r);
    double least = x->p[DRIFT_SAMPLES].number;
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
            if (sorted > DRIFT_SLICE_VALUES) {
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
    static const char *const names[GROUPS] = {"TRAIN", "EVAL", "PREDICT"};
    sm_str_add(out, names[group % GROUPS]);
    if (group >= GROUPS)
        sm_str_printf(out, " of run %s", sm_trial_name(s->others.trials[group / GROUPS - 1]));
}

static void add_all_that_drift(struct sm_str *out, const struct test *t, size_t n)
{
    const struct sm_input_samples *s = &t->input->shape;
    sm_str_printf(out, ", %zu of %zu drift (", n, s->features);
    for (size_t i = 0; i < n && i < DRIFT_NAMED; i++) {
        sm_str_add(out, i ? ", " : "");
        add_feature_name(out, s, t->features[i].index);
    }
    if (n > DRIFT_NAMED)
        sm_str_printf(out, " and %zu more", n - DRIFT_NAMED);
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
        add_step(x, s);
        return;
    }
    if (!sm_others_open(x, &s->others, &x->p[DRIFT_OTHERS]))
        return;
    if (s->added != now && !add_step(x, s))
        return;
    s->added = now;
    for (size_t i = 0; i < s->inputs.n; i++)
        if (!read_others(x, s, s->inputs.items[i]))
            return;
    for (size_t i = 0; i < s->inputs.n && s->begun != now; i++)
        begin_tests(x, s, s->inputs.items[i]);
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
     .help = "directories of finished runs whose inputs are compared, too",
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
