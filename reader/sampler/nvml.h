/* SPDX-License-Identifier: Apache-2.0 */
/* NVIDIA's management library, loaded when the program runs: its functions as a table. */
#ifndef SM_NVML_H
#define SM_NVML_H

#include "reader/sampler/gpu_reading.h"

struct sm_nvml;
/* name: of the library; NULL: its usual one. NULL is returned if it is not there, or sees no GPU.
 */
struct sm_nvml *sm_nvml_open(const char *name);
void sm_nvml_close(struct sm_nvml *n); /* may be NULL */
/* Adds the lines of all GPUs, and errors (XID) since the last call as events. */
void sm_nvml_sample(struct sm_nvml *n, struct sm_sensor_call *call);

#endif
