/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of one GPU at one moment, whoever said it. */
#ifndef SM_GPU_READING_H
#define SM_GPU_READING_H

#include "reader/sampler/sensor.h"

enum sm_gpu_figure {
    SM_GPU_BUSY,        /* % of the time in which something ran */
    SM_GPU_USED_BYTES,  /* of memory */
    SM_GPU_TOTAL_BYTES, /* of memory */
    SM_GPU_WATTS,
    SM_GPU_CELSIUS,
    SM_GPU_CLOCK_MHZ,
    SM_GPU_MEMORY_CLOCK_MHZ,
    SM_GPU_FIGURES
};
/* Zero-initialised nothing is known. */
struct sm_gpu_reading {
    double figures[SM_GPU_FIGURES];
    bool known[SM_GPU_FIGURES], reasons_known;
    uint64_t reasons; /* why clocks are low: bits of nvml.h */
};
void sm_gpu_set(struct sm_gpu_reading *g, enum sm_gpu_figure figure, double value);

/* The reasons of the sample before, of each GPU. */
enum { SM_GPUS_MAX = 64 };
struct sm_gpu_state {
    uint64_t reasons;
};
/* Adds the lines of gpu<call->gpus>, and counts it. A reason to throttle that begins or ends is an
 * event with the value 1 or 0. */
void sm_gpu_add(struct sm_gpu_state *state, const struct sm_gpu_reading *g,
                struct sm_sensor_call *call);

#endif
