/* SPDX-License-Identifier: Apache-2.0 */
/* Each cause on a small trial in which only it is true; the same trial without it is the twin. */
#include "tests/rules/judge.h"

#include "reader/demo/random.h"
#include "rules/verdict/collect.h"
#include "rules/verdict/verdict.h"

#include <math.h>

enum { STEPS = 40, LAYERS = 4, WIDTH = 16, BATCH = 16, CLASSES = 4, FAULT_AT = 20 };

/* What is done to a training that learns. */
struct quirk {
    const char *cause;  /* expected; "none" without a quirk */
    int64_t since;      /* expected; -1: any */
    const char *tensor; /* expected; NULL: any */
    bool nan_input, nan_value, apart, zero, alike, sorted, rare, flat, random_labels, overfits;
    bool at_loss; /* labels and scores are the inputs of the loss only */
    bool still, lost, silent, dead, saturated, explodes;
    /* of twins: the loss falls all the same, or stays low after it fell, or EVAL is above TRAIN */
    bool learns, plateau, gap;
    bool grows;      /* ten times, from layer to layer */
    bool eval_stays; /* above chance, while TRAIN falls a little */
    bool reduced;    /* of weights only statistics are saved, and how far each step moves them */
    bool even;       /* weights start as PyTorch's defaults, not as after a training */
    /* weights, loss and learning rate only, as checkpoints have them, from the given step on */
    bool checkpoints;
    int begin;
    bool slow, rises;                  /* the loss falls a little; it ends far above its start */
    bool all_still;                    /* no weight moves */
    bool two, recognised, no_gradient; /* workers; the rare class; of the frozen layer */
    float early_rate;                  /* of the updates, from the first step on */
    float input_scale, weight_scale, rate, first_gradient; /* 0: as usual */
    unsigned frozen;                                       /* layer, from 1 */
};

struct made {
    struct live *l;
    const struct quirk *q;
    struct sm_writer *w;
    struct sm_random random;
    float weights[LAYERS][WIDTH * WIDTH];
};

static float noise(struct made *m, float scale)
{
    return scale * sm_random_normal(&m->random);
}

static void put(struct made *m, const char *name, const float *x, uint64_t rows, uint64_t columns)
{
    put_values(m->w, name, x, 2, (const uint64_t[]){rows, columns});
}

/* The statistics of a weight, as a hook saves them; the ratio is what move_weights makes of it. */
static void put_reduced(struct made *m, unsigned layer)
{
    static const char *const names[] = {"mean", "std", "abs_max", "l2"};
    float values[] = {0, sqrtf(2.0f / WIDTH), 1, WIDTH * sqrtf(2.0f / WIDTH)};
    float ratio = m->q->still ? 1e-6f : 0.01f;
    char name[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(name, sizeof name, "smdebug/reductions/%s/Net_fc%u.weight", names[i], layer);
        put_values(m->w, name, &values[i], 0, NULL);
    }
    snprintf(name, sizeof name, "update_ratio/Net_fc%u.weight", layer);
    put_values(m->w, name, &ratio, 0, NULL);
}

static void put_layer(struct made *m, const char *before, unsigned layer, const char *after,
                      const float *x)
{
    char name[64];
    snprintf(name, sizeof name, "%s%u%s", before, layer, after);
    put(m, name, x, WIDTH, WIDTH);
}

static void put_labels(struct made *m, const char *name, const int64_t *x)
{
    struct sm_err err;
    struct sm_event_value v = {.tag = sm_text(name),
                               .kind = SM_VALUE_TENSOR,
                               .dtype = SM_DTYPE_INT64,
                               .n_dims = 1,
                               .dims = {BATCH},
                               .n_elements = BATCH,
                               .content = {(const uint8_t *)x, BATCH * sizeof *x}};
    assert_true(sm_writer_tensor(m->w, &v, 1e9, &err));
}

static void begin_weights(struct made *m)
{
    const struct quirk *q = m->q;
    float scale = (q->weight_scale > 0 ? q->weight_scale : 1) * sqrtf(2.0f / WIDTH);
    for (unsigned k = 0; k < LAYERS; k++)
        for (unsigned i = 0; i < WIDTH * WIDTH; i++)
            m->weights[k][i] = q->zero    ? 0
                               : q->alike ? 0.1f
                               : q->even  ? sm_random_between(&m->random, -scale, scale)
                                          : noise(m, scale);
}

