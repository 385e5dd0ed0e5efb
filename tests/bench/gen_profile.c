/* SPDX-License-Identifier: Apache-2.0 */
/* gen_profile DIR LOAD NODES CORES GPUS SECONDS INTERVAL_MS STEP_MS: writes a profiler's tree. */
#include "tests/bench/profile_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    struct sm_bench_profile x = {0};
    if (argc == 9) {
        while (x.load < SM_LOADS && strcmp(argv[2], sm_bench_load_name(x.load)) != 0)
            x.load++;
        x.nodes = atol(argv[3]);
        x.cores = atol(argv[4]);
        x.gpus = atol(argv[5]);
        x.seconds = atol(argv[6]);
        x.interval_ms = atol(argv[7]);
        x.step_ms = atol(argv[8]);
    }
    if (argc != 9 || x.load == SM_LOADS || x.interval_ms < 1) {
        fprintf(stderr,
                "usage: gen_profile DIR LOAD NODES CORES GPUS SECONDS INTERVAL_MS STEP_MS\nLOAD:");
        for (int i = 0; i < SM_LOADS; i++)
            fprintf(stderr, " %s", sm_bench_load_name((enum sm_bench_load)i));
        fprintf(stderr, "\n");
        return 2;
    }
    if (sm_bench_profile_write(argv[1], &x))
        return 0;
    perror(argv[1]);
    return 1;
}
