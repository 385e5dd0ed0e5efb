/* SPDX-License-Identifier: Apache-2.0 */
/* The cost of the hook for a training program: saving a step of 200 tensors of 1 MiB (floor:
 * write() of the same bytes to the same folder), the caller's time in it (floor: memcpy of the
 * data), reductions without values (floor: reading the data once), and tensors that are not saved.
 */
#include "reader/base/str.h"
#include "reader/hook/smdbg_hook.h"
#include "tests/bench/bench.h"
#include "tests/bench/sum.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TENSORS = 200, ELEMENTS = 1 << 18, ROUNDS = 9, CALLS = 1000000 };
#define TENSOR_BYTES (ELEMENTS * sizeof(float))
static const double gb = (double)TENSORS * TENSOR_BYTES / 1e9;

struct bench {
    float *data; /* all tensors, one after another */
    char names[TENSORS][32];
    const char *folder;
};

/* A hook that saves one collection with all tensors every other step. */
static smdbg_hook *new_hook(const struct bench *b, const char *folder)
{
    struct sm_str dir = {0};
    sm_str_printf(&dir, "%s/%s", b->folder, folder);
    smdbg_hook *h = smdbg_hook_new(sm_str_text(&dir));
    sm_str_clear(&dir);
    if (!h || smdbg_collection_set(h, "layers", "include_regex", "^layer") != 0 ||
        smdbg_hook_set(h, "save_interval", "2") != 0)
        exit(2);
    return h;
}

/* Saves every tensor. Returns the seconds spent in the calls. */
static double save_all_tensors(struct bench *b, smdbg_hook *h)
{
    const int64_t shape[1] = {ELEMENTS};
    double start = sm_bench_now();
    for (size_t i = 0; i < TENSORS; i++)
        smdbg_hook_save(h, b->names[i], SMDBG_FLOAT32, 1, shape, NULL, b->data + i * ELEMENTS);
    return sm_bench_now() - start;
}

static void close_hook(smdbg_hook *h, const char *what)
{
    if (smdbg_hook_close(h) == 0)
        return;
    fprintf(stderr, "%s: not all was written\n", what);
    exit(2);
}

/* ---- values ---- */

