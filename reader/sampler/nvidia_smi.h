/* SPDX-License-Identifier: Apache-2.0 */
/* The figures that nvidia-smi prints again and again, read from a pipe: for a program that cannot
 * load NVIDIA's library. */
#ifndef SM_NVIDIA_SMI_H
#define SM_NVIDIA_SMI_H

#include "reader/sampler/gpu_reading.h"

/* One line of its output: "0, 37, 1024, 81559, 71.50, 34, 1980, 2619, 0x0000000000000004".
 * "[N/A]" and the like are not known. False: no such line. */
bool sm_smi_parse(struct sm_text line, unsigned *index, struct sm_gpu_reading *out);

struct sm_smi;
/* Starts the program; NULL: it cannot be started. */
struct sm_smi *sm_smi_open(const char *program, int interval_ms);
void sm_smi_close(struct sm_smi *s); /* ends it; may be NULL */
/* Takes what has come; never waits. Lines older than three intervals are not known any more. */
void sm_smi_sample(struct sm_smi *s, struct sm_sensor_call *call);

#endif