static void move_weights(struct made *m, int step)
{
    const struct quirk *q = m->q;
    float rate = q->rate > 0 && step >= FAULT_AT ? q->rate : q->still ? 1e-6f : 0.01f;
    rate = q->early_rate > 0 ? q->early_rate : rate;
    for (unsigned k = 0; k < LAYERS; k++)
        for (unsigned i = 0; i < WIDTH * WIDTH && k + 1 != q->frozen && !q->zero && !q->all_still;
             i++)
            m->weights[k][i] += q->alike ? 0.001f : noise(m, rate * sqrtf(2.0f / WIDTH));
}

static float loss_of(const struct quirk *q, int step, bool eval)
{
    float fall = 1.386f * expf(-(float)step / 12) + 0.05f;
    if (q->overfits && eval)
        return step < 15 ? 1.2f : 1.2f + 0.06f * (float)(step - 15);
    if (q->rate > 0.1f && step > FAULT_AT)
        return 20;
    if (q->slow || q->rises)
        return q->slow ? 1.386f - 0.012f * (float)step : 5 + 0.1f * (float)step;
    if (q->eval_stays)
        return eval ? 1.42f + 0.01f * (float)(step % 3) : 1.3f + 0.09f * expf(-(float)step / 12);
    if (q->learns || q->plateau || q->gap)
        return q->plateau && step > 8 ? 0.4f + 0.01f * (float)(step % 3)
                                      : fall + (q->gap && eval ? 0.15f : 0.0f);
    if (q->rate > 0 && q->rate < 0.1f)
        return fall;
    bool stays = q->flat || q->all_still || q->zero || q->alike || q->random_labels || q->still ||
                 q->dead || q->saturated || q->explodes || q->first_gradient > 0 ||
                 q->input_scale > 0 || q->weight_scale > 0;
    return stays ? 1.386f + 0.001f * (float)(step % 3) : fall;
}

static void put_batch(struct made *m, int step)
{
    const struct quirk *q = m->q;
    float x[BATCH * WIDTH], scale = q->input_scale > 0 ? q->input_scale : 1;
    for (unsigned i = 0; i < BATCH * WIDTH; i++)
        x[i] = noise(m, scale);
    if (q->nan_input && step >= FAULT_AT)
        x[3] = NAN;
    put(m, "Net_input_0", x, BATCH, WIDTH);
}

static void put_activations(struct made *m, int step)
{
    const struct quirk *q = m->q;
    float in[BATCH * WIDTH], out[BATCH * WIDTH], tanhs[BATCH * WIDTH], grown = 1;
    for (unsigned k = 0; k < 2; k++) {
        for (unsigned i = 0; i < BATCH * WIDTH; i++) {
            in[i] = noise(m, grown) - (q->dead && k ? 9.0f : 0.0f);
            out[i] = fmaxf(in[i], 0);
            tanhs[i] = q->saturated ? copysignf(1, in[i]) : tanhf(noise(m, 0.5f));
        }
        if (q->nan_input && step >= FAULT_AT)
            in[0] = out[0] = NAN;
        if (q->nan_value && step >= FAULT_AT && k)
            out[0] = NAN;
        put_layer(m, "relu", k, "_input_0", in);
        put_layer(m, "relu", k, "_output_0", out);
        put_layer(m, "tanh", k, "_output_0", tanhs);
        grown *= q->explodes ? 1e5f : q->grows ? 10 : 1;
    }
}

/* Of four classes; predictions become right as the loss falls. */
static void put_classes(struct made *m, int step)
{
    const struct quirk *q = m->q;
    int64_t labels[BATCH], guesses[BATCH];
    for (unsigned i = 0; i < BATCH; i++) {
        labels[i] = sm_random_below(&m->random, CLASSES);
        if (q->sorted)
            labels[i] = step * CLASSES / STEPS;
        if (q->rare)
            labels[i] = i || step % 3 ? i % 2 : 3;
        bool right =
            step > 5 && !q->random_labels && !(q->rare && !q->recognised && labels[i] == 3);
        guesses[i] = right ? labels[i] : 0;
    }
    put_labels(m, q->at_loss ? "CrossEntropyLoss_input_1" : "labels", labels);
    if (!q->at_loss)
        put_labels(m, "predictions", guesses);
}

static void put_gradients(struct made *m)
{
    float g[WIDTH * WIDTH];
    for (unsigned k = LAYERS; k-- > 0;) {
        float scale = m->q->first_gradient > 0 && k == 0 ? m->q->first_gradient : 0.1f;
        for (unsigned i = 0; i < WIDTH * WIDTH; i++)
            g[i] = m->q->zero ? 0 : noise(m, scale);
        if (!(m->q->no_gradient && k + 1 == m->q->frozen))
            put_layer(m, "gradient/Net_fc", k, ".weight", g);
    }
}

