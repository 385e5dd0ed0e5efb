/* gen_trial DIR STEPS TENSORS ELEMENTS [WORKERS]: writes a trial of float32 tensors through the hook's writer, for
 * benchmarks. Step numbers go up by one, values are a cheap pseudo-random sequence, so that two runs write the same bytes. */
#include "reader/base/mem.h"
#include "reader/hook/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plan {
    const char *dir;
    long steps, tensors, elements, workers;
    char (*names)[64];
    float *values;
};

static int fail(const struct sm_err *err)
{
    fprintf(stderr, "gen_trial: %s\n", err->msg);
    return 1;
}

/* One long run of values; every tensor begins somewhere else in it. */
static void fill(float *x, long n)
{
    uint32_t state = 1;
    for (long i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = (float)(state >> 8) / (float)(1 << 23) - 1.0f;
    }
}

static bool write_step(struct sm_writer *w, const struct plan *p, long step, struct sm_err *err)
{
    if (!sm_writer_begin_step(w, step, 1, step, err))
        return false;
    for (long i = 0; i < p->tensors; i++) {
        struct sm_event_value v = {
            .tag = sm_text(p->names[i]), .kind = SM_VALUE_TENSOR, .dtype = SM_DTYPE_FLOAT32, .n_dims = 1,
            .dims = {(uint64_t)p->elements}, .n_elements = (uint64_t)p->elements,
            .content = {(const uint8_t *)(p->values + (step * 31 + i * 7) % 997), (size_t)p->elements * sizeof(float)},
        };
        if (!sm_writer_tensor(w, &v, 1.7e9 + (double)step, err))
            return false;
    }
    return sm_writer_end_step(w, err);
}

static bool write_worker(const struct plan *p, long worker, struct sm_err *err)
{
    char name[32];
    struct sm_writer *w;
    const char *pattern = ".*";
    struct sm_collection_def all = {.name = "all", .regexes = &pattern, .n_regexes = 1, .reductions = ""};
    struct sm_collections_def collections = {&all, 1, p->workers};
    snprintf(name, sizeof name, "worker_%ld", worker);
    if (!sm_writer_open(p->dir, name, &w, err))
        return false;
    bool ok = sm_writer_collections(w, &collections, err);
    for (long s = 0; ok && s < p->steps; s++)
        ok = write_step(w, p, s, err);
    ok = ok && (worker < p->workers - 1 || sm_writer_end_job(w, err));
    sm_writer_close(w);
    return ok;
}

int main(int argc, char **argv)
{
    struct plan p = {.workers = 1};
    struct sm_err err = {0};
    if (argc < 5) {
        fprintf(stderr, "usage: gen_trial DIR STEPS TENSORS ELEMENTS [WORKERS]\n");
        return 2;
    }
    p.dir = argv[1];
    p.steps = atol(argv[2]);
    p.tensors = atol(argv[3]);
    p.elements = atol(argv[4]);
    if (argc > 5)
        p.workers = atol(argv[5]);
    p.names = sm_xalloc_zero((size_t)p.tensors, sizeof *p.names);
    p.values = sm_xalloc_zero((size_t)p.elements + 1000, sizeof *p.values);
    for (long i = 0; i < p.tensors; i++)
        snprintf(p.names[i], sizeof p.names[i], i % 2 ? "gradient/Net_layer%ld.weight" : "Net_layer%ld.weight", i / 2);
    fill(p.values, p.elements + 1000);
    bool ok = true;
    for (long w = 0; ok && w < p.workers; w++)
        ok = write_worker(&p, w, &err);
    sm_free(p.names);
    sm_free(p.values);
    return ok ? 0 : fail(&err);
}
