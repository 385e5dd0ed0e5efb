/* SPDX-License-Identifier: Apache-2.0 */
/* The sampler: what this machine does while a training runs, as the lines of a profiler's files of
 * system metrics (doc/recording.md).
 *
 * The room reader/sampler knows no trial and includes reader/base only. From files up: one file
 * that is read again and again (sensor_file.h), its words (sensor_text.h), one kind of sensor
 * (sensor.h: a table of three functions; cpu_sensor.c, cgroup_sensor.c and so on), the lines of one
 * sample (sample_lines.h), and where they are written (sample_file.h). All files are found below a
 * root directory, so that a test can bring its own machine. What a machine does not have is left
 * out of the lines; it is never zero.
 *
 * A sample reads files that are kept open, with pread, into one buffer. It allocates nothing once
 * the set of cores, disks and processes has been seen. */
#ifndef SM_SAMPLER_H
#define SM_SAMPLER_H

#include "reader/base/err.h"
#include "reader/base/str.h"

enum { SM_SAMPLE_MS_MIN = 100, SM_SAMPLE_MS_MAX = 60000 };

struct sm_sampler_options {
    const char *root;     /* has proc/ and sys/ of the machine; NULL: "/" */
    const char *own_root; /* the same as the followed process sees them; NULL: "/" */
    const char *node;     /* NodeId of the lines: "algo-1" */
    const char *nvml;     /* NVIDIA's library; "" for none; NULL: its usual name */
    const char *smi;      /* used if there is no such library; "" for none; NULL: nvidia-smi */
    int interval_ms;      /* of nvidia-smi */
};
struct sm_sampler;
/* Opens the sensors that there are. False: the root is no directory, or no memory. */
bool sm_sampler_new(const struct sm_sampler_options *o, struct sm_sampler **out,
                    struct sm_err *err);
void sm_sampler_free(struct sm_sampler *s); /* may be NULL */
/* Adds the figures of a process with all its descendants, and those of its control group. */
void sm_sampler_follow(struct sm_sampler *s, int pid);
/* Reads all sensors: lines of JSON, valid until the next call. Rates are since the call before and
 * are missing in the first. mono_us must increase. Empty: no memory, or nothing is known. */
struct sm_text sm_sampler_take(struct sm_sampler *s, int64_t wall_us, int64_t mono_us);

#endif