static void put_loss(struct made *m, int step, bool eval)
{
    float loss = loss_of(m->q, step, eval);
    bool bad = (m->q->nan_input || m->q->nan_value) && step >= FAULT_AT;
    loss = bad ? NAN : loss;
    put_values(m->w, "CrossEntropyLoss_output_0", &loss, 0, NULL);
}

static void write_train(struct made *m, int step, const char *worker)
{
    struct sm_err err;
    float first = m->weights[0][0];
    if (m->q->apart && step >= FAULT_AT && strcmp(worker, "worker_1") == 0)
        m->weights[0][0] += 1;
    m->w = writer(m->l, worker);
    assert_true(sm_writer_begin_step(m->w, 2 * (step + m->q->begin), SM_MODE_TRAIN,
                                     step + m->q->begin, &err));
    for (unsigned k = 0; k < LAYERS; k++)
        if (m->q->reduced)
            put_reduced(m, k);
        else
            put_layer(m, "Net_fc", k, ".weight", m->weights[k]);
    put_loss(m, step, false);
    if (m->q->checkpoints) {
        const float rate = 0.001f;
        put_values(m->w, "learning_rate", &rate, 0, NULL);
    } else {
        put_batch(m, step);
        put_activations(m, step);
        put_classes(m, step);
        put_gradients(m);
    }
    assert_true(sm_writer_end_step(m->w, &err));
    sm_writer_close(m->w);
    m->weights[0][0] = first;
}

static void write_eval(struct made *m, int step)
{
    struct sm_err err;
    m->w = writer(m->l, "worker_0");
    assert_true(sm_writer_begin_step(m->w, 2 * step + 1, SM_MODE_EVAL, step, &err));
    put_loss(m, step, true);
    assert_true(sm_writer_end_step(m->w, &err));
    sm_writer_close(m->w);
}

static void write_all_collections(struct live *l, const char *worker, unsigned workers)
{
    static const char *regexes[] = {"^Net_fc.*weight", "^gradient", "Loss_output", "^labels",
                                    "^predictions"};
    static const char *const names[] = {"weights", "gradients", "losses", "labels", "predictions"};
    struct sm_collection_def items[5];
    struct sm_err err;
    struct sm_writer *w = writer(l, worker);
    for (size_t i = 0; i < 5; i++)
        items[i] = (struct sm_collection_def){
            .name = names[i], .regexes = &regexes[i], .n_regexes = 1, .reductions = ""};
    struct sm_collections_def all = {items, 5, workers};
    assert_true(sm_writer_collections(w, &all, &err));
    sm_writer_close(w);
}

static void write_run(struct live *l, const struct quirk *q)
{
    struct made m = {.l = l, .q = q, .random = sm_random_stream(7, 1)};
    bool two = q->apart || q->lost || q->two;
    remove_tree(l->path);
    write_all_collections(l, "worker_0", two ? 2 : 1);
    begin_weights(&m);
    for (int step = 0; step < STEPS; step++) {
        write_train(&m, step, "worker_0");
        if (two && !(q->lost && step > FAULT_AT))
            write_train(&m, step, "worker_1");
        if (step % 4 == 3 && !q->checkpoints)
            write_eval(&m, step);
        move_weights(&m, step);
    }
    if (!q->silent)
        write_end(l);
}

/* ---- the verdict ---- */

static void expect(struct live *l, const struct quirk *q, const char *cause, unsigned *bad)
{
    static const char *const all[] = {"workers=all"};
    struct sm_err err;
    struct sm_verdict v;
    live_open(l);
    sm_clock_freeze(sm_clock_mono_us(), sm_trial_newest_us(l->trial) + 3600 * (int64_t)1000000);
    struct sm_rules *r = sm_rules_new(l->trial, l->fetch, l->pool);
    struct sm_rule_instance *i = sm_rules_add(r, &sm_rule_signals, NULL, all, 1, &err);
    settle_rules(l, r);
    assert_non_null(sm_signals_of(i));
    sm_verdict_find(sm_signals_of(i), sm_clock_wall_us(), &v);
    int64_t since = v.claim ? v.claim->since : -1;
    const char *tensor =
        v.claim && v.claim->track ? sm_track_name(v.of.signals, v.claim->track) : "";
    bool right = strcmp(sm_verdict_id(&v), cause) == 0 && (q->since < 0 || since == q->since) &&
                 (!q->tensor || strcmp(tensor, q->tensor) == 0);
    if (!right)
        print_error("expected %s since %lld %s, got %s since %lld %s\n", cause, (long long)q->since,
                    q->tensor ? q->tensor : "", sm_verdict_id(&v), (long long)since, tensor);
    *bad += !right;
    sm_verdict_clear(&v);
    close_rules(l, r);
    live_close(l);
}