/* Writes the same bytes with write(). Returns the seconds. */
static double write_baseline(const struct bench *b)
{
    struct sm_str path = {0};
    sm_str_printf(&path, "%s/plain", b->folder);
    double start = sm_bench_now();
    int fd = open(sm_str_text(&path), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    for (size_t i = 0; i < TENSORS; i++)
        if (write(fd, b->data + i * ELEMENTS, TENSOR_BYTES) != (ssize_t)TENSOR_BYTES)
            exit(2);
    close(fd);
    double took = sm_bench_now() - start;
    unlink(sm_str_text(&path));
    sm_str_clear(&path);
    return took;
}

static double copy_baseline(const struct bench *b, char *to)
{
    double start = sm_bench_now();
    for (size_t i = 0; i < TENSORS; i++)
        memcpy(to + i * TENSOR_BYTES, b->data + i * ELEMENTS, TENSOR_BYTES);
    return sm_bench_now() - start;
}

/* Uses one hook for all rounds, because a training saves many steps. The first round is not
 * counted. */
static void measure_values(struct bench *b)
{
    char *copy = malloc(TENSORS * TENSOR_BYTES);
    double saved[ROUNDS], written[ROUNDS], blocked[ROUNDS], copied[ROUNDS];
    smdbg_hook *h = new_hook(b, "values");
    for (int i = -1; i < ROUNDS; i++) {
        int k = i < 0 ? 0 : i;
        written[k] = write_baseline(b);
        double start = sm_bench_now();
        smdbg_hook_step(h, SMDBG_TRAIN);
        blocked[k] = save_all_tensors(b, h);
        smdbg_hook_step(h, SMDBG_TRAIN); /* completes the saved step */
        smdbg_hook_flush(h);
        saved[k] = sm_bench_now() - start;
        copied[k] = copy_baseline(b, copy);
    }
    close_hook(h, "values");
    free(copy);
    sm_bench_report(&(struct sm_bench_figure){
        "hook_save_gb_per_s", gb / sm_bench_median(saved, ROUNDS),
        gb / sm_bench_median(written, ROUNDS), SM_BENCH_RATIO_AT_LEAST, 0.7});
    sm_bench_report(&(struct sm_bench_figure){
        "hook_caller_blocked_ms", 1e3 * sm_bench_median(blocked, ROUNDS),
        1e3 * sm_bench_median(copied, ROUNDS), SM_BENCH_RATIO_AT_MOST, 1.2});
}

/* ---- reductions ---- */

static void measure_reductions(struct bench *b)
{
    double reduced[ROUNDS], summed[ROUNDS], sum = 0;
    smdbg_hook *h = new_hook(b, "reductions");
    if (smdbg_hook_set(h, "reductions", "min,max,mean,std,abs_mean,l2_norm") != 0)
        exit(2);
    for (int i = -1; i < ROUNDS; i++) {
        int k = i < 0 ? 0 : i;
        double start = sm_bench_now();
        for (size_t t = 0; t < TENSORS; t++)
            sum += sm_bench_sum(b->data + t * ELEMENTS, ELEMENTS);
        summed[k] = sm_bench_now() - start;
        smdbg_hook_step(h, SMDBG_TRAIN);
        reduced[k] = save_all_tensors(b, h);
        smdbg_hook_step(h, SMDBG_TRAIN);
        smdbg_hook_flush(h);
    }
    close_hook(h, "reductions");
    if (sum != sum)
        exit(2);
    sm_bench_report(&(struct sm_bench_figure){
        "hook_reduce_gb_per_s", gb / sm_bench_median(reduced, ROUNDS),
        gb / sm_bench_median(summed, ROUNDS), SM_BENCH_RATIO_AT_LEAST, 0.6});
}

/* ---- tensors that are not saved ---- */

static double wants_ns(smdbg_hook *h, const char *prefix)
{
    char names[TENSORS][32];
    int wanted = 0;
    for (size_t i = 0; i < TENSORS; i++) {
        snprintf(names[i], sizeof names[i], "%s%zu", prefix, i);
        wanted += smdbg_hook_wants(h, names[i]); /* the first call matches the regexes */
    }
    double start = sm_bench_now();
    for (int i = 0; i < CALLS; i++)
        wanted += smdbg_hook_wants(h, names[i % TENSORS]);
    double took = sm_bench_now() - start;
    if (wanted)
        exit(2);
    return took / CALLS * 1e9;
}

static double save_skipped_ns(struct bench *b, smdbg_hook *h)
{
    const int64_t shape[1] = {ELEMENTS};
    double start = sm_bench_now();
    for (int i = 0; i < CALLS; i++)
        smdbg_hook_save(h, b->names[i % TENSORS], SMDBG_FLOAT32, 1, shape, NULL, b->data);
    return (sm_bench_now() - start) / CALLS * 1e9;
}

static void measure_unsaved(struct bench *b)
{
    smdbg_hook *h = new_hook(b, "unsaved");
    smdbg_hook_step(h, SMDBG_TRAIN);
    double never = wants_ns(h, "gradient/"); /* others are saved at this step */
    save_all_tensors(b, h);
    smdbg_hook_step(h, SMDBG_TRAIN);
    double not_now = wants_ns(h, "layer_weight_"), saved = save_skipped_ns(b, h);
    close_hook(h, "unsaved");
    sm_bench_report(&(struct sm_bench_figure){"hook_wants_not_now_ns", not_now, 0,
                                              SM_BENCH_VALUE_AT_MOST, 100});
    sm_bench_report(
        &(struct sm_bench_figure){"hook_save_not_now_ns", saved, 0, SM_BENCH_VALUE_AT_MOST, 100});
    sm_bench_report(
        &(struct sm_bench_figure){"hook_wants_never_ns", never, 0, SM_BENCH_VALUE_AT_MOST, 100});
}

int main(void)
{
    struct bench b = {.data = malloc(TENSORS * TENSOR_BYTES), .folder = sm_bench_path("SCRATCH")};
    if (!b.data)
        return 1;
    sm_bench_fill(b.data, (size_t)TENSORS * ELEMENTS);
    for (size_t i = 0; i < TENSORS; i++)
        snprintf(b.names[i], sizeof b.names[i], "layer%zu_weight", i);
    measure_values(&b);
    measure_reductions(&b);
    measure_unsaved(&b);
    free(b.data);
    return 0;
}
