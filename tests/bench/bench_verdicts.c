/* SPDX-License-Identifier: Apache-2.0 */
/* How often the verdict is right: on trainings of the demo's network with random seeds, faults and
 * strengths, and on the recorded trials. With folders as arguments: on the trainings in them
 * (NAME beside NAME.expected.json) instead. BENCH_SEED: another set of random numbers; BENCH_RUNS:
 * how many trainings; BENCH_KEEP=1: keeps those of which the verdict is wrong. */
#include "reader/base/mem.h"
#include "reader/demo/train.h"
#include "tests/bench/bench.h"
#include "tests/bench/labelled.h"
#include "tests/remove_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNS = 200, PROCESSES_MOST = 16, STEPS_LEAST = 150, STEPS_RANGE = 350 };
static const int64_t HOUR_US = (int64_t)3600 * 1000000;

static long number_of(const char *variable, long otherwise)
{
    const char *v = getenv(variable);
    return v && *v ? atol(v) : otherwise;
}

/* ---- faults ---- */

/* Of the training that this process makes; tamper functions have no argument. */
static float strength;

static void set_biases(struct sm_net *net)
{
    for (size_t i = 0; i + 1 < net->n_layers; i++)
        for (size_t k = 0; net->layers[i].biases && k < net->layers[i].out.channels; k++)
            net->layers[i].biases[k] = -strength;
}

static void set_weights(struct sm_net *net)
{
    for (size_t i = 0; i < net->n_layers; i++)
        for (size_t k = 0; k < net->layers[i].n_weights; k++)
            net->layers[i].weights[k] = strength;
}

static void scale_weights(struct sm_net *net)
{
    for (size_t i = 0; i < net->n_layers; i++)
        for (size_t k = 0; k < net->layers[i].n_weights; k++)
            net->layers[i].weights[k] *= strength;
}

enum use { USE_RATE, USE_TAMPER, USE_IMAGES, USE_NOISE, USE_FROZEN, USE_DEPTH, USE_STOP, USE_KILL };
/* Strengths are drawn evenly between the logarithms of least and most. */
static const struct recipe {
    const char *demo, *fault, *accept;
    enum use use;
    double least, most;
    unsigned share; /* how often it is drawn */
    void (*tamper)(struct sm_net *net);
} recipes[] = {
    {"healthy", "none", "none", USE_RATE, 5e-4, 4e-3, 24, NULL},
    {"healthy", "none", "none", USE_NOISE, 0.1, 0.5, 16, NULL},
    {"healthy", "none", "none", USE_KILL, 1, 1, 8, NULL},
    {"vanishing_gradient", "vanishing_gradients", "vanishing_gradients", USE_DEPTH, 8, 10, 4, NULL},
    {"vanishing_gradient", "vanishing_gradients", "vanishing_gradients", USE_RATE, 0.01, 0.2, 4,
     NULL},
    {"exploding_tensor", "learning_rate_too_high", "learning_rate_too_high", USE_RATE, 10, 1e6, 8,
     NULL},
    {"healthy", "learning_rate_too_high", "learning_rate_too_high", USE_RATE, 0.2, 20, 4, NULL},
    {"healthy", "learning_rate_too_low", "learning_rate_too_low", USE_RATE, 1e-8, 1e-7, 4, NULL},
    {"dead_relu", "dead_relu", "dead_relu", USE_TAMPER, 6, 30, 8, set_biases},
    {"poor_weight_initialization", "symmetric_initialization", "symmetric_initialization",
     USE_TAMPER, 0.01, 0.2, 8, set_weights},
    {"saturated_activation", "poor_weight_scale", "poor_weight_scale saturated_activation",
     USE_TAMPER, 50, 3000, 8, scale_weights},
    {"loss_not_decreasing", "labels_do_not_fit_inputs", "labels_do_not_fit_inputs", USE_RATE, 0.005,
     0.05, 8, NULL},
    {"overfit", "overfitting", "overfitting", USE_IMAGES, 40, 120, 8, NULL},
    {"class_imbalance", "class_imbalance", "class_imbalance", USE_RATE, 1e-3, 3e-3, 8, NULL},
    {"unnormalized_input", "unnormalized_input", "unnormalized_input", USE_RATE, 1e-3, 3e-3, 8,
     NULL},
    {"stalled", "stalled", "stalled", USE_STOP, 60, 400, 8, NULL},
    {"all_zero", "zero_initialization", "zero_initialization", USE_RATE, 1e-3, 3e-3, 6, NULL},
    {"unchanged_tensor", "layer_not_trained", "layer_not_trained", USE_FROZEN, 1, 4, 8, NULL},
};

