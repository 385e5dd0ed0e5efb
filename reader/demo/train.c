/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/demo/train.h"

#include "reader/base/mem.h"
#include "reader/base/str.h"
#include "reader/demo/images.h"
#include "reader/hook/smdbg_hook.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* The first evaluation comes before any rule can judge losses, so that rules use evaluation losses
 * from the start. */
enum { BATCH = 32, EVALUATED = 16 * BATCH, FIRST_EVALUATION = 5 };

enum stream { STREAM_WEIGHTS, STREAM_TRAIN, STREAM_EVAL, STREAM_LABELS };

struct images {
    float *pixels;
    unsigned *labels;
    size_t n;
};
struct trainer {
    const struct sm_demo_run *run;
    const struct sm_demo *demo;
    struct sm_net *net;
    smdbg_hook *hook;
    struct sm_random random, labels;
    struct images batch, set, evaluated; /* set: the demo->images images, or none */
    struct sm_str name;                  /* scratch */
    struct sm_demo_result *result;
};

/* ---- images ---- */

static struct images images_new(size_t n)
{
    return (struct images){sm_xalloc_zero(n * SM_IMAGE_PIXELS, sizeof(float)),
                           sm_xalloc_zero(n, sizeof(unsigned)), n};
}

static void images_free(struct images *i)
{
    sm_free(i->pixels);
    sm_free(i->labels);
}

/* Half of the images are of class 0, a quarter of class 1 and so on: the last classes are rare. */
static unsigned rare_class(struct sm_random *r)
{
    unsigned shape = 0;
    while (shape + 1 < SM_IMAGE_CLASSES && sm_random_below(r, 2))
        shape++;
    return shape;
}

static void draw_batch(struct trainer *t, struct sm_random *r, float noise, struct images *out)
{
    for (size_t i = 0; i < out->n; i++) {
        float *pixels = out->pixels + i * SM_IMAGE_PIXELS;
        unsigned shape = t->demo->rare ? rare_class(r) : sm_random_below(r, SM_IMAGE_CLASSES);
        sm_image_draw(shape, noise, r, pixels);
        if (!t->demo->raw_pixels)
            sm_image_normalize(pixels);
        for (size_t k = 0; t->demo->raw_pixels && k < SM_IMAGE_PIXELS; k++)
            pixels[k] = fminf(fmaxf(roundf(255 * pixels[k]), 0), 255);
        out->labels[i] =
            t->demo->random_labels ? sm_random_below(&t->labels, SM_IMAGE_CLASSES) : shape;
    }
}

/* New images, or a random choice from the set. */
static void next_batch(struct trainer *t)
{
    if (!t->set.n) {
        draw_batch(t, &t->random, t->demo->train_noise, &t->batch);
        return;
    }
    for (size_t i = 0; i < t->batch.n; i++) {
        size_t from = sm_random_below(&t->random, (unsigned)t->set.n);
        memcpy(t->batch.pixels + i * SM_IMAGE_PIXELS, t->set.pixels + from * SM_IMAGE_PIXELS,
               SM_IMAGE_PIXELS * sizeof(float));
        t->batch.labels[i] = t->set.labels[from];
    }
}

/* ---- what is saved ---- */

