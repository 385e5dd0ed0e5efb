/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/bench/generate.h"

#include "reader/base/mem.h"

#include <stdio.h>

enum { NAME_BYTES = 64, MARGIN = 1000 };

struct sm_bench_generator {
    struct sm_writer *writer;
    long n_tensors;
    long *sizes; /* number of elements of each tensor */
    char (*names)[NAME_BYTES];
    float *values; /* each tensor starts at a different offset */
};

static void fill(float *x, long n)
{
    uint32_t state = 1;
    for (long i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = (float)(state >> 8) / (float)(1 << 23) - 1.0f;
    }
}

struct sm_bench_generator *sm_bench_generator_new(const char *dir, long worker, long n_workers,
                                                  long n_tensors, long n_elements,
                                                  struct sm_err *err)
{
    char name[NAME_BYTES];
    static const char *const names[] = {"all", "weights", "gradients", "relu_output", "losses"};
    const char *patterns[] = {".*", "^Net.*weight", "^gradient/", "relu_output", "Loss"};
    enum { COLLECTIONS = sizeof names / sizeof *names };
    struct sm_collection_def defs[COLLECTIONS];
    struct sm_collections_def collections = {defs, COLLECTIONS, n_workers};
    struct sm_bench_generator *g = sm_xalloc_zero(1, sizeof *g);
    g->n_tensors = n_tensors;
    g->sizes = sm_xalloc_zero((size_t)n_tensors, sizeof *g->sizes);
    g->names = sm_xalloc_zero((size_t)n_tensors, sizeof *g->names);
    g->values = sm_xalloc_zero((size_t)n_elements + MARGIN, sizeof *g->values);
    for (size_t i = 0; i < COLLECTIONS; i++)
        defs[i] = (struct sm_collection_def){
            .name = names[i], .regexes = &patterns[i], .n_regexes = 1, .reductions = ""};
    for (long i = 0; i < n_tensors; i++) {
        snprintf(g->names[i], NAME_BYTES,
                 i % 2 ? "gradient/Net_layer%ld.weight" : "Net_layer%ld.weight", i / 2);
        g->sizes[i] = n_elements;
    }
    fill(g->values, n_elements + MARGIN);
    snprintf(name, sizeof name, "worker_%ld", worker);
    if (sm_writer_open(dir, name, &g->writer, err) &&
        sm_writer_collections(g->writer, &collections, err))
        return g;
    sm_bench_generator_free(g);
    return NULL;
}

void sm_bench_generator_rename(struct sm_bench_generator *g, long tensor, const char *name,
                               long n_elements)
{
    snprintf(g->names[tensor], NAME_BYTES, "%s", name);
    g->sizes[tensor] = n_elements;
}

bool sm_bench_generator_step(struct sm_bench_generator *g, long step, struct sm_err *err)
{
    if (!sm_writer_begin_step(g->writer, step, 1, step, err))
        return false;
    for (long i = 0; i < g->n_tensors; i++) {
        struct sm_event_value v = {
            .tag = sm_text(g->names[i]),
            .kind = SM_VALUE_TENSOR,
            .dtype = SM_DTYPE_FLOAT32,
            .n_dims = g->sizes[i] > 1,
            .dims = {(uint64_t)g->sizes[i]},
            .n_elements = (uint64_t)g->sizes[i],
            .content = {(const uint8_t *)(g->values + (step * 31 + i * 7) % (MARGIN - 3)),
                        (size_t)g->sizes[i] * sizeof(float)},
        };
        if (!sm_writer_tensor(g->writer, &v, 1.7e9 + (double)step, err))
            return false;
    }
    return sm_writer_end_step(g->writer, err);
}

bool sm_bench_generator_end_job(struct sm_bench_generator *g, struct sm_err *err)
{
    return sm_writer_end_job(g->writer, err);
}

void sm_bench_generator_free(struct sm_bench_generator *g)
{
    if (!g)
        return;
    if (g->writer)
        sm_writer_close(g->writer);
    sm_free(g->sizes);
    sm_free(g->names);
    sm_free(g->values);
    sm_free(g);
}