static const struct recipe *draw_recipe(struct sm_random *r)
{
    unsigned all = 0, at;
    size_t n = sizeof recipes / sizeof *recipes;
    for (size_t i = 0; i < n; i++)
        all += recipes[i].share;
    at = sm_random_below(r, all);
    for (size_t i = 0; i + 1 < n; i++) {
        if (at < recipes[i].share)
            return &recipes[i];
        at -= recipes[i].share;
    }
    return &recipes[n - 1];
}

/* The layers with parameters are those with odd numbers, from 1. */
static void apply(const struct recipe *how, struct sm_demo *d, double x)
{
    strength = (float)x;
    d->tamper = how->tamper ? how->tamper : d->tamper;
    if (how->use == USE_RATE)
        d->rate = (float)x;
    if (how->use == USE_NOISE)
        d->train_noise = d->eval_noise = (float)x;
    if (how->use == USE_IMAGES)
        d->images = (unsigned)x;
    if (how->use == USE_FROZEN)
        d->frozen = 2 * (size_t)lround(x) - 1;
    if (how->use == USE_DEPTH) {
        size_t less = 2 * (10 - (size_t)lround(x));
        d->layers += less;
        d->n_layers -= less;
    }
    d->stall_at = how->use == USE_STOP ? (int64_t)x : 0;
}

/* ---- one training ---- */

struct job {
    const struct recipe *how;
    struct sm_demo demo;
    uint64_t seed;
    int64_t steps;
    double strength;
};

static struct job draw_job(uint64_t seed, size_t i)
{
    struct sm_random r = sm_random_stream(seed, 1000 + i);
    const struct recipe *how = draw_recipe(&r);
    struct job j = {.how = how, .demo = *sm_demo_find(how->demo)};
    double share = sm_random_below(&r, 1000001) / 1e6;
    j.strength = how->least * pow(how->most / how->least, share);
    apply(how, &j.demo, j.strength);
    j.seed = 1 + sm_random_below(&r, 1000000);
    j.steps = STEPS_LEAST + sm_random_below(&r, STEPS_RANGE);
    if (j.demo.stall_at >= j.steps)
        j.steps = j.demo.stall_at + 1;
    if (strcmp(how->fault, "overfitting") == 0)
        j.steps += STEPS_RANGE;
    return j;
}

static void end_process(void *ctx)
{
    (void)ctx;
    _exit(0);
}

static bool stop_in_time(void *ctx, int64_t step)
{
    const struct job *j = ctx;
    if (step + 1 == j->steps)
        _exit(0);
    return true;
}

/* In a process of its own, because some never end. */
static bool train(struct job *j, const char *dir)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        struct sm_demo_result result;
        struct sm_err err;
        const struct sm_demo_run run = {.demo = &j->demo,
                                        .seed = j->seed,
                                        .dir = dir,
                                        .steps = j->steps,
                                        .before_step =
                                            j->how->use == USE_KILL ? stop_in_time : NULL,
                                        .stalled = end_process,
                                        .ctx = j};
        _exit(sm_demo_train(&run, &result, &err) ? 0 : 1);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* A run that still runs is judged at once, all others an hour later. */
static bool make(uint64_t seed, size_t i, const char *scratch, struct sm_labelled *row)
{
    char dir[SM_LABEL_PATH];
    struct job j = draw_job(seed, i);
    snprintf(dir, sizeof dir, "%s/%zu", scratch, i);
    snprintf(row->name, sizeof row->name, "%s strength %.3g seed %llu steps %lld", j.how->demo,
             j.strength, (unsigned long long)j.seed, (long long)j.steps);
    snprintf(row->fault, sizeof row->fault, "%s", j.how->fault);
    snprintf(row->accept, sizeof row->accept, "%s", j.how->accept);
    row->from = row->to = -1;
    remove_tree(dir);
    bool ok = train(&j, dir);
    if (ok)
        sm_labelled_ask(row, dir, j.how->use == USE_KILL ? 0 : HOUR_US);
    if (ok && number_of("BENCH_KEEP", 0) && !sm_labelled_is_right(row)) {
        size_t n = strlen(row->name);
        snprintf(row->name + n, sizeof row->name - n, " %.200s", dir);
    } else {
        remove_tree(dir);
    }
    return ok;
}

/* ---- all ---- */

