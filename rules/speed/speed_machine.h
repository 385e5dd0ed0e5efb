/* SPDX-License-Identifier: Apache-2.0 */
/* What the machines did during a range of time: a few means for each node, from the pyramids of the
 * metrics. The cost depends on the number of series, not on that of samples. */
#ifndef SM_SPEED_MACHINE_H
#define SM_SPEED_MACHINE_H

#include "rules/measures/measures.h"

/* The means that are of a series with this name and dimension; NaN: not recorded. */
enum sm_machine_mean {
    SM_MACHINE_CPU,        /* %, of all cores */
    SM_MACHINE_IO_WAIT,    /* %, of all cores */
    SM_MACHINE_GPU,        /* %, of all GPUs */
    SM_MACHINE_GPU_MEMORY, /* %, of all GPUs */
    SM_MACHINE_MEMORY,     /* %, of RAM */
    SM_MACHINE_SWAP,       /* %, of swap space */
    SM_MACHINE_READ,       /* B/s, of all disks */
    SM_MACHINE_WRITE,
    SM_MACHINE_RECEIVED, /* B/s */
    SM_MACHINE_CPU_SOME, /* pressure: % of the time */
    SM_MACHINE_IO_SOME,  /* some tasks waited for disks */
    SM_MACHINE_IO_FULL,  /* all tasks waited */
    SM_MACHINE_MEMORY_SOME,
    SM_MACHINE_MEMORY_FULL,
    SM_MACHINE_TREE_CPU,   /* % of one core: the program with its descendants */
    SM_MACHINE_TREE_READ,  /* B/s */
    SM_MACHINE_TREE_WRITE, /* B/s */
    SM_MACHINE_RESIDENT,   /* B */
    SM_MACHINE_THROTTLED,  /* %, of the scheduler's periods */
    SM_MACHINE_LIMIT,      /* %, of the memory limit of the control group */
    SM_MACHINE_MEANS
};
enum { SM_MACHINE_SAMPLES = 5 }; /* of fewer, nothing is said */
struct sm_machine {
    uint32_t node; /* id in the names of the store */
    int64_t from_ns, to_ns;
    double mean[SM_MACHINE_MEANS], max[SM_MACHINE_MEANS];
    const struct sm_metric_series *series[SM_MACHINE_MEANS]; /* of cores and GPUs: their mean */
    size_t samples;                /* of the longest series in the range */
    size_t cores, gpus, idle_gpus; /* idle: mean below 5 % */
    double busiest_core;           /* %, mean of that core */
    double most_gpu, least_gpu;    /* %, means of the GPUs that are used most and least */
    double killed;                 /* processes killed for lack of memory */
    int64_t killed_ns;             /* the first of them */
    double slowed; /* share of the time in which a GPU ran slower for heat or power failure */
};
/* Of each node that has metrics in [from, to), in order of appearance; the caller frees them.
 * Kills for lack of memory count from since_ns on and without an end: the one that ends a training
 * comes after its last step. False: no memory. */
bool sm_machines_read(const struct sm_metric_store *m, int64_t since_ns, int64_t from_ns,
                      int64_t to_ns, struct sm_machine **out, size_t *n);
/* How many cores are busy, are waited for by I/O, and are used by the program; NaN: not known. */
double sm_machine_cores(const struct sm_machine *m, enum sm_machine_mean what);
/* The mean of buckets of the range in out[n]; NaN where nothing is known. */
void sm_machine_course(const struct sm_machine *x, const struct sm_metric_store *m,
                       enum sm_machine_mean what, double *out, size_t *n, size_t most,
                       int64_t *width_ns);

#endif