static const struct quirk quirks[] = {
    {"none", -1, NULL, .rate = 0},
    {"non_finite_input", 40, "Net_input_0", .nan_input = true},
    {"non_finite_value", 40, "relu1_output_0", .nan_value = true},
    {"worker_diverged", 40, "Net_fc0.weight", .apart = true},
    {"zero_initialization", 0, "Net_fc0.weight", .zero = true},
    {"symmetric_initialization", 0, "Net_fc0.weight", .alike = true},
    {"unnormalized_input", 0, "Net_input_0", .input_scale = 300},
    {"poor_weight_scale", 0, NULL, .weight_scale = 50},
    {"layer_not_trained", 0, "Net_fc2.weight", .frozen = 3},
    {"layer_not_trained", 0, "Net_fc0.weight", .frozen = 1, .no_gradient = true, .even = true},
    {"data_not_shuffled", 0, "labels", .sorted = true},
    {"data_not_shuffled", 0, "CrossEntropyLoss_input_1", .sorted = true, .at_loss = true},
    {"learning_rate_too_high", 42, NULL, .rate = 3},
    {"exploding_values", 0, NULL, .explodes = true},
    {"dead_relu", 0, "relu1_output_0", .dead = true},
    {"saturated_activation", 0, "tanh0_output_0", .saturated = true},
    {"vanishing_gradients", 0, "gradient/Net_fc0.weight", .first_gradient = 1e-6f},
    {"learning_rate_too_low", 0, NULL, .still = true},
    {"class_imbalance", 0, "labels", .rare = true},
    {"overfitting", -1, "CrossEntropyLoss_output_0", .overfits = true},
    {"layer_not_trained", 20, "Net_fc0.weight", .all_still = true, .checkpoints = true,
     .begin = 10},
    {"learning_rate_too_high", 22, "Net_fc0.weight", .rises = true, .checkpoints = true,
     .begin = 10, .early_rate = 0.05f},
    {"labels_do_not_fit_inputs", 0, NULL, .random_labels = true},
    {"labels_do_not_fit_inputs", 0, NULL, .eval_stays = true},
    {"worker_lost", 40, NULL, .lost = true},
    {"stalled", 79, NULL, .silent = true},
    {"learning_rate_too_low", 0, NULL, .still = true, .reduced = true},
    {"labels_do_not_fit_inputs", 0, NULL, .random_labels = true, .reduced = true},
    {"none", -1, NULL, .reduced = true},
};

static void test_each_cause(void **state)
{
    struct live *l = *state;
    unsigned bad = 0;
    assert_int_equal(sizeof quirks / sizeof *quirks, 9 + sm_cause_count());
    for (size_t i = 0; i < sizeof quirks / sizeof *quirks; i++) {
        write_run(l, &quirks[i]);
        expect(l, &quirks[i], quirks[i].cause, &bad);
    }
    assert_int_equal(bad, 0);
}

static const struct sm_rule_instance *collect(struct live *l, struct sm_rules **r)
{
    static const char *const all[] = {"workers=all"};
    struct sm_err err;
    *r = sm_rules_new(l->trial, l->fetch, l->pool);
    return sm_rules_add(*r, &sm_rule_signals, NULL, all, 1, &err);
}

static void expect_now(struct live *l, struct sm_rules *r, const struct sm_rule_instance *i,
                       const char *cause)
{
    struct sm_verdict v;
    settle_rules(l, r);
    sm_verdict_find(sm_signals_of(i), sm_clock_wall_us(), &v);
    assert_string_equal(sm_verdict_id(&v), cause);
    sm_verdict_clear(&v);
}

/* ---- twins: the same without an effect on what is learned, or as it is meant ---- */