/* Process k of n makes every n-th training and sends the rows. */
static void run_share(int to, uint64_t seed, size_t runs, size_t k, size_t n, const char *scratch)
{
    for (size_t i = k; i < runs; i += n) {
        struct sm_labelled row = {0};
        if (!make(seed, i, scratch, &row) || write(to, &row, sizeof row) != sizeof row)
            _exit(1);
    }
    _exit(0);
}

static void make_all(uint64_t seed, size_t runs, const char *scratch, struct sm_labelled *rows)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t n = cores > PROCESSES_MOST ? PROCESSES_MOST : cores > 1 ? (size_t)cores : 1, got = 0;
    int fds[2];
    if (pipe(fds) != 0)
        exit(2);
    for (size_t k = 0; k < n; k++)
        if (fork() == 0)
            run_share(fds[1], seed, runs, k, n, scratch);
    close(fds[1]);
    while (got < runs && read(fds[0], &rows[got], sizeof *rows) == sizeof *rows)
        got++;
    while (wait(NULL) > 0)
        ;
    if (got < runs) {
        fprintf(stderr, "%zu of %zu trainings failed\n", runs - got, runs);
        exit(2);
    }
}

static int compare_rows(const void *a, const void *b)
{
    const struct sm_labelled *x = a, *y = b;
    int by_fault = strcmp(x->fault, y->fault);
    return by_fault ? by_fault : strcmp(x->name, y->name);
}

static void bench_demos(void)
{
    size_t runs = (size_t)number_of("BENCH_RUNS", RUNS);
    struct sm_labelled *rows = sm_xalloc_zero(runs + 1, sizeof *rows);
    make_all((uint64_t)number_of("BENCH_SEED", 1), runs, sm_bench_path("SCRATCH"), rows);
    qsort(rows, runs, sizeof *rows, compare_rows);
    sm_labelled_report(rows, runs, "verdict_demo");
    sm_free(rows);
}

/* The trials in tests/trials that are of trainings; the two workers of ddp_worker_lost never
 * shared gradients. */
static const struct {
    const char *trial, *fault, *accept;
} recorded[] = {
    {"cnn_class_imbalance", "class_imbalance", "class_imbalance"},
    {"cnn_dead_relu", "dead_relu", "dead_relu"},
    {"cnn_healthy", "none", "none"},
    {"cnn_reductions", "none", "none"},
    {"cnn_unnormalized_input", "unnormalized_input", "unnormalized_input"},
    {"ddp_two_workers", "none", "none"},
    {"ddp_worker_lost", "worker_lost", "worker_lost worker_diverged"},
    {"killed_midrun", "stalled", "stalled"},
    {"mlp_all_zero", "zero_initialization", "zero_initialization"},
    {"mlp_exploding_tensor", "learning_rate_too_high", "learning_rate_too_high"},
    {"mlp_loss_not_decreasing", "learning_rate_too_low", "learning_rate_too_low"},
    {"mlp_overfit", "overfitting", "overfitting"},
    {"mlp_poor_init", "symmetric_initialization", "symmetric_initialization"},
    {"mlp_tanh_saturated", "poor_weight_scale", "poor_weight_scale saturated_activation"},
    {"mlp_vanishing_gradient", "vanishing_gradients", "vanishing_gradients"},
    {"shapes_only", "unknown", "unknown"},
    {"xgb_classifier", "unknown", "unknown overfitting"},
};

static void bench_recorded(void)
{
    size_t n = sizeof recorded / sizeof *recorded;
    struct sm_labelled *rows = sm_xalloc_zero(n, sizeof *rows);
    for (size_t i = 0; i < n; i++) {
        struct sm_labelled *r = &rows[i];
        snprintf(r->name, sizeof r->name, "tests/trials/%s", recorded[i].trial);
        snprintf(r->fault, sizeof r->fault, "%s", recorded[i].fault);
        snprintf(r->accept, sizeof r->accept, "%s", recorded[i].accept);
        r->from = r->to = -1;
        sm_labelled_ask(r, r->name, HOUR_US);
    }
    sm_labelled_report(rows, n, "verdict_recorded");
    sm_free(rows);
}

static void bench_folder(const char *folder, const char *prefix)
{
    struct sm_labelled *rows = NULL;
    size_t n = 0;
    sm_labelled_find(folder, &rows, &n);
    for (size_t i = 0; i < n; i++)
        sm_labelled_ask(&rows[i], rows[i].name, 0);
    sm_labelled_report(rows, n, prefix);
    sm_free(rows);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        bench_folder(argv[i], "verdict_folder");
    if (argc > 1)
        return 0;
    bench_demos();
    bench_recorded();
    return 0;
}
