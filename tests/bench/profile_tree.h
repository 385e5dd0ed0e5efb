/* SPDX-License-Identifier: Apache-2.0 */
/* Writes profilers' trees of scripted loads: what rules and verdicts say of them follows from the
 * script. Pseudo-random parts are the same in each run. */
#ifndef SM_BENCH_PROFILE_TREE_H
#define SM_BENCH_PROFILE_TREE_H

#include <stdbool.h>

enum sm_bench_load {
    SM_LOAD_BALANCED,    /* GPUs at 90 to 96 %, cores at 50 % */
    SM_LOAD_IDLE,        /* all below 10 % */
    SM_LOAD_INPUT_BOUND, /* cores above 90 % and GPUs below 10 % in three of four ticks; the loader
                            takes most of each step */
    SM_LOAD_IO_BOUND,    /* I/O wait above 50 % and GPUs below 10 % in three of four ticks */
    SM_LOAD_FLUCTUATING, /* GPUs at 95 %, one tick in eight at 2 % */
    SM_LOAD_UNBALANCED,  /* GPU 0 at 95 %, the others at 20 % */
    SM_LOAD_LEAKING,     /* GPU memory grows from 10 to 95 %, with a jump by 30 points after three
                            quarters: of 1334 ticks these are the 1000 that GPUMemoryIncrease waits for
                          */
    SM_LOAD_STRAGGLER,   /* the last node's steps take twice as long; the others wait for it */
    SM_LOADS
};
const char *sm_bench_load_name(enum sm_bench_load load); /* "input-bound" */

struct sm_bench_profile {
    enum sm_bench_load load;
    long nodes, cores, gpus;   /* cores and GPUs of each node */
    long seconds, interval_ms; /* of the job, and of its ticks */
    long step_ms;              /* of a step; 0: no framework metrics */
};
/* Every 20th step, from step 10 on, takes four times as long. False: errno says why. */
bool sm_bench_profile_write(const char *dir, const struct sm_bench_profile *x);

#endif