static const struct quirk twins[] = {
    {"unnormalized_input", -1, NULL, .input_scale = 300, .learns = true},
    {"poor_weight_scale", -1, NULL, .weight_scale = 50, .learns = true},
    /* the first checkpoint is not the beginning */
    {"poor_weight_scale", -1, NULL, .weight_scale = 0.01f, .slow = true, .checkpoints = true,
     .begin = 10, .still = true},
    {"layer_not_trained", -1, NULL, .frozen = 1, .no_gradient = true}, /* a frozen beginning */
    {"exploding_values", -1, NULL, .grows = true, .learns = true},
    {"dead_relu", -1, NULL, .dead = true, .learns = true},
    {"saturated_activation", -1, NULL, .saturated = true, .learns = true},
    {"vanishing_gradients", -1, NULL, .first_gradient = 1e-6f, .learns = true},
    {"class_imbalance", -1, NULL, .rare = true, .recognised = true},
    {"overfitting", -1, NULL, .gap = true},
    {"worker_diverged", -1, NULL, .two = true},
    {"worker_lost", -1, NULL, .two = true},
    {"learning_rate_too_high", -1, NULL, .rate = 0.02f},
    {"learning_rate_too_low", -1, NULL, .still = true, .learns = true},
    {"labels_do_not_fit_inputs", -1, NULL, .plateau = true},
};

static void test_twins(void **state)
{
    struct live *l = *state;
    unsigned bad = 0;
    for (size_t i = 0; i < sizeof twins / sizeof *twins; i++) {
        unsigned of_twin = 0;
        write_run(l, &twins[i]);
        expect(l, &twins[i], "none", &of_twin);
        if (of_twin)
            print_error("  the twin of %s\n", twins[i].cause);
        bad += of_twin;
    }
    assert_int_equal(bad, 0);
}

/* A loss alone: nothing can be said to be well. */
static void test_scalars_alone(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    struct sm_verdict v;
    write_all_collections(l, "worker_0", 1);
    for (int i = 0; i < STEPS; i++)
        write_scalar(l, i, SM_MODE_TRAIN, i, "CrossEntropyLoss_output_0", 2 / (1 + (float)i));
    write_end(l);
    live_open(l);
    const struct sm_rule_instance *i = collect(l, &r);
    expect_now(l, r, i, "unknown");
    sm_verdict_find(sm_signals_of(i), sm_clock_wall_us(), &v);
    assert_int_equal(v.n_missing, 4);
    assert_string_equal(v.missing[0], "weights");
    sm_verdict_clear(&v);
    close_rules(l, r);
}

/* Nor can be said where a NaN arises if a logger kept images or histograms beside the loss. */
static void test_scalars_beside_pictures(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    struct sm_err err;
    write_all_collections(l, "worker_0", 1);
    for (int i = 0; i < STEPS; i++) {
        float loss = i < FAULT_AT ? 2 / (1 + (float)i) : NAN, picture[4] = {1, 2, 3, 4};
        struct sm_writer *w = writer(l, "worker_0");
        assert_true(sm_writer_begin_step(w, i, SM_MODE_TRAIN, i, &err));
        put_values(w, "CrossEntropyLoss_output_0", &loss, 0, NULL);
        put_values(w, "picture", picture, 2, (const uint64_t[]){2, 2});
        assert_true(sm_writer_end_step(w, &err));
        sm_writer_close(w);
    }
    write_end(l);
    live_open(l);
    const struct sm_rule_instance *i = collect(l, &r);
    expect_now(l, r, i, "unknown");
    close_rules(l, r);
}

/* The verdict follows a run. */
static void test_live(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    const struct quirk well = quirks[0], bad = {.nan_value = true, .since = -1};
    struct made m = {.l = l, .q = &well, .random = sm_random_stream(7, 1)};
    write_all_collections(l, "worker_0", 1);
    begin_weights(&m);
    for (int step = 0; step < FAULT_AT; step++, move_weights(&m, step))
        write_train(&m, step, "worker_0");
    live_open(l);
    sm_clock_freeze(sm_clock_mono_us(), sm_trial_newest_us(l->trial));
    const struct sm_rule_instance *i = collect(l, &r);
    expect_now(l, r, i, "none");
    m.q = &bad;
    for (int step = FAULT_AT; step < FAULT_AT + 3; step++, move_weights(&m, step))
        write_train(&m, step, "worker_0");
    live_beat(l);
    expect_now(l, r, i, "non_finite_value");
    close_rules(l, r);
}

/* ---- steps that come late or again, and values that cannot be read ---- */

/* What is collected while following is what is collected at rest: of each tensor the same points,
 * step after step. */
