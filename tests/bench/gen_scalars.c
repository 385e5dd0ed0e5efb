/* SPDX-License-Identifier: Apache-2.0 */
/* gen_scalars FORMAT DIR RUNS SCALARS STEPS: writes scalars for benchmarks, as
 * tests/bench/scalars.h has them. */
#include "tests/bench/scalars.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct sm_err err = {0};
    if (argc != 6) {
        fprintf(stderr, "usage: gen_scalars tensorboard|wandb|trial DIR RUNS SCALARS STEPS\n");
        return 2;
    }
    struct sm_bench_scalars s = {atol(argv[3]), atol(argv[4]), atol(argv[5])};
    if (sm_bench_scalars_write(argv[1], argv[2], &s, &err))
        return 0;
    fprintf(stderr, "gen_scalars: %s\n", err.msg);
    return 1;
}
