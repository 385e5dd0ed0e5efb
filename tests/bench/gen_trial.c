/* SPDX-License-Identifier: Apache-2.0 */
/* gen_trial DIR STEPS TENSORS ELEMENTS [WORKERS]: writes a trial for benchmarks, with steps 0, 1, 2
 * ... */
#include "tests/bench/generate.h"

#include <stdio.h>
#include <stdlib.h>

static bool write_worker(const char *dir, char **args, long worker, long n_workers,
                         struct sm_err *err)
{
    long steps = atol(args[0]);
    struct sm_bench_generator *g =
        sm_bench_generator_new(dir, worker, n_workers, atol(args[1]), atol(args[2]), err);
    bool ok = g;
    for (long s = 0; ok && s < steps; s++)
        ok = sm_bench_generator_step(g, s, err);
    ok = ok && (worker < n_workers - 1 || sm_bench_generator_end_job(g, err));
    sm_bench_generator_free(g);
    return ok;
}

int main(int argc, char **argv)
{
    struct sm_err err = {0};
    long n_workers = argc > 5 ? atol(argv[5]) : 1;
    if (argc < 5) {
        fprintf(stderr, "usage: gen_trial DIR STEPS TENSORS ELEMENTS [WORKERS]\n");
        return 2;
    }
    for (long w = 0; w < n_workers; w++)
        if (!write_worker(argv[1], argv + 2, w, n_workers, &err)) {
            fprintf(stderr, "gen_trial: %s\n", err.msg);
            return 1;
        }
    return 0;
}
