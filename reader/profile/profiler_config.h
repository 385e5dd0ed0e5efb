/* SPDX-License-Identifier: Apache-2.0 */
/* What a job's profiler was asked to record: profilerconfig.json (doc/formats.md). */
#ifndef SM_PROFILER_CONFIG_H
#define SM_PROFILER_CONFIG_H

#include "reader/base/err.h"
#include "reader/base/str.h"

#include <stddef.h>
#include <stdint.h>

/* One part of profiling that was asked for, by steps or by time. */
struct sm_profiler_part {
    bool asked;
    bool invalid;                /* both by steps and by time, or no numbers: it is off */
    int64_t start_step, n_steps; /* -1: not given */
    int64_t start_s, duration_s; /* -1: not given */
};
enum {
    SM_PROFILER_DETAILED,
    SM_PROFILER_DATALOADER,
    SM_PROFILER_PYTHON,
    SM_PROFILER_DATAPARALLEL,
    SM_PROFILER_PARTS
};
struct sm_profiler_config {
    bool disabled, enabled;                        /* DisableProfiler; ProfilerEnabled */
    struct sm_str path;                            /* LocalPath */
    int64_t rotate_bytes, rotate_s, open_failures; /* -1: not given */
    struct sm_profiler_part parts[SM_PROFILER_PARTS];
};
const char *sm_profiler_part_name(int part); /* "detailed", "data loader", ... */
/* out: zeroed; sm_profiler_config_clear in any case. False: it is no JSON object. */
bool sm_profiler_config_read(const char *p, size_t n, struct sm_profiler_config *out,
                             struct sm_err *err);
void sm_profiler_config_clear(struct sm_profiler_config *c);
/* Looks for the file in the directories of a run and of its profile, and above them. False: there
 * is none. */
enum { SM_PROFILER_CONFIG_BYTES = 1024 * 1024 };
bool sm_profiler_config_find(const char *run, const char *root, struct sm_str *path);

#endif
