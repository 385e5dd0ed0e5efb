/* SPDX-License-Identifier: Apache-2.0 */
/* A kind of sensor: a record of three functions, listed once in sampler.c. */
#ifndef SM_SENSOR_H
#define SM_SENSOR_H

#include "reader/sampler/sample_lines.h"
#include "reader/sampler/sensor_file.h"
#include "reader/sampler/sensor_text.h"

/* Where sensors are. Directories stay open as long as the sensor. */
struct sm_sensor_place {
    int root, own_root; /* as in sm_sampler_options; of the followed process: own_root */
    bool of_host;       /* root is not the machine as we see it, but that of our host */
    int pid;            /* that is followed; 0: none */
    const char *nvml, *smi;
    int interval_ms;
    struct sm_sensor_buffer *buffer;
};
/* One sample. */
struct sm_sensor_call {
    struct sm_sample_lines *out;
    struct sm_sensor_buffer *buffer;
    int64_t mono_us;
    double seconds; /* since the sample before; 0: this is the first of this sensor */
    unsigned gpus;  /* named so far: the next one is gpu<gpus> */
};
struct sm_sensor_kind {
    const char *name;
    bool of_process;                                    /* opened when a process is followed */
    void *(*open)(const struct sm_sensor_place *place); /* NULL: the machine has none */
    void (*sample)(void *state, struct sm_sensor_call *call);
    void (*close)(void *state);
};
extern const struct sm_sensor_kind sm_cpu_sensor, sm_memory_sensor, sm_disk_sensor,
    sm_network_sensor, sm_pressure_sensor, sm_cgroup_sensor, sm_infiniband_sensor, sm_tree_sensor,
    sm_card_sensor, sm_nvidia_sensor;

/* A number that only grows. */
struct sm_counter {
    uint64_t last;
    bool known;
};
/* By how much it has grown. False: it was not known before, or began anew. */
bool sm_counter_next(struct sm_counter *c, uint64_t now, uint64_t *grown);
/* Adds its growth per second, times scale, if it is known. */
void sm_counter_rate(struct sm_counter *c, uint64_t now, double scale,
                     const struct sm_sensor_call *call, const char *type, const char *name,
                     const char *dimension);

#endif