static void configure_hook(smdbg_hook *h, const struct sm_demo *demo, const struct sm_net *net)
{
    static const struct {
        const char *collection, *name, *value; /* collection NULL: a setting of the hook */
    } settings[] = {
        {NULL, "rank", "0"},
        {NULL, "world_size", "1"},
        {NULL, "train.save_interval", "10"},
        {NULL, "eval.save_interval", "1"},
        {"all", "train.save_interval", "50"},
        {"all", "eval.start_step", "2"}, /* an untrained network's outputs mean nothing */
        {"losses", "train.save_interval", "5"},
        {"input_image", "include_regex", "^[A-Z]+_input_0$"},
        {"evaluation", "include_regex", "^eval_"},
        {"evaluation", "train.end_step", "0"},
        {"evaluation", "eval.start_step", "2"},
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (settings[i].collection)
            smdbg_collection_set(h, settings[i].collection, settings[i].name, settings[i].value);
        else
            smdbg_hook_set(h, settings[i].name, settings[i].value);
    if (demo->save_steps)
        smdbg_hook_set(h, "train.save_steps", demo->save_steps);
    smdbg_collection_save(h, "weights");
    smdbg_collection_save(h, "biases");
    smdbg_collection_save(h, "gradients");
    if (net->layers[1].kind == SM_LAYER_RELU) {
        smdbg_collection_set(h, "relu_input", "include_regex", "relu[0-9]*_input");
        smdbg_collection_set(h, "relu_output", "include_regex", "relu[0-9]*_output");
    } else {
        smdbg_collection_set(h, "sigmoid_input", "include_regex", "sigmoid[0-9]*_input");
        smdbg_collection_set(h, "sigmoid_output", "include_regex", "sigmoid[0-9]*_output");
    }
}

/* Errors are counted by the hook and checked at the end. */
static void save_value(struct trainer *t, smdbg_dtype dtype, unsigned n_dims, const int64_t *shape,
                       const void *data)
{
    if (smdbg_hook_selects(t->hook, sm_str_text(&t->name)))
        smdbg_hook_save(t->hook, sm_str_text(&t->name), dtype, n_dims, shape, NULL, data);
}

static void set_name(struct trainer *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void set_name(struct trainer *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    sm_str_truncate(&t->name, 0);
    sm_str_vprintf(&t->name, fmt, ap);
    va_end(ap);
}

static void save_number(struct trainer *t, double value)
{
    const float number = (float)value;
    set_name(t, "CrossEntropyLoss_output_0");
    save_value(t, SMDBG_FLOAT32, 0, NULL, &number);
}

static void save_activation(struct trainer *t, struct sm_extent e, const float *data)
{
    bool flat = e.rows == 1 && e.columns == 1;
    save_value(t, SMDBG_FLOAT32, flat ? 2 : 4,
               (const int64_t[]){BATCH, e.channels, e.rows, e.columns}, data);
}

static void save_parameters(struct trainer *t, const struct sm_layer *l, const char *prefix,
                            const float *weights, const float *biases)
{
    const char *kind = sm_layer_kind_name(l->kind);
    bool conv = l->kind == SM_LAYER_CONV;
    const int64_t shape[] = {l->out.channels, conv ? l->in.channels : (int64_t)l->n_in, l->kernel,
                             l->kernel};
    set_name(t, "%s%s%u_weight", prefix, kind, l->index);
    save_value(t, SMDBG_FLOAT32, conv ? 4 : 2, shape, weights);
    set_name(t, "%s%s%u_bias", prefix, kind, l->index);
    save_value(t, SMDBG_FLOAT32, 1, shape, biases);
}

static void save_layer(struct trainer *t, size_t i)
{
    const struct sm_layer *l = &t->net->layers[i];
    const char *kind = sm_layer_kind_name(l->kind);
    if (!l->n_weights) {
        set_name(t, "%s%u_input_0", kind, l->index);
        save_activation(t, l->in, t->net->layers[i - 1].output);
    }
    set_name(t, "%s%u_output_0", kind, l->index);
    save_activation(t, l->out, l->output);
}

/* Before the update, in the order in which a framework's hooks run: parameters as used by the
 * forward pass, forward, loss, backward. */
static void save_step(struct trainer *t, double loss)
{
    const struct sm_net *net = t->net;
    for (size_t i = 0; i < net->n_layers; i++)
        if (net->layers[i].n_weights)
            save_parameters(t, &net->layers[i], "", net->layers[i].weights, net->layers[i].biases);
    set_name(t, "%s_input_0", t->demo->model);
    save_activation(t, net->in, t->batch.pixels);
    for (size_t i = 0; i < net->n_layers; i++)
        save_layer(t, i);
    save_number(t, loss);
    for (size_t i = net->n_layers; i-- > 0;)
        if (net->layers[i].n_weights)
            save_parameters(t, &net->layers[i], "gradient/", net->layers[i].weights_gradient,
                            net->layers[i].biases_gradient);
}

/* ---- steps ---- */

static void evaluate(struct trainer *t)
{
    int64_t labels[EVALUATED], predictions[EVALUATED];
    const int64_t shape[] = {EVALUATED};
    double loss = 0;
    size_t right = 0;
    smdbg_hook_step(t->hook, SMDBG_EVAL);
    for (size_t at = 0; at < EVALUATED; at += BATCH) {
        loss += BATCH * sm_net_forward(t->net, t->evaluated.pixels + at * SM_IMAGE_PIXELS,
                                       t->evaluated.labels + at, BATCH);
        for (size_t i = 0; i < BATCH; i++) {
            labels[at + i] = t->evaluated.labels[at + i];
            predictions[at + i] = sm_net_answer(t->net, i);
            right += labels[at + i] == predictions[at + i];
        }
    }
    t->result->loss = loss / EVALUATED;
    t->result->accuracy = (double)right / EVALUATED;
    save_number(t, t->result->loss);
    set_name(t, "eval_labels");
    save_value(t, SMDBG_INT64, 1, shape, labels);
    set_name(t, "eval_predictions");
    save_value(t, SMDBG_INT64, 1, shape, predictions);
    smdbg_hook_scalar(t->hook, "accuracy", t->result->accuracy);
}

static void train_step(struct trainer *t)
{
    const struct sm_demo *d = t->demo;
    smdbg_hook_step(t->hook, SMDBG_TRAIN);
    next_batch(t);
    double loss = sm_net_forward(t->net, t->batch.pixels, t->batch.labels, BATCH);
    sm_net_backward(t->net, t->batch.pixels, t->batch.labels, BATCH);
    save_step(t, loss);
    sm_net_update(t->net, d->optimizer, d->rate, d->frozen ? d->frozen - 1 : SIZE_MAX);
}

static void run_steps(struct trainer *t)
{
    const struct sm_demo_run *r = t->run;
    int64_t steps = r->steps ? r->steps : t->demo->steps;
    for (int64_t step = 0; step < steps && (!r->before_step || r->before_step(r->ctx, step));
         step++) {
        if (t->demo->stall_at && step == t->demo->stall_at) {
            smdbg_hook_flush(t->hook);
            r->stalled(r->ctx);
        }
        train_step(t);
        t->result->steps = step + 1;
        if (step + 1 == FIRST_EVALUATION || (step + 1) % t->demo->eval_every == 0)
            evaluate(t);
    }
}

/* ---- run ---- */

static void prepare_training(struct trainer *t)
{
    const struct sm_demo *d = t->demo;
    struct sm_random weights = sm_random_stream(t->run->seed, STREAM_WEIGHTS);
    struct sm_random eval = sm_random_stream(t->run->seed, STREAM_EVAL);
    t->random = sm_random_stream(t->run->seed, STREAM_TRAIN);
    t->labels = sm_random_stream(t->run->seed, STREAM_LABELS);
    t->net = sm_net_new(d->layers, d->n_layers, (struct sm_extent){1, SM_IMAGE_SIDE, SM_IMAGE_SIDE},
                        BATCH);
    sm_net_initialize(t->net, &weights);
    if (d->tamper)
        d->tamper(t->net);
    t->batch = images_new(BATCH);
    t->set = images_new(d->images);
    t->evaluated = images_new(EVALUATED);
    draw_batch(t, &t->random, d->train_noise, &t->set);
    draw_batch(t, &eval, d->eval_noise, &t->evaluated);
    configure_hook(t->hook, d, t->net);
}

bool sm_demo_train(const struct sm_demo_run *run, struct sm_demo_result *out, struct sm_err *err)
{
    struct trainer t = {
        .run = run, .demo = run->demo, .result = out, .hook = smdbg_hook_new(run->dir)};
    *out = (struct sm_demo_result){.accuracy = NAN, .loss = NAN};
    if (!t.hook)
        return sm_err_set(err, SM_ERR_MEMORY, "no memory for the hook");
    if (t.demo->stall_at && !run->stalled) {
        smdbg_hook_close(t.hook);
        return sm_err_set(err, SM_ERR_USAGE,
                          "%s: this demo stalls, which the caller does not support", t.demo->name);
    }
    prepare_training(&t);
    run_steps(&t);
    bool ok =
        smdbg_hook_flush(t.hook) == 0 || sm_err_set(err, SM_ERR_IO, "%s", smdbg_hook_error(t.hook));
    if (smdbg_hook_close(t.hook) != 0 && ok)
        ok = sm_err_set(err, SM_ERR_IO, "%s: cannot write the end of the trial", run->dir);
    images_free(&t.batch);
    images_free(&t.set);
    images_free(&t.evaluated);
    sm_net_free(t.net);
    sm_str_clear(&t.name);
    return ok;
}