static void expect_as_at_rest(struct live *l, const struct sm_rule_instance *followed)
{
    struct live rest = *l;
    struct sm_rules *r;
    rest.trial = NULL;
    rest.source = NULL;
    live_open_path(&rest, l->path, (struct sm_trial_options){0});
    const struct sm_rule_instance *i = collect(&rest, &r);
    settle_rules(&rest, r);
    const struct sm_signals *a = sm_signals_of(followed), *b = sm_signals_of(i);
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->values, b->values);
    for (size_t k = 0; k < a->n; k++) {
        const struct sm_track *x = &a->tracks[k], *y = &b->tracks[k];
        assert_string_equal(sm_track_name(a, x), sm_track_name(b, y));
        assert_int_equal(x->n, y->n);
        for (size_t p = 0; p < x->n; p++) {
            assert_true(p == 0 || x->points[p].step > x->points[p - 1].step);
            assert_memory_equal(&x->points[p], &y->points[p], sizeof x->points[p]);
        }
    }
    close_rules(&rest, r);
    live_close(&rest);
}

/* The second worker lags by some steps, and comes when later steps were judged. */
static void test_late_steps(void **state)
{
    enum { LAG = 7 };
    struct live *l = *state;
    struct sm_rules *r;
    const struct quirk apart = {.apart = true};
    struct made m[2] = {{.l = l, .q = &apart, .random = sm_random_stream(7, 1)},
                        {.l = l, .q = &apart, .random = sm_random_stream(7, 1)}};
    write_all_collections(l, "worker_0", 2);
    for (int w = 0; w < 2; w++)
        begin_weights(&m[w]);
    live_open(l);
    const struct sm_rule_instance *i = collect(l, &r);
    for (int step = 0; step < STEPS + LAG; step++) {
        if (step < STEPS)
            write_train(&m[0], step, "worker_0");
        move_weights(&m[0], step);
        if (step >= LAG)
            write_train(&m[1], step - LAG, "worker_1");
        if (step >= LAG)
            move_weights(&m[1], step - LAG);
        live_beat(l);
        sm_clock_advance(1000000);
        settle_rules(l, r);
    }
    write_end(l);
    live_beat(l);
    for (int k = 0; k < 20; k++) {
        sm_clock_advance(1000000);
        settle_rules(l, r);
    }
    expect_now(l, r, i, "worker_diverged");
    expect_as_at_rest(l, i);
    close_rules(l, r);
}

/* The job begins again at a step that was saved before. */
static void test_restart(void **state)
{
    struct live *l = *state;
    struct sm_rules *r;
    const struct quirk well = quirks[0];
    struct made m = {.l = l, .q = &well, .random = sm_random_stream(7, 1)};
    write_all_collections(l, "worker_0", 1);
    begin_weights(&m);
    live_open(l);
    const struct sm_rule_instance *i = collect(l, &r);
    for (int from = 0; from < 2; from++)
        for (int step = 10 * from; step < 20 * (1 + from); step++, move_weights(&m, step)) {
            write_train(&m, step, "worker_0");
            live_beat(l);
            sm_clock_advance(1000000);
            settle_rules(l, r);
        }
    write_end(l);
    live_beat(l);
    expect_now(l, r, i, "none");
    expect_as_at_rest(l, i);
    close_rules(l, r);
}

/* A weight of a step is damaged: the others are judged, and it is counted. */
static void test_unread_values(void **state)
{
    enum { STEP = 2 * 5, IN_THE_FIRST_MESSAGE = 30 };
    struct live *l = *state;
    struct sm_rules *r;
    size_t n;
    char path[300];
    write_run(l, &quirks[0]);
    snprintf(path, sizeof path, "%s", in(l, "events/%012d/%012d_worker_0.tfevents", STEP, STEP));
    uint8_t *bytes = get_file(path, &n);
    assert_true(n > IN_THE_FIRST_MESSAGE);
    bytes[IN_THE_FIRST_MESSAGE] ^= 0x55;
    put_file(path, bytes, n);
    free(bytes);
    live_open(l);
    sm_clock_freeze(sm_clock_mono_us(), sm_trial_newest_us(l->trial));
    const struct sm_rule_instance *i = collect(l, &r);
    expect_now(l, r, i, "none");
    assert_int_equal(sm_signals_of(i)->unread, 1);
    assert_int_equal(sm_signals_of(i)->steps, STEPS + STEPS / 4);
    close_rules(l, r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_each_cause, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_twins, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_scalars_alone, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_scalars_beside_pictures, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_unread_values, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_late_steps, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_restart, live_setup, live_teardown),
        cmocka_unit_test_setup_teardown(test_live, live_setup, live_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
